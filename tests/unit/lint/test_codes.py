"""The table of codes, and what the package imports."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import docs_sitemap
from docs_sitemap.commands.check import Code

PACKAGE = Path(docs_sitemap.__file__).parent


@pytest.mark.parametrize("code", Code, ids=[code.slug for code in Code])
def test_code_is_explained(code: Code) -> None:
    assert re.fullmatch("[a-z]+(-[a-z]+)*", code.slug)
    for text in (code.meaning, code.fix):
        assert text
        assert text.isprintable()
        assert not text.endswith(".")


def test_no_two_codes_have_the_same_text() -> None:
    assert len(Code) == len(Code.__members__)  # Equal members would be one.


def test_builds_do_not_import_the_libraries_of_the_command() -> None:
    script = (
        "import sys, docs_sitemap.commands.check;"
        "print(*{'lxml', 'click', 'rich', 'protego'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""
