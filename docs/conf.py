"""Sphinx builds the same pages as MkDocs, in the order of mkdocs.yml."""

from pathlib import Path

import yaml

_MKDOCS_YML = Path(__file__).parents[1] / "mkdocs.yml"
_mkdocs = yaml.safe_load(_MKDOCS_YML.read_text(encoding="utf-8"))

project = _mkdocs["site_name"]
extensions = ["myst_parser", "sphinx_sitemap_ext"]
html_theme = "furo"
html_baseurl = _mkdocs["site_url"]
myst_heading_anchors = 3
sitemap_rules = [{"match": "index.md", "priority": 1.0}]


def add_toctree(app, docname, source):
    """Give the home page the table of contents that MkDocs takes from its configuration."""
    if docname == "index":
        app.env.note_dependency(str(_MKDOCS_YML))
        others = [page.removesuffix(".md") for page in _mkdocs["nav"] if page != "index.md"]
        source[0] += "\n```{toctree}\n:hidden:\n\n" + "\n".join(others) + "\n```\n"


def setup(app):
    app.connect("source-read", add_toctree)
