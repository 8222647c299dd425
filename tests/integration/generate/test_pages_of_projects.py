"""MkDocs with the plugin, and `generate` for what MkDocs and Zensical build of the same
project, list the same pages with the same dates.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import jinja2
import pytest
from support.cli import invoke
from support.command import run
from support.mkdocs import MkDocsSite
from support.platforms import needs_posix
from support.readers import Entry
from support.repository import noon

from docs_sitemap.shown.front_matter import names_in_templates
from docs_sitemap.sources.page_templates import PageTemplates
from docs_sitemap_cli.generate.mkdocs_project.metadata.front_matter_files import (
    PARTIALS,
)
from docs_sitemap_cli.generate.mkdocs_project.metadata.shown_keys import THEME_KEYS

pytest.importorskip("zensical")

THEME = {"name": "material", "font": False}
PLUGINS = [
    "literate-nav",
    "meta",
    {"tags": {"tags_name_property": "labels"}},
    {"blog": {"authors_profiles": True, "pagination_per_page": 3}},
    {
        "blog": {
            "blog_dir": "news",
            "post_url_format": "{file}",
            "pagination_url_format": "older-{page}",
            "pagination_per_page": 1,
            "archive": False,
        }
    },
]
MAIN = """\
{% extends "base.html" %}
{% block content %}{{ page.meta.audience }}{{ super() }}{% endblock %}
"""
SPECIAL = """\
{% extends "main.html" %}
{% block content %}
{}{{ super() }}{% include "partials/comments.html" %}
{% endblock %}
"""
AUTHOR = "  {name}: {{name: {name}, description: {text}, avatar: {avatar}}}\n"


def authors(**changed: str) -> str:
    """Return the file of authors, in which some have another avatar or description."""
    text = "authors:\n"
    for name in ("ann", "bob", "eve", "zoe"):
        values = {"text": "Writes", "avatar": "a.png"}
        if name in changed:
            key, _, value = changed[name].partition("=")
            values[key] = value
        text += AUTHOR.format(name=name, **values)
    return text


def post(day: int, title: str, text: str, *, by: str = "ann", more: str = "") -> str:
    """Return a post with its own category."""
    return (
        f"---\ndate: 2023-12-{day:02}\nauthors: [{by}]\ncategories: [{title}]\n"
        f"{more}---\n\n# {title}\n\n{text}\n"
    )


EXCERPT = "Start.\n\n<!-- more -->\n\nEnd."

# In the order of days, from the first.
COMMITS: list[dict[str, str]] = [
    {
        "docs/index.md": "# Home",
        "docs/SUMMARY.md": "* [Home](index.md)\n* [Blog](blog/index.md)\n",
        "docs/404.md": "# Not found",
        "docs/demo.html": "<!doctype html><title>Demo</title><p>Copied",
        "docs/files/notes.txt": "a",
        "docs/files/page.html": "<!doctype html><title>Page</title><p>Copied",
        "docs/hidden.md": "# Hidden",
        "docs/tags.md": "# Tags",
        "docs/special.md": "---\ntemplate: special.html\n---\n\n# Special",
        "docs/shown.md": "---\naudience: a\n---\n\n# Shown",
        "docs/kind.md": "---\nkind: a\n---\n\n# Kind",
        "docs/labels.md": "---\nlabels: [a]\n---\n\n# Labels",
        "docs/a/README.md": "# A",
        "docs/a/.meta.yml": "audience: a\n",
        "docs/b/index.md": "# B",
        "docs/b/.meta.yml": "kind: a\n",
        "docs/c/index.md": "# C",
        "docs/c/.meta.yml": "sitemap: {exclude: true}\n",
        "docs/blog/index.md": "# Blog",
        "docs/blog/.authors.yml": authors(),
        "docs/blog/posts/above.md": post(28, "Above", EXCERPT),
        "docs/blog/posts/below.md": post(27, "Below", EXCERPT),
        "docs/blog/posts/all.md": post(26, "All", "Start.\n\nEnd."),
        "docs/blog/posts/pair.md": post(9, "Pair", EXCERPT, by="ann, bob"),
        "docs/blog/posts/eve.md": post(8, "Eve", EXCERPT, by="eve"),
        "docs/blog/posts/zoe.md": post(7, "Zoe", EXCERPT, by="zoe"),
        "docs/blog/posts/slug.md": post(6, "Slug", EXCERPT, more="slug: Own\n"),
        "docs/blog/posts/2023/title.md": post(5, "Über `uns`", EXCERPT),
        "docs/blog/posts/draft.md": post(4, "Draft", EXCERPT, more="draft: true\n"),
        "docs/news/index.md": "# News",
        "docs/news/posts/hello.md": post(3, "Hello", EXCERPT, by=""),
        "docs/news/posts/old.md": post(2, "Hello", EXCERPT, by=""),
        "theme/main.html": MAIN,
        "theme/special.html": SPECIAL.replace("{}", '{% include "own.html" %}'),
        "theme/own.html": "a",
        "theme/partials/comments.html": "a",
    },
    {"docs/blog/posts/above.md": post(28, "Above", f"New {EXCERPT}")},
    {"docs/blog/posts/below.md": post(27, "Below", f"{EXCERPT} New")},
    {"docs/blog/posts/all.md": post(26, "All", "Start.\n\nNew end.")},
    {"docs/blog/.authors.yml": authors(eve="text=Edits")},
    {"docs/blog/.authors.yml": authors(eve="text=Edits", bob="avatar=b.png")},
    {
        "docs/blog/.authors.yml": authors(
            eve="text=Edits", bob="avatar=b.png", zoe="avatar=b.png"
        )
    },
    {"docs/blog/posts/slug.md": post(6, "Slug", f"New {EXCERPT}", more="slug: Own\n")},
    {"docs/blog/posts/2023/title.md": post(5, "Über `uns`", f"New {EXCERPT}")},
    {"docs/news/posts/hello.md": post(3, "Hello", f"New {EXCERPT}", by="")},
    {"theme/own.html": "b"},
    {"docs/shown.md": "---\naudience: b\n---\n\n# Shown"},
    {"docs/kind.md": "---\nkind: b\n---\n\n# Kind"},
    {"docs/labels.md": "---\nlabels: [b]\n---\n\n# Labels"},
    {"docs/a/.meta.yml": "audience: b\n"},
    {"docs/b/.meta.yml": "kind: b\n"},
    {"docs/files/notes.txt": "b"},
    {"docs/files/page.html": "<!doctype html><title>Page</title><p>New"},
    {"theme/main.html": MAIN + "\n"},
    {"theme/partials/comments.html": "b"},
]
DAYS = {
    "": 1,
    "tags/": 1,
    "special/": 11,
    "shown/": 12,
    "kind/": 1,
    "labels/": 14,
    "a/": 15,
    "b/": 1,
    "blog/": 4,
    "blog/2023/12/28/above/": 2,
    "blog/2023/12/27/below/": 3,
    "blog/2023/12/26/all/": 4,
    "blog/2023/12/09/pair/": 6,
    "blog/2023/12/08/eve/": 5,
    "blog/2023/12/07/zoe/": 7,
    "blog/2023/12/06/Own/": 8,
    "blog/2023/12/05/%C3%BCber-uns/": 9,
    "blog/archive/2023/": 4,
    "blog/author/ann/": 4,
    "blog/author/bob/": 6,
    "blog/author/eve/": 5,
    "blog/author/zoe/": 7,
    "blog/category/above/": 2,
    "blog/category/below/": 1,
    "blog/category/all/": 4,
    "blog/category/pair/": 1,
    "blog/category/eve/": 1,
    "blog/category/zoe/": 7,
    "blog/category/slug/": 8,
    "blog/category/%C3%BCber-uns/": 9,
    "files/notes.txt": 17,
    "files/page.html": 18,
    "news/": 10,
    "news/hello/": 10,
    "news/old/": 1,
    "news/category/hello/": 10,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> MkDocsSite:
    """Return the project with its history."""
    path = tmp_path_factory.mktemp("project")
    (path / "theme").mkdir()
    site = MkDocsSite.create(
        path,
        {},
        sitemap={"exclude": ["hidden.md"], "include": ["files/*.html", "files/*.txt"]},
        plugins=PLUGINS,
        theme=THEME | {"custom_dir": "theme"},
    )
    for day, files in enumerate(COMMITS, start=1):
        site.repository.commit(files, day=day)
    return site


def dates(entries: Mapping[str, Entry]) -> dict[str, str | None]:
    return {url: entry.lastmod for url, entry in entries.items()}


def test_all_generators_list_the_same(site: MkDocsSite) -> None:
    expected = {url: noon(day) for url, day in DAYS.items()}
    assert dates(site.build()) == expected
    generate(site.path)
    assert dates(site.read()) == expected
    run((sys.executable, "-m", "zensical", "build"), cwd=site.path)
    generate(site.path)
    assert dates(site.read()) == expected


def generate(project: Path) -> None:
    (project / "site/sitemap.xml").unlink()
    done = invoke("generate", cwd=project)
    assert done.code == 0, done


# A post and its lists.
LISTS = ("blog/2023/12/03/a/", "blog/", "blog/archive/2023/", "blog/category/a/")
LIST = """\
{% extends "main.html" %}
{% block container %}
<main>{% for post in posts %}<a href="{{ post.url | url }}">{{ post.title }}</a>
{% endfor %}<a href="https://[">Invalid</a></main>
{% endblock %}
"""


def test_lists_with_a_template_of_the_project(tmp_path: Path) -> None:
    site = MkDocsSite.create(
        tmp_path,
        {"blog/index.md": "# Blog", "blog/posts/a.md": post(3, "A", EXCERPT, by="")},
        plugins=["blog"],
        theme=THEME | {"custom_dir": "theme"},
    )
    site.repository.commit({"theme/blog.html": LIST}, day=2)
    text = post(3, "A", f"New {EXCERPT}", by="")
    site.repository.commit({"docs/blog/posts/a.md": text}, day=3)
    run((sys.executable, "-m", "zensical", "build"), cwd=site.path)
    generate(site.path)
    assert dates(site.read()) == dict.fromkeys(LISTS, noon(3))


def test_posts_with_another_address(tmp_path: Path) -> None:
    """Names of months are unknown, so the words of the posts find their files."""
    words = " ".join(f"word{number}" for number in range(100))
    options = {"categories_url_format": "{slug}", "post_url_date_format": "MMMM"}
    site = MkDocsSite.create(
        tmp_path,
        {"blog/index.md": "# Blog", "blog/posts/a.md": post(3, "A", words, by="")},
        plugins=[{"blog": options | {"archive": False}}],
        theme=THEME,
    )
    text = post(3, "A", f"{words} new", by="")
    site.repository.commit({"docs/blog/posts/a.md": text}, day=2)
    before = site.build()
    pages = ("blog/", "blog/December/a/", "blog/a/")
    assert dates(before) == dict.fromkeys(pages, noon(2))
    generate(site.path)
    assert site.read() == before


@pytest.mark.parametrize(
    ("structure", "files"),
    [
        ("suffix", {"en": "{}.md", "de": "{}.de.md", "fr": "{}.fr.md"}),
        ("suffix", {"en": "{}.en.md", "de": "{}.de.md", "fr": "{}.fr.md"}),
        ("folder", {"en": "en/{}.md", "de": "de/{}.md", "fr": "fr/{}.md"}),
    ],
)
def test_languages(tmp_path: Path, structure: str, files: dict[str, str]) -> None:
    languages = []
    for locale in files:
        is_default = locale == "en"
        languages.append({"locale": locale, "name": locale, "default": is_default})
    site = MkDocsSite.create(
        tmp_path,
        {},
        plugins=[{"i18n": {"docs_structure": structure, "languages": languages}}],
        theme=THEME,
    )
    for day, (locale, form) in enumerate(files.items(), start=2):
        names = ["index", "guide/a"] if locale == "fr" else ["index", "guide/a", "b"]
        pages = {f"docs/{form.format(name)}": f"# {locale} {name}" for name in names}
        site.repository.commit(pages, day=day)
    before = site.build()
    assert before.keys() >= {"", "b/", "guide/a/", "de/b/", "fr/guide/a/"}
    assert "fr/b/" not in before
    generate(site.path)
    assert site.read() == before


@needs_posix
def test_links_to_folders(tmp_path: Path) -> None:
    site = MkDocsSite.create(
        tmp_path / "project", {}, docs_dir="link", plugins=[{"blog": {}}], theme=THEME
    )
    files = {
        "content/blog/index.md": "# Blog",
        "content/blog/posts/a.md": post(3, "A", EXCERPT, by=""),
    }
    site.repository.commit(files, day=1)
    (site.path / "link").symlink_to("content")
    (tmp_path / "other").symlink_to("project")
    text = post(3, "A", f"New {EXCERPT}", by="")
    site.repository.commit({"content/blog/posts/a.md": text}, day=2)
    expected = dates(site.build())
    assert expected == dict.fromkeys(LISTS, noon(2))
    (site.site / "sitemap.xml").unlink()
    done = invoke("generate", "--config", "other/mkdocs.yml", cwd=tmp_path)
    assert done.code == 0, done
    assert dates(site.read()) == expected


def test_own_sitemaps(site: MkDocsSite) -> None:
    site.repository.write({"docs/sitemap.xml": "", "theme/sitemap.xml": ""})
    run((sys.executable, "-m", "zensical", "build"), cwd=site.path)
    done = invoke("generate", cwd=site.path)
    assert "docs" in done.err
    assert str(Path("theme/sitemap.xml")) in done.err, done


@pytest.mark.parametrize("package", ["material", "zensical"])
def test_what_is_known_of_themes(package: str) -> None:
    spec = find_spec(package)
    assert spec is not None
    folder = os.path.join(os.path.dirname(str(spec.origin)), "templates")
    if not os.path.isdir(folder):  # in another package since Zensical 0.0.74
        pytest.skip("no templates")
    names = names_in_templates(folder, is_theme=True)
    syntax = {"and", "elif", "if", "in", "include", "meta", "set", "is_index"}
    assert names - syntax == THEME_KEYS - syntax
    extensions = ["jinja2.ext.i18n", "jinja2.ext.do"]
    env = jinja2.Environment(extensions=extensions, autoescape=True)
    templates = PageTemplates(env, [folder], [], [])
    used = {os.path.relpath(path, folder) for path in templates.files_of("main.html")}
    start = os.path.join("partials", "")
    partials = {path.removeprefix(start) for path in used if path.startswith(start)}
    known = {os.path.normpath(f"{name}.html") for name in PARTIALS}
    assert known == partials - {os.path.join("languages", "en.html")}
