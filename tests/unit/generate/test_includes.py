"""Pages are as new as the files that their sources include or document."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.sitemaps import BASE
from support.small_sites import generate, newest_sources

PAGES = ("index.html", "part/index.html")
PAGES_OF_ANTORA = ("index.html", "part.html")
MODULES = {"src/renamer/__init__.py": "", "src/renamer/rules.py": "def rename(): ..."}


@pytest.fixture(autouse=True)
def _in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)


def newest(project: Path, text: str, files: dict[str, str]) -> str | None:
    """Return the source that dates a page whose Markdown file has a text."""
    # Files are committed in the order of their names.
    sources = {"docs/index.md": "# Home", "docs/part.md": text}
    return newest_sources(project, sources | files, PAGES)["part/index.html"]


@pytest.mark.parametrize(
    "text",
    [
        "{{#include ../parts/one.md:section}}",
        '{% include "../parts/one.md" %}',
        "{% include_relative ../parts/one.md %}",
        "<!--@include: ../parts/one.md-->",
    ],
)
def test_included_files(project: Path, text: str) -> None:
    assert (
        newest(project, f"# Page\n\n{text}\n", {"parts/one.md": "One"})
        == "parts/one.md"
    )


def test_the_folder_of_sources_in_paths_of_vitepress(project: Path) -> None:
    files = {"docs/parts/one.ts": "1", "demo/parts/one.ts": "2"}
    assert (
        newest(project, "# Page\n\n<<< @/parts/one.ts\n", files) == "docs/parts/one.ts"
    )


def test_a_notation_in_a_docstring_includes_nothing(project: Path) -> None:
    module = 'def f():\n    """Write `x`:\n\n        {% include "one.md" %}\n    """\n'
    files = {
        "src/renamer/__init__.py": "",
        "src/renamer/rules.py": module,
        "z/one.md": "One",
    }
    assert (
        newest(project, ".. automodule:: renamer.rules\n", files)
        == "src/renamer/rules.py"
    )


def test_each_included_file_is_read_a_few_times(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = range(30)
    sources = {f"docs/{n}.md": f"{{{{#include {n + 1}.md}}}}\n" for n in numbers}
    read: list[str] = []

    def read_regular(path: str, limit: int) -> bytes:
        read.append(path)
        return Path(path).read_bytes()

    monkeypatch.setattr("docs_sitemap_cli.project_files.read_regular", read_regular)
    found = newest_sources(project, sources, [f"{n}/index.html" for n in numbers])
    assert found["0/index.html"] == "docs/9.md"  # the last name
    # For its words, its kind, what it includes, and its front matter.
    assert max(Counter(read).values()) <= 5


def test_objects_whose_files_the_user_names(project: Path) -> None:
    config = '[dependencies]\n"part/*" = ["src/**/*.py"]\n'
    files = MODULES | {"docs-sitemap.toml": config}
    assert (
        newest(project, ".. autofunction:: renamer.rename", files)
        == "src/renamer/rules.py"
    )


# Includes with several candidates


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("partial$x.adoc", "modules/a/partials/x.adoc"),
        ("b:partial$x.adoc", "modules/b/partials/x.adoc"),
        ("docs:b:partial$x.adoc", "modules/b/partials/x.adoc"),
        ("1.0@docs:b:partial$x.adoc", "modules/b/partials/x.adoc"),
        ("y.adoc", None),
        ("other.adoc", "modules/a/pages/part.adoc"),
    ],
)
def test_the_module_of_an_include(project: Path, name: str, source: str | None) -> None:
    """`y.adoc` is in two other modules, and `other.adoc` in none."""
    page = "modules/a/pages/part.adoc"
    parts = [f"modules/{module}/partials/x.adoc" for module in "ab"]
    parts += [f"modules/{module}/partials/z/y.adoc" for module in "bc"]
    files = {**dict.fromkeys(parts, ""), page: f"include::{name}[]\n"}
    files["modules/a/pages/index.adoc"] = ""
    assert newest_sources(project, files, PAGES_OF_ANTORA)["part.html"] == source


def test_an_include_with_two_candidates(project: Path) -> None:
    files = {"parts/a/one.md": "1", "parts/b/one.md": "2"}
    assert newest(project, '{% include "one.md" %}\n', files) is None
    done = generate("site", "--base-url", BASE)
    assert "docs/part.md includes 'one.md'" in (done.err)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ('{% include "one.md" %}\n', "docs/part.md"),
        (".. autoclass:: pkg.rules.Rule\n", "src/pkg/rules.py"),
    ],
)
def test_files_of_tests_are_not_included(project: Path, text: str, source: str) -> None:
    paths = ("tests/fixtures/one.md", "tests/pkg/rules.py", "src/pkg/rules.py")
    assert newest(project, text, dict.fromkeys(paths, "")) == source


# Imports


@pytest.mark.parametrize(
    "text",
    [
        "import Hello from './parts/Hello'\n",
        "import './parts/Hello.jsx'\n",
        'import {\n  A,\n  B as C,\n} from "./parts/Hello";\n',
        "export * from './parts/Hello'\n",
        "import Hello from '@site/src/parts/Hello'\n",
        "import Hello from '@/parts/Hello'\n",
        "import Hello from '$lib/parts/Hello'\n",
        "import Parts from './parts'\n",
    ],
)
def test_imported_components(project: Path, text: str) -> None:
    files = {
        "src/index.md": "",
        "src/part.astro": text,
        "src/parts/Hello.css": "",
        "src/parts/Hello.jsx": "import data from './words.json'\nimport './Hello.css'\n",
        "src/parts/index.ts": "export * from './Hello.jsx'\n",
        "src/parts/words.json": "{}",
        "z.md": "",
    }
    found = newest_sources(project, files, PAGES)
    assert found["part/index.html"] == "src/parts/words.json"


@pytest.mark.parametrize(
    "text",
    [
        "const part = require('./parts/Hello')\n",
        "const Part = lazy(() => import('./parts/Hello'))\n",
    ],
)
def test_imports_in_expressions(project: Path, text: str) -> None:
    files = {"src/index.md": "", "src/part.jsx": text, "src/parts/Hello.vue": ""}
    found = newest_sources(project, files, PAGES)
    assert found["part/index.html"] == "src/parts/Hello.vue"


@pytest.mark.parametrize(
    "text",
    [
        "import Hello from './generated/Hello'\n",
        "const posts = import.meta.glob('./posts/*.md')\n",
        "const posts = await Astro.glob('../posts/*.md')\n",
    ],
)
def test_imports_that_cannot_be_followed(project: Path, text: str) -> None:
    files = {"src/index.md": "", "src/part.astro": text, "src/posts/a.md": ""}
    assert newest_sources(project, files, PAGES)["part/index.html"] is None
    assert "src/part.astro includes " in generate("site", "--base-url", BASE).err


@pytest.mark.parametrize(
    "text",
    [
        "import Link from '@docusaurus/Link'\nimport React from 'react'\n",
        "```js\nimport Hello from './Hello'\n```\n",
        "1. Write:\n\n   ```js\n   import Hello from './Hello'\n   ```\n",
        "Write `require('./Hello')` or\n\n    import Hello from './Hello'\n",
        "Write `const hello =\nrequire('./Hello')` at the top.\n",
        "Write ``const hello = `a` + require('./Hello')`` at the top.\n",
        "> ```js\n> const hello = require('./Hello')\n> ```\n",
    ],
)
def test_imports_of_packages_and_in_code(project: Path, text: str) -> None:
    files = {"docs/index.md": "", "docs/part.mdx": text, "z/Link.js": ""}
    found = newest_sources(project, files, PAGES)
    assert found["part/index.html"] == "docs/part.mdx"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("<script setup>\nimport Hello from './z/Hello.vue'\n", "docs/z/Hello.vue"),
        ("{% highlight js %}\nimport Hello from './other.vue'\n", "docs/part.md"),
        ("A ` mark\n\nimport A from './z/Hello.vue'\n\nB `\n", "docs/z/Hello.vue"),
    ],
)
def test_components_in_markdown(project: Path, text: str, source: str) -> None:
    """Documents also show imports of other projects."""
    assert newest(project, text, {"docs/z/Hello.vue": ""}) == source


# Modules of Sphinx


@pytest.mark.parametrize(
    "text",
    [
        ".. automodule:: renamer.rules\n   :members:\n",
        ".. automodule:: renamer.rules",
        ".. autofunction:: renamer.rules.rename(name)\n",
        ".. currentmodule:: renamer.rules\n\n.. autofunction:: rename\n",
        ".. automodsumm:: renamer.rules\n",
        "```{eval-rst}\n.. autoclass:: renamer.rules.Rule\n```\n",
        "```{automodule} renamer.rules\n```\n",
        ":::{autofunction} renamer.rules.rename\n:::\n",
        ".. autosummary::\n   :toctree: generated\n\n   renamer.rules\n",
        ".. currentmodule:: renamer.rules\n.. autosummary::\n\n   ~rename\n   Rule.apply\n",
        "```{autosummary}\n:nosignatures:\n\nrenamer.rules.rename\n```\n",
        ".. automodule:: renamer.rules\n\n.. autofunction:: rename\n",
        ".. module:: renamer.rules\n.. autosummary::\n\n   rename\n\nFunctions\n---------\n",
    ],
)
def test_modules_of_sphinx(project: Path, text: str) -> None:
    assert newest(project, f"# API\n\n{text}", MODULES) == "src/renamer/rules.py"


@pytest.mark.parametrize(
    "text",
    [
        ".. autofunction:: renamer.rename\n",
        "```{automodule} renamer\n```\n",
        ".. currentmodule:: renamer\n\n.. autofunction:: rename\n",
        ".. autosummary::\n\n   renamer.rules\n   renamer.rename\n",
    ],
)
def test_objects_of_sphinx_that_may_be_defined_anywhere(
    project: Path, text: str
) -> None:
    assert newest(project, f"# API\n\n{text}", MODULES) is None
