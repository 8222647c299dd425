"""Every option, once: name, type, default, meaning and check.

The MkDocs plugin, the Sphinx extension and the reference page all derive from this table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from string import Formatter
from typing import Any

from docs_sitemap.errors import OptionError, UrlError
from docs_sitemap.loc import check_base_url, quote_path
from docs_sitemap.model import ChangeFreq
from docs_sitemap.values import (
    check_bool,
    check_changefreq,
    check_patterns,
    check_priority,
    shown,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """What the pages that match a pattern get, unless they say otherwise themselves."""

    match: tuple[str, ...]
    changefreq: ChangeFreq | None = None
    priority: float | None = None


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


def _check_filename(value: object) -> str:
    allowed = r"[^/\\:<>#?%\"*|]{1,100}\.xml"
    if not isinstance(value, str) or not value.isprintable() or not re.fullmatch(allowed, value):
        raise ValueError(
            f"{shown(value)} is not a plain file name that ends in .xml: a sitemap covers only "
            "the pages beside and below it, so it lies at the top of the site"
        )
    return value


def _check_indent(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 8:
        return value
    raise ValueError(f"{shown(value)} is not a whole number from 0 to 8")


def _check_text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(f"{shown(value)} is not a text")


def _check_base_url(value: object) -> str:
    return check_base_url(_check_text(value))


def _check_url_scheme(value: object) -> str:
    text = _check_text(value)
    try:
        found = [tuple(rest) for _, *rest in Formatter().parse(text) if rest[0] is not None]
    except ValueError:
        found = []
    plain = {(name, "", None) for name in ("lang", "version", "link")}
    if (
        not plain.issuperset(found)
        or found.count(("link", "", None)) != 1
        or not text.endswith("{link}")
    ):
        raise ValueError(
            f"{shown(value)} does not end in {{link}}, or has something else in braces "
            "than {lang} and {version}"
        )
    return text


_RULE_CHECKS: dict[str, Callable[[object], Any]] = {
    "match": check_patterns,
    "changefreq": check_changefreq,
    "priority": check_priority,
}


def _check_rules(value: object) -> tuple[Rule, ...]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{shown(value)} is not a list of rules")
    rules: list[Rule] = []
    errors: list[str] = []
    for number, raw in enumerate(value, start=1):
        rule, faults = _check_rule(asdict(raw) if isinstance(raw, Rule) else raw)
        rules.append(rule)
        errors += [f"rule {number}: {fault}" for fault in faults]
    if errors:
        raise ValueError("; ".join(errors))
    return tuple(rules)


def _check_rule(value: object) -> tuple[Rule, list[str]]:
    if not isinstance(value, Mapping):
        return Rule(()), [f"{shown(value)} is not a mapping with any of {', '.join(_RULE_CHECKS)}"]
    raw = {key: item for key, item in value.items() if item is not None}
    faults = [
        f"{shown(key)} is not one of {', '.join(_RULE_CHECKS)}"
        for key in raw
        if key not in _RULE_CHECKS
    ]
    if raw.get("match", []) == []:
        faults.append("match is missing")
    if not faults and len(raw) == 1:
        faults.append("it sets neither changefreq nor priority")
    rule = Rule(())
    for key, check in _RULE_CHECKS.items():
        if key in raw:
            try:
                rule = replace(rule, **{key: check(raw[key])})
            except ValueError as error:
                faults.append(f"{key} {error}")
    return rule, faults


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
        _check_base_url,
        "The address at which the site is published: MkDocs' own `site_url`; in `conf.py`, the "
        "first that is set of `site_url` and `html_baseurl`.",
        mkdocs=None,
        sphinx="site_url",
    )
    filename: str = _option(
        "sitemap.xml",
        "file name",
        _check_filename,
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
        _check_rules,
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
    template: str | None = _option(
        None,
        "path, from the configuration file's folder",
        _check_text,
        "A Jinja template to use instead of the built-in one. In MkDocs, `theme` stands for the "
        "theme's own `sitemap.xml`, or the one in its `custom_dir`.",
    )
    indent: int = _option(
        2,
        "whole number from 0 to 8",
        _check_indent,
        "Spaces per level of the built-in template; 0 puts all on one line.",
    )
    url_scheme: str = _option(
        "{link}",
        "text that ends in `{link}`",
        _check_url_scheme,
        "What stands between the base URL and each page: `{lang}` is the language and a slash, "
        "`{version}` the version and a slash, or nothing where there is none.",
        mkdocs=None,
    )
    language: str = _option(
        "",
        "text",
        _check_text,
        "What `{lang}` stands for. In Sphinx, this is `language` of `conf.py`.",
        mkdocs=None,
        sphinx=None,
    )
    version: str = _option(
        "",
        "text",
        _check_text,
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
