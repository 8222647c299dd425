"""Parse the values of options and front matter.

Each function returns the typed value, or raises `ValueError` with a message that describes the
allowed values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, date, datetime
from enum import StrEnum
from glob import has_magic
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, Literal, TypeVar

from docs_sitemap.entry import IGNORABLE_REASONS, ExclusionReason
from docs_sitemap.errors import UrlError
from docs_sitemap.files import is_path
from docs_sitemap.languages import Locale, to_hreflang
from docs_sitemap.page import Rule
from docs_sitemap.sitemap.hreflang import X_DEFAULT, check_hreflang
from docs_sitemap.sitemap.protocol import MAX_LOC_LENGTH, ChangeFreq
from docs_sitemap.sitemap.urls import BaseUrl, has_dot_segments, parse_base_url, quote_path
from docs_sitemap.text import shorten, shorten_value

_Choice = TypeVar("_Choice", bound=StrEnum)

# The time to read a pattern grows with its length. Longer ones could not match a URL anyway.
_MAX_PATTERN = MAX_LOC_LENGTH

# The booleans of YAML 1.1, and the numbers that `!ENV [NAME, true]` of MkDocs can give. Metadata
# that is not YAML (docinfo fields, MultiMarkdown) arrives as text.
_BOOLEANS = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(
    ("false", "no", "off", "0"), False
)


def parse_bool(value: object) -> bool:
    """Accept a boolean, 0 or 1, or one of their names in YAML 1.1."""
    if isinstance(value, (bool, str)) or value in (0, 1):
        word = str(value).strip().lower()
        if word in _BOOLEANS:
            return _BOOLEANS[word]
    raise ValueError(f"{shorten_value(value)} is not true or false")


def parse_choice(choices: type[_Choice]) -> Callable[[object], _Choice]:
    """Return a function that accepts the values of an enumeration."""

    def parse(value: object) -> _Choice:
        if isinstance(value, str) and value in {*choices}:
            return choices(value)
        raise ValueError(f"{shorten_value(value)} is not one of {', '.join(choices)}")

    return parse


parse_changefreq = parse_choice(ChangeFreq)


def _parse_number(value: object, limit: float, text: str) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number <= limit:
        raise ValueError(f"{shorten_value(value)} is not a number from {text}")
    return abs(number)  # without the sign of -0.0


def parse_priority(value: object) -> float:
    """Accept a number from 0.0 to 1.0, or its text."""
    return _parse_number(value, 1, "0.0 to 1.0")


def parse_percentage(value: object) -> float:
    """Accept a number from 0 to 100, or its text."""
    return _parse_number(value, 100, "0 to 100")


def parse_lastmod(value: object) -> date | datetime:
    """Accept a day or a timestamp, or the text of one. A timestamp without a time zone is in UTC,
    as in YAML.
    """
    parsed = _parse_iso(value) if isinstance(value, str) else value
    if isinstance(parsed, datetime):
        try:
            return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
        except OverflowError:
            pass
    elif isinstance(parsed, date):
        return parsed
    raise ValueError(
        f"{shorten_value(value)} is not a date (2026-05-31) or a time (2026-05-31T08:30:00+00:00)"
    )


def _parse_iso(text: str) -> date | datetime | None:
    for parse in (date.fromisoformat, datetime.fromisoformat):
        with suppress(ValueError):
            return parse(text.strip())
    return None


def parse_text(value: object) -> str:
    """Accept text."""
    if isinstance(value, str):
        return value
    raise ValueError(f"{shorten_value(value)} is not text")


def parse_path(value: object) -> str | None:
    """Accept the path of a file or folder. The empty text means that there is none."""
    text = parse_text(value)
    _check_path(text)
    return text or None


def _check_path(text: str) -> None:
    if not is_path(text):
        raise ValueError(
            f"{shorten_value(text)} is not a path: it contains a character that file names cannot "
            "contain"
        )


def _parse_texts(value: object, what: str, *, separator: str | None = ",") -> tuple[str, ...]:
    """Accept a list of texts, or one text with separated items, as from an environment variable.
    The items of a list must not be empty.
    """
    texts = value
    if isinstance(value, str):
        items = [value] if separator is None else value.split(separator)
        texts = [item.strip() for item in items if item.strip()]
    if not isinstance(texts, (list, tuple)) or not all(
        isinstance(text, str) and text for text in texts
    ):
        raise ValueError(f"{shorten_value(value)} is not a list of {what}")
    return tuple(texts)


def _check_length(pattern: str) -> None:
    if len(pattern) > _MAX_PATTERN:
        raise ValueError(
            f"{shorten_value(pattern)} is not a pattern: it has {len(pattern):,} characters, and "
            f"{_MAX_PATTERN:,} are allowed"
        )


def parse_patterns(value: object) -> tuple[str, ...]:
    """Accept one pattern of pages or a list of them."""
    patterns = _parse_texts(value, "patterns such as 'drafts/*'")
    for pattern in patterns:
        _check_length(pattern)
    return patterns


def parse_reasons(value: object) -> tuple[ExclusionReason, ...]:
    """Accept exclusion reasons that can be ignored."""
    allowed = ", ".join(IGNORABLE_REASONS)
    reasons = _parse_texts(value, allowed)
    if not {*IGNORABLE_REASONS}.issuperset(reasons):
        raise ValueError(f"{shorten_value(value)} is not a list of {allowed}")
    return tuple(ExclusionReason(reason) for reason in reasons)


def parse_files(value: object) -> tuple[str, ...]:
    """Accept relative paths and patterns of files."""
    what = "relative paths such as 'src/**/*.py'"
    patterns = _parse_texts(value, what)
    for pattern in patterns:
        _check_path(pattern)
        _check_length(pattern)
        if PurePosixPath(pattern).anchor or PureWindowsPath(pattern).anchor:
            raise ValueError(f"{shorten_value(value)} is not a list of {what}")
    return patterns


# In a pattern of pages, the part of the name that is repeated in the names of files.
PLACEHOLDER = "{name}"


def parse_dependencies(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Accept a mapping from patterns of pages to lists of files."""
    if isinstance(value, tuple) or value == []:  # already parsed, or the default in conf.py
        with suppress(TypeError, ValueError):
            value = dict(value)
    if not isinstance(value, Mapping):
        raise ValueError(
            f"{shorten_value(value)} is not a mapping such as {{'reference/*': ['src/**/*.py']}}"
        )
    parsed = []
    for pattern, files in value.items():
        if not isinstance(pattern, str) or not pattern:
            raise ValueError(f"{shorten_value(pattern)} is not a pattern such as 'reference/*'")
        _check_length(pattern)
        paths = parse_files(files)
        if PLACEHOLDER in pattern and not _is_template(pattern):
            raise ValueError(
                f"{shorten_value(pattern)} is not a pattern: it contains {PLACEHOLDER} and other "
                "wildcards"
            )
        if PLACEHOLDER not in pattern and any(PLACEHOLDER in path for path in paths):
            raise ValueError(
                f"{shorten_value(files)} contains {PLACEHOLDER}, but {shorten_value(pattern)} does "
                "not"
            )
        parsed.append((pattern, paths))
    return tuple(parsed)


def _is_template(pattern: str) -> bool:
    """Return whether a pattern contains the placeholder once, and no wildcards."""
    return pattern.count(PLACEHOLDER) == 1 and not has_magic(pattern)


_RULE_KEYS: dict[str, Callable[[object], Any]] = {
    "match": parse_patterns,
    "changefreq": parse_changefreq,
    "priority": parse_priority,
}


def parse_rules(value: object) -> tuple[Rule, ...]:
    """Accept a list of mappings with the keys of a rule. The error lists all invalid rules."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{shorten_value(value)} is not a list of rules")
    rules: list[Rule] = []
    errors: list[str] = []
    for number, raw in enumerate(value, start=1):
        try:
            rules.append(_parse_rule(asdict(raw) if isinstance(raw, Rule) else raw))
        except ValueError as error:
            errors.append(f"rule {number}: {error}")
    if errors:
        raise ValueError("; ".join(errors))
    return tuple(rules)


def _parse_rule(value: object) -> Rule:
    allowed = ", ".join(_RULE_KEYS)
    if not isinstance(value, Mapping):
        raise ValueError(f"{shorten_value(value)} is not a mapping with keys from {allowed}")
    given = {key: item for key, item in value.items() if item is not None}
    errors = [
        f"{shorten_value(key)} is not one of {allowed}" for key in given if key not in _RULE_KEYS
    ]
    if not given.get("match"):
        errors.append("match is missing")
    elif len(given) == 1:
        errors.append("changefreq or priority is missing")
    parsed: dict[str, Any] = {"match": ()}
    for key, parse in _RULE_KEYS.items():
        if key in given:
            try:
                parsed[key] = parse(given[key])
            except ValueError as error:
                errors.append(f"{key}: {error}")
    if errors:
        raise ValueError("; ".join(errors))
    return Rule(**parsed)


def parse_filename(value: object) -> str:
    """Accept the name of the sitemap: a file at the top level of the site."""
    allowed = r"[^/\\:<>#?%\"*|]{1,100}\.xml"
    if not isinstance(value, str) or not value.isprintable() or not re.fullmatch(allowed, value):
        raise ValueError(
            f"{shorten_value(value)} is not a file name that ends in .xml; a sitemap must be at "
            "the top level of the site, because it covers only its own folder"
        )
    return value


def parse_base_url_option(value: object) -> BaseUrl:
    """Accept the address of the site."""
    return parse_base_url(parse_text(value))


def parse_url_scheme(value: object) -> str:
    """Accept a text that ends in `{link}` and may contain `{lang}` and `{version}`."""
    text = parse_text(value)
    if not re.fullmatch(r"(?:[^{}]|\{(?:lang|version)\})*\{link\}", text):
        raise ValueError(
            f"{shorten_value(value)} does not end in {{link}}, or contains fields in braces "
            "other than {lang} and {version}"
        )
    return text


def parse_repository_file(value: object) -> str:
    """Accept a path in the repository. `False`, also as text, and the empty text mean that there
    is no file.
    """
    if value is False or value == "":
        return ""
    with suppress(ValueError):
        if not parse_bool(value):
            return ""
    text = parse_text(value)
    _check_path(text)
    if text.startswith("/") or not {"..", "."}.isdisjoint(text.split("/")):
        raise ValueError(
            f"{shorten_value(value)} is not a path relative to the top level of the repository, "
            "or false"
        )
    return text


def parse_expressions(value: object) -> tuple[str, ...]:
    """Accept regular expressions."""
    expressions = _parse_texts(value, "regular expressions", separator=None)
    for expression in expressions:
        try:
            re.compile(expression)
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(
                f"{shorten_value(expression)} is not a regular expression: {error}"
            ) from None
    return expressions


def parse_report(value: object) -> str | Literal[False] | None:
    """Accept the path of a JSON file, or `False`, also as text. The empty text means that there is
    no such file.
    """
    with suppress(ValueError):
        if not parse_bool(value):
            return False
    if isinstance(value, str):
        path = parse_path(value)
        if path is None or path.endswith(".json"):
            return path
    raise ValueError(
        f"{shorten_value(value)} is not the path of a file that ends in .json, or false"
    )


def parse_record(value: object) -> str | None:
    """Accept the path of a JSON file. The empty text means that there is no such file."""
    path = parse_path(value)
    if path is not None and not path.endswith(".json"):
        raise ValueError(f"{shorten_value(value)} is not the path of a file that ends in .json")
    return path


def parse_selector(value: object) -> str | None:
    """Accept a CSS selector. The empty text means that there is none."""
    text = parse_text(value).strip()
    from docs_sitemap.html import is_selector  # Only builds read HTML.

    if text and not is_selector(text):
        raise ValueError(f"{shorten_value(value)} is not a CSS selector such as 'main article'")
    return text or None


def parse_locales(value: object) -> tuple[Locale, ...]:
    """Accept a list of languages, or a mapping from languages to their `hreflang`, or to a mapping
    with `hreflang` and `path`. A list that contains only `None` is empty, as in sphinx-sitemap.
    """
    if isinstance(value, (list, tuple)):
        if [*value] == [None]:
            return ()
        if value and all(isinstance(locale, Locale) for locale in value):
            return tuple(value)  # already parsed
    is_mapping = isinstance(value, Mapping)
    codes: Mapping[object, object]
    if isinstance(value, Mapping):
        codes = value
    else:
        codes = dict.fromkeys(_parse_texts(value, "languages such as 'de' or 'pt_BR'"))
    locales: list[Locale] = []
    errors = []
    for code, settings in codes.items():
        try:
            locale = _parse_locale(code, settings)
            # Names of the same language in a list are spellings of one language.
            if is_mapping:
                _check_differs(locale, locales)
        except ValueError as error:
            errors.append(str(error))
        else:
            locales.append(locale)
    if errors:
        raise ValueError("; ".join(errors))
    return tuple(locales)


def _parse_locale(code: object, settings: object) -> Locale:
    if isinstance(code, bool):
        raise ValueError("YAML reads the name of a language as a boolean; write it as 'no'")
    if not isinstance(code, str) or not code:
        raise ValueError(f"{shorten_value(code)} is not the name of a language")
    if settings is None or isinstance(settings, str):
        settings = {"hreflang": settings}
    if not isinstance(settings, Mapping) or not {"hreflang", "path"}.issuperset(settings):
        raise ValueError(
            f"{shorten(code)}: {shorten_value(settings)} is not a language tag, or a mapping with "
            "hreflang and path"
        )
    hreflang, path = settings.get("hreflang"), settings.get("path")
    try:
        if path is not None:
            path = _parse_url_folder(path)
        if isinstance(hreflang, str) and hreflang.lower() != X_DEFAULT:
            check_hreflang(hreflang)
        elif hreflang is not None:
            raise ValueError(f"{shorten_value(hreflang)} is not a language tag")
    except ValueError as error:
        raise ValueError(f"{shorten(code)}: {error}") from None
    return Locale(code, path, to_hreflang(code) if hreflang is None else hreflang)


def _parse_url_folder(value: object) -> str:
    """Accept the path of a folder in URLs, and percent-encode it. It is empty for the root."""
    if not isinstance(value, str):
        raise ValueError(f"the path {shorten_value(value)} is not text")
    path = value.removesuffix("/")
    try:
        encoded = quote_path(path)
    except UrlError as error:
        raise ValueError(str(error)) from None
    is_clean = path.isprintable() and "\\" not in path and not has_dot_segments(path)
    if path and (not is_clean or "" in path.split("/")):
        raise ValueError(f"the path {shorten(value)} is not a folder such as 'de'; '' is the root")
    return encoded


def _check_differs(locale: Locale, others: Sequence[Locale]) -> None:
    for other in others:
        for name in ("hreflang", "path"):
            value = getattr(locale, name)
            if value is not None and value == getattr(other, name):
                raise ValueError(
                    f"{shorten(locale.code)} and {shorten(other.code)} have the same {name}, "
                    f"{shorten(value)}"
                )


def parse_language(value: object) -> str | None:
    """Accept the name of a language; empty for none."""
    return parse_text(value) or None


def parse_ref(value: object) -> str:
    """Accept the name of a branch, tag, or commit: <https://git-scm.com/docs/gitrevisions>."""
    text = parse_text(value)
    has_space = any(c.isspace() or not c.isprintable() for c in text)
    if not text or text.startswith("-") or ".." in text or has_space:
        raise ValueError(f"{shorten_value(value)} is not the name of a branch, tag, or commit")
    return text
