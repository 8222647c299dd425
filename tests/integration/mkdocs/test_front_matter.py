"""Which keys of front matter date a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cli import invoke
from support.mkdocs import MkDocsSite, build_days

from docs_sitemap.shown.front_matter import FrontMatterKeys

TEXT = "# Home\n\nText.\n"
CUSTOM = {"name": "mkdocs", "custom_dir": "theme"}
MAIN = '{{% extends "base.html" %}}{{% block footer %}}{}{{% endblock %}}\n'


def create(project: Path, theme: Any = "mkdocs", **config: Any) -> MkDocsSite:
    (project / "theme").mkdir(parents=True)
    return MkDocsSite.create(project, {"index.md": TEXT}, theme=theme, **config)


def change(site: MkDocsSite, front_matter: str, day: int, text: str = TEXT) -> None:
    content = f"---\n{front_matter}\n---\n\n{text}"
    site.repository.commit({"docs/index.md": content}, day=day)


def explain(site: MkDocsSite, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(site.path)
    return invoke("explain", "site", "index.md").out


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_a_key_that_no_template_reads_dates_no_page(
    project: Path, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = create(project, theme)
    # Translations of Material contain texts such as "blog.meta" and "Source".
    change(site, "audience: all\nfunction: guide\nhide: [toc]\nSource: a", 2)
    assert build_days(site) == {"": 1}
    text = explain(site, monkeypatch)
    assert ": Source, audience, function, hide" in text
    change(site, "audience: all\nfunction: guide\ntitle: Home", 3)  # its heading
    assert build_days(site) == {"": 1}
    change(site, "audience: all\nfunction: guide\ntitle: Start", 3)
    assert build_days(site) == {"": 3}
    change(site, "function: guide\ndescription: It\ntitle: Home", 4)
    assert build_days(site) == {"": 4}


@pytest.mark.parametrize(
    "template",
    [
        "{{ page.meta.audience }}",
        "{{ page.meta['audience'] }}",
        '{%- if page.meta and page.meta.get("audience") %}x{% endif %}',
        '{% if "audience" in page.meta %}x{% endif %}',
        "{% macro show(meta) %}{{ meta.audience }}{% endmacro %}{{ show(page.meta) }}",
        "{% set meta = page.meta %}{{ meta.audience }}",
        '{{ (page.meta or {}).get("audience") }}',
        "{% set key = 'audience' %}{{ page.meta[key] }}",
        "{% set other = page.meta %}{{ other.audience }}",
    ],
)
def test_a_template_of_the_project_decides(project: Path, template: str) -> None:
    """It decides for all versions, even if it is newer, and whatever is cached."""
    site = create(project, CUSTOM)
    change(site, "audience: all", 2)
    change(site, "audience: all\nfunction: guide", 3)
    assert build_days(site) == {"": 1}
    main = project / "theme" / "main.html"
    main.write_text(MAIN.format(template), encoding="utf-8")
    assert build_days(site) == {"": 2}
    main.write_text(MAIN.format("{{ page.meta.function }}"), encoding="utf-8")
    assert build_days(site) == {"": 3}
    main.unlink()
    assert build_days(site) == {"": 1}


def test_words_outside_of_expressions_are_no_keys(project: Path) -> None:
    """Scripts in templates contain `function` and other names."""
    site = create(project, CUSTOM)
    main = project / "theme" / "main.html"
    script = '<script>function audience() {{}}</script>{{{{ page.meta["kind"] }}}}'
    main.write_text(MAIN.format(script.format()), encoding="utf-8")
    change(site, "kind: a", 2)
    change(site, "kind: a\naudience: all\nfunction: guide", 3)
    assert build_days(site) == {"": 2}


@pytest.mark.parametrize(
    ("code", "day"),
    [
        ("return markdown", 1),
        ("kind = 'function'\n    return markdown", 1),
        ('return markdown + page.meta.get("function", "")', 2),
        ("meta = page.meta\n    return markdown + meta['audience']", 3),
        # The code need not name the keys: a comment does.
        ('# "audience"\n    return markdown + str(page.meta)', 3),
    ],
)
def test_hooks(
    project: Path, code: str, day: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = create(project, hooks=["hooks.py"])
    hook = f"def on_page_markdown(markdown, page, config, files):\n    {code}\n"
    site.repository.write({"hooks.py": hook})
    change(site, "function: guide", 2)
    change(site, "function: guide\naudience: all", 3)
    change(site, "function: guide\naudience: all\nicon: a", 4)
    assert build_days(site) == {"": day}
    text = explain(site, monkeypatch)
    assert ("shown front matter: audience" in text) is (day == 3)


def test_modules_that_hooks_import(project: Path) -> None:
    site = create(project, hooks=["hooks/own.py"])
    code = "def show(page):\n    return page.meta['audience']\n"
    hook = (
        "import shown\n"
        "def on_page_markdown(markdown, page, config, files):\n"
        "    return markdown + shown.show(page)\n"
    )
    site.repository.write({"hooks/own.py": hook, "hooks/shown.py": code})
    change(site, "audience: all", 2)
    change(site, "audience: all\nfunction: guide", 3)
    assert build_days(site) == {"": 2}


def test_templates_are_searched_once_and_only_if_they_decide(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = []
    init = FrontMatterKeys.__init__

    def count(self: FrontMatterKeys, find_words: Any) -> None:
        def search() -> Any:
            searches.append(find_words)
            return find_words()

        init(self, search)

    monkeypatch.setattr(FrontMatterKeys, "__init__", count)
    site = create(project, sitemap={"page_dates": True})
    change(site, "icon: a\ntitle: Home", 2)
    change(site, "icon: b\ntitle: Home\naudience: all", 3, f"{TEXT}\nMore.\n")
    assert build_days(site) == {"": 3}
    assert not searches
    change(
        site, "icon: b\ntitle: Home\naudience: some\nfunction: a", 4, f"{TEXT}\nMore.\n"
    )
    assert build_days(site) == {"": 3}
    assert len(searches) == 1


def test_pages_with_macros_name_their_keys(project: Path) -> None:
    site = create(project, plugins=["macros"])
    text = "# Home\n\n{{ audience }}\n"
    change(site, "audience: all", 2, text)
    change(site, "audience: all\nfunction: guide", 3, text)
    assert build_days(site) == {"": 2}
    change(site, "audience: some\nfunction: guide", 4, text)
    assert build_days(site) == {"": 4}


def test_macros_and_included_files_name_keys(project: Path) -> None:
    plugins = [{"macros": {"include_dir": "parts"}}]
    site = create(project, plugins=plugins)
    main = (
        "def define_env(env):\n"
        "    @env.macro\n"
        "    def kind():\n"
        '        return env.page.meta["kind"]\n'
    )
    site.repository.write({"parts/a.md": "{{ audience }}", "main.py": main})
    change(site, "audience: all", 2)
    assert build_days(site) == {"": 2}
    change(site, "audience: all\nkind: a", 3)
    assert build_days(site) == {"": 3}
    change(site, "audience: all\nkind: a\nother: a", 4)
    assert build_days(site) == {"": 3}


def test_plugins_of_material(project: Path) -> None:
    site = create(project, "material")
    change(site, "tags: [a]", 2)
    change(site, "tags: [a]\nlabels: [a]", 3)
    site.replace_in_config("- sitemap: {}", "- sitemap: {}\n- tags\n- meta\n- search")
    assert build_days(site) == {"": 2}
    site.replace_in_config("- tags\n", "- tags: {tags_name_property: labels}\n")
    assert build_days(site) == {"": 3}


def test_posts_of_a_blog(project: Path) -> None:
    post = "---\ndate: 2024-01-01\n{}---\n\n# Post\n\nText.\n"
    authors = "authors:\n  me: {name: A, description: A, avatar: a}\n"
    name = "blog/posts/a.md"
    pages = {
        "index.md": TEXT,
        "blog/index.md": "# Blog\n",
        "blog/.authors.yml": authors,
        name: post.format(""),
    }
    site = MkDocsSite.create(
        project, pages, theme="material", plugins=[{"blog": {"archive": False}}]
    )
    site.repository.commit({f"docs/{name}": post.format("authors: [me]\n")}, day=2)
    assert build_days(site)["blog/2024/01/01/post/"] == 2
    text = post.format("authors: [me]\naudience: all\n")
    site.repository.commit({f"docs/{name}": text}, day=3)
    assert build_days(site)["blog/2024/01/01/post/"] == 2


HOME = """\
{% extends "main.html" %}
{% block content %}{% include "parts/hero.html" %}{{ page.content }}{% endblock %}
"""


def test_the_template_of_a_page_is_a_source(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = create(project, CUSTOM)
    home = "---\ntemplate: home.html\n---\n\n# Home\n"
    files = {
        "docs/index.md": home,
        "docs/other.md": "# Other\n",
        "docs/error.md": "---\ntemplate: 404.html\n---\n\n# Error\n",
        "theme/main.html": MAIN.format("{% include 'parts/footer.html' %}"),
        "theme/parts/footer.html": "a",
        "theme/parts/hero.html": "a",
        "theme/home.html": HOME,
    }
    site.repository.commit(files, day=2)
    site.repository.commit({"theme/home.html": HOME + "\n<p>b</p>\n"}, day=3)
    site.repository.commit({"theme/parts/footer.html": "b"}, day=4)
    site.repository.commit({"theme/main.html": MAIN.format("b")}, day=5)
    assert build_days(site) == {"": 3, "error/": 2, "other/": 2}
    assert "dated by:   theme/home.html" in explain(site, monkeypatch)
    site.repository.commit({"theme/parts/hero.html": "b"}, day=6)
    site.repository.commit({"docs/index.md": home.replace("home", "404")}, day=7)
    assert build_days(site) == {"": 2, "error/": 2, "other/": 2}
    site.repository.commit({"docs/index.md": home}, day=8)
    assert build_days(site) == {"": 6, "error/": 2, "other/": 2}


def test_files_of_the_meta_plugin(project: Path) -> None:
    pages = {
        "index.md": TEXT,
        "a/index.md": "# A\n",
        "a/b/index.md": "# B\n\nText.\n",
    }
    site = MkDocsSite.create(
        project, pages, theme="material", plugins=["meta", "tags", "macros"]
    )
    site.repository.commit({"docs/a/b/.meta.yml": "audience: all\n"}, day=2)
    site.repository.commit({"docs/a/.meta.yml": "search: {boost: 2}\n"}, day=3)
    assert build_days(site) == {"": 1, "a/": 1, "a/b/": 1}
    site.repository.commit({"docs/a/.meta.yml": "tags: [a]\n"}, day=4)
    site.repository.commit({"docs/a/.meta.yml": "tags: [ a ]\nkind: a\n"}, day=5)
    assert build_days(site) == {"": 1, "a/": 4, "a/b/": 4}
    text = "# B\n\n{{ audience }}\n"
    site.repository.commit({"docs/a/b/index.md": text}, day=6)
    site.repository.commit({"docs/a/b/.meta.yml": "audience: some\n"}, day=7)
    assert build_days(site) == {"": 1, "a/": 4, "a/b/": 7}


def test_a_key_of_the_meta_plugin_with_an_invalid_value(project: Path) -> None:
    site = create(project)
    change(site, "__extends: 5", 2)
    log = site.run("build", "--strict")
    assert "index.md has no lastmod: " in log


def test_the_template_of_posts_is_no_source(project: Path) -> None:
    pages = {
        "index.md": TEXT,
        "blog/index.md": "# Blog\n",
        "blog/posts/a.md": "---\ndate: 2024-01-01\n---\n\n# Post\n\nText.\n",
    }
    theme = {"name": "material", "custom_dir": "theme"}
    (project / "theme").mkdir(parents=True)
    site = MkDocsSite.create(
        project, pages, theme=theme, plugins=[{"blog": {"archive": False}}]
    )
    template = (
        '{% extends "main.html" %}{% block content %}{{ page.content }}{% endblock %}'
    )
    site.repository.commit({"theme/blog-post.html": template}, day=2)
    assert build_days(site)["blog/2024/01/01/post/"] == 1
