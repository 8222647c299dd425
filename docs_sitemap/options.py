"""Every option, once: name, type, default, meaning and check.

The MkDocs plugin, the Sphinx extension and the reference page all derive from this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from docs_sitemap.checks import (
    check_commits,
    check_dependencies,
    check_expressions,
    check_filename,
    check_indent,
    check_ref,
    check_report,
    check_repository_file,
    check_rules,
    check_text,
    check_url,
    check_url_scheme,
)
from docs_sitemap.errors import OptionError, UrlError
from docs_sitemap.loc import check_base_url, quote_path
from docs_sitemap.model import (
    OVERRULABLE,
    ChangeFreq,
    Fallback,
    LastmodDate,
    LastmodFormat,
    Reason,
    Rule,
    Shallow,
)
from docs_sitemap.values import (
    check_bool,
    check_changefreq,
    check_choice,
    check_patterns,
    check_priority,
    check_reasons,
)


@dataclass(frozen=True, slots=True)
class Option:
    """The description of one option.

    Attributes:
        name: its name in `Options`.
        type: its type, in words.
        default: its value where the user gives none.
        meaning: one line for the reference.
        check: returns the value in normal form, or raises `ValueError`.
        mkdocs: its name in `mkdocs.yml`; `None` if it cannot be set there.
        sphinx: its name in `conf.py`; `None` if it cannot be set there.
    """

    name: str
    type: str
    default: Any
    meaning: str
    check: Callable[[Any], Any]
    mkdocs: str | None
    sphinx: str | None


def _option(
    default: Any,
    type_: str,
    check: Callable[[Any], Any],
    meaning: str,
    **names: str | None,
) -> Any:
    return field(
        default=default,
        metadata={"type": type_, "check": check, "meaning": meaning, **names},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one sitemap, checked and in normal form.

    `None` stands for the default of each option; so do options that are not given.

    Raises:
        OptionError: some values are wrong; it lists all of them.
    """

    base_url: str | None = _option(
        None,
        "absolute URL",
        check_url,
        "The address at which the site is published: MkDocs' own `site_url`; in `conf.py`, the "
        "first that is set of `site_url` and `html_baseurl`.",
        mkdocs=None,
        sphinx="site_url",
    )
    filename: str = _option(
        "sitemap.xml",
        "file name",
        check_filename,
        "The name of the sitemap at the top of the site.",
    )
    gzip: bool = _option(
        True,
        "boolean",
        check_bool,
        "Write a compressed twin, `sitemap.xml.gz`, beside each file.",
    )
    lastmod: bool = _option(
        True,
        "boolean",
        check_bool,
        "Take the date of each page from git.",
        sphinx="sitemap_show_lastmod",
    )
    lastmod_date: LastmodDate = _option(
        LastmodDate.COMMITTER,
        "`committer` or `author`",
        check_choice(LastmodDate),
        "Which date of a commit counts.",
    )
    lastmod_format: LastmodFormat = _option(
        LastmodFormat.DATETIME,
        "`datetime` or `date`",
        check_choice(LastmodFormat),
        "Write the date and time, in UTC, or the date only.",
    )
    lastmod_fallback: Fallback | None = _option(
        None,
        "`build` or `mtime`",
        check_choice(Fallback),
        "What to write where the date is not known: the time of the build, or that at which the "
        "newest source file was written to the disk. Neither says when the page changed.",
    )
    first_parent: bool = _option(
        False,
        "boolean",
        check_bool,
        "Date a change by the commit that merged it, not by the one that made it.",
    )
    shallow: Shallow = _option(
        Shallow.WARN,
        "`warn`, `fetch` or `error`",
        check_choice(Shallow),
        "What to do about pages that a shallow clone is too short to date: warn, fetch the history "
        "that is missing, or let the build fail.",
    )
    ignore_revs_file: str = _option(
        ".git-blame-ignore-revs",
        "path in the repository, or `false`",
        check_repository_file,
        "A file of commits that do not count, as `git blame` and code hosts read it.",
    )
    ignore_revs: tuple[str, ...] = _option(
        (),
        "list of full commit names",
        check_commits,
        "Commits that do not count.",
    )
    ignore_messages: tuple[str, ...] = _option(
        (),
        "list of regular expressions",
        check_expressions,
        "Commits whose message holds one of these do not count.",
    )
    ignore_authors: tuple[str, ...] = _option(
        (),
        "list of regular expressions",
        check_expressions,
        "Commits whose author, as `Name <address>`, holds one of these do not count.",
    )
    detect_dependencies: bool = _option(
        True,
        "boolean",
        check_bool,
        "Count the files that a page includes, or is generated from, as its sources.",
    )
    dependencies: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        (),
        "mapping from patterns of pages to lists of files",
        check_dependencies,
        "More files that pages are made from, as paths or patterns from the configuration file's "
        "folder.",
    )
    repository: str | None = _option(
        None,
        "path, from the configuration file's folder",
        check_text,
        "The repository to read, for sites that are built from an exported tree.",
    )
    ref: str = _option(
        "HEAD",
        "text",
        check_ref,
        "The branch, tag or commit that the exported tree was made of.",
    )
    changefreq: ChangeFreq | None = _option(
        None,
        "`always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly` or `never`",
        check_changefreq,
        "How often pages are likely to change, where no rule and no page says otherwise.",
    )
    priority: float | None = _option(
        None,
        "number from 0.0 to 1.0",
        check_priority,
        "The priority within the site, where no rule and no page says otherwise.",
    )
    rules: tuple[Rule, ...] = _option(
        (),
        "list of mappings",
        check_rules,
        "`changefreq` and `priority` for the pages that `match` a pattern; the first rule that "
        "matches a page is the only one it gets.",
    )
    exclude: tuple[str, ...] = _option(
        (),
        "list of patterns",
        check_patterns,
        "Pages to leave out, by source file or URL.",
        sphinx="sitemap_excludes",
    )
    include: tuple[str, ...] = _option(
        (),
        "list of patterns",
        check_patterns,
        "Pages to list that would be left out, and other HTML files of the output, by source file "
        "or URL.",
    )
    overrule: tuple[Reason, ...] = _option(
        (),
        "list of " + ", ".join(f"`{reason}`" for reason in OVERRULABLE),
        check_reasons,
        "Reasons that keep no page out.",
    )
    template: str | None = _option(
        None,
        "path, from the configuration file's folder",
        check_text,
        "A Jinja template to use instead of the built-in one. In MkDocs, `theme` stands for the "
        "theme's own `sitemap.xml`, or the one in its `custom_dir`.",
    )
    indent: int = _option(
        2,
        "whole number from 0 to 8",
        check_indent,
        "Spaces per level of the built-in template; 0 puts all on one line.",
    )
    report: str | None = _option(
        None,
        "path of a `.json` file, from the configuration file's folder",
        check_report,
        "A file for the report of the build, as JSON: what is listed, what is not, and why.",
    )
    url_scheme: str = _option(
        "{link}",
        "text that ends in `{link}`",
        check_url_scheme,
        "What stands between the base URL and each page: `{lang}` is the language and a slash, "
        "`{version}` the version and a slash, or nothing where there is none.",
        mkdocs=None,
    )
    language: str = _option(
        "",
        "text",
        check_text,
        "What `{lang}` stands for. In Sphinx, this is `language` of `conf.py`.",
        mkdocs=None,
        sphinx=None,
    )
    version: str = _option(
        "",
        "text",
        check_text,
        "What `{version}` stands for. In Sphinx, this is `version` of `conf.py`.",
        mkdocs=None,
        sphinx=None,
    )

    def __post_init__(self) -> None:
        errors = []
        for option in OPTIONS:
            value = getattr(self, option.name)
            try:
                checked = option.default if value is None else option.check(value)
            except ValueError as error:
                errors.append((option.name, str(error)))
            else:
                object.__setattr__(self, option.name, checked)
        if not errors:
            try:
                self.prefix()
            except UrlError as error:
                errors.append(("url_scheme", str(error)))
            if self.ref != "HEAD" and self.repository is None:
                errors.append(
                    ("ref", "it names a commit of the option repository, which is not set")
                )
        if errors:
            raise OptionError(errors)

    def prefix(self) -> str:
        """Return the URL that the URLs of all pages start with: base URL and scheme."""
        lang, version = (name and f"{quote_path(name)}/" for name in (self.language, self.version))
        # Before the base URL is known, another serves to check the rest.
        below = self.url_scheme.format(lang=lang, version=version, link="").lstrip("/")
        return check_base_url(f"{self.base_url or 'https://example.org/'}{below}")


def _describe(name: str, default: Any, metadata: dict[str, Any]) -> Option:
    return Option(
        name=name,
        type=metadata["type"],
        default=default,
        meaning=metadata["meaning"],
        check=metadata["check"],
        mkdocs=metadata.get("mkdocs", name),
        sphinx=metadata.get("sphinx", f"sitemap_{name}"),
    )


OPTIONS: tuple[Option, ...] = tuple(
    _describe(f.name, f.default, dict(f.metadata)) for f in fields(Options)
)
