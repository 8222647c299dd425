"""The lines that the core compares are the lines that Sphinx and docutils show."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from docutils.core import publish_doctree
from docutils.utils import SystemMessage
from hypothesis import given, strategies as st
from sphinx.directives.code import LiteralIncludeReader
from sphinx.pycode import ModuleAnalyzer

from docs_sitemap.shown import lines
from sphinx_sitemap_ext.sources.directives import literal_lines, text_lines

_CODE = [
    "",
    "# comment",
    "import os",
    "@log",
    "def f(a: int):",
    "    return 1",
    "    def g(b): pass",
    "    # inner",
    "    '''Text.'''",
    "class C:",
    "    def f(self):",
    "        return 2",
    "    @property",
    "    async def g(self): return 3",
    "if True:",
    "else:",
    "    def f(a): return (",
    "        4)",
    "f = g = 1",
    "# end",
]
_texts = st.sampled_from(
    ["f", "return", "comment", "class", "import", "1", "# end", "@log"]
)
_numbers = st.integers(1, 12).map(str)
_ranges = st.one_of(
    _numbers, st.builds("{}-{}".format, _numbers, _numbers), _numbers.map("{}-".format)
)
_lines = st.lists(st.sampled_from(_CODE), min_size=1, max_size=12).map("\n".join)

# Blocks of a valid module.
_BLOCKS = [
    "def f(a):\n    return 1",
    "@log\ndef f(b):\n    return 2\n    # end",
    "def f(c: int): return 3",
    "if True:\n    def f(d):\n        return 4\nelse:\n    def f(e): return 5",
    "class C:\n    def f(self):\n        return 6\n\n    # end\n    def f(me):\n        return 7",
    "class C:\n    @property\n    def g(self):\n        def f(): return 8\n        return f",
    "async def f():\n    class g:\n        pass",
    "try:\n    def f(): pass\nexcept ValueError:\n    def f():\n        pass",
    "def f(a):\n    if a:\n        def g(): return 9",
    "f = 1",
    "# comment",
    "",
]
_modules = st.lists(st.sampled_from(_BLOCKS), min_size=1, max_size=4).map("\n".join)
# Sphinx joins repeated lines if the file does not end with a line feed.
_contents = (_lines | _modules).map("{}\n".format)

_OPTIONS = {
    "lines": st.lists(_ranges, min_size=1, max_size=2).map(",".join),
    "pyobject": st.sampled_from(["f", "C", "C.f", "C.g", "f.g"]),
    "start-after": _texts,
    "start-at": _texts,
    "end-before": _texts,
    "end-at": _texts,
}
_selections = st.fixed_dictionaries({}, optional=_OPTIONS).filter(bool)
_CONFIG: Any = SimpleNamespace(source_encoding="utf-8-sig")


def read_shown(path: Path, content: str, options: dict[str, Any]) -> str | None:
    """Return what Sphinx shows; `None` if it reports a problem."""
    path.write_text(content)
    ModuleAnalyzer.cache.clear()
    try:
        reader = LiteralIncludeReader(str(path), options, _CONFIG)
        return reader.read()[0].removesuffix("\n")
    except Exception:
        return None


def digest(content: str, part: str) -> bytes | None:
    try:
        return lines.digest(content.encode(), [part])
    except ValueError:
        return None


def check_counts(path: Path, old: str, new: str, options: dict[str, Any]) -> None:
    """Check that a difference that Sphinx shows gives another digest."""
    old_shown, new_shown = (
        read_shown(path, old, options),
        read_shown(path, new, options),
    )
    if old_shown is not None and new_shown is not None and old_shown != new_shown:
        part = literal_lines(options)
        old_digest = digest(old, part)
        assert old_digest is None or old_digest != digest(new, part)


@given(_modules, _modules, st.fixed_dictionaries({"pyobject": _OPTIONS["pyobject"]}))
def test_a_difference_of_an_object_that_literalinclude_shows_counts(
    tmp_path_factory: pytest.TempPathFactory,
    old: str,
    new: str,
    options: dict[str, Any],
) -> None:
    check_counts(tmp_path_factory.getbasetemp() / "shown.py", old, new, options)


@given(_contents, _contents, _selections)
def test_a_difference_that_literalinclude_shows_counts(
    tmp_path_factory: pytest.TempPathFactory,
    old: str,
    new: str,
    options: dict[str, Any],
) -> None:
    check_counts(tmp_path_factory.getbasetemp() / "shown.py", old, new, options)


@given(_contents, st.integers(0, 12), st.sampled_from(_CODE), _selections)
def test_most_differences_that_literalinclude_does_not_show_do_not_count(
    tmp_path_factory: pytest.TempPathFactory,
    old: str,
    number: int,
    line: str,
    options: dict[str, Any],
) -> None:
    path = tmp_path_factory.getbasetemp() / "shown.py"
    lines = old.split("\n")
    new = "\n".join([*lines[:number], line, *lines[number + 1 :]])
    old_shown, new_shown = (
        read_shown(path, old, options),
        read_shown(path, new, options),
    )
    # The core selects all definitions of a name, and no digest of no lines.
    is_known = old_shown not in (None, "") and "pyobject" not in options
    if not is_known or old_shown != new_shown:
        return
    part = literal_lines(options)
    assert digest(old, part) == digest(new, part) is not None


_INCLUDE_OPTIONS = {
    "start-line": st.integers(-4, 6),
    "end-line": st.integers(-4, 6),
    "start-after": _texts,
    "end-before": _texts,
}


@given(
    _contents,
    _contents,
    st.fixed_dictionaries({}, optional=_INCLUDE_OPTIONS).filter(bool),
)
def test_a_difference_that_include_shows_counts(
    tmp_path_factory: pytest.TempPathFactory,
    old: str,
    new: str,
    options: dict[str, Any],
) -> None:
    path = tmp_path_factory.getbasetemp() / "included.py"
    lines = "".join(f"   :{name}: {value}\n" for name, value in options.items())
    part = text_lines({**options, "literal": None}, ".rst")

    def read(content: str) -> str | None:
        path.write_text(content)
        try:
            tree = publish_doctree(
                f".. include:: {path}\n   :literal:\n{lines}",
                settings_overrides={
                    "report_level": 5,
                    "halt_level": 3,
                    "warning_stream": False,
                },
            )
        except SystemMessage:
            return None
        return tree.astext()

    old_shown, new_shown = read(old), read(new)
    if old_shown is None or new_shown is None:
        return
    old_digest, new_digest = digest(old, part), digest(new, part)
    if old_shown != new_shown:
        assert old_digest is None or old_digest != new_digest
