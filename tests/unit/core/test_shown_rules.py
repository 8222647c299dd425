"""The version of the rules for what pages show, which cached dates depend on."""

from __future__ import annotations

import ast
from hashlib import sha256
from pathlib import Path

from docs_sitemap import shown

# If this test fails, a rule may have changed. If so, increase `RULES_VERSION`: dates that were
# cached with the old rule would stay incorrect. Then copy the new digest.
VERSION, DIGEST = 3, "61d7c5c3f2cc8d8e"


def code_lines(path: Path) -> list[str]:
    """Return the lines of a module without comments, docstrings, and empty lines."""
    text = path.read_text(encoding="utf-8")
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docstrings.update(range(node.lineno, (node.end_lineno or 0) + 1))
    lines = enumerate(map(str.strip, text.splitlines()), start=1)
    return [
        line for number, line in lines if number not in docstrings and line[:1] not in ("", "#")
    ]


def test_a_changed_rule_has_a_new_version() -> None:
    modules = sorted(Path(str(shown.__file__)).parent.glob("*.py"))
    code = "\n".join(line for module in modules for line in code_lines(module))
    assert (shown.RULES_VERSION, sha256(code.encode()).hexdigest()[:16]) == (VERSION, DIGEST)
