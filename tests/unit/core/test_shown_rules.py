"""The version of the rules for what pages show, which cached dates depend on."""

from __future__ import annotations

import ast
import re
from hashlib import sha256
from pathlib import Path

from docs_sitemap import shown

# If this test fails, a rule may have changed. If so, increase `RULES_VERSION`: dates
# that were cached with the old rule would stay incorrect. Then copy the new digest.
VERSION, DIGEST = 5, "7ca4e20dd2901ef0"


def code(path: Path) -> str:
    """Return a module without comments and docstrings, whatever its layout."""
    text = path.read_text(encoding="utf-8")
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docstrings.update(range(node.lineno, (node.end_lineno or 0) + 1))
    kept = []
    for number, line in enumerate(text.splitlines(), start=1):
        if number not in docstrings and not line.lstrip().startswith("#"):
            kept.append(line)
    return re.sub(r"[\s,()]", "", "".join(kept))


def test_a_changed_rule_has_a_new_version() -> None:
    modules = sorted(Path(str(shown.__file__)).parent.glob("*.py"))
    digest = sha256("".join(map(code, modules)).encode()).hexdigest()[:16]
    assert (shown.RULES_VERSION, digest) == (VERSION, DIGEST)
