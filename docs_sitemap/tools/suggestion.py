"""The name that somebody probably meant."""

from collections.abc import Iterable

# `chk` is similar to `check`, and a page without its folder to the page, but not the
# version 3.0 to 2.0. At 1.0, names are equal.
_SIMILAR = 0.7


def suggest(
    name: str, names: Iterable[str], similarity: float = _SIMILAR
) -> str | None:
    """Return the most similar name, whatever its case; `None` if none is similar.

    Args:
        name: The unknown name, as typed.
        names: The known names.
        similarity: How similar they must be, from 0 to 1.
    """
    from difflib import get_close_matches  # Few names are unknown.

    known = {each.casefold(): each for each in names}
    similar = get_close_matches(name.casefold(), known, n=1, cutoff=similarity)
    return known[similar[0]] if similar else None
