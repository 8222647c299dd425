"""What a file is named."""


class Rule:
    """A rule of names."""

    prefix: str = ""
    """What each name starts with."""
