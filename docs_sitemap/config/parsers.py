"""The values of options and front matter, and their parsers.

Each parser returns the typed value, or raises `ValueError` with a message that
describes the allowed values.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from enum import StrEnum
from glob import has_magic
from pathlib import PureWindowsPath
from typing import Any, Literal, NamedTuple, TypeVar

from docs_sitemap.diagnostics import IGNORABLE_REASONS, ExclusionReason
from docs_sitemap.sitemap.language_tags import X_DEFAULT, check_hreflang, to_hreflang
from docs_sitemap.sitemap.protocol import ChangeFreq
from docs_sitemap.sitemap.urls import (
    BaseUrl,
    has_dot_segments,
    parse_base_url,
    quote_path,
)
from docs_sitemap.tools.files import is_path
from docs_sitemap.tools.printing import shorten

_Choice = TypeVar("_Choice", bound=StrEnum)
_Parsed = TypeVar("_Parsed")


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


class Locale(NamedTuple):
    """One language of a site.

    Attributes:
        code: The name of the language in the generator.
        path: The percent-encoded folder of the language in URLs; empty for the root of
            the site, and `None` for a folder that is named after the code.
        hreflang: The language tag.
    """

    code: str
    path: str | None
    hreflang: str


class PageRule(NamedTuple):
    """The values of all pages that match a pattern, unless a page sets its own.

    Attributes:
        match: The patterns.
        changefreq: The change frequency; `None` to use the value of the site.
        priority: The priority from 0.0 to 1.0; `None` to use the value of the site.
    """

    match: tuple[str, ...]
    changefreq: ChangeFreq | None = None
    priority: float | None = None


# The booleans of YAML 1.1, and the numbers that `!ENV [NAME, true]` of MkDocs can give.
# Metadata that is not YAML (docinfo fields, MultiMarkdown) arrives as text.
_TRUE = (True, "true", "yes", "on", "1")
_FALSE = (False, "false", "no", "off", "0")


def _mismatch(value: object, expected: str) -> ValueError:
    return ValueError(f"{shorten(value)} is not {expected}")


def parse_bool(value: object) -> bool:
    """Accept a boolean, 0 or 1, or one of their names in YAML 1.1."""
    if is_false(value):
        return False
    if _lowered(value) not in _TRUE:
        raise _mismatch(value, "true or false")
    return True


def is_false(value: object) -> bool:
    return _lowered(value) in _FALSE


def _lowered(value: object) -> object:
    # The text of a hostile value can be too long.
    if isinstance(value, str):
        return value.strip().lower()
    return value


def parse_choice(choices: Iterable[_Choice]) -> Callable[[object], _Choice]:
    """Return a function that accepts some values of an enumeration."""
    by_name = {str(choice): choice for choice in choices}

    def parse(value: object) -> _Choice:
        if not isinstance(value, str) or value not in by_name:
            raise _mismatch(value, f"one of {', '.join(by_name)}")
        return by_name[value]

    return parse


parse_changefreq = parse_choice(ChangeFreq)
_parse_reason = parse_choice(IGNORABLE_REASONS)


def _parse_number(value: object, limit: int) -> float:
    if not isinstance(value, bool):
        with suppress(TypeError, ValueError, OverflowError):
            number = float(value)  # type: ignore[arg-type]
            if 0 <= number <= limit:
                return abs(number)  # without the sign of -0.0
    raise _mismatch(value, f"a number from 0 to {limit}")


def parse_priority(value: object) -> float:
    """Accept a number from 0.0 to 1.0, or its text."""
    return _parse_number(value, 1)


def parse_percentage(value: object) -> float:
    """Accept a number from 0 to 100, or its text, with or without a percent sign."""
    if isinstance(value, str):
        value = value.removesuffix("%")
    return _parse_number(value, 100)


def parse_lastmod(value: object) -> date | datetime:
    """Accept a day or a timestamp, or the text of one. A timestamp without a time zone
    is in UTC, as in YAML.
    """
    with suppress(ValueError, OverflowError):
        parsed = value
        if isinstance(value, str):
            parsed = _parse_iso(value.strip())
        if isinstance(parsed, datetime):
            if parsed.tzinfo is None:
                return parsed.replace(tzinfo=UTC)
            return parsed.astimezone(UTC)
        if isinstance(parsed, date):
            return parsed
    raise _mismatch(value, "a date (2026-05-31) or a time (2026-05-31T08:30:00+00:00)")


def _parse_iso(text: str) -> date | datetime:
    with suppress(ValueError):
        return date.fromisoformat(text)
    # YAML allows a space before the time zone.
    return datetime.fromisoformat(re.sub(r"\s+(?=[+-]|Z$)", "", text))


def parse_text(value: object) -> str:
    """Accept text."""
    if not isinstance(value, str):
        raise _mismatch(value, "text")
    return value


def parse_path(value: object) -> str | None:
    """Accept the path of a file or folder. The empty text means that there is none."""
    text = parse_text(value)
    if not is_path(text):
        raise _mismatch(
            text,
            "a path: it contains a character that file names cannot contain",
        )
    return text or None


def _parse_texts(value: object, what: str) -> tuple[str, ...]:
    """Accept a list of texts that are not empty, or, as from an environment variable,
    one text with commas between the items.
    """
    texts: object = value
    if isinstance(value, str):
        texts = [text.strip() for text in value.split(",") if text.strip()]
    if isinstance(texts, (list, tuple)):
        if all(isinstance(text, str) and text for text in texts):
            return tuple(texts)
    raise _mismatch(value, f"a list of {what}")


def parse_patterns(value: object) -> tuple[str, ...]:
    """Accept one pattern of pages or a list of them."""
    return _parse_texts(value, "patterns such as 'drafts/*'")


def parse_fields(value: object) -> tuple[str, ...]:
    """Accept one key of front matter or a list of them."""
    return _parse_texts(value, "keys such as 'updated'")


def parse_reasons(value: object) -> tuple[ExclusionReason, ...]:
    """Accept exclusion reasons that can be ignored."""
    return tuple(map(_parse_reason, _parse_texts(value, "exclusion reasons")))


def parse_files(value: object) -> tuple[str, ...]:
    """Accept relative paths and patterns of files."""
    what = "relative paths such as 'src/**/*.py'"
    files = _parse_texts(value, what)
    for file in files:
        if not is_path(file) or PureWindowsPath(file).anchor:
            raise _mismatch(value, f"a list of {what}")
    return files


# In a pattern of pages, the part of the name that is repeated in the names of files.
PLACEHOLDER = "{name}"


def parse_dependencies(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Accept a mapping from patterns of pages to lists of files."""
    if value == []:  # the default in conf.py
        return ()
    if not isinstance(value, Mapping):
        raise _mismatch(value, "a mapping such as {'reference/*': ['src/**/*.py']}")
    return _parse_all(_parse_dependency, map(shorten, value), value.items())


def _parse_dependency(item: tuple[object, object]) -> tuple[str, tuple[str, ...]]:
    pattern, value = item
    files = parse_files(value)
    if not isinstance(pattern, str) or not pattern:
        raise ValueError("it is not a pattern such as 'reference/*'")
    has_name = any(PLACEHOLDER in text for text in (pattern, *files))
    if has_name and (pattern.count(PLACEHOLDER) != 1 or has_magic(pattern)):
        raise ValueError(
            f"{PLACEHOLDER} is not once in the pattern of the pages, or the pattern "
            "has wildcards"
        )
    return pattern, files


def parse_sources(value: object) -> tuple[tuple[str, str], ...]:
    """Accept a mapping from pages to source files, or from folders to folders."""
    if not isinstance(value, Mapping):
        raise _mismatch(value, "a mapping such as {'blog/': 'posts/'}")
    return _parse_all(_parse_source, map(shorten, value), value.items())


def _parse_source(item: tuple[object, object]) -> tuple[str, str]:
    page, source = item
    if not isinstance(page, str) or not isinstance(source, str) or not page:
        raise ValueError("it is not a page and its source, such as 'blog/' = 'posts/'")
    if page.endswith("/") != source.endswith("/"):
        raise ValueError("only one of them is a folder with / at the end")
    if max(page.count(PLACEHOLDER), source.count(PLACEHOLDER)) > 1:
        raise ValueError(f"{PLACEHOLDER} is more than once in it")
    if PLACEHOLDER in source and PLACEHOLDER not in page:
        raise ValueError(f"{PLACEHOLDER} is not in the page")
    return page, source


_RULE_KEYS: dict[str, Callable[[object], Any]] = {
    "match": parse_patterns,
    "changefreq": parse_changefreq,
    "priority": parse_priority,
}


def parse_rules(value: object) -> tuple[PageRule, ...]:
    """Accept a list of mappings with the keys of a rule."""
    if not isinstance(value, (list, tuple)):
        raise _mismatch(value, "a list of rules")
    names = [f"rule {number}" for number in range(1, len(value) + 1)]
    return _parse_all(_parse_rule, names, value)


def _parse_rule(value: object) -> PageRule:
    allowed = ", ".join(_RULE_KEYS)
    if not isinstance(value, Mapping):
        raise _mismatch(value, f"a mapping with keys from {allowed}")
    rule = {}
    for key, item in value.items():
        if key not in _RULE_KEYS:
            raise _mismatch(key, f"one of {allowed}")
        if item is not None:
            rule[key] = _RULE_KEYS[key](item)
    if not rule.get("match") or len(rule) == 1:
        raise ValueError("it needs match, plus changefreq or priority")
    return PageRule(**rule)


def _parse_all(
    parse: Callable[[Any], _Parsed], names: Iterable[str], values: Iterable[object]
) -> tuple[_Parsed, ...]:
    """Parse values with names. The error lists all that are invalid."""
    parsed = []
    errors = []
    for name, value in zip(names, values, strict=True):
        try:
            parsed.append(parse(value))
        except ValueError as error:
            errors.append(f"{name}: {error}")
    if errors:
        raise ValueError("; ".join(errors))
    return tuple(parsed)


def parse_filename(value: object) -> str:
    """Accept the name of the sitemap: a file at the top level of the site."""
    allowed = r"[^/\\:<>#?%\"*|]{1,100}\.xml"
    if isinstance(value, str) and value.isprintable() and re.fullmatch(allowed, value):
        return value
    raise _mismatch(value, "a name that ends in .xml, for the top level of the site")


def parse_address(value: object) -> BaseUrl:
    """Accept the address of the site."""
    return parse_base_url(parse_text(value))


def parse_url_scheme(value: object) -> str:
    """Accept a text that ends in `{link}` and may contain `{lang}` and `{version}`."""
    text = parse_text(value)
    if not re.fullmatch(r"(?:[^{}]|\{(?:lang|version)\})*\{link\}", text):
        raise _mismatch(
            value,
            "text that ends in {link} and has no other fields than {lang} and "
            "{version}",
        )
    return text


def parse_repository_file(value: object) -> str:
    """Accept a path in the repository. `False`, also as text, and the empty text mean
    that there is no file.
    """
    if is_false(value):
        return ""
    path = parse_path(value) or ""
    if path.startswith("/") or has_dot_segments(path):
        raise _mismatch(
            value, "a path relative to the top level of the repository, or false"
        )
    return path


def parse_report(value: object) -> str | Literal[False] | None:
    """Accept the path of a JSON file, or `False`, also as text. The empty text means
    that there is no such file.
    """
    if is_false(value):
        return False
    path = parse_path(value)
    if path is not None and not path.endswith(".json"):
        raise _mismatch(value, "the path of a file that ends in .json")
    return path


def parse_locales(value: object) -> tuple[Locale, ...]:
    """Accept a list of languages, or a mapping from languages to their `hreflang`, or
    to a mapping with `hreflang` and `path`. A list that contains only `None` is empty,
    as in sphinx-sitemap.
    """
    if value in ([None], (None,)):
        return ()
    settings = value
    if not isinstance(settings, Mapping):
        names = _parse_texts(value, "languages such as 'de' or 'pt_BR'")
        settings = dict.fromkeys(names)
    locales = _parse_all(_parse_locale, map(shorten, settings), settings.items())
    paths = [locale.path for locale in locales if locale.path is not None]
    if len(set(paths)) < len(paths):
        raise ValueError("two languages have the same path")
    return locales


def _parse_locale(item: tuple[object, object]) -> Locale:
    code, value = item
    if not isinstance(code, str) or not code:
        raise ValueError("it is not the name of a language; put quotes around 'no'")
    hreflang = value
    path = None
    if isinstance(value, Mapping):
        if not {"hreflang", "path"}.issuperset(value):
            raise ValueError(f"{shorten(value)} has other keys than hreflang and path")
        hreflang = value.get("hreflang")
        path = value.get("path")
    if hreflang is None:
        hreflang = to_hreflang(code)
    elif not isinstance(hreflang, str) or hreflang.lower() == X_DEFAULT:
        raise _mismatch(hreflang, "a language tag")
    else:
        check_hreflang(hreflang)
    if path is not None:
        path = _parse_url_folder(path)
    return Locale(code, path, hreflang)


def _parse_url_folder(value: object) -> str:
    """Accept the path of a folder in URLs, and percent-encode it. It is empty for the
    root.
    """
    path = parse_text(value)
    is_folder = path.isprintable() and re.fullmatch(r"(?:[^/\\]+/)*[^/\\]*", path)
    if not is_folder or has_dot_segments(path):
        name = shorten(path)
        raise ValueError(
            f"the path {name} is not a folder such as 'de'; '' is the root"
        )
    return quote_path(path.removesuffix("/"))


def parse_ref(value: object) -> str:
    """Accept the name of a branch, tag, or commit:
    <https://git-scm.com/docs/gitrevisions>.
    """
    text = parse_text(value)
    has_space = text.split() != [text] or not text.isprintable()
    if has_space or text.startswith("-") or ".." in text:
        raise _mismatch(value, "the name of a branch, tag, or commit")
    return text
