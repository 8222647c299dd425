"""Build a complete, escaped `sitemap.xml` with accurate last-modified dates from git.

This is the API for generator integrations of your own. Everything else in this package
is private.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import *  # noqa: F403


def __getattr__(name: str) -> Any:
    """Load the API when it is used: plugins and commands need only parts of it."""
    return getattr(import_module(f"{__name__}.api"), name)


def __dir__() -> list[str]:
    """Return the names of the API, although they may not be loaded yet."""
    return [*globals(), *import_module(f"{__name__}.api").__all__]
