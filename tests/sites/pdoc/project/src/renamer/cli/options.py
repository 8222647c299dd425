"""The options of the command."""

from renamer.rules import Rule


def default_rule() -> Rule:
    """Return the rule that applies without options."""
    return Rule()
