"""All options: name, type, default, meaning, and validation.

The MkDocs plugin, the Sphinx extension, and the reference documentation use these definitions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Literal

from docs_sitemap import values as validate
from docs_sitemap.entry import IGNORABLE_REASONS, DateFallback, ExclusionReason
from docs_sitemap.errors import OptionError, UrlError
from docs_sitemap.files import part_name
from docs_sitemap.languages import Locale, find_folder, name_like, to_hreflang
from docs_sitemap.page import Rule
from docs_sitemap.sitemap.protocol import ChangeFreq
from docs_sitemap.sitemap.urls import BaseUrl, make_loc, parse_base_url, quote_path
from docs_sitemap.text import shorten

# The name of no part is longer than with this number.
_LAST_PART = 10**9


class CommitDate(StrEnum):
    """Which date of a commit is used: when it was committed, or when its text was written."""

    COMMITTER = "committer"
    AUTHOR = "author"


class DateFormat(StrEnum):
    """How much of a timestamp is written."""

    DATETIME = "datetime"
    DATE = "date"


class LastmodChanges(StrEnum):
    """Which changes to the document of a page count."""

    ANY = "any"
    TEXT = "text"


class ShallowAction(StrEnum):
    """What to do if a shallow clone does not contain the commits of some pages."""

    WARN = "warn"
    FETCH = "fetch"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Option:
    """The description of one option.

    Attributes:
        name: The name in `Options`.
        type: The type in words.
        default: The value if the user sets none.
        meaning: The description for the reference.
        parse: Returns the typed value, or raises `ValueError`.
        mkdocs: The name in `mkdocs.yml`; `None` if the option does not exist there.
        sphinx: The name in `conf.py`; `None` if the option does not exist there.
    """

    name: str
    type: str
    default: Any
    meaning: str
    parse: Callable[[Any], Any]
    mkdocs: str | None
    sphinx: str | None


def _option(
    default: Any,
    type_: str,
    parse: Callable[[Any], Any],
    meaning: str,
    **names: str | None,
) -> Any:
    return field(
        default=default,
        metadata={"type": type_, "parse": parse, "meaning": meaning, **names},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The validated options of one sitemap. `None` means the default of an option.

    Raises:
        OptionError: Some values are invalid. The error lists all of them.
    """

    base_url: str | None = _option(
        None,
        "absolute URL",
        validate.parse_base_url_option,
        "The address of the published site. MkDocs uses its own `site_url`. Sphinx uses "
        "`site_url` or, if that is not set, `html_baseurl`.",
        mkdocs=None,
        sphinx="site_url",
    )
    filename: str = _option(
        "sitemap.xml",
        "file name",
        validate.parse_filename,
        "The name of the sitemap at the top level of the site.",
    )
    gzip: bool = _option(
        True,
        "boolean",
        validate.parse_bool,
        "Write a compressed copy, `sitemap.xml.gz`, next to each file.",
    )
    lastmod: bool = _option(
        True,
        "boolean",
        validate.parse_bool,
        "Write the last-modified date of each page, from git.",
        sphinx="sitemap_show_lastmod",
    )
    lastmod_changes: LastmodChanges = _option(
        LastmodChanges.ANY,
        "`any` or `text`",
        validate.parse_choice(LastmodChanges),
        "Which changes to the Markdown or reStructuredText file of a page count: all of them, or "
        "only those of the text.",
    )
    lastmod_date: CommitDate = _option(
        CommitDate.COMMITTER,
        "`committer` or `author`",
        validate.parse_choice(CommitDate),
        "The date of a commit to use: when it was committed, or when its changes were written.",
    )
    lastmod_format: DateFormat = _option(
        DateFormat.DATETIME,
        "`datetime` or `date`",
        validate.parse_choice(DateFormat),
        "Write the date and time in UTC, or only the date.",
    )
    lastmod_fallback: DateFallback | None = _option(
        None,
        "`build` or `mtime`",
        validate.parse_choice(DateFallback),
        "What to write if the date is unknown: the time of the build, or the newest modification "
        "time of the source files on disk. Neither is the date of a change to the page.",
    )
    lastmod_record: str | None = _option(
        None,
        "path of a `.json` file relative to the folder of the configuration file",
        validate.parse_record,
        "Keep the date of a page until its main content changes. The file contains the content "
        "record: a digest and the date of each page.",
    )
    lastmod_record_selector: str | None = _option(
        None,
        "CSS selector",
        validate.parse_selector,
        "The elements that contain the main content of a page, for `lastmod_record`. By default, "
        "the elements that common themes use.",
    )
    first_parent: bool = _option(
        False,
        "boolean",
        validate.parse_bool,
        "Date a change by the commit that merged it, instead of the commit that made it.",
    )
    shallow: ShallowAction = _option(
        ShallowAction.WARN,
        "`warn`, `fetch`, or `error`",
        validate.parse_choice(ShallowAction),
        "What to do if a shallow clone does not contain the commits of some pages: log a notice, "
        "fetch the missing history, or fail.",
    )
    ignore_revs_file: str = _option(
        ".git-blame-ignore-revs",
        "path relative to the top level of the repository, or `false`",
        validate.parse_repository_file,
        "A file that lists commits to ignore, in the format of `git blame --ignore-revs-file`.",
    )
    ignore_revs: tuple[str, ...] = _option(
        (),
        "list of full commit names",
        validate.parse_commits,
        "Commits to ignore.",
    )
    ignore_messages: tuple[str, ...] = _option(
        (),
        "list of regular expressions",
        validate.parse_expressions,
        "Ignore commits whose message matches one of these.",
    )
    ignore_authors: tuple[str, ...] = _option(
        (),
        "list of regular expressions",
        validate.parse_expressions,
        "Ignore commits whose author, as `Name <address>`, matches one of these.",
    )
    detect_dependencies: bool = _option(
        True,
        "boolean",
        validate.parse_bool,
        "Detect the files that a page includes or documents, and use them as its sources.",
    )
    dependencies: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        (),
        "mapping from patterns of pages to lists of files",
        validate.parse_dependencies,
        "Additional source files of pages: paths or patterns, relative to the folder of the "
        "configuration file.",
    )
    ignore_dependencies: tuple[str, ...] = _option(
        (),
        "list of files",
        validate.parse_files,
        "Files that do not count if they are detected as sources of a page: paths or patterns, "
        "relative to the folder of the configuration file.",
    )
    repository: str | None = _option(
        None,
        "path relative to the folder of the configuration file",
        validate.parse_path,
        "The git repository of a site that is built from an exported tree.",
    )
    ref: str = _option(
        "HEAD",
        "text",
        validate.parse_ref,
        "The branch, tag, or commit of the exported tree.",
    )
    changefreq: ChangeFreq | None = _option(
        None,
        "`always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly`, or `never`",
        validate.parse_changefreq,
        "How often pages are likely to change, unless a rule or the page sets its own value.",
    )
    priority: float | None = _option(
        None,
        "number from 0.0 to 1.0",
        validate.parse_priority,
        "The priority within the site, unless a rule or the page sets its own value.",
    )
    rules: tuple[Rule, ...] = _option(
        (),
        "list of mappings",
        validate.parse_rules,
        "Set `changefreq` and `priority` of pages that `match` a pattern. Only the first rule that "
        "matches a page applies.",
    )
    exclude: tuple[str, ...] = _option(
        (),
        "list of patterns",
        validate.parse_patterns,
        "Pages to exclude, by source file or URL.",
        sphinx="sitemap_excludes",
    )
    include: tuple[str, ...] = _option(
        (),
        "list of patterns",
        validate.parse_patterns,
        "Pages to include that would otherwise be excluded, and other HTML files of the output, by "
        "source file or URL.",
    )
    ignore_reasons: tuple[ExclusionReason, ...] = _option(
        (),
        "list of " + ", ".join(f"`{reason}`" for reason in IGNORABLE_REASONS),
        validate.parse_reasons,
        "Exclusion reasons to ignore.",
    )
    template: str | None = _option(
        None,
        "path relative to the folder of the configuration file",
        validate.parse_path,
        "A Jinja template to use instead of the built-in one. In MkDocs, `theme` is the "
        "`sitemap.xml` of the theme or of its `custom_dir`.",
    )
    indent: int = _option(
        2,
        "whole number from 0 to 8",
        validate.parse_indent,
        "Spaces per level in the built-in template. 0 writes all entries on one line.",
    )
    report: str | Literal[False] | None = _option(
        None,
        "path of a `.json` file relative to the folder of the configuration file, or `false`",
        validate.parse_report,
        "Write the build report also to this file: the listed pages, and why pages are excluded. "
        "`false` saves no report at all.",
    )
    url_scheme: str = _option(
        "{link}",
        "text that ends in `{link}`",
        validate.parse_url_scheme,
        "The path between the base URL and each page. `{lang}` is the language and a slash, "
        "and `{version}` is the version and a slash. Each is empty if it is not set.",
        mkdocs=None,
    )
    language: str = _option(
        "",
        "text",
        validate.parse_text,
        "The value of `{lang}`. Sphinx uses `language` from `conf.py`.",
        mkdocs=None,
        sphinx=None,
    )
    version: str = _option(
        "",
        "text",
        validate.parse_text,
        "The value of `{version}`. Sphinx uses `version` from `conf.py`.",
        mkdocs=None,
        sphinx=None,
    )
    locales: tuple[Locale, ...] = _option(
        (),
        "list of languages, or mapping from languages to `hreflang`, or to `hreflang` and `path`",
        validate.parse_locales,
        "The languages of the site. If they are built separately, each page is linked with its "
        "URLs in these languages, which differ only in the folder of the language. `hreflang` is "
        "the language tag, and `path` is the folder, or empty for the root of the site.",
    )
    x_default: str | None = _option(
        None,
        "one of the languages",
        validate.parse_language,
        "The language for readers of all other languages. Each page that is linked with its "
        "translations is also linked with its URL in this language as `x-default`.",
    )
    min_translated: float | None = _option(
        None,
        "number from 0 to 100",
        validate.parse_percentage,
        "The percentage of the messages of a document that must be translated. Other documents "
        "are listed, but not linked with their translations.",
        mkdocs=None,
    )
    robots: bool = _option(
        False,
        "boolean",
        validate.parse_bool,
        "Add the line `Sitemap:` to `robots.txt` in the output, if the site is at the root of its "
        "host. The file is created if it does not exist.",
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
            try:
                base_url = self.page_base_url()
            except UrlError as error:
                errors.append(("url_scheme", str(error)))
            else:
                errors += _check_sitemap_url(base_url, self.filename)
            if self.ref != "HEAD" and self.repository is None:
                message = "the option repository is not set, and a ref applies only to a repository"
                errors.append(("ref", message))
            # Without a language, the integration knows the languages.
            codes = [self.language, *(locale.code for locale in self.locales)]
            if self.language and self.x_default is not None and self.x_default not in codes:
                errors.append(("x_default", describe_unknown_language(self.x_default, codes)))
            if self.lastmod_record is not None and self.lastmod_record == self.report:
                errors.append(("lastmod_record", "the option report names the same file"))
        if errors:
            raise OptionError(errors)

    def page_base_url(self) -> BaseUrl:
        """Return the URL that the URLs of all pages start with: `base_url` and `url_scheme`."""
        # The scheme can be validated before the base URL is known.
        base_url = self.base_url or "https://example.org/"
        return self._below(base_url, self.folder_of(self.language))

    def language_folder(self) -> str:
        """Return the last folder of `base_url` that is named after `language`, or has the path that
        `locales` sets for it; empty if there is none. `/zh-cn/` is named after `zh_CN`.
        """
        return find_folder(self.folder_of(self.language), self.base_url or "")

    def language_base_urls(self) -> dict[str, BaseUrl]:
        """Return the URL that the URLs of all pages start with in each language.

        The languages are `language` and `locales`; the first of several with the same `hreflang`
        counts. Their URLs differ in `{lang}` of `url_scheme` or in the folder of `base_url` that is
        named after `language`. If `language` is at the root, the others are in folders of
        `base_url`. If there is neither, or `language` has no `hreflang`, nothing is returned: each
        page must also be linked with itself.
        """
        try:
            self.hreflang_of(self.language)
        except ValueError:  # The language of the build may be empty, or have any name.
            return {}
        urls: dict[str, BaseUrl] = {}
        languages = set[str]()
        for code in (self.language, *(locale.code for locale in self.locales)):
            hreflang = self.hreflang_of(code)
            if hreflang not in languages:
                languages.add(hreflang)
                with suppress(UrlError):  # The URL is too long.
                    urls[code] = self._below(self._base_url_in(code), self.folder_of(code))
        return urls if len({*urls.values()}) > 1 else {}

    def hreflang_of(self, code: str) -> str:
        """Return the language tag of a language.

        Raises:
            ValueError: It has none. The message is the reason.
        """
        locale = self._find_locale(code)
        return to_hreflang(code) if locale is None else locale.hreflang

    def _find_locale(self, code: str) -> Locale | None:
        return next((locale for locale in self.locales if locale.code == code), None)

    def folder_of(self, code: str) -> str:
        """Return the percent-encoded folder of a language; empty for the root."""
        locale = self._find_locale(code)
        if locale is None or locale.path is None:
            return quote_path(code)
        return locale.path

    def _base_url_in(self, code: str) -> str:
        """Return the address of the site in another language, before `url_scheme`."""
        base_url = self.base_url or ""
        if "{lang}" in self.url_scheme or code == self.language:
            return base_url
        locale, own = self._find_locale(code), self.folder_of(self.language)
        name = self.folder_of(code)
        if not own:
            return f"{base_url}{name}/"
        folder = self.language_folder()
        if not folder:
            return base_url
        if locale is None or locale.path is None:
            name = name_like(folder, own, name)
        before, _, after = base_url.rpartition(f"/{folder}/")
        return f"{before}/{name}/{after}" if name else f"{before}/{after}"

    def _below(self, base_url: str, folder: str) -> BaseUrl:
        lang = f"{folder}/" if folder else ""
        version = f"{quote_path(self.version)}/" if self.version else ""
        path = self.url_scheme.format(lang=lang, version=version, link="").lstrip("/")
        return parse_base_url(f"{base_url}{path}")


def describe_unknown_language(code: str, codes: Iterable[str]) -> str:
    """Return the error of a language that is not one of the languages of the site."""
    return f"{shorten(code)} is not one of the languages {', '.join(dict.fromkeys(codes))}"


def _check_sitemap_url(base_url: BaseUrl, filename: str) -> list[tuple[str, str]]:
    """Return the error of a sitemap whose parts would have URLs that are too long."""
    try:
        make_loc(base_url, part_name(filename, _LAST_PART))
    except UrlError as error:
        message = f"with this name and base URL, {error}; shorten one of them"
        return [("filename", message)]
    return []


def _describe(name: str, default: Any, metadata: dict[str, Any]) -> Option:
    return Option(
        name=name,
        type=metadata["type"],
        default=default,
        meaning=metadata["meaning"],
        parse=metadata["parse"],
        mkdocs=metadata.get("mkdocs", name),
        sphinx=metadata.get("sphinx", f"sitemap_{name}"),
    )


OPTIONS: tuple[Option, ...] = tuple(
    _describe(f.name, f.default, dict(f.metadata)) for f in fields(Options)
)
"""All options, in the order of the reference."""

_SPHINX_NAMES = {option.name: option.sphinx for option in OPTIONS if option.sphinx}


def use_sphinx_names(message: str) -> str:
    """Return a message with the names that options have in `conf.py`.

    Messages name options in one form, `the option lastmod`, with the names in `Options`, which are
    also those in `mkdocs.yml`.
    """

    def rename(match: re.Match[str]) -> str:
        name = _SPHINX_NAMES.get(match[1])
        if name is None:
            return match[0]
        return f"{name} to False" if match[2] else name

    return re.sub(r"\bthe option (\w+)( to false\b)?", rename, message)
