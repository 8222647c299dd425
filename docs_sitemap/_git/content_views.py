"""What readers of a page see of a file. Changes to anything else do not count."""

from __future__ import annotations

import ast
import inspect
import re
import warnings
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import TypeGuard

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
        self._digests: dict[tuple[bytes, bytes], bytes | None] = {}
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
        # The digest depends on the name: the same text can be Markdown and reStructuredText.
        key = (path, object_name)
        if key not in self._digests:
            content = self._content(object_name)
            self._digests[key] = None if content is None else self._digest(path, content)
        return self._digests[key]

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
        with warnings.catch_warnings():
            # Python warns of invalid escapes, for example. With `-W error`, it would raise them.
            warnings.simplefilter("ignore")
            tree = _parse(content)
        _ShownParts(path, content).visit(tree)
        text = ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    # Sphinx documents attributes with comments that start with `#:`.
    comments = re.findall(rb"#:[^\n]*", content)
    return sha256(b"\n".join([text.encode("utf-8", "surrogatepass"), *comments])).digest()


def _parse(content: bytes) -> ast.Module:
    """Parse a module, with the types in comments, which autodoc shows, if all of them are valid."""
    try:
        return ast.parse(content, type_comments=True)
    except SyntaxError:
        return ast.parse(content)


class _ShownParts(ast.NodeTransformer):
    """Removes what no documentation shows: imports, and the bodies of functions, except for
    docstrings, and for attributes that are assigned with a description.

    sphinx-autoapi and mkdocstrings can also show the other attributes that `__init__` assigns. A
    package can show objects that it imports from its own modules.

    Args:
        path: The path of the module.
        content: Its content.
    """

    def __init__(self, path: bytes, content: bytes) -> None:
        folder, _, name = path.rpartition(b"/")
        self._package = folder.rpartition(b"/")[2].decode("utf-8", "surrogateescape")
        self._is_package = name in (b"__init__.py", b"__init__.pyi")
        lines = content.splitlines()
        self._described = {number for number, line in enumerate(lines, 1) if b"#:" in line}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._without_body(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._without_body(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        text = _text(node)
        return node if text is None else ast.Expr(ast.Constant(text))

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        is_own = node.level > 0 or (node.module or "").partition(".")[0] == self._package
        return node if self._is_package and is_own else None

    def _without_body(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        shown: list[ast.stmt] = []
        for child in ast.walk(node):
            statements = getattr(child, "body", ())
            if not isinstance(statements, list):  # the expression of a lambda
                continue
            for previous, statement in zip([None, *statements], statements, strict=False):
                text = _text(statement)
                if text is not None:
                    if _is_assignment(previous) and shown[-1:] != [previous]:
                        shown.append(previous)
                    shown.append(ast.Expr(ast.Constant(text)))
                elif _is_assignment(statement) and (
                    self._has_comment(statement)
                    or (node.name == "__init__" and _sets_attribute(statement))
                ):
                    shown.append(statement)
        node.body = shown
        return node

    def _has_comment(self, statement: ast.stmt) -> bool:
        """Whether an assignment has a comment that starts with `#:`, in its lines or above."""
        end = statement.end_lineno or statement.lineno
        return not self._described.isdisjoint(range(statement.lineno - 1, end + 1))


def _is_assignment(node: ast.AST | None) -> TypeGuard[ast.Assign | ast.AnnAssign]:
    return isinstance(node, ast.Assign | ast.AnnAssign)


def _sets_attribute(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(
        isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
        for target in targets
        for part in ast.walk(target)
    )


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
