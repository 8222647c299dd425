"""Small sites on which a wrong date is likely: it is worse than no date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import invoke
from support.readers import Entry, read
from support.repository import Repository, noon
from support.sitemaps import BASE, urls, write_site
from support.small_sites import (
    REPOSITORY,
    generate,
    html,
    made_from,
    newest_sources,
    unique_text,
)

from docs_sitemap import ExclusionReason

DOCS = ("docs/index.md", "docs/install.md", "docs/usage.md")
HTML = ("index.html", "install.html", "usage.html")


@pytest.fixture(autouse=True)
def _in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)


def expected(*pages: str, **others: str | None) -> dict[str, str | None]:
    return {page: f"docs/{page.replace('.html', '.md')}" for page in pages} | others


def test_languages(project: Path) -> None:
    """Pages without a translation are in no folder of their language."""
    sources = ["docs/en/index.md", "docs/en/a.md", "docs/en/b.md", "docs/fr/index.md"]
    pages = [
        "index.html",
        "a.html",
        "b.html",
        "fr/index.html",
        "fr/a.html",
        "fr/b.html",
    ]
    assert newest_sources(project, [*sources, "docs/fr/a.md"], pages) == {
        "index.html": "docs/en/index.md",
        "a.html": "docs/en/a.md",
        "b.html": "docs/en/b.md",
        "fr/index.html": "docs/fr/index.md",
        "fr/a.html": "docs/fr/a.md",
        "fr/b.html": None,
    }


def test_languages_in_suffixes(project: Path) -> None:
    text, page = made_from("docs/install.fr.md")
    sources = dict.fromkeys([*DOCS, "docs/index.fr.md"], "")
    pages = {name: html(name) for name in [*HTML, "fr/usage.html"]}
    assert newest_sources(
        project,
        sources | {"docs/install.fr.md": text},
        pages | {"fr/install.html": page},
    ) == {
        **expected(*HTML),
        "fr/install.html": "docs/install.fr.md",
        "fr/usage.html": None,
    }


@pytest.mark.parametrize("edit", ["main/docs/", ""])
def test_only_the_version_at_the_top_was_made_from_the_checked_out_sources(
    project: Path, edit: str
) -> None:
    """Old versions may even contain links to the newest source."""
    pages = {
        f"{folder}{name}": html(
            name, edit=edit and f"{edit}{name.replace('.html', '.md')}"
        )
        for folder in ("", "1.0/", "v2/")
        for name in HTML
    }
    old = {name: None for name in pages if "/" in name}
    assert newest_sources(project, DOCS, pages) == expected(*HTML) | old


@pytest.mark.parametrize("edit", ["main/", ""])
@pytest.mark.parametrize("folder", ["1", "an", "2023", "lts", "archive"])
def test_of_several_versions_the_newest_has_the_words_of_the_documents(
    project: Path, folder: str, edit: str
) -> None:
    """The others contain an older text, except for one page."""
    sources = {f"docs/{letter}.md": "" for letter in "abcdefghijkl"}
    pages = {}
    right: dict[str, str | None] = {}
    for source in sources:
        name = source.replace("docs/", "").replace(".md", ".html")
        text = unique_text(source)
        sources[source] = text
        is_same = name == "c.html"
        older = text if is_same else f"{text[:60]} {unique_text(f'old {name}')}"
        for start, body in (("", older), (f"{folder}/", older), ("main/", text)):
            link = edit and f"{edit}{source}"
            pages[f"{start}{name}"] = html(name, f"<p>{body}</p>", edit=link)
            right[f"{start}{name}"] = source if start == "main/" or is_same else None
    found = newest_sources(project, sources, pages)
    same = {name for name in found if name.endswith("/c.html") or name == "c.html"}
    assert {found.pop(name) for name in same} <= {"docs/c.md", None}
    assert found == {name: right[name] for name in found}


def test_versions_with_edit_links_to_their_branches(project: Path) -> None:
    pages = {
        f"{version}/install.html": html("Install", edit=f"v{version}/docs/install.md")
        for version in ("1.0", "2.0")
    }
    assert set(newest_sources(project, DOCS, pages).values()) == {None}


def test_lists_of_a_blog_have_no_sources(project: Path) -> None:
    sources = [*DOCS, "docs/blog/hello.md", "docs/python.md"]
    pages = [*HTML, "blog/hello.html", "python.html"]
    lists = [
        "tags/python.html",
        "authors/hello.html",
        "archive/2024.html",
        "categories/usage.html",
    ]
    assert newest_sources(
        project, sources, [*pages, *lists, "blog/page/2/index.html"]
    ) == {
        **expected(*pages),
        **dict.fromkeys(lists),
    }


@pytest.mark.parametrize(
    "folder", ["tests", "examples", "packages/a/tests/unit", "vendor/other"]
)
def test_other_files_with_the_names_of_api_pages(project: Path, folder: str) -> None:
    api = ["api/client.html", "api/server.html"]
    sources = [*DOCS, f"{folder}/api/client.py", f"{folder}/api/server.py"]
    assert newest_sources(project, sources, [*HTML, *api]) == expected(
        *HTML
    ) | dict.fromkeys(api)


def test_a_copy_of_other_documentation_with_more_pages(project: Path) -> None:
    sources = [
        f"vendor/library/docs/{name}.md"
        for name in ("index", "install", "usage", "api")
    ]
    pages = [*HTML, "api.html"]
    assert newest_sources(project, [*DOCS, *sources], pages) == expected(*HTML) | {
        "api.html": None
    }


def test_a_generated_changelog(project: Path) -> None:
    pages = [*HTML, "changelog.html", "changelog/1.0.html"]
    found = newest_sources(
        project, [*DOCS, "CHANGELOG.md", "changelog.d/1.0.md"], pages
    )
    assert found == expected(*HTML) | dict.fromkeys(pages[3:])


@pytest.mark.parametrize("source", ["docs/faq.md", None])
def test_links_to_other_files_in_texts(project: Path, source: str | None) -> None:
    """The last page has no edit link of its own."""
    pages = {page: html(page, edit=f"main/docs/{page[:-5]}.md") for page in HTML}
    link = f'<a href="{REPOSITORY}/edit/main/config.yml">Edit this file</a>'
    sources = [*DOCS, "config.yml", *filter(None, [source])]
    found = newest_sources(project, sources, {**pages, "faq.html": html("FAQ", link)})
    assert found == expected(*HTML) | {"faq.html": source}


def test_a_link_to_the_source_of_an_example_does_not_hide_the_own_file(
    project: Path,
) -> None:
    """The example is newer than the page "a", and older than the page "b"."""
    sources = ["docs/index.md", "docs/a.md", "docs/b.md", "docs/x.py", "demos/x.py"]
    links = {"a": "docs/x.py", "b": "demos/x.py"}
    pages = {
        f"{page}.html": html(
            page, f'<a href="{REPOSITORY}/blob/main/{file}">Source code</a>'
        )
        for page, file in links.items()
    }
    assert newest_sources(project, sources, {"index.html": html(), **pages}) == {
        "index.html": "docs/index.md",
        "a.html": "docs/a.md",
        "b.html": "docs/b.md",
    }


def test_an_edit_link_to_a_script_does_not_hide_the_document(project: Path) -> None:
    sources = ["docs/index.md", "docs/a.md", "docs/b.md", "scripts/rules.tsx"]
    edited = {"index": "docs/index.md", "a": "docs/a.md", "b": "scripts/rules.tsx"}
    pages = {
        f"{name}.html": html(name, edit=f"main/{file}") for name, file in edited.items()
    }
    assert newest_sources(project, sources, pages)["b.html"] == "docs/b.md"


def test_modules_are_no_sources_where_documents_are(project: Path) -> None:
    edited = {name: f"docs/{name}.md" for name in ("index", "a", "b", "c")}
    pages = {
        f"{name}.html": html(name, edit=f"main/{file}") for name, file in edited.items()
    }
    others = {name: html(name) for name in ("cli.html", "config.html")}
    sources = [*edited.values(), "package/cli.py", "package/config.py"]
    found = newest_sources(project, sources, pages | others)
    assert (found["cli.html"], found["config.html"]) == (None, None)


@pytest.mark.parametrize(
    "link",
    [
        "<!-- {} -->",
        "<script>'{}'</script>",
        "<template>{}</template>",
        "<textarea>{}</textarea>",
        "<div title='{}'></div>",
    ],
)
def test_an_edit_link_that_readers_do_not_see(project: Path, link: str) -> None:
    edited = {"a": "docs/a.md", "b": "docs/b.md"}
    pages = {
        f"{name}.html": html(name, edit=f"main/{file}") for name, file in edited.items()
    }
    hidden = link.format(f'<a href="{REPOSITORY}/edit/main/notes/other.md">Edit</a>')
    found = newest_sources(
        project,
        [*edited.values(), "notes/other.md"],
        {**pages, "c.html": html("c", hidden)},
    )
    assert found["c.html"] is None


@pytest.mark.parametrize(
    "address",
    [
        r"https://evil.org\@github.com/example/project/edit/main/docs/a.md",
        "https://github.com@evil.org/example/project/edit/main/docs/a.md",
        "https://evil.org/github.com/example/project/edit/main/docs/a.md",
        "javascript://github.com/example/project/edit/main/docs/a.md",
        "https://github.com/example/project2/edit/main/docs/a.md",
    ],
)
def test_an_edit_link_to_another_repository(project: Path, address: str) -> None:
    pages = {
        f"{name}.html": html(name, f'<a href="{address}">Edit</a>')
        for name in ("x", "y")
    }
    assert newest_sources(project, ["docs/a.md"], pages) == {
        "x.html": None,
        "y.html": None,
    }


def test_a_readme_next_to_pages_of_a_repository(project: Path) -> None:
    """The pages at the top of a repository are their own sources."""
    files = {f"{name}/index.html": html(name) for name in "abc"} | {
        "a/README.md": "# A"
    }
    assert newest_sources(project, files, {}, site=".") == {
        f"{name}/index.html": f"{name}/index.html" for name in "abc"
    }


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("docs/fourth/fourth.md", "fourth/index.html"),
        ("docs/_posts/2014-06-14-hello.md", "news/2014/06/14/hello/index.html"),
    ],
)
def test_paths_of_folders_and_posts(project: Path, source: str, page: str) -> None:
    text, built = made_from(source)
    sources = dict.fromkeys(DOCS, "") | {source: text}
    pages = {name: html(name) for name in HTML} | {page: built}
    assert newest_sources(project, sources, pages)[page] == source


def test_an_exact_name_wins(project: Path) -> None:
    sources = [*DOCS, "docs/appset.md", "docs/app_set.md"]
    pages = [*HTML, "appset/index.html", "app_set/index.html"]
    found = newest_sources(project, sources, pages)
    assert found["appset/index.html"] == "docs/appset.md"
    assert found["app_set/index.html"] == "docs/app_set.md"


@pytest.mark.parametrize("option", ["slug", "permalink"])
def test_a_page_at_the_old_url_of_another_one(project: Path, option: str) -> None:
    guide, old_page = made_from("docs/guide.md")
    new, guide_page = made_from("docs/new.md")
    sources = {
        **dict.fromkeys(DOCS, ""),
        "docs/guide.md": f"---\n{option}: /old/guide-1/\n---\n{guide}",
        "docs/new.md": f"---\n{option}: /guide/\n---\n{new}",
    }
    pages = {name: html(name) for name in HTML}
    assert newest_sources(
        project,
        sources,
        pages | {"guide.html": guide_page, "old/guide-1.html": old_page},
    ) == {
        **expected(*HTML),
        "guide.html": "docs/new.md",
        "old/guide-1.html": "docs/guide.md",
    }


@pytest.mark.parametrize(
    ("source", "page", "other"),
    [
        ("3-way-merge.md", "3-way-merge.html", "way-merge.html"),
        ("c++.md", "c++.html", "c.html"),
        ("2-0-migration.md", "2-0-migration/index.html", "migration/index.html"),
    ],
)
def test_only_one_of_two_pages_with_similar_names_has_the_source(
    project: Path, source: str, page: str, other: str
) -> None:
    text, built = made_from(f"docs/{source}")
    sources = dict.fromkeys(DOCS, "") | {f"docs/{source}": text}
    pages = {name: html(name) for name in HTML}
    pages |= {page: built, other: made_from("other")[1]}
    found = newest_sources(project, sources, pages)
    assert found == expected(*HTML) | {page: f"docs/{source}", other: None}


def test_a_redirect_at_the_old_url_does_not_take_the_source(project: Path) -> None:
    pages = {page: html(page) for page in (*HTML, "guide/index.html")}
    pages["guide.html"] = html(
        head='<meta http-equiv="refresh" content="0; url=guide/">'
    )
    found = newest_sources(project, [*DOCS, "docs/guide.md"], pages)
    assert found == expected(*HTML) | {"guide/index.html": "docs/guide.md"}


def test_includes_with_the_same_names(project: Path) -> None:
    sources = {
        "docs/a/index.md": '{% include "part.md" %}\n',
        "docs/b/index.md": '{% include "part.md" %}\n',
    }
    parts = {"docs/a/part.md": "", "docs/b/part.md": ""}
    found = newest_sources(project, sources | parts, ["a/index.html", "b/index.html"])
    assert found == {"a/index.html": "docs/a/part.md", "b/index.html": "docs/b/part.md"}


def test_includes_that_a_text_describes(project: Path) -> None:
    sources = dict.fromkeys(
        DOCS, "Write `{% include part.md %}` or \\{{#include part.md}}."
    )
    found = newest_sources(project, sources | {"part.md": ""}, HTML)
    assert found == expected(*HTML)


def test_translations_with_edit_links_to_the_originals(project: Path) -> None:
    expected = {
        "a.html": "docs/a.md",
        "b.html": "docs/b.md",
        "fr/a.html": "i18n/fr/docs/a.md",
    }
    sources, pages = {}, {}
    for page, source in expected.items():
        sources[source], built = made_from(source)
        edit = f"{REPOSITORY}/edit/main/docs/{page[-6]}.md"
        link = f'<a href="{edit}">Edit this page</a></body>'
        pages[page] = built.replace("</body>", link)
    assert newest_sources(project, sources, pages) == expected


def test_packages_with_the_same_names(project: Path) -> None:
    sources = [
        f"packages/{name}/docs/{file}.md"
        for name in "ab"
        for file in ("install", "usage")
    ]
    assert set(newest_sources(project, sources, HTML).values()) == {None}


def test_a_package_with_fewer_of_the_names_than_another_one(project: Path) -> None:
    """The generator of the site writes the page that only the other package has a file
    for.
    """
    sources = {}
    pages = {"api.html": html("API", unique_text("generated"))}
    for path in DOCS:
        sources[f"a/{path}"] = made_from(f"a/{path}")[0]
        sources[f"b/{path}"], page = made_from(f"b/{path}")
        pages[path.replace("docs/", "").replace(".md", ".html")] = page
    sources["a/docs/api.md"] = made_from("a/docs/api.md")[0]
    found = newest_sources(project, sources, pages, "b/site")
    names = {name: f"b/{source}" for name, source in expected(*HTML).items()}
    assert found == names | {"api.html": None}


def test_a_site_in_git_with_pages_that_are_not_in_the_sources(project: Path) -> None:
    pages = [*HTML, "generated.html"]
    sources = {**{f"content/{name[5:]}": "" for name in DOCS}}
    built = {f"docs/{name}": html(name) for name in pages}
    found = newest_sources(project, sources | built, {"x/404.html": html()}, "docs")
    names = {name: f"content/{name.replace('.html', '.md')}" for name in HTML}
    assert found == names | {"generated.html": None, "x/404.html": None}


def test_a_list_with_one_complete_post_and_its_edit_link(project: Path) -> None:
    files = ("index", "about", "posts/hello")
    pages = {f"{file}.html": html(file, edit=f"main/docs/{file}.md") for file in files}
    pages["posts/index.html"] = html("Posts", edit="main/docs/posts/hello.md")
    found = newest_sources(project, [f"docs/{file}.md" for file in files], pages)
    names = ["index.html", "about.html", "posts/hello.html"]
    assert found == expected(*names) | {"posts/index.html": None}


def test_a_blog_with_a_page_of_its_own(project: Path) -> None:
    """The Markdown file of the page has only the text above the posts."""
    pages = {page: html(page) for page in HTML}
    pages["blog/index.html"] = html(
        body='<article class="md-post md-post--excerpt">Post</article>'
    )
    found = newest_sources(project, [*DOCS, "docs/blog/index.md"], pages)
    assert found == expected(*HTML) | {"blog/index.html": None}


def test_a_page_with_two_sources_has_none_in_another_folder(project: Path) -> None:
    found = newest_sources(project, ["docs/a.md", "docs/a.mdx", "src/a.py"], ["a.html"])
    assert found == {"a.html": None}


def test_a_version_is_no_number_before_a_name(project: Path) -> None:
    found = newest_sources(project, [*DOCS, "docs/1.0.md"], [*HTML, "0.html"])
    assert found == expected(*HTML) | {"0.html": None}


def test_packages_with_the_same_names_in_the_records_of_their_generator(
    project: Path,
) -> None:
    """The generator records names below the folder that contains the site."""
    sources = [
        f"{folder}/{file}"
        for folder in ("a/docs", "b/docs", "c")
        for file in ("x.md", "y.md")
    ]
    pages: dict[str, str] = {}
    for page, source in {"1": "x", "2": "y"}.items():
        pages[f"{page}.html"] = html(page)
        pages[f"{page}.json"] = (
            f'{{"kind":"Article","mdast":{{}},"location":"/{source}.md"}}'
        )
    found = newest_sources(project, sources, pages, "b/docs/_build/html")
    assert found == {"1.html": "b/docs/x.md", "2.html": "b/docs/y.md"}


def test_pages_of_several_branches(project: Path) -> None:
    """Each branch dates its own pages, also those with files that other branches do not
    have.
    """
    repository = Repository.create(project)
    repository.git("remote", "add", "origin", f"{REPOSITORY}.git")
    repository.commit(dict.fromkeys((*DOCS, "docs/removed.md"), "old"), day=1)
    repository.git("branch", "v1.0.x")
    repository.commit({"docs/usage.md": "new"}, day=3)
    repository.git("rm", "--quiet", "docs/removed.md")
    repository.commit({"docs/install.md": "new"}, day=4)
    repository.git("switch", "--quiet", "v1.0.x")
    repository.commit({"docs/install.md": "patched"}, day=5)
    repository.git("switch", "--quiet", "main")
    pages = {
        f"{folder}{name}": html(name, edit=f"{ref}/docs/{name.replace('.html', '.md')}")
        for folder, ref in (("", "main"), ("1.0/", "v1.0.x"), ("0.9/", "v0.9.x"))
        for name in HTML
    }
    pages["1.0/removed.html"] = html("Removed", edit="v1.0.x/docs/removed.md")
    write_site(project / "site", pages)
    done = generate("site", "--base-url", BASE)
    entries = {one.loc.removeprefix(BASE): one.lastmod for one in read_sitemap(project)}
    assert entries == {
        "": noon(1),
        "install.html": noon(4),
        "usage.html": noon(3),
        "1.0/": noon(1),
        "1.0/install.html": noon(5),
        "1.0/usage.html": noon(1),
        "1.0/removed.html": noon(1),
        "0.9/": None,
        "0.9/install.html": None,
        "0.9/usage.html": None,
    }
    reason = "its edit link leads to the branch 'v0.9.x', which is not completely in this clone"
    assert reason in done.err


def test_includes_on_another_branch(project: Path) -> None:
    """The part is in the folder of examples on this branch only, and newer on both."""
    repository = Repository.create(project)
    repository.git("remote", "add", "origin", f"{REPOSITORY}.git")
    pages = ["docs/pages/a.adoc", "docs/pages/b.adoc"]
    text = "include::p.adoc[]\n"
    repository.commit(
        {**dict.fromkeys(pages, text), "docs/partials/p.adoc": "1"}, day=1
    )
    repository.git("switch", "--quiet", "--create", "v1")
    repository.git("mv", "docs/partials", "docs/examples")
    repository.commit({"docs/examples/p.adoc": "2"}, day=4)
    repository.git("switch", "--quiet", "main")
    repository.commit({"docs/partials/p.adoc": "3"}, day=3)
    built = {}
    for ref in ("main", "v1"):
        for path in pages:
            built[f"{ref}/{path[11]}.html"] = html(path, edit=f"{ref}/{path}")
    write_site(project / "site", {**built, "main/c.html": html("c")})
    generate("site", "--base-url", BASE)
    found = {one.loc.removeprefix(BASE): one.lastmod for one in read_sitemap(project)}
    assert found == {
        "main/a.html": noon(3),
        "main/b.html": noon(3),
        "main/c.html": None,
        "v1/a.html": noon(4),
        "v1/b.html": noon(4),
    }


def test_contents_on_another_branch_that_a_partial_clone_does_not_have(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.create(project)
    repository.git("config", "uploadpack.allowFilter", "true")
    repository.commit({"a.adoc": "main", "b.adoc": "b"}, day=1)
    repository.git("switch", "--quiet", "--create", "v1")
    repository.commit({"a.adoc": "include::b.adoc[]"}, day=2)
    repository.git("switch", "--quiet", "main")
    clone = tmp_path / "clone"
    options = ("--quiet", "--filter=blob:none")
    repository.git("clone", *options, project.as_uri(), str(clone))
    Repository(clone).git("remote", "add", "web", f"{REPOSITORY}.git")
    monkeypatch.chdir(clone)
    built = {"v1/a.html": html("A", edit="v1/a.adoc")}
    built |= {f"{name}.html": html(name, edit=f"main/{name}.adoc") for name in "ab"}
    write_site(clone / "site", built)
    done = generate("site", "--base-url", BASE)
    reason = (
        "its edit link leads to the branch 'v1', which is not completely in this clone"
    )
    assert reason in done.err
    dates = {one.loc.removeprefix(BASE): one.lastmod for one in read_sitemap(clone)}
    assert dates == {"a.html": noon(1), "b.html": noon(1), "v1/a.html": None}


def read_sitemap(project: Path) -> list[Entry]:
    return read((project / "site/sitemap.xml").read_bytes())


def test_the_default_language_of_a_suffix_is_at_the_top_of_the_site(
    project: Path,
) -> None:
    expected = {
        "index.html": "content/_index.en.md",
        "a/index.html": "content/a.en.md",
        "b/index.html": "content/b.en.md",
        "fr/index.html": "content/_index.fr.md",
        "fr/a/index.html": "content/a.fr.md",
        "fr/b/index.html": "content/b.fr.md",
    }
    sources = {source: made_from(source)[0] for source in expected.values()}
    pages = {page: made_from(source)[1] for page, source in expected.items()}
    assert newest_sources(project, sources, pages) == expected


def test_the_home_page_of_docusaurus_is_a_script(project: Path) -> None:
    sources = [
        "docs/install.md",
        "docs/usage.md",
        "src/pages/index.js",
        "src/pages/help.js",
        "src/other.js",
    ]
    pages = ["index.html", "install.html", "usage.html", "help.html", "other.html"]
    assert newest_sources(project, sources, pages) == {
        "index.html": "src/pages/index.js",
        "install.html": "docs/install.md",
        "usage.html": "docs/usage.md",
        "help.html": "src/pages/help.js",
        "other.html": None,
    }


def test_the_readme_of_a_project_with_a_home_page_and_a_blog(project: Path) -> None:
    posts = {"blog/a.html": "website/blog/a.md", "blog/b.html": "website/blog/b.md"}
    sources = {source: made_from(source)[0] for source in posts.values()}
    sources["website/README.md"] = made_from("website/README.md")[0]
    sources["website/src/pages/index.js"] = "<Features/>"
    pages = {page: made_from(source)[1] for page, source in posts.items()}
    pages["index.html"] = html("Home", unique_text("features"))
    found = newest_sources(project, sources, pages, "website/build")
    assert found == posts | {"index.html": "website/src/pages/index.js"}


def test_several_source_links_of_a_page(project: Path) -> None:
    link = f'<a href="{REPOSITORY}/blob/HEAD/R/{{}}.R">R/{{}}.R</a>'
    links = ", ".join([link.format(name, name) for name in "abc"])
    body = f"<small>Source: {links}</small> and {link.format('d', 'd')}"
    pages = {"x.html": html("x", body), "y.html": html("y")}
    found = newest_sources(project, ["R/a.R", "R/b.R", "R/c.R", "R/d.R"], pages)
    assert found == {"x.html": "R/c.R", "y.html": None}


GENERATED = {
    "": [
        "_index",
        "class_list",
        "file_list",
        "allclasses-frame",
        "allclasses-index",
        "help-doc",
        "index-all",
        "index-files/index-7",
        "overview-tree",
        "p/class-use/A",
        "p/package-tree",
    ],
    "javadoc/SerializedFormWriterImpl": ["serialized-form", "src-html/p/A"],
    "Doxygen 1.9": ["annotated", "functions_a"],
}


def test_lists_and_indexes_of_generators(project: Path) -> None:
    pages = {
        "index.html": html("Home", "Home"),
        "p/A.html": html("A", "Letters"),
        "serialized-form.html": html("No Javadoc", "Forms"),
    }
    generated = {}
    for generator, names in GENERATED.items():
        head = f'<meta name="generator" content="{generator}">'
        for name in names:
            generated[f"api/{name}.html"] = html(name, head=head)
    found = newest_sources(project, [], pages | generated)
    assert found == dict.fromkeys(pages)
    # `check` reads the same pages.
    (project / "site/sitemap.xml").write_text(urls("index.html"), "utf-8")
    done = invoke("check", "site", "--base-url", BASE, "--format", "json")
    missing = [
        found["file"]
        for found in json.loads(done.out)["paths"][0]["diagnostics"]
        if found["code"] == "missing"
    ]
    assert missing == ["site/serialized-form.html", "site/p/A.html"]


def test_messages_name_the_option_for_pages_without_a_source(project: Path) -> None:
    newest_sources(project, [], {"a.html": html("A")})
    done = generate("site", "--base-url", BASE, "--min-dated", "1", code=1)
    assert "or allow fewer dates" in done.err
    fix = "add the files it is generated from to the option sources"
    assert f"to date it: {fix}\n" in invoke("explain", "site", "a.html").out
    invoke("report", "site")
    assert fix in (project / "docs-report.html").read_text("utf-8")


def test_the_summary_names_left_out_pages_and_a_line_to_copy(project: Path) -> None:
    names = [f"tags/{number}.html" for number in range(7)]
    pages = dict.fromkeys([*names, "index.html"], html("T"))
    newest_sources(project, ["terms/0.md"], pages)
    options = ("site", "--base-url", BASE, "--dry-run")
    done = generate(*options, "--exclude", "tags/[1-6].html")
    assert done.out.startswith("no date     ./  no source found: ")
    assert "(tags/1.html, tags/2.html, tags/3.html, tags/4.html, tags/5.html and" in (
        done.out
    )
    assert "found for 2 pages" in done.err
    line = 'sources = { "tags/" = "FOLDER/" }'
    assert f"docs-sitemap.toml, for example: {line}\n" in done.err
    write_site(project, {"docs-sitemap.toml": line.replace("FOLDER", "terms")})
    done = generate(*options)
    assert "2024-01-01  tags/0.html  your configuration: terms/0.md" in done.out
    # A line for a few pages would be too much.
    done = generate(*options, "--exclude", "tags/[1-9].html")
    assert done.err.endswith("to the option sources\n")


@pytest.mark.parametrize(
    ("pages", "fragments", "warns"),
    [(2, 12, True), (12, 13, True), (12, 12, False), (1, 5, False)],
)
def test_most_files_are_fragments(
    project: Path, pages: int, fragments: int, warns: bool
) -> None:
    built = {f"{number}.html": html(f"Page {number}") for number in range(pages)}
    # The build has stopped before the layouts.
    built |= {f"part/{number}.html": "<p>Text</p>" for number in range(fragments)}
    write_site(project / "site", built)
    done = generate("site", "--base-url", BASE)
    assert f"{fragments} left out: {ExclusionReason.NO_TITLE.meaning}" in done.out
    assert (f"Warning: {fragments} files" in done.err) is warns


def test_pages_that_the_host_redirects_are_left_out(project: Path) -> None:
    lines = f"{BASE}install.html /docs/ 301!\n/docs/usage.html /docs/ 301\n"
    pages = {"_redirects": lines, **{name: html(name) for name in HTML}}
    found = newest_sources(project, DOCS, pages)
    assert found == expected("index.html", "usage.html")
    done = generate("site", "--base-url", BASE)
    assert f"1 left out: {ExclusionReason.REDIRECT.meaning}" in done.out
    assert "no problems found" in invoke("check", "site", "--base-url", BASE).out


def test_redirects_of_pages_below_the_folder_of_their_language(project: Path) -> None:
    config = 'language = "en"\nurl_scheme = "{lang}{link}"\n'
    sources = dict.fromkeys(DOCS, "") | {"docs-sitemap.toml": config}
    redirects = f"{BASE}en/install.html {BASE}en/usage.html 301!\n"
    write_site(project, sources)
    write_site(
        project / "site",
        {**{name: html(name) for name in HTML}, "_redirects": redirects},
    )
    done = generate("site", "--base-url", BASE)
    assert f"1 left out: {ExclusionReason.REDIRECT.meaning}" in done.out


def test_documents_without_titles_are_listed_if_they_have_text(project: Path) -> None:
    empty = "<!doctype html><body><style>p {}</style><script>run()</script><hr>"
    files = {
        "a.html": "<!-- License --><html><p>Text",
        "b.html": html("B"),
        "demo.html": empty,
        "part.html": "<p>Part",
        "google1.html": "google-site-verification: google1.html",
        "old.html": "<!doctype html><meta http-equiv=refresh content='0; url=a.html'>",
    }
    found = newest_sources(project, files, {}, site=".")
    assert found == {"a.html": "a.html", "b.html": "b.html"}
    done = generate(".", "--base-url", BASE)
    assert f"3 left out: {ExclusionReason.NO_TITLE.meaning}" in done.out
    assert f"1 left out: {ExclusionReason.REDIRECT.meaning}" in done.out
    assert "missing" not in invoke("check", ".", "--base-url", BASE).out


def test_the_own_file_of_a_page_that_the_user_includes(project: Path) -> None:
    files = {"a.html": html("A"), "part.html": "<p>Part", "search.html": html("Search")}
    config = {"docs-sitemap.toml": 'include = ["part.html", "search.html"]'}
    found = newest_sources(project, files | config, {}, site=".")
    assert found == {name: name for name in files}


@pytest.mark.parametrize(
    ("recorded", "source"),
    [
        ("/builds/project/docs/a.md", None),
        ("/README.md", None),
        ("/builds/other/README.md", None),
        ("{project}/docs/a.md", "docs/a.md"),
        ("{project}/README.md", "README.md"),
        ("{project}/../docs/a.md", None),
        ("{project}/../README.md", None),
    ],
)
def test_absolute_paths_that_doxygen_recorded(
    project: Path, recorded: str, source: str | None
) -> None:
    """The files above the project exist, but belong to another one."""
    write_site(project.parent, {"docs/a.md": "", "README.md": ""})
    path = recorded.format(project=project)
    head = '<meta name="generator" content="Doxygen 1.9">'
    pages = {
        "x.html": html("X", head=head),
        "../xml/x.xml": f'<doxygen><location file="{path}"/></doxygen>',
    }
    found = newest_sources(project, ["docs/a.md", "README.md"], pages, "build/html")
    assert found == {"x.html": source}


def test_an_edit_link_in_the_text_of_a_page_is_none(project: Path) -> None:
    names = [f"page{number}" for number in range(12)]
    sources = [*(f"docs/{name}.md" for name in names), "notes/history.md"]
    pages = {
        f"{name}.html": html(name, edit=f"main/docs/{name}.md") for name in names[1:]
    }
    text = f'<a href="{REPOSITORY}/edit/main/notes/history.md">edit the history</a>'
    pages["news.html"] = html("News", text)
    found = newest_sources(project, sources, pages)
    assert found == {
        **{f"{name}.html": f"docs/{name}.md" for name in names[1:]},
        "news.html": None,
    }


@pytest.mark.parametrize("label", ["Edite esta página", "编辑本页", "✎"])
def test_edit_links_in_any_language(project: Path, label: str) -> None:
    """The same form opens a document of its own on each page."""
    sources = {f"{name}.html": f"docs/{name}0.pt.md" for name in "abc"}
    link = f'<a href="{REPOSITORY}/blob/main/{{}}">{label}</a>'
    others = f'<a href="{REPOSITORY}/blob/main/LICENSE.md">MIT</a>'
    pages = {
        page: html(page, link.format(path) + others) for page, path in sources.items()
    }
    pages |= {f"{name}.html": html(name, others) for name in "xyz"}
    found = newest_sources(project, [*sources.values(), "LICENSE.md"], pages)
    assert found == sources | dict.fromkeys(["x.html", "y.html", "z.html"])


@pytest.mark.parametrize("suffix", ["mdwn", "lr"])
def test_documents_with_an_unusual_suffix(project: Path, suffix: str) -> None:
    names = ["index", "install", "usage", "guide/setup"]
    documents, pages = {}, {}
    for name in names:
        document = f"doc/{name}.{suffix}"
        documents[document], pages[f"{name}.html"] = made_from(document)
    sources = documents | {"README.md": "", "doc/install.md5": "", "doc/logo.png": ""}
    found = newest_sources(project, sources, pages | {"logo.html": html("Logo")})
    expected = dict(zip(pages, documents, strict=True))
    assert found == expected | {"logo.html": None}


def test_files_next_to_documents_are_no_sources(project: Path) -> None:
    sources = [*DOCS, *(name.replace(".md", ".css") for name in DOCS), "docs/faq.css"]
    found = newest_sources(project, sources, [*HTML, "faq.html"])
    assert found == expected(*HTML) | {"faq.html": None}


def test_binary_files_are_no_sources(project: Path) -> None:
    pages = ["a.html", "b.html", "c.html"]
    sources = {name.replace(".html", ".png"): f"\0{name}" for name in pages}
    assert newest_sources(project, sources, pages) == dict.fromkeys(pages)


def test_copied_files_are_their_own_sources(project: Path) -> None:
    """One of two files with the same content has the path of the page."""
    demo, talk = html("Demo", "x" * 50), html("Talk")
    sources = {
        "static/demo.html": demo,
        "old/talk.html": talk,
        "web/talks/talk.html": talk,
    }
    pages = {
        "demo.html": demo,
        "talks/talk.html": talk,
        "changed.html": html("Changed"),
    }
    found = newest_sources(project, sources | dict.fromkeys(DOCS, ""), pages)
    assert found == {
        "demo.html": "static/demo.html",
        "talks/talk.html": "web/talks/talk.html",
        "changed.html": None,
    }


def test_copied_files_of_a_site_that_is_built_from_others(project: Path) -> None:
    """The same site, built before, is in git."""
    made = {name: made_from(name) for name in DOCS}
    pages = dict(zip(HTML, [page for _, page in made.values()], strict=True))
    pages["tags.html"] = html("Tags")
    sources = {name: document for name, (document, _) in made.items()}
    sources |= {f"public/{name}": page for name, page in pages.items()}
    found = newest_sources(project, sources, pages)
    assert found == expected(*HTML) | {"tags.html": None}


def test_untranslated_documents_with_the_same_words(project: Path) -> None:
    text, page = made_from("study")
    sources = {"content/en/a.md": text, "content/zh-CN/a.md": f"{text}\n"}
    pages = {"cases/a/index.html": page, "zh-cn/cases/a/index.html": page}
    assert newest_sources(project, sources, pages) == {
        "cases/a/index.html": "content/en/a.md",
        "zh-cn/cases/a/index.html": "content/zh-CN/a.md",
    }


def test_a_chapter_with_the_name_of_a_search_page(project: Path) -> None:
    text, page = made_from("prompt-search.md")
    sources = {"prompt-search.md": text, "de/search.md": "# Search"}
    pages = {"search.html": page, "de/search.html": html("Search"), "404.html": page}
    assert newest_sources(project, sources, pages) == {
        "search.html": "prompt-search.md"
    }


def test_links_in_texts_to_other_documents(project: Path) -> None:
    documents, pages = {}, {}
    for name in "abc":
        documents[f"examples/{name}0.md"], _ = made_from(f"examples/{name}0.md")
        link = f'<a href="{REPOSITORY}/blob/main/examples/{name}0.md">here</a>'
        pages[f"{name}.html"] = html(name, f"{unique_text(name)} {link}")
    assert newest_sources(project, documents, pages) == dict.fromkeys(pages)


def test_an_at_sign_stays_in_the_url(project: Path) -> None:
    newest_sources(project, DOCS, [*HTML, "@example/core/index.html"])
    assert f"{BASE}@example/core/" in [one.loc for one in read_sitemap(project)]


def test_source_links_without_a_definition(project: Path) -> None:
    """Tags and archives have the link of the page that contains them, and pages about a
    module the link to its code.
    """
    owners = {
        "index.html": "content/contents.md",
        "blog/index.html": "content/blog/contents.md",
        "blog/1/index.html": "content/blog/first/contents.md",
        "docs/rules/index.html": "content/docs/rules/contents.md",
    }
    links = owners | {
        "blog/2020/8/index.html": "content/blog/contents.md",
        "blog/tags/git/index.html": "content/blog/contents.md",
        "docs/rules/index.html": "src/rules.py",
    }
    sources = {"src/rules.py": ""}
    pages = {}
    for page, target in links.items():
        built = html(page)
        if page in owners:
            sources[owners[page]], built = made_from(owners[page])
        link = f'<a href="{REPOSITORY}/blob/main/{target}" class="source">Source</a>'
        pages[page] = built.replace("</body>", f"{link}</body>")
    found = newest_sources(project, sources, pages)
    assert found == dict.fromkeys(links) | owners


@pytest.mark.parametrize(
    "link",
    [
        '<a href="{}/blob/main/src/api.py#L10">(source)</a>',
        'Defined in <a href="{}/blob/main/src/api.py">src/api.py</a>',
        'Source: <a href="{}/blob/main/src/api.py">src/api.py</a>',
    ],
)
def test_objects_that_one_module_defines(project: Path, link: str) -> None:
    names = [f"api.{name}.html" for name in "abc"]
    body = link.format(REPOSITORY)
    pages = {name: html(name, body) for name in names}
    pages["list.html"] = html("List")
    pages["other.html"] = html("Other")
    pages["more.html"] = html("More")
    found = newest_sources(project, ["src/api.py"], pages)
    assert found == dict.fromkeys(pages) | dict.fromkeys(names, "src/api.py")


def test_texts_that_mention_edits(project: Path) -> None:
    """No page of the site has an edit link. One text opens a file with the name of the
    page, and one a file of another branch.
    """
    repository = Repository.create(project)
    repository.git("remote", "add", "origin", f"{REPOSITORY}.git")
    repository.commit(dict.fromkeys(DOCS, ""), day=1)
    repository.commit({"config.md": "", "examples/install.md": ""}, day=2)
    repository.git("branch", "next")
    link = f'<a href="{REPOSITORY}/blob/{{}}">edit the {{}}</a>'
    texts = {
        "install.html": link.format("main/examples/install.md", "example"),
        "faq.html": link.format("next/config.md", "configuration"),
    }
    pages = {name: html(name, texts.get(name, "")) for name in (*HTML, "faq.html")}
    write_site(project / "site", pages)
    generate("site", "--base-url", BASE)
    dates = {one.loc.removeprefix(BASE): one.lastmod for one in read_sitemap(project)}
    assert dates == {
        "": noon(1),
        "install.html": noon(1),
        "usage.html": noon(1),
        "faq.html": None,
    }


@pytest.mark.parametrize(
    "folder", ["__tests__", "testdata", "__fixtures__", "test-fixtures"]
)
def test_other_names_of_folders_with_tests(project: Path, folder: str) -> None:
    api = ["api/client.html", "api/server.html"]
    sources = [*DOCS, f"{folder}/api/client.md", f"{folder}/api/server.md"]
    found = newest_sources(project, sources, [*HTML, *api])
    assert found == expected(*HTML) | dict.fromkeys(api)


@pytest.mark.parametrize("suffix", ["ts", "tsx", "vue"])
def test_code_with_the_names_of_pages(project: Path, suffix: str) -> None:
    """The pages are about the code, and their documents are not in git."""
    names = ("auth", "cache", "router")
    sources, pages = {}, {}
    for name in ("install", "usage"):
        file = f"docs/{name}.md"
        sources[file], pages[f"{name}.html"] = made_from(file)
    for name in names:
        sources[f"src/{name}.{suffix}"] = f"// {unique_text(f'code of {name}')}\n"
        pages[f"{name}.html"] = html(name, unique_text(f"about {name}") * 2)
    found = newest_sources(project, sources, pages)
    assert found == expected("install.html", "usage.html") | {
        f"{name}.html": None for name in names
    }


def test_a_copy_of_the_site_in_another_folder(project: Path) -> None:
    """The folder that GitHub Pages publishes is committed, and the site is built
    elsewhere.
    """
    sources, pages = {}, {}
    for name in ("install", "usage", "faq"):
        text = " ".join(unique_text(f"{name} {number}") for number in range(4))
        sources[f"src/{name}.md"] = f"# Title\n\n{text}\n"
        page = html(name, f"<h1>Title</h1><p>{text}</p>")
        sources[f"docs/{name}.html"] = pages[f"{name}.html"] = page
    found = newest_sources(project, sources, pages)
    assert found == {page: f"src/{page.replace('.html', '.md')}" for page in pages}
