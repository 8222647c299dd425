"""What readers of a page see of a file. Changes to anything else do not count."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Callable
from hashlib import sha256

from docs_sitemap._git.commit_reader import Change
from docs_sitemap._git.document_text import digest_document
from docs_sitemap._git.git_command import Git, GitError, InteractiveGit
from docs_sitemap._result import CountedChanges

# Enough for the history of almost every file. Beyond, every change counts.
_MAX_COMPARISONS = 200

# Larger files are data.
_MAX_SIZE = 2**21


Digest = Callable[[bytes, bytes], bytes | None]
"""Returns a digest of what readers see, from the path and the content of a file."""


class ContentComparer:
    """Compares versions of files by what readers see of them. Close it after use.

    Args:
        git: Git in a folder of the repository.
        changes: Which changes count; not `ANY`.
    """

    def __init__(self, git: Git, changes: CountedChanges) -> None:
        self._git = git
        self._digest = _DIGESTS[changes]
        self._digests: dict[bytes, bytes | None] = {}
        self._comparisons: Counter[bytes] = Counter()
        self._cat_file: InteractiveGit | None = None
        self._is_broken = False

    def is_same(self, path: bytes, change: Change) -> bool:
        """Return whether readers see the same in both versions. A version that cannot be read or
        parsed differs from all others.
        """
        self._comparisons[path] += 1
        if change.status != b"M" or self._comparisons[path] > _MAX_COMPARISONS:
            return False
        new = self._digest_of(path, change.new)
        return new is not None and new == self._digest_of(path, change.old)

    def close(self) -> None:
        if self._cat_file is not None:
            self._cat_file.close()

    def _digest_of(self, path: bytes, object_name: bytes) -> bytes | None:
        if object_name not in self._digests:
            content = self._content(object_name)
            digest = None if content is None else self._digest(path, content)
            self._digests[object_name] = digest
        return self._digests[object_name]

    def _content(self, object_name: bytes) -> bytes | None:
        """Return the content of a file; `None` if a partial clone does not contain it."""
        if self._is_broken:
            return None
        try:
            if self._cat_file is None:
                self._cat_file = InteractiveGit(self._git, ["cat-file", "--batch"], " missing\n")
            answer = self._cat_file.ask(object_name)
        except GitError:
            self._is_broken = True
            return None
        header, _, content = answer.partition(b"\n")
        is_file = re.fullmatch(rb"[0-9a-f]+ blob [0-9]+", header) is not None
        return content[:-1] if is_file and len(content) <= _MAX_SIZE else None


def digest_api(path: bytes, content: bytes) -> bytes | None:
    """Return a digest of what the documentation of a Python module can show; `None` if the module
    cannot be parsed. The module is never run.
    """
    try:
        tree = ast.parse(content)
        shown = _ShownParts()
        shown.visit(tree)
        text = ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    # Sphinx documents attributes with comments that start with `#:`.
    comments = re.findall(rb"#:[^\n]*", content)
    return sha256(b"\n".join([text.encode("utf-8", "surrogatepass"), *comments])).digest()


class _ShownParts(ast.NodeTransformer):
    """Removes what no documentation shows: imports, and the bodies of functions, except for
    docstrings, and for attributes that are assigned with a description.
    """

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return _without_body(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return _without_body(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        text = _text(node)
        return node if text is None else ast.Expr(ast.Constant(text))

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None


def _without_body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
    shown: list[ast.stmt] = []
    for child in ast.walk(node):
        statements = getattr(child, "body", ())
        if not isinstance(statements, list):  # the expression of a lambda
            continue
        for previous, statement in zip([None, *statements], statements, strict=False):
            text = _text(statement)
            if text is None:
                continue
            if isinstance(previous, ast.Assign | ast.AnnAssign):
                shown.append(previous)
            shown.append(ast.Expr(ast.Constant(text)))
    node.body = shown
    return node


def _text(node: ast.AST) -> str | None:
    """Return the text of a docstring as documentation shows it, without indentation; `None` for
    other statements.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        value = node.value.value
        if isinstance(value, str):
            return inspect.cleandoc(value)
    return None


_DIGESTS: dict[CountedChanges, Digest] = {
    CountedChanges.API: digest_api,
    CountedChanges.TEXT: digest_document,
}
