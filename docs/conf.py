"""Sphinx builds the same pages as MkDocs, in the order of mkdocs.yml."""

import sys
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parent))

from dark_pictures import add_dark_pictures
from head import add_meta
from project import DOCUMENTATION, SOURCE
from tabs import add_tabs, with_version

_MKDOCS_YML = Path(__file__).parents[1] / "mkdocs.yml"
_mkdocs = yaml.safe_load(_MKDOCS_YML.read_text(encoding="utf-8"))

project = _mkdocs["site_name"]
extensions = ["myst_parser", "sphinx_copybutton", "sphinx_design", "sphinx_sitemap_ext"]
html_theme = "furo"
html_theme_options = {
    "top_of_page_buttons": ["edit"],
    # `add_meta` adds the path of the file.
    "source_edit_link": f"{SOURCE}/{_mkdocs['edit_uri'].removesuffix('docs/')}",
    "footer_icons": [
        {
            "name": "Repository",
            "url": SOURCE,
            "html": "Repository",
            "class": "",
        }
    ],
}
html_title = project
html_show_copyright = False
html_static_path = ["theme.css"]
html_css_files = ["theme.css"]
html_search_scorer = str(Path(__file__).with_name("search_scorer.js"))
html_baseurl = DOCUMENTATION
myst_heading_anchors = 3
myst_enable_extensions = ["attrs_inline"]
# Copy only the commands of a terminal: no prompts, and no output.
copybutton_prompt_text = "$ "
sitemap_page_dates = True
sitemap_rules = [{"match": "index.md", "priority": 1.0}]


def add_toctrees(app, docname, source):
    """Give the home page the navigation that MkDocs reads from its configuration."""
    if docname != "index":
        return
    app.env.note_dependency(str(_MKDOCS_YML))
    for item in with_version(_mkdocs["nav"])[1:]:
        for caption, pages in item.items():
            names = "\n".join(map(_toctree_entry, pages))
            options = f":hidden:\n:caption: {caption}\n"
            source[0] += f"\n```{{toctree}}\n{options}\n{names}\n```\n"


def _toctree_entry(page):
    """Return a page in the navigation of MkDocs as Sphinx names it."""
    if isinstance(page, str):
        return page.removesuffix(".md")
    ((title, name),) = page.items()
    return f"{title} <{name.removesuffix('.md')}>"


def setup(app):
    app.connect("source-read", add_toctrees)
    app.connect("source-read", add_tabs)
    app.connect("source-read", add_dark_pictures)
    app.connect("html-page-context", add_meta)
