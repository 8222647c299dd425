"""The code that runs when some functions of a Python module are called.

The functions that nothing in the code mentions do not run. All other code does:
imports, assignments, classes, every branch, and functions with decorators, which can
register them.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from .python_modules import Function, last_name, parse_statements

# mkdocs-macros calls these functions of a module for all pages.
# https://mkdocs-macros-plugin.readthedocs.io/en/latest/macros/
_ALWAYS_CALLED = {"define_env", "on_pre_page_macros", "on_post_page_macros"}

_NAME = re.compile(r"[^\W\d]\w*")


class _Statements(NamedTuple):
    """The statements of a module, and those in `define_env`.

    Attributes:
        functions: The functions by name. A name can be defined several times.
        others: All other statements.
    """

    functions: Mapping[str, list[str]]
    others: list[str]


def called_code(content: bytes, names: Iterable[str]) -> list[str]:
    """Return the code of a module that runs when some of its functions are called,
    without comments and formatting.

    Args:
        content: The content of the module.
        names: The names of the functions.

    Raises:
        ValueError: The module cannot be parsed.
    """
    code = _read(content)
    called = set()
    waiting = {*names, *_ALWAYS_CALLED, *_NAME.findall("\n".join(code.others))}
    while waiting:
        name = waiting.pop()
        if name in code.functions and name not in called:
            called.add(name)
            waiting.update(_NAME.findall("\n".join(code.functions[name])))
    texts = list(code.others)
    for name in sorted(called):
        texts += code.functions[name]
    return texts


@lru_cache(maxsize=2)  # Pages call many functions of the same two versions.
def _read(content: bytes) -> _Statements:
    code = _Statements(defaultdict(list), [])
    statements = parse_statements(content)
    try:
        _add(statements, code)
    except (RecursionError, MemoryError) as error:
        raise ValueError("the module is nested too deeply") from error
    return code


def _add(statements: Iterable[ast.stmt], code: _Statements) -> None:
    for statement in statements:
        if isinstance(statement, Function) and statement.name == "define_env":
            _add(statement.body, code)
        elif isinstance(statement, Function) and _is_plain(statement):
            code.functions[statement.name].append(ast.unparse(statement))
        else:
            code.others.append(ast.unparse(statement))


def _is_plain(function: Function) -> bool:
    """Return whether a function runs only if code or a page calls its name."""
    names = set(map(last_name, function.decorator_list))
    return names <= {"macro", "filter"}
