"""The option `page_dates`: pages show the dates of the sitemap."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.mkdocs import BASE_URL, PROPERDOCS, MkDocsSite
from support.page_dates import shown_dates
from support.readers import read_site
from support.repository import noon

PAGES = {
    "index.md": "# Home\n",
    "a.md": '# A\n\n--8<-- "part.md"\n',
    "own.md": "---\nsitemap: {lastmod: 2020-02-02}\n---\n# Own\n",
    "shown.md": "---\nrevision_date: 2020-02-03\n---\n# Shown\n",
    "text.md": (
        '---\nrevision_date: "2020-02-04"\nsitemap: {priority: 0.8}\n---\n# Text\n'
    ),
    "undated.md": "---\nsitemap: {dependencies: [missing]}\n---\n# Undated\n",
}
MATERIAL = {"theme": {"name": "material", "language": "de"}}
HOOK = """\
from dataclasses import replace

def edit_sitemap_url(page, url):
    if page.name == "a.md":
        return replace(url, lastmod="2021-03-04")
    if page.name == "index.md":
        return replace(url, lastmod=None)
    return url
"""


def make_site(
    project: Path, pages: dict[str, str] = PAGES, *, sitemap: Any = None, **config: Any
) -> MkDocsSite:
    extensions = ["pymdownx.snippets"]
    options = {"page_dates": True} | (sitemap or {})
    values = {"markdown_extensions": extensions, **MATERIAL} | config
    site = MkDocsSite.create(project, pages, sitemap=options, **values)
    site.repository.commit({"part.md": "Part."}, day=2)
    return site


def listed_and_shown(site: MkDocsSite) -> dict[str, tuple[str | None, str | None]]:
    """Return the date in the sitemap and the date on the page, by URL."""
    dates = {}
    for url, entry in read_site(site.site, BASE_URL).items():
        shown = shown_dates(site.site / url / "index.html")
        timestamps = {timestamp for timestamp, _ in shown}
        assert len(timestamps) <= 1
        dates[url] = entry.lastmod, next(iter(timestamps), None)
    return dates


def test_material_shows_the_date_in_the_language_of_the_theme(project: Path) -> None:
    site = make_site(project)
    site.repository.write({"docs/new.md": "# Not committed\n"})
    site.run("build")
    assert listed_and_shown(site) == {
        "": (noon(1), noon(1)),
        "a/": (noon(2), noon(2)),
        "new/": (None, None),
        "own/": ("2020-02-02", "2020-02-02"),
        # Its author shows another element, and the sitemap has the same day.
        "shown/": ("2020-02-03", None),
        "text/": ("2020-02-04", None),
        "undated/": (noon(1), noon(1)),
    }
    assert shown_dates(site.site / "a/index.html") == [(noon(2), "2. Januar 2024")]
    assert "2020-02-03" in (site.site / "shown/index.html").read_text()
    # No label without a date.
    assert "md-source-file" in (site.site / "a/index.html").read_text()
    assert "md-source-file" not in (site.site / "new/index.html").read_text()


def test_pages_show_nothing_by_default(project: Path) -> None:
    site = make_site(project, sitemap={"page_dates": False})
    site.run("build")
    assert shown_dates(site.site / "index.html") == []


COUNTING_HOOK = """\
def edit_sitemap_url(page, url):
    with open("calls.txt", "a") as file:
        print(page.name, file=file)
    return url
"""
LANGUAGES = [
    {"locale": "en", "name": "English", "build": True, "default": True},
    {"locale": "fr", "name": "Français", "build": True},
]


def calls(project: Path) -> list[str]:
    """Return the names of the pages that the hook has received."""
    file = project / "calls.txt"
    names = sorted(file.read_text().split())
    file.unlink()
    return names


def test_the_hook_receives_each_page_once(project: Path) -> None:
    files = {"static/x.html": "<title>x</title>", "static/y.html": "<title>y</title>"}
    site = make_site(
        project,
        PAGES | files | {"hidden.md": "---\nsitemap: false\n---\n# Hidden\n"},
        sitemap={"include": ["static/x.html"], "exclude": ["static/y.html", "no"]},
        hooks=["hook.py"],
    )
    site.repository.write({"hook.py": COUNTING_HOOK})
    log = site.run("build")
    # What the build has not written yet is dated afterwards.
    assert calls(project) == sorted([*PAGES, "hidden.md", "static/x.html"])
    assert "'no' of the option" in log
    assert log.count("matches no page") == 1
    site.replace_in_config("page_dates: true", "page_dates: false")
    site.run("build")
    assert calls(project) == sorted([*PAGES, "static/x.html"])


def test_the_builds_of_all_languages_have_one_sitemap(project: Path) -> None:
    pages = {
        "index.md": "# Home\n",
        "index.fr.md": "# Accueil\n",
        "a.md": "# A\n",
        "b.fr.md": "# B\n",
    }
    site = make_site(
        project,
        pages,
        sitemap={
            # Each pattern matches in one language, and one of them nowhere.
            "rules": [{"match": ["fr/b/"], "priority": 0.3}],
            "exclude": ["a.md", "c.md"],
            "dependencies": {"{name}": ["data/{name}.txt"], "fr/": ["no.txt"]},
        },
        hooks=["hook.py"],
        plugins=[{"i18n": {"docs_structure": "suffix", "languages": LANGUAGES}}],
    )
    site.repository.write({"hook.py": COUNTING_HOOK})
    site.repository.commit({"data/index.fr.txt": "1"}, day=5)
    log = site.run("build")
    names = calls(project)
    assert names == sorted([*pages, "a.md"])  # The page in English is copied.
    dates = listed_and_shown(site)
    assert dates[""] == (noon(1), noon(1))
    assert dates["fr/"] == (noon(5), noon(5))
    assert read_site(site.site, BASE_URL)["fr/b/"].priority == "0.3"
    warnings = [line for line in log.splitlines() if line.startswith("WARNING")]
    assert len(warnings) == 2
    assert "the pattern 'c.md'" in log
    assert "the dependency 'no.txt'" in log


def test_the_sitemap_is_the_same_if_pages_show_its_dates(project: Path) -> None:
    pages = {name: PAGES[name] for name in ("index.md", "a.md", "own.md", "undated.md")}
    pages |= {
        "a/index.md": "---\nsitemap: {changefreq: daily}\n---\n# The same URL\n",
        "noindex.md": "# Not for search engines\n",
    }
    main = (
        '{% extends "base.html" %}{% block extrahead %}{% if page.url == "noindex/" %}'
        '<meta name="robots" content="noindex">{% endif %}{% endblock %}'
    )
    site = make_site(
        project,
        pages,
        sitemap={"page_dates": False, "exclude": ["own.md"]},
        hooks=["hook.py"],
        theme={"name": "material", "custom_dir": "overrides"},
    )
    site.repository.write({"hook.py": HOOK, "overrides/main.html": main})
    site.run("build")
    assert listed_and_shown(site).keys() == {"", "a/", "undated/"}
    sitemap = (site.site / "sitemap.xml").read_bytes()
    site.replace_in_config("page_dates: false", "page_dates: true")
    site.run("build")
    assert (site.site / "sitemap.xml").read_bytes() == sitemap
    # Pages that are not listed show their dates, too.
    assert shown_dates(site.site / "own/index.html")[0][0] == "2020-02-02"


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs"])
def test_themes_of_mkdocs_show_the_date_below_the_text(
    project: Path, theme: str
) -> None:
    site = make_site(project, theme={"name": theme}, plugins=["search"])
    site.run("build")
    text = (site.site / "a/index.html").read_text()
    assert shown_dates(site.site / "a/index.html") == [(noon(2), "January 2, 2024")]
    assert f"<p>Part.</p>{below('Last updated: ', 2)}" in text
    assert (
        below("Last updated: ", "2020-02-03")
        in (site.site / "shown/index.html").read_text()
    )
    assert "2024" not in (site.site / "search/search_index.json").read_text()


def below(label: str, date: int | str) -> str:
    """Return what is added below the text.

    Args:
        label: The label with its separator.
        date: The day in January, or the date that the author shows.
    """
    text = str(date)
    if isinstance(date, int):
        text = (
            f'<time class="docs-sitemap-date" datetime="{noon(date)}">'
            f"January {date}, 2024</time>"
        )
    return f'<p class="docs-sitemap-date"><small>{label}{text}</small></p>'


def make_own_theme(
    project: Path, main: str, pages: dict[str, str] | None = None, **config: Any
) -> MkDocsSite:
    """Write a site whose theme has only one template."""
    theme = {"name": None, "custom_dir": "theme"} | config.pop("theme", {})
    site = make_site(project, pages or {"index.md": "# Home\n"}, theme=theme, **config)
    site.repository.write({"theme/main.html": main})
    return site


SHOWN = f'<time class="docs-sitemap-date" datetime="{noon(1)}">January 1, 2024</time>'


@pytest.mark.parametrize(
    ("main", "shown"),
    [
        ("<p>{{ page.content }}</p>", "<p>{page}{below}</p>"),
        ("{{ page.content }}{{ page.meta.revision_date }}", "{page}{date}"),
        (
            "<i>{{ page.meta.git_revision_date_localized }}</i>{{ page.content }}",
            "<i>{date}</i>{page}",
        ),
        # Outside of the text, this is no date for readers.
        (
            '<meta content="{{ page.meta.revision_date }}">{{ page.content }}',
            '<meta content="January 1, 2024">{page}{below}',
        ),
        (
            "<script>x = '{{ page.meta.revision_date }}'</script>{{ page.content }}",
            "<script>x = 'January 1, 2024'</script>{page}{below}",
        ),
        (
            '<script>x = "<b>{{ page.meta.revision_date }}"</script>{{ page.content }}',
            '<script>x = "<b>January 1, 2024"</script>{page}{below}',
        ),
        (
            "<!-- <p>{{ page.meta.revision_date }}</p> -->{{ page.content }}",
            "<!-- <p>January 1, 2024</p> -->{page}{below}",
        ),
        # A comment that is closed does not end the next one.
        (
            "<!-- a --><p>{{ page.meta.revision_date }}</p>{{ page.content }}",
            "<!-- a --><p>{date}</p>{page}",
        ),
        (
            "<!-- a --><!-- <b>{{ page.meta.revision_date }}</b> -->{{ page.content }}",
            "<!-- a --><!-- <b>January 1, 2024</b> -->{page}{below}",
        ),
        (
            '<b class="[&>a]" title="{{ page.meta.revision_date }}"></b>'
            "{{ page.content }}",
            '<b class="[&>a]" title="January 1, 2024"></b>{page}{below}',
        ),
        ("{{ page.meta.revision_date | upper }}{{ page.content }}", "{upper}{page}"),
        (
            '<b title="{{ page.content | striptags }}">x</b>{{ page.content }}',
            '<b title="Home">x</b>{page}{below}',
        ),
        # The same date of another page is not that of this page.
        (
            "{% for one in nav.pages %}{% if one != page %}"
            "{{ one.meta.revision_date }}{% endif %}{% endfor %}{{ page.content }}",
            "{date}{page}{below}",
        ),
    ],
)
def test_a_theme_is_recognized_by_what_it_shows(
    project: Path, main: str, shown: str
) -> None:
    pages = {"index.md": "# Home\n", "b.md": "# B\n"}
    site = make_own_theme(project, main, pages)
    site.run("build", "--strict")
    page = '<h1 id="home">Home</h1>'
    expected = shown.format(
        page=page,
        date=SHOWN,
        upper=SHOWN.upper(),
        below=below("Last updated: ", 1),
    )
    assert (site.site / "index.html").read_text() == expected


def test_a_template_receives_the_date_that_an_author_has_set(project: Path) -> None:
    main = (
        "{% if page.meta.revision_date is not string %}"
        "{{ page.meta.revision_date.year }}{% endif %}{{ page.content }}"
    )
    date = "---\nrevision_date: 2020-02-03\n{}---\n# Home\n"
    # The date that is set for the sitemap has priority there.
    pages = {
        "index.md": date.format(""),
        "both.md": date.format("sitemap: {lastmod: 2020-02-05}\n"),
    }
    site = make_own_theme(project, main, pages)
    site.run("build", "--strict")
    text = (site.site / "index.html").read_text()
    assert text.startswith('2020<h1 id="home">Home</h1>')
    lastmods = {url: entry.lastmod for url, entry in site.read().items()}
    assert lastmods == {"": "2020-02-03", "both/": "2020-02-05"}


def test_a_theme_that_cannot_show_dates_is_reported_once(project: Path) -> None:
    pages = {"index.md": "# Home\n", "b.md": "# B\n"}
    site = make_own_theme(project, "{{ page.title }}", pages)
    log = site.run("build", "--strict")
    assert log.count("effect on 2 pages") == 1
    assert (site.site / "index.html").read_text() == "Home"


def test_a_theme_that_shows_dates_decides_on_which_pages(project: Path) -> None:
    """A home page with a template of its own is built first, and blog posts later."""
    pages = {
        "index.md": "---\ntemplate: home.html\n---\n# Home\n",
        "b.md": "# B\n",
    }
    templates = {"theme/home.html": "{{ page.content }}"}
    main = "{{ page.meta.revision_date }}{{ page.content }}"
    site = make_own_theme(project, main, pages)
    site.repository.commit(templates, day=1)  # A template is a source of its page.
    log = site.run("build", "--strict")
    assert (site.site / "index.html").read_text() == '<h1 id="home">Home</h1>'
    assert "page_dates" not in log
    # If the theme shows no dates, such a page can do so itself.
    site.repository.write({"theme/main.html": "{{ page.content }}"})
    site.run("build", "--strict")
    assert shown_dates(site.site / "index.html") == [(noon(1), "January 1, 2024")]
    site.repository.write({"theme/home.html": main})
    site.run("build", "--strict")
    text = (site.site / "index.html").read_text()
    assert text == f'{SHOWN}<h1 id="home">Home</h1>'


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("de", "Zuletzt aktualisiert: "),
        ("pt_BR", "Última atualização: "),
        ("zh-TW", "最後更新: "),
        ("eo", "Ĝisdatigita: "),  # from the theme
        ("tlh", ""),
    ],
)
def test_the_label_is_in_the_language_of_the_theme(
    project: Path, language: str, label: str
) -> None:
    site = make_own_theme(project, "{{ page.content }}", theme={"language": language})
    translation = "{% macro t(key) %}{{ {'source.file.date.updated': 'Ĝisdatigita'}[key] }}{% endmacro %}"
    site.repository.write({"theme/partials/languages/eo.html": translation})
    site.run("build", "--strict")
    text = (site.site / "index.html").read_text()
    assert f'<p class="docs-sitemap-date"><small>{label}<time' in text


OWN_MARKUP = f"""\
# Home

{SHOWN}

<p class="docs-sitemap-date"><small>Last updated: {SHOWN}</small></p>

<time class=date-0123456789abcdef0123456789abcdef-0></time>
12345678901234567890123456789012345678-below
"""


def test_nothing_else_in_a_page_is_rewritten(project: Path) -> None:
    site = make_own_theme(
        project, "<b>{{ page.content }}</b>", {"index.md": OWN_MARKUP}
    )
    site.run("build")
    page = (site.site / "index.html").read_text()
    added = below("Last updated: ", 1)
    assert page.endswith(f"{added}</b>")
    site.replace_in_config("page_dates: true", "page_dates: false")
    site.run("build")
    assert (site.site / "index.html").read_text() == page.replace(
        f"{added}</b>", "</b>"
    )


READING_HOOK = """\
import json

seen = []

def on_page_context(context, page, config, nav):
    seen.append(page.content)

def on_post_page(output, page, config):
    seen.extend([output, page.content, str(page.meta)])

def on_post_build(config):
    with open("seen.json", "w") as file:
        json.dump(seen, file)
"""


def test_other_plugins_never_see_a_token(project: Path) -> None:
    pages = {"index.md": "# A {{ git_revision_date_localized }}\n"}
    site = make_own_theme(
        project, "{{ page.content }}", pages, hooks=["hook.py"], plugins=["search"]
    )
    site.repository.write({"hook.py": READING_HOOK})
    site.run("build")
    built = [site.site / "index.html", site.site / "search/search_index.json"]
    for file in [*built, project / "seen.json"]:
        text = file.read_text()
        assert "January 1, 2024" in text
        assert not re.search("[0-9a-f]{32}", text)


def test_the_print_page_contains_dates(project: Path) -> None:
    """mkdocs-print-site writes it after all other pages."""
    pages = {"index.md": "Text.\n\n    {{ git_revision_date_localized }}\n"}
    site = make_site(project, pages, hooks=["hook.py"])
    hook = """
copies = []

def on_page_content(html, page, **others):
    page.html = html
    copies.append(page)

def on_post_build(config):
    with open("print.html", "w") as file:
        file.write(copies[0].html)
"""
    site.repository.write({"hook.py": hook})
    site.build()
    expected = "<pre><code>{{ git_revision_date_localized }}\n</code></pre>"
    assert expected in (project / "print.html").read_text()


VARIABLES = """\
# Title

Page {{ git_revision_date_localized }}, site {{GIT_site_revision_date_localized}}.

<b title="{{ git_revision_date_localized }}">x</b>

`{{ git_revision_date_localized }}`

```html
{{ git_revision_date_localized }}
```

-   ~~~
    {{ git_revision_date_localized }}
    ~~~

Text.

    {{ git_revision_date_localized }}

!!! note

    {{ git_revision_date_localized }}
"""


@pytest.mark.parametrize("theme", ["material", "mkdocs"])
def test_variables_in_markdown_are_replaced(project: Path, theme: str) -> None:
    extensions = ["admonition", "pymdownx.superfences"]
    pages = {
        "index.md": VARIABLES,
        "undated.md": "Page [{{ git_revision_date_localized }}]\n",
        "shown.md": "---\nrevision_date: 2020-02-03\n---\n{{ git_revision_date_localized }}\n",
        "included.md": "{% include-markdown '../part.md' %}\n",
    }
    site = make_site(
        project,
        pages | {"newest.md": "New\n"},
        theme={"name": theme},
        markdown_extensions=extensions,
        plugins=["include-markdown"],
    )
    part = {"part.md": "Part {{ git_revision_date_localized }}\n"}
    site.repository.commit({"docs/newest.md": "Newest\n", **part}, day=3)
    site.repository.write({"docs/new.md": "Page [{{ git_revision_date_localized }}]\n"})
    site.build()
    text = (site.site / "index.html").read_text()
    newest = SHOWN.replace(noon(1), noon(3)).replace("January 1", "January 3")
    assert f"<p>Page {SHOWN}, site {newest}.</p>" in text
    assert '<b title="January 1, 2024">x</b>' in text
    assert f"<p>{SHOWN}</p>\n</div>" in text
    assert "<code>{{ git_revision_date_localized }}</code>" in text
    assert text.count("{{ git_revision_date_localized }}") == 4
    assert f"Part {newest}" in (site.site / "included/index.html").read_text()
    assert "<p>2020-02-03</p>" in (site.site / "shown/index.html").read_text()
    assert "<p>Page []</p>" in (site.site / "new/index.html").read_text()
    for page in site.site.rglob("*.html"):
        assert not re.search("[0-9a-f]{32}-", page.read_text())


def test_variables_of_creation_dates_are_reported_once(project: Path) -> None:
    pages = {
        "a.md": "{{ git_creation_date_localized }}\n",
        "b.md": "{{GIT_CREATION_DATE_LOCALIZED}}\n",
        "code.md": "`{{ git_creation_date_localized }}`\n",
    }
    site = make_site(project, pages)
    log = site.run("build")
    assert log.count("git_creation_date_localized") == 1
    assert "first on a.md" in log


def test_macros_can_use_the_fields(project: Path) -> None:
    text = "{{ page.meta.git_revision_date_localized }}"
    attribute = "{{ page.meta.git_revision_date_localized_raw_iso_date }}"
    markdown = f"Page {text} {{{{ git_revision_date_localized }}}}\n\n"
    code = f"    {text}\n\n<b title='{attribute}'>x</b>\n"
    pages = {"index.md": markdown + code, "other.md": "Other\n"}
    site = make_site(project, pages, theme="mkdocs", plugins=["macros"])
    site.repository.write({"docs/new.md": f"Page [{text}]\n"})
    site.build()
    page = (site.site / "index.html").read_text()
    assert f"<p>Page {SHOWN} {SHOWN}</p>" in page
    assert "<code>January 1, 2024" in page
    assert "<b title='2024-01-01'>" in page
    assert "<p>Page []</p>" in (site.site / "new/index.html").read_text()


def test_lists_of_posts_show_the_dates_of_the_posts(project: Path) -> None:
    pages = {
        "index.md": "# Home\n",
        "blog/index.md": "# Blog\n",
        "blog/posts/a.md": "---\ndate: 2023-01-01\n---\n# A\n\nA {{ git_revision_date_localized }}\n\n<!-- more -->\n",
    }
    site = make_site(project, pages, theme={"name": "material"}, plugins=["blog"])
    site.repository.commit({"docs/blog/index.md": "# Our blog\n"}, day=4)
    site.run("build")
    assert f"<p>A {SHOWN}</p>" in (site.site / "blog/index.html").read_text()
    # With a theme that shows no dates, a list has none of its own above the first post.
    site.replace_in_config("name: material", "name: material\n  custom_dir: theme")
    site.repository.write({"theme/partials/source-file.html": ""})
    site.run("build")
    assert shown_dates(site.site / "blog/index.html") == [(noon(1), "January 1, 2024")]
    post = (site.site / "blog/2023/01/01/a/index.html").read_text()
    assert below("Last update: ", 1) in post


def test_properdocs_shows_the_date(project: Path) -> None:
    site = make_site(project, theme={"name": "mkdocs"})
    (project / "mkdocs.yml").rename(project / "properdocs.yml")
    site.run_process("build", command=PROPERDOCS)
    assert shown_dates(site.site / "a/index.html") == [(noon(2), "January 2, 2024")]


def test_templates_can_use_the_fields_of_the_other_plugin(project: Path) -> None:
    main = (
        '{% extends "base.html" %}{% block extrahead %}{% if page %}'
        '<script type="application/ld+json">{"dateModified": '
        '"{{ page.meta.git_revision_date_localized_raw_iso_datetime }}"}</script>'
        '<i title="{{ page.meta.git_revision_date_localized_raw_iso_date }}">'
        "{{ page.meta.git_revision_date_localized }}</i>{% endif %}{% endblock %}"
    )
    theme = {"name": "material", "custom_dir": "overrides"}
    site = make_site(project, theme=theme)
    site.repository.write({"overrides/main.html": main})
    site.run("build")
    text = (site.site / "a/index.html").read_text()
    assert f'{{"dateModified": "{noon(2)}"}}' in text
    assert '<i title="2024-01-02"><time' in text
    assert len(shown_dates(site.site / "a/index.html")) == 2


def test_a_hook_changes_and_removes_the_shown_date(project: Path) -> None:
    site = make_site(project, hooks=["hook.py"])
    hook = HOOK.replace(
        "    return url\n",
        """\
    if page.name == "own.md":
        return replace(url, lastmod="2025-03-04T01:00:00+09:00")
    return url
""",
    )
    site.repository.write({"hook.py": hook})
    site.run("build")
    dates = listed_and_shown(site)
    assert dates[""] == (None, None)
    assert dates["a/"] == ("2021-03-04", "2021-03-04")
    # The day is the one in the sitemap, not the one in UTC.
    own = shown_dates(site.site / "own/index.html")
    assert own == [("2025-03-04T01:00:00+09:00", "4. März 2025")]


def test_an_incomplete_date_is_not_shown(project: Path) -> None:
    hook = HOOK.replace("2021-03-04", "2021-03")
    site = make_site(project, hooks=["hook.py"])
    site.repository.write({"hook.py": hook})
    site.run("build")
    assert b"<lastmod>2021-03</lastmod>" in (site.site / "sitemap.xml").read_bytes()
    assert shown_dates(site.site / "a/index.html") == []


def test_a_hook_that_fails_for_an_excluded_page_is_no_warning(project: Path) -> None:
    """It runs before it is known which pages are listed."""
    site = make_site(project, sitemap={"exclude": ["a.md"]}, hooks=["hook.py"])
    hook = """\
def edit_sitemap_url(page, url):
    raise KeyError(page.name)
"""
    site.repository.write({"hook.py": hook})
    log = site.run("build")
    assert "a.md: the hook" not in log
    assert log.count("index.md: the hook") == 1


def test_pages_that_a_dirty_build_skips_stay_as_they_are(project: Path) -> None:
    site = make_site(project)
    site.run("build")
    site.repository.commit({"docs/index.md": "# New home\n", "part.md": "New."}, day=7)
    site.run("build", "--dirty")
    dates = listed_and_shown(site)
    assert dates[""] == (noon(7), noon(7))
    assert dates["a/"] == (None, noon(2))


def test_each_language_has_its_own_format(project: Path) -> None:
    pages = {"index.md": "# Home\n", "index.fr.md": "# Accueil\n"}
    i18n = {"i18n": {"docs_structure": "suffix", "languages": LANGUAGES}}
    site = make_site(project, pages, theme={"name": "material"}, plugins=[i18n])
    site.run("build")
    assert shown_dates(site.site / "index.html")[0][1] == "January 1, 2024"
    assert shown_dates(site.site / "fr/index.html")[0][1] == "1 janvier 2024"


def test_each_language_has_its_own_label(project: Path) -> None:
    pages = {"index.md": "# Home\n", "index.fr.md": "# Accueil\n"}
    i18n = {"i18n": {"docs_structure": "suffix", "languages": LANGUAGES}}
    site = make_own_theme(project, "{{ page.content }}", pages, plugins=[i18n])
    site.run("build")
    assert "<small>Last updated: <time" in (site.site / "index.html").read_text()
    text = (site.site / "fr/index.html").read_text()
    assert "<small>Dernière mise à jour\N{NO-BREAK SPACE}: <time" in text


def test_local_builds_without_an_address_show_dates(project: Path) -> None:
    site = make_site(project)
    site.replace_in_config("site_url", "# site_url")
    site.run("build")
    assert shown_dates(site.site / "a/index.html") == [(noon(2), "2. Januar 2024")]


def test_git_warnings_are_logged_once(project: Path) -> None:
    site = make_site(project)
    site.repository.commit({".git-blame-ignore-revs": "abc\n"}, day=3)
    log = site.run("build")
    assert log.count("not the full hash") == 1


def test_dates_cannot_be_shown_if_they_are_off(project: Path) -> None:
    site = make_site(project, sitemap={"lastmod": False})
    log = site.run("build", succeeds=False)
    assert "'page_dates': the option lastmod" in log
