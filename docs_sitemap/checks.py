"""Checks of the options' values: each returns the normal form, or raises `ValueError`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from string import Formatter
from typing import Any

from docs_sitemap.loc import check_base_url
from docs_sitemap.model import Rule
from docs_sitemap.values import (
    check_changefreq,
    check_files,
    check_patterns,
    check_priority,
    check_texts,
    shown,
)


def check_filename(value: object) -> str:
    allowed = r"[^/\\:<>#?%\"*|]{1,100}\.xml"
    if not isinstance(value, str) or not value.isprintable() or not re.fullmatch(allowed, value):
        raise ValueError(
            f"{shown(value)} is not a plain file name that ends in .xml: a sitemap covers only "
            "the pages beside and below it, so it lies at the top of the site"
        )
    return value


def check_indent(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 8:
        return value
    raise ValueError(f"{shown(value)} is not a whole number from 0 to 8")


def check_text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(f"{shown(value)} is not a text")


def check_url(value: object) -> str:
    return check_base_url(check_text(value))


def check_url_scheme(value: object) -> str:
    text = check_text(value)
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


def check_rules(value: object) -> tuple[Rule, ...]:
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


def check_repository_file(value: object) -> str:
    if value is False or value == "":
        return ""
    text = check_text(value)
    if text.startswith("/") or not {"..", "."}.isdisjoint(text.split("/")):
        raise ValueError(f"{shown(value)} is not a path from the repository's top level, or false")
    return text


def check_commits(value: object) -> tuple[str, ...]:
    names = tuple(name.strip().lower() for name in check_texts(value, "full commit names"))
    for name in names:
        if not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", name):
            raise ValueError(f"{shown(name)} is not the full name of a commit (git rev-parse)")
    return names


def check_expressions(value: object) -> tuple[str, ...]:
    expressions = check_texts(value, "regular expressions")
    for expression in expressions:
        try:
            re.compile(expression)
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"{shown(expression)} is no regular expression: {error}") from None
    return expressions


def check_report(value: object) -> str:
    text = check_text(value)
    if text and not text.endswith(".json"):
        raise ValueError(f"{shown(value)} is not the path of a file that ends in .json")
    return text


def check_ref(value: object) -> str:
    text = check_text(value)
    # git-check-ref-format(1), and what else can name a commit: v1.0~2, HEAD@{1}.
    if (
        not text
        or text.startswith("-")
        or ".." in text
        or any(c.isspace() or not c.isprintable() for c in text)
    ):
        raise ValueError(f"{shown(value)} is not the name of a branch, a tag or a commit")
    return text


def check_dependencies(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if isinstance(value, tuple) or value == []:  # the normal form, or none in conf.py
        with suppress(TypeError, ValueError):  # it is neither
            value = dict(value)
    if not isinstance(value, Mapping):
        raise ValueError(
            f"{shown(value)} is not a mapping such as {{'reference/*': ['src/**/*.py']}}"
        )
    checked = []
    for match, files in value.items():
        if not isinstance(match, str) or not match:
            raise ValueError(f"{shown(match)} is not a pattern such as 'reference/*'")
        checked.append((match, check_files(files)))
    return tuple(checked)
