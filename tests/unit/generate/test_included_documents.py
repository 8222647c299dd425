"""A document that another one includes is no source of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from support.realistic_sites import RealisticSite, document, sentences


@pytest.fixture(autouse=True)
def _in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)


@dataclass(frozen=True)
class Notation:
    """How a generator includes a file, whose name comes before those of documents."""

    source: str
    page: str
    part: str
    include: str


NOTATIONS = {
    "antora": Notation(
        "docs/modules/api/pages/{}.adoc",
        "manual/latest/api/{}.html",
        "docs/modules/ROOT/partials/deprecation.adoc",
        "include::ROOT:partial$deprecation.adoc[]",
    ),
    "antora-component": Notation(
        "docs/modules/users/pages/{}.adoc",
        "manual/latest/users/{}.html",
        "docs/modules/ROOT/partials/deprecation.adoc",
        "include::manual:ROOT:partial$deprecation.adoc[leveloffset=+1]",
    ),
    "asciidoctor": Notation(
        "docs/{}.adoc",
        "{}.html",
        "docs/_parts/deprecation.adoc",
        "include::_parts/deprecation.adoc[]",
    ),
    "jekyll": Notation(
        "docs/{}.md",
        "docs/{}/index.html",
        "_includes/deprecation.md",
        "{% include deprecation.md %}",
    ),
    "mdbook": Notation(
        "src/{}.md",
        "{}.html",
        "src/_parts/deprecation.md",
        "{{#include _parts/deprecation.md}}",
    ),
    "vitepress": Notation(
        "docs/{}.md",
        "{}.html",
        "docs/_parts/deprecation.md",
        "<!--@include: ./_parts/deprecation.md-->",
    ),
    "docusaurus": Notation(
        "docs/{}.mdx",
        "docs/{}/index.html",
        "docs/_deprecation.mdx",
        "import Deprecation from './_deprecation.mdx';\n\n<Deprecation />",
    ),
}


@pytest.mark.parametrize("generator", sorted(NOTATIONS))
@pytest.mark.parametrize(("words", "pages"), [(20, 1), (30, 3), (60, 1)])
def test_a_short_document_that_includes_another_one(
    project: Path, generator: str, words: int, pages: int
) -> None:
    """Most of the text of the page is in the included document, which is older."""
    notation = NOTATIONS[generator]
    site = RealisticSite()
    marks = "=" if notation.source.endswith("adoc") else "#"
    site.add_manual(notation.page, notation.source)
    if marks == "=":
        for path, text in site.files.items():
            site.files[path] = text.replace("# ", "= ").replace("**", "*")
    part = sentences("deprecation", 70)
    site.files[notation.part] = f"{part}\n"
    for name in ("rest", "soap", "wsdl")[:pages]:
        path = notation.source.format(name)
        own = sentences(path, words)
        site.files[path] = f"{marks} {name.upper()}\n\n{own}\n\n{notation.include}\n"
        body = f"<h1>{name.upper()}</h1><p>{own}</p><p>{part}</p>"
        site.add_page(notation.page.format(name), body, path)
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize("generator", ["antora-component", "mdbook", "vitepress"])
def test_a_part_with_the_name_of_a_page(project: Path, generator: str) -> None:
    """The page with the name of the part is generated, and has other words."""
    notation = NOTATIONS[generator]
    site = RealisticSite()
    site.add_manual(notation.page, notation.source)
    part = sentences("deprecation", 50)
    site.files[notation.part] = f"{part}\n"
    path = notation.source.format("versions")
    text = document(path, 100)
    site.add(notation.page.format("versions"), path, text)
    site.files[path] = f"{text}\n{notation.include}\n"
    site.bodies[notation.page.format("versions")] += f"<p>{part}</p>"
    generated = f"<h1>Deprecation</h1><p>{sentences('generated', 50)}</p>"
    site.add_page(notation.page.format("deprecation"), generated, None)
    assert site.wrong_sources(project) == {}
