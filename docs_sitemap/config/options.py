"""All options: name, type, default, meaning, and validation.

The MkDocs plugin, the Sphinx extension, and the reference documentation use these
definitions.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from docs_sitemap.date_status import CommitDate
from docs_sitemap.errors import OptionError, TemplateError, UrlError
from docs_sitemap.exclusion_reason import ExclusionReason
from docs_sitemap.page import Rule
from docs_sitemap.sitemap.hreflang import to_hreflang
from docs_sitemap.sitemap.protocol import ChangeFreq, part_name
from docs_sitemap.sitemap.render import Renderer
from docs_sitemap.sitemap.urls import BaseUrl, make_loc, parse_base_url, quote_path
from docs_sitemap.tools.files import is_path

from . import parsers
from .locales import Locale, find_folder
from .read_the_docs import name_folder

# The name of no part is longer than with this number.
_LAST_PART = 10**9


class DateFormat(StrEnum):
    """How much of a timestamp is written."""

    DATETIME = "datetime"
    DATE = "date"


class LastmodChanges(StrEnum):
    """Which changes to the document of a page give it a new date."""

    ANY = "any"
    TEXT = "text"


class ShallowAction(StrEnum):
    """What to do if a shallow clone does not contain the commits of some pages."""

    WARN = "warn"
    FETCH = "fetch"
    ERROR = "error"


class Option(NamedTuple):
    """One option. The docstring of `Options` has its type and its meaning.

    Attributes:
        name: The name in `Options`.
        default: The value if the user sets none.
        parse: Returns the typed value, or raises `ValueError`.
        mkdocs: The name in `mkdocs.yml`; `None` if the option does not exist there.
        sphinx: The name in `conf.py`; `None` if the option does not exist there.
    """

    name: str
    default: Any
    parse: Callable[[Any], Any]
    mkdocs: str | None
    sphinx: str | None


def _option(default: Any, parse: Callable[[Any], Any], **names: str | None) -> Any:
    """Declare an option. The names are those in `mkdocs.yml` and `conf.py`, if they
    differ.
    """
    return field(default=default, metadata={"parse": parse, **names})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The validated options of one sitemap. `None` means the default of an option.

    Attributes:
        base_url (absolute URL): The address of the published site. MkDocs uses its own
            `site_url`. Sphinx uses `site_url` or, if that is not set, `html_baseurl`.
        filename (file name): The name of the sitemap at the top level of the site.
        gzip (boolean): Write a compressed copy, `sitemap.xml.gz`, next to each file.
        lastmod (boolean): Write the last-modified date of each page, from git.
        lastmod_changes (`text` or `any`): Whether only changes that readers see date a
            page, or every commit to its Markdown or reStructuredText file, as in `git
            log`.
        lastmod_date (`merged`, `committed`, or `authored`): Use the time at which a
            change was merged into the published branch, committed, or written.
        lastmod_format (`datetime` or `date`): Write the date and time in UTC, or only
            the day.
        page_dates (boolean): Show the date of each page to readers. It is the same date as in the sitemap.
        lastmod_record (path of a `.json` file): Keep the date of a page until its main
            content changes. The file contains the content record: a digest and the date
            of each page.
        shallow (`warn`, `fetch`, or `error`): What to do if a shallow clone does not
            contain the commits of some pages: log a notice, fetch the missing history,
            or fail.
        ignore_revs_file (path in the repository, or `false`): A list of commits to
            ignore, in the format of `git blame --ignore-revs-file`.
        dependencies (mapping from patterns of pages to lists of files): More source
            files of pages.
        ignore_dependencies (list of files): Source files to ignore, although they were
            detected.
        repository (path): The git repository of a site that is built from an exported
            tree.
        ref (text): The branch, tag, or commit of the exported tree.
        changefreq (`always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly`, or `never`):
            How often pages change, unless a rule or the page sets its own value.
        priority (number from 0.0 to 1.0): The priority of pages within the site, unless
            a rule or the page sets its own value.
        rules (list of mappings): Set `changefreq` and `priority` of all pages that
            `match` a pattern. The first rule that matches a page applies.
        exclude (list of patterns): Pages to leave out of the sitemap.
        include (list of patterns): Pages to list although something excludes them, and
            HTML files that the generator did not build.
        ignore_reasons (list of exclusion reasons): Reasons that do not exclude pages.
        template (path): Your own Jinja template. In MkDocs, `theme` uses the
            `sitemap.xml` of the theme or of its `custom_dir`.
        report (path of a `.json` file, or `false`): Also write the report of the build
            here. `false` saves no report at all.
        url_scheme (text that ends in `{link}`): The path between the base URL and each
            page. `{lang}` is the language and a slash, and `{version}` is the version
            and a slash. Each is empty if it is not set.
        language (text): The value of `{lang}`. Sphinx uses `language` from `conf.py`.
        version (text): The value of `{version}`. Sphinx uses `version` from `conf.py`.
        locales (list of languages, or mapping from languages to their settings): The
            languages of the site. If they are built separately, each page is linked
            with its URLs in these languages. `hreflang` sets the language tag, and
            `path` sets the folder, which is empty for the root of the site.
        x_default (one of the languages): The language for readers of all other
            languages.
        robots (boolean): Add the sitemap to the `robots.txt` of the output, if the site
            is at the root of its host.
        source_dir (path): The folder of the source files, for `docs-sitemap generate`.
        clean_urls (boolean): Whether the URL of `guide.html` is `guide`, if neither its
            canonical link nor a sitemap says so, for `docs-sitemap generate`.
        min_dated (number from 0 to 100): The percentage of the listed pages that must
            have a date, for `docs-sitemap generate`.

    Raises:
        OptionError: Some values are invalid. The error lists all of them.
    """  # noqa: E501

    base_url: str | None = _option(
        None, parsers.parse_address, mkdocs=None, sphinx="site_url"
    )
    filename: str = _option("sitemap.xml", parsers.parse_filename)
    gzip: bool = _option(True, parsers.parse_bool)
    lastmod: bool = _option(True, parsers.parse_bool, sphinx="sitemap_show_lastmod")
    lastmod_changes: LastmodChanges = _option(
        LastmodChanges.TEXT, parsers.parse_choice(LastmodChanges)
    )
    lastmod_date: CommitDate = _option(
        CommitDate.MERGED, parsers.parse_choice(CommitDate)
    )
    lastmod_format: DateFormat = _option(
        DateFormat.DATETIME, parsers.parse_choice(DateFormat)
    )
    page_dates: bool = _option(False, parsers.parse_bool)
    lastmod_record: str | None = _option(None, parsers.parse_record)
    shallow: ShallowAction = _option(
        ShallowAction.WARN, parsers.parse_choice(ShallowAction)
    )
    ignore_revs_file: str = _option(
        ".git-blame-ignore-revs", parsers.parse_repository_file
    )
    dependencies: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        (), parsers.parse_dependencies
    )
    ignore_dependencies: tuple[str, ...] = _option((), parsers.parse_files)
    repository: str | None = _option(None, parsers.parse_path)
    ref: str = _option("HEAD", parsers.parse_ref)
    changefreq: ChangeFreq | None = _option(None, parsers.parse_changefreq)
    priority: float | None = _option(None, parsers.parse_priority)
    rules: tuple[Rule, ...] = _option((), parsers.parse_rules)
    exclude: tuple[str, ...] = _option(
        (), parsers.parse_patterns, sphinx="sitemap_excludes"
    )
    include: tuple[str, ...] = _option((), parsers.parse_patterns)
    ignore_reasons: tuple[ExclusionReason, ...] = _option((), parsers.parse_reasons)
    template: str | None = _option(None, parsers.parse_path)
    report: str | Literal[False] | None = _option(None, parsers.parse_report)
    url_scheme: str = _option("{link}", parsers.parse_url_scheme, mkdocs=None)
    language: str = _option("", parsers.parse_text, mkdocs=None, sphinx=None)
    version: str = _option("", parsers.parse_text, mkdocs=None, sphinx=None)
    locales: tuple[Locale, ...] = _option((), parsers.parse_locales)
    x_default: str = _option("", parsers.parse_text)
    robots: bool = _option(False, parsers.parse_bool)
    source_dir: str | None = _option(None, parsers.parse_path, mkdocs=None, sphinx=None)
    clean_urls: bool = _option(False, parsers.parse_bool, mkdocs=None, sphinx=None)
    min_dated: float | None = _option(
        None, parsers.parse_percentage, mkdocs=None, sphinx=None
    )

    def __post_init__(self) -> None:
        errors = []
        for option in OPTIONS:
            value = getattr(self, option.name)
            try:
                parsed = option.default if value is None else option.parse(value)
            except ValueError as error:
                errors.append((option.name, str(error)))
            else:
                object.__setattr__(self, option.name, parsed)
        if not errors:
            errors = [*self._contradictions()]
        if errors:
            raise OptionError(errors)

    def _contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the options that do not fit the others, each with the reason."""
        try:
            make_loc(self.page_base_url(), part_name(self.filename, _LAST_PART))
        except UrlError as error:
            name = "filename" if self.url_scheme == "{link}" else "url_scheme"
            yield name, str(error)
        if self.ref != "HEAD" and self.repository is None:
            yield "ref", "the option repository is not set"
        if self.lastmod_record and self.lastmod_record == self.report:
            yield "lastmod_record", "the option report names the same file"
        if self.page_dates and not self.lastmod:
            yield "page_dates", "the option lastmod is off, so no page has a date"

    def page_base_url(self) -> BaseUrl:
        """Return the URL that the URLs of all pages start with: `base_url` and
        `url_scheme`.
        """
        # The scheme can be validated before the base URL is known.
        return self._in_scheme(self.base_url or "https://example.org/", self.language)

    def without_address(self) -> "Options":
        """Return the options for local builds, which only show dates."""
        base_url = parse_base_url("http://localhost/")
        return replace(self, base_url=base_url, lastmod_record=None)

    def language_folder(self) -> str:
        """Return the last folder in the URL of all pages that is named after
        `language`, or has the path that `locales` sets for it; empty if there is none.
        `/zh-cn/` is named after `zh_CN`.
        """
        return find_folder(self.folder_of(self.language), self.page_base_url())

    def language_base_urls(self) -> dict[str, BaseUrl]:
        """Return the URL that the URLs of all pages start with in each language.

        The languages are `language` and `locales`. Their URLs differ in `{lang}` of
        `url_scheme` or in the folder of `base_url` that is named after `language`. If
        `language` is at the root, the others are in folders of `base_url`. If there is
        neither, nothing is returned.
        """
        if not self.locales:
            return {}
        if self.folder_of(self.language) and not self.language_folder():
            return {}
        urls: dict[str, BaseUrl] = {}
        for code in self._languages():
            with suppress(UrlError):  # The URL is too long.
                urls[code] = self._in_scheme(self._base_url_in(code), code)
        return urls

    def hreflang_of(self, code: str) -> str:
        """Return the language tag of a language.

        Raises:
            ValueError: It has none. The message is the reason.
        """
        locale = self._languages().get(code)
        if locale is None:
            return to_hreflang(code)
        return locale.hreflang

    def _languages(self) -> dict[str, Locale | None]:
        """Return `language` and then `locales`, by the names of the languages."""
        languages: dict[str, Locale | None] = {self.language: None}
        for locale in self.locales:
            languages[locale.code] = locale
        return languages

    def folder_of(self, code: str) -> str:
        """Return the percent-encoded folder of a language; empty for the root."""
        locale = self._languages().get(code)
        if locale is None or locale.path is None:
            return quote_path(name_folder(code, self.base_url))
        return locale.path

    def _base_url_in(self, code: str) -> str:
        """Return the address of the site in another language, before `url_scheme`."""
        base_url = self.base_url or ""
        name = self.folder_of(code)
        if "{lang}" in self.url_scheme or code == self.language:
            return base_url
        if not self.folder_of(self.language):
            return f"{base_url}{name}/"
        before, _, after = base_url.rpartition(f"/{self.language_folder()}/")
        if not name:
            return f"{before}/{after}"
        return f"{before}/{name}/{after}"

    def _in_scheme(self, base_url: str, language: str) -> BaseUrl:
        """Return a base URL with the path of `url_scheme` for a language."""
        # Each is empty if it is not set.
        lang = f"{self.folder_of(language)}/"
        version = f"{quote_path(self.version)}/"
        path = self.url_scheme.format(lang=lang, version=version, link="")
        return parse_base_url(base_url + path.lstrip("/"))


OPTIONS: tuple[Option, ...] = tuple(
    Option(
        name=declared.name,
        default=declared.default,
        parse=declared.metadata["parse"],
        mkdocs=declared.metadata.get("mkdocs", declared.name),
        sphinx=declared.metadata.get("sphinx", f"sitemap_{declared.name}"),
    )
    for declared in fields(Options)
)
"""All options, in the order of the reference."""


def describe_unknown_option(name: str, names: Collection[str]) -> str:
    """Return what is wrong with a name that is none of those of the options."""
    similar = get_close_matches(name, names, n=1) or names
    return f"there is no such option. Fix: use {', '.join(similar)} instead."


def read_options(values: Mapping[str, Any], folder: str) -> Options:
    """Return the options of a user.

    Args:
        values: Values by the names in `Options`.
        folder: The folder to which the paths are relative.

    Raises:
        OptionError: Some values are invalid, or the template is missing or not valid
            Jinja. The error lists all of them.
    """
    errors = _check_template(values.get("template"), folder)
    try:
        options = Options(**values)
    except OptionError as error:
        errors = [*error.errors, *errors]
    if errors:
        raise OptionError(errors)
    paths: dict[str, Any] = {}
    for name in ("template", "repository", "report", "lastmod_record", "source_dir"):
        path = getattr(options, name)
        if path:
            paths[name] = os.path.join(folder, path)
    return replace(options, **paths)


def _check_template(path: object, folder: str) -> list[tuple[str, str]]:
    """Return the error if a template cannot be used."""
    if not path or not isinstance(path, str) or not is_path(path):
        return []  # `Options` validates the path itself.
    try:
        Renderer(os.path.join(folder, path))
    except TemplateError as error:
        return [("template", str(error))]
    return []


_SPHINX_NAMES = {option.name: option.sphinx for option in OPTIONS if option.sphinx}


def use_sphinx_names(message: str) -> str:
    """Return a message with the names that options have in `conf.py`.

    Messages name options in one form, `the option lastmod`, with the names in
    `Options`, which are also those in `mkdocs.yml`.
    """
    return re.sub(
        r"\bthe option (\w+)",
        lambda match: _SPHINX_NAMES.get(match[1], match[0]),
        message,
    ).replace(" to false", " to False")
