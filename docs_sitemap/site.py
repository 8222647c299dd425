"""The description of a site that a generator integration hands in."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .config.languages import page_base_url
from .config.options import OptionNames, Options, names_for
from .diagnostics import OptionError
from .git.history import History
from .page import Page
from .shown.front_matter import FrontMatterKeys
from .sitemap.protocol import Url
from .sitemap.urls import BaseUrl
from .tools.files import StrPath

EditUrl = Callable[[Page, Url], Url | None]
"""Receives a page and its entry, and returns the entry to write, or `None` to exclude
the page.
"""

FindOriginal = Callable[[str], StrPath | None]
"""Receives the path of an HTML file below the folder of the site, with `/` as
separator, and returns the path of the file that was copied there, or `None`.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A built site, for `build_sitemap`.

    Attributes:
        pages: All pages, in the order in which they were written. Of two with the same
            URL, the last is listed, unless only the first is requested.
        options: The options; `base_url` must be set.
        out_dir: The folder of the built site.
        root: The project folder, to which the paths of `dependencies` are relative.
        history: Finds commits. To reuse its results, pass one with a cache folder or
            pass the same one to several builds.
        edit_url: Receives each listed page with its entry, and returns the entry to
            write, or `None` to exclude the page. If pages are dated before they are
            written, it receives all pages.
        find_original: Finds the source of a file that is not a page, but that
            the option `include` lists.
        front_matter: Decides which keys of front matter the pages show. By default,
            these are all that are not for navigation or layout.
        languages: The address of the site in each language. Pages at the same path
            below these addresses are linked. By default, the options `language` and
            `locales` decide.
        generator: `sphinx` if messages name options as in `conf.py`, and `any` if only
            the built site is known.
        is_owner: Whether an existing sitemap belongs to an earlier build. It is then
            removed if no page is listed.
        is_preview: Whether the build is only for local viewing, without a report and
            `robots.txt`.
        is_address_chosen: Whether the user has set the address for docs-sitemap, and
            not for the generator. `check` then accepts it, whatever the file `CNAME`
            contains.
        option_files: The file that sets each option, if several files can.
        base_url: The URL that the URLs of all pages start with.

    Raises:
        OptionError: The options have no base URL.
    """

    pages: Iterable[Page]
    options: Options
    out_dir: StrPath
    root: StrPath = "."
    history: History | None = None
    edit_url: EditUrl | None = None
    find_original: FindOriginal | None = None
    front_matter: FrontMatterKeys = field(default_factory=FrontMatterKeys)
    languages: Mapping[str, BaseUrl] | None = None
    generator: Literal["sphinx", "any"] | None = None
    is_owner: bool = True
    is_preview: bool = False
    is_address_chosen: bool = False
    option_files: Mapping[str, str] = field(default_factory=dict)
    base_url: BaseUrl = field(init=False)

    @property
    def names(self) -> OptionNames:
        """The names of options in messages."""
        return names_for(self.generator)

    def __post_init__(self) -> None:
        if self.options.base_url is None:
            message = "it is not set. Fix: set it to the address of the site"
            raise OptionError([("base_url", message)])
        object.__setattr__(self, "out_dir", os.path.abspath(self.out_dir))
        object.__setattr__(self, "root", os.path.abspath(self.root))
        object.__setattr__(self, "base_url", page_base_url(self.options))
