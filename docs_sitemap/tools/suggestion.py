"""The name that somebody probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches

# One wrong letter in a name of four, or a page without its folder. 1.0 is equality.
_SIMILAR = 0.6


def suggest(
    name: str, names: Iterable[str], similarity: float = _SIMILAR
) -> str | None:
    """Return the most similar name, whatever its case; `None` if none is similar.

    Args:
        name: The unknown name, as typed.
        names: The known names.
        similarity: How similar they must be, from 0 to 1.
    """
    known = {each.casefold(): each for each in names}
    similar = get_close_matches(name.casefold(), known, n=1, cutoff=similarity)
    return known[similar[0]] if similar else None
