"""Which keys of front matter date a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cli import invoke
from support.sphinx import SphinxSite, days

TEXT = "# Home\n\nText.\n"
LAYOUT = '{{% extends "!layout.html" %}}{{% block footer %}}{}{{% endblock %}}\n'


def create(project: Path, **config: Any) -> SphinxSite:
    extensions = ["myst_parser", *config.pop("extensions", [])]
    settings = {"templates_path": ["theme"], "extensions": extensions} | config
    return SphinxSite.create(project, {"index.md": TEXT}, **settings)


def change(site: SphinxSite, front_matter: str, day: int, text: str = TEXT) -> None:
    content = f"---\n{front_matter}\n---\n\n{text}"
    site.repository.commit({"docs/index.md": content}, day=day)


def explain(
    site: SphinxSite, monkeypatch: pytest.MonkeyPatch, name: str = "index.md"
) -> str:
    monkeypatch.chdir(site.path)
    return invoke("explain", "out/html", name).out


@pytest.mark.parametrize("theme", ["basic", "alabaster", "furo"])
def test_a_key_that_no_template_reads_dates_no_page(
    project: Path, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = create(project, html_theme=theme)
    change(site, "audience: all\nfunction: guide\ntocdepth: 2", 2)
    assert days(site.build()) == {"index": 1}
    text = explain(site, monkeypatch)
    assert "1 newer commit skipped" in text
    assert "audience, function, tocdepth" in text
    change(site, "audience: all\nmyst: {html_meta: {description: A}}", 3)
    assert days(site.build()) == {"index": 3}


@pytest.mark.parametrize(
    "template",
    [
        "{{ (meta or {}).audience }}",
        "{% if meta %}{{ meta['audience'] }}{% endif %}",
        '{%- if meta and meta.get("audience") %}x{% endif %}',
        "{% if 'audience' in meta %}x{% endif %}",
    ],
)
def test_a_template_of_the_project_decides(project: Path, template: str) -> None:
    site = create(project)
    change(site, "audience: all", 2)
    change(site, "audience: all\nfunction: guide", 3)
    assert days(site.build()) == {"index": 1}
    layout = LAYOUT.format(template)
    site.repository.write({"docs/theme/layout.html": layout})
    assert days(site.build()) == {"index": 2}
    layout = LAYOUT.format("{% for key in meta %}{{ key }}, function{% endfor %}")
    site.repository.write({"docs/theme/layout.html": layout})
    assert days(site.build()) == {"index": 1}
    layout = LAYOUT.format(
        "{% for key in ['function'] %}{{ (meta or {})[key] }}{% endfor %}"
    )
    site.repository.write({"docs/theme/layout.html": layout})
    assert days(site.build()) == {"index": 3}


def test_a_page_names_its_keys(project: Path) -> None:
    site = create(project, myst_enable_extensions=["substitution"])
    text = '# Home\n\n{{ env.metadata["index"]["audience"] }}\n'
    change(site, "audience: all", 2, text)
    change(site, "audience: all\nfunction: guide", 3, text)
    assert days(site.build()) == {"index": 2}
    change(site, "audience: some\nfunction: guide", 4, text)
    assert days(site.build()) == {"index": 4}


@pytest.mark.parametrize("file", ["conf.py", "local.py"])
def test_code_of_the_project_names_its_keys(
    project: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = create(project, extensions=["local"])
    site.repository.write({"docs/local.py": "def setup(app):\n    pass\n"})
    change(site, "audience: all", 2)
    change(site, "audience: all\nnav_order: 1", 3)
    assert days(site.build()) == {"index": 1}
    with (project / "docs" / file).open("a", encoding="utf-8") as code:
        code.write(
            "\ndef show(app, docname):\n"
            "    return app.env.metadata[docname].get('audience')\n"
        )
    assert days(site.build()) == {"index": 2}
    assert "shown front matter: audience" in explain(site, monkeypatch)


def test_additional_pages_have_the_dates_of_their_templates(project: Path) -> None:
    site = create(
        project,
        templates_path=["theme", "more"],
        html_additional_pages={"extra": "extra.html", "other": "page.html"},
    )
    extra = '{% extends "!layout.html" %}{% block body %}{% include "part.html" %}{% endblock %}'
    site.repository.commit({"docs/theme/extra.html": extra}, day=2)
    site.repository.commit({"docs/theme/part.html": "a"}, day=3)
    site.repository.commit({"docs/theme/layout.html": LAYOUT.format("a")}, day=4)
    # Sphinx uses the template in the first folder.
    site.repository.commit({"docs/more/part.html": "b"}, day=5)
    assert days(site.build()) == {"index": 1, "extra": 3, "other": None}


def test_fields_of_restructuredtext(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = create(project)
    path = "docs/other.rst"
    text = "\nOther\n=====\n\nText.\n"
    fields = ":orphan:\n:audience: all\n   readers\n:tocdepth: 2\n"
    site.repository.commit({path: f":orphan:\n{text}"}, day=1)
    site.repository.commit({path: fields + text}, day=2)
    assert days(site.build()) == {"index": 1, "other": 1}
    explained = explain(site, monkeypatch, "other.rst")
    assert "audience, tocdepth" in explained
    site.repository.commit({path: f":description: A\n{fields}{text}"}, day=3)
    assert days(site.build()) == {"index": 1, "other": 3}
    layout = LAYOUT.format("{{ (meta or {}).audience }}")
    site.repository.write({"docs/theme/layout.html": layout})
    fields = f":description: A\n{fields.replace('all', 'some')}"
    site.repository.commit({path: fields + text}, day=4)
    assert days(site.build()) == {"index": 1, "other": 4}
    site.repository.commit({path: f"{fields}{text}\n:audience: all\n"}, day=5)
    assert days(site.build()) == {"index": 1, "other": 5}


def test_a_field_of_one_setting_replaces_that_of_the_mapping(project: Path) -> None:
    site = create(project)
    text = "sitemap: {priority: 0.1, changefreq: daily}\nsitemap-priority: 0.8"
    change(site, text, day=2)
    entry = site.build()["index.html"]
    assert (entry.priority, entry.changefreq) == ("0.8", "daily")


def test_a_setting_without_a_value_is_not_set(project: Path) -> None:
    site = create(project)
    change(site, "sitemap-priority:\nsitemap-lastmod: null", day=2)
    assert not site.log().warnings
    assert site.read()["index.html"].priority is None
    # Commits that set no value change nothing that readers see.
    assert days(site.read()) == {"index": 1}
