"""Generate a repository with a Python package, and a page of documentation for each
module.

Most commits change only the bodies of functions, as in real projects. The same
arguments always give the same commits.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

# The share of commits that change only the body of a function.
_HIDDEN = 0.7

_FUNCTION = '''
def function_{n}(value: int = {n}, *, option: str = "a") -> list[str]:
    """Return the parts of a value, revision {shown}.

    Args:
        value: The value to divide.
        option: How to divide the value.
    """
    parts = []
    for part in range({hidden}, value):
        if option == "a":
            parts.append(str(part))
        else:
            parts.append(option * part)
    return parts
'''

_PAGES = {
    "mkdocs": "# Module {n}\n\n::: package.module_{n}\n",
    "sphinx": (
        "# Module {n}\n\n```{{eval-rst}}\n.. automodule:: package.module_{n}\n   :members:\n```\n"
    ),
}


def generate(folder: Path, generator: str, modules: int, commits: int) -> None:
    """Create the repository, with the branch `main` checked out.

    Args:
        folder: The folder of the repository.
        generator: `mkdocs` or `sphinx`.
        modules: The number of modules and pages.
        commits: The number of commits after the first one.
    """
    git = ["git", "-C", str(folder)]
    folder.mkdir(parents=True)
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    # The numbers of visible and of hidden changes of each module.
    revisions = [(0, 0)] * modules
    page = _PAGES[generator]
    files = {"docs/index.md": "# Home\n", "package/__init__.py": ""}
    files |= {f"docs/module-{n}.md": page.format(n=n) for n in range(modules)}
    files |= {f"package/module_{n}.py": _module(0, 0) for n in range(modules)}
    stream = [_commit(0, files)]
    numbers = random.Random(0)  # noqa: S311  # not for cryptography
    for number in range(1, commits + 1):
        n = int(numbers.random() ** 2 * modules)
        shown, hidden = revisions[n]
        is_hidden = numbers.random() < _HIDDEN
        revisions[n] = (shown, hidden + 1) if is_hidden else (shown + 1, hidden)
        stream.append(
            _commit(number, {f"package/module_{n}.py": _module(*revisions[n])})
        )
    subprocess.run(
        [*git, "fast-import", "--quiet"], check=True, input="\n".join(stream).encode()
    )
    subprocess.run([*git, "reset", "--quiet", "--hard", "main"], check=True)


def _module(shown: int, hidden: int) -> str:
    # Each change affects one function.
    functions = [
        _FUNCTION.format(n=n, shown=(shown + n) // 10, hidden=(hidden + n) // 10)
        for n in range(10)
    ]
    return f'"""A module."""\n\nimport os\n{"".join(functions)}'


def _commit(number: int, files: dict[str, str]) -> str:
    time = 1_500_000_000 + number * 3600
    lines = ["commit refs/heads/main", f"mark :{number + 1}"]
    lines += [f"committer C <c@example.org> {time} +0000", "data 0"]
    lines += [f"from :{number}"] if number else []
    for path, text in files.items():
        lines += [f"M 100644 inline {path}", f"data {len(text)}", text]
    return "\n".join([*lines, ""])
