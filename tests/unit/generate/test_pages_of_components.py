"""Pages whose text comes from components and code: their own file, or no date."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.realistic_sites import NAMES, RealisticSite, document, sentences


@pytest.fixture(autouse=True)
def _in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)


SCRIPT = (
    "export default function Home() {\n"
    "  return <Layout title={t('home.title')}><Features items={items} /></Layout>\n"
    "}\n"
)
FRONT_MATTER = "---\nlayout: home\nhero:\n  name: Example\n---\n"
# The file of the home page, its text, and the documents with their pages.
HOMES = {
    "docusaurus": ("src/pages/index.js", SCRIPT, "docs/{}.md", "docs/{}/index.html"),
    "gatsby": ("src/pages/index.jsx", SCRIPT, "content/{}.md", "{}/index.html"),
    "astro": (
        "src/pages/index.astro",
        SCRIPT,
        "src/content/docs/{}.md",
        "{}/index.html",
    ),
    "next": ("pages/index.tsx", SCRIPT, "pages/docs/{}.mdx", "docs/{}.html"),
    "eleventy": (
        "src/index.njk",
        "{% include hero %}",
        "src/docs/{}.md",
        "docs/{}/index.html",
    ),
    "vitepress": ("docs/index.md", FRONT_MATTER, "docs/guide/{}.md", "guide/{}.html"),
    "hugo": (
        "layouts/index.html",
        "{{ partial hero }}",
        "content/{}.md",
        "{}/index.html",
    ),
}


@pytest.mark.parametrize("generator", sorted(HOMES))
@pytest.mark.parametrize("shared", [12, 25])
def test_the_home_page_of_a_project_with_a_readme(
    project: Path, generator: str, shared: int
) -> None:
    """The home page and the README begin with the same sentences."""
    home, text, source, page = HOMES[generator]
    site = RealisticSite()
    site.add_manual(page, source, NAMES[:8])
    for day in range(1, 4):
        path = f"blog/2024-02-0{day}-news-{day}.md"
        site.add(f"blog/news-{day}/index.html", path, document(path, 90))
    site.files[home] = text
    both = sentences("both", shared) if shared else ""
    for readme in ("README.md", ".github/README.md"):
        site.files[readme] = f"# Example\n\n{both}\n\n{document(readme, 180)}"
    features = "".join(
        f"<h3>{name}</h3><p>{sentences(f'feature {name}', 20)}</p>" for name in "abc"
    )
    site.add_page("index.html", f"<h1>Example</h1><p>{both}</p>{features}", home, None)
    assert site.wrong_sources(project) == {}


# What is in a document that once was generated, and is no longer the page.
GENERATED = {
    "front matter": "---\ntitle: Reference\nexecute:\n  echo: false\n---\n",
    "code": "---\ntitle: Reference\n---\n\n```{python}\n#| output: asis\nprint_reference()\n```\n",
    "few words": "# Reference\n\nAll functions and classes of the package.\n",
    "old words": f"# Reference\n\n{sentences('functions in 2023', 90)}\n",
}


@pytest.mark.parametrize("text", sorted(GENERATED))
@pytest.mark.parametrize(
    ("source", "page", "other", "other_page"),
    [
        ("index.qmd", "index.html", "guide/{}.qmd", "guide/{}.html"),
        ("reference/index.qmd", "reference/index.html", "{}.qmd", "{}.html"),
        ("docs/reference.md", "reference/index.html", "docs/{}.md", "{}/index.html"),
        (
            "vignettes/functions.Rmd",
            "articles/functions.html",
            "vignettes/{}.Rmd",
            "articles/{}.html",
        ),
    ],
)
def test_a_generated_document_that_was_committed_once(
    project: Path, text: str, source: str, page: str, other: str, other_page: str
) -> None:
    """The page was built from code."""
    site = RealisticSite()
    site.add_manual(other_page, other)
    site.files[source] = GENERATED[text]
    site.files["package/core.py"] = f'"""{sentences("module", 40)}"""\n'
    functions = ""
    for name in ("build", "read", "select", "write"):
        described = sentences(f"function {name}", 30)
        site.files["package/core.py"] += f'\ndef {name}():\n    """{described}"""\n'
        functions += f"<h3>{name}</h3><p>{described}</p>"
    body = f"<h1>Reference of the package</h1>{functions}"
    if text == "old words":
        # Two sentences are still the same.
        body += f"<p>{sentences('functions in 2023', 9)}</p>"
    site.add_page(page, body, "package/core.py", None)
    assert site.wrong_sources(project) == {}


# Folders of generators whose names in parentheses are not in URLs.
GROUPS = [
    # Next.js
    ("app/(marketing)/{}/page.tsx", "{}/index.html"),
    ("src/app/(site)/{}/page.tsx", "{}.html"),
    ("app/(public)/(company)/{}/page.jsx", "{}/index.html"),
    ("app/company/(contact)/{}/page.tsx", "company/{}.html"),
    # Nextra
    ("pages/(main)/{}.mdx", "{}.html"),
    ("content/(company)/{}/index.mdx", "{}/index.html"),
    # SvelteKit and SolidStart
    ("src/routes/(legal)/{}/+page.svelte", "{}.html"),
    ("src/routes/(legal)/{}.tsx", "{}/index.html"),
]


def add_component(site: RealisticSite, page: str, source: str) -> None:
    """Add a page whose text comes from components, except for one sentence of a
    document.
    """
    text = f"<p>{sentences(f'components of {source}', 60)}</p>"
    site.files[source] = SCRIPT
    if source.endswith(".mdx"):
        own = sentences(source, 25)
        text = f"<h1>Example</h1><p>{own}</p>{text}"
        site.files[source] = (
            "import Plans from 'plans'\nexport const title = 'Example'\n\n"
            f"# Example\n\n{own}\n\n<Plans limit={{3}} />\n"
        )
    site.add_page(page, text, source)


@pytest.mark.parametrize(("source", "page"), GROUPS)
def test_folders_that_are_not_in_urls(project: Path, source: str, page: str) -> None:
    site = RealisticSite()
    folder = source.partition("/(")[0]
    document_path, document_page = f"{folder}/docs/{{}}.mdx", "docs/{}/index.html"
    if source.endswith("x") and "page." in source:
        document_path = f"{folder}/docs/{{}}/page.mdx"
    site.add_manual(document_page, document_path)
    for name in ("pricing", "about", "terms"):
        path = source.format(name)
        add_component(site, page.format(name), path)
    others = ("layout.tsx", "(admin)/users/route.ts", "(admin)/pricing.test.tsx")
    for other in others:
        site.files[f"{folder}/{other}"] = SCRIPT
    site.files["components/pricing/index.tsx"] = SCRIPT
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize(
    ("source", "page", "others"),
    [
        ("app/(home)/page.tsx", "index.html", "app/(docs)/docs/{}/page.mdx"),
        ("src/app/(a)/(b)/page.jsx", "index.html", "src/app/docs/{}/page.mdx"),
        ("app/guide/(start)/page.tsx", "guide/index.html", "app/docs/{}/page.mdx"),
        ("pages/(main)/index.mdx", "index.html", "pages/docs/{}.mdx"),
        ("src/routes/(app)/+page.svelte", "index.html", "src/routes/docs/{}/+page.md"),
    ],
)
def test_the_page_of_a_folder_that_is_not_in_its_url(
    project: Path, source: str, page: str, others: str
) -> None:
    site = RealisticSite()
    site.add_manual("docs/{}.html", others)
    site.files["README.md"] = document("README.md")
    add_component(site, page, source)
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize("source", ["app/(home)/page.tsx", "app/home/page.tsx"])
def test_a_component_that_is_not_below_the_folder_of_documents(
    project: Path, source: str
) -> None:
    site = RealisticSite()
    site.add_manual("docs/{}.html", "manual/{}.mdx")
    add_component(site, "index.html", source)
    site.right["index.html"] = (None, "app/(home)/page.tsx")
    assert site.wrong_sources(project) == {}
