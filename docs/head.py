"""Describe each page to search engines and link previews, and link its source.

MkDocs loads this module as a hook, and Sphinx in `conf.py`. The description of a page
is in its front matter.
"""

from __future__ import annotations

import re
from html import escape, unescape

_GENERATOR = "docs/generate_reference.py"


def on_page_markdown(markdown: str, page, config, **arguments: object) -> None:  # type: ignore[no-untyped-def]
    """Run as a hook of MkDocs before a page is rendered."""
    branch = config.edit_uri.removesuffix("docs/")
    page.edit_url = f"{config.repo_url}/{branch}{edited_file(page.file.src_uri)}"


def on_post_page(output: str, page, config, **arguments: object) -> str:  # type: ignore[no-untyped-def]
    """Run as a hook of MkDocs. Material writes the description itself."""
    title = config.site_name if page.is_homepage else page.title
    tags = open_graph(
        title, page.meta["description"], page.canonical_url, config.site_name
    )
    return output.replace("</head>", f"{tags}</head>", 1)


def add_meta(app, pagename: str, templatename: str, context, doctree) -> None:  # type: ignore[no-untyped-def]
    """Handle the event `html-page-context` of Sphinx."""
    if doctree is None:  # a page without a source, such as the search page
        return
    description = app.env.metadata[pagename]["description"]
    context["metatags"] += _meta("name", "description", description)
    context["metatags"] += open_graph(
        context["title"], description, context["pageurl"], app.config.project
    )
    file = edited_file(pagename + context["page_source_suffix"])
    context["theme_source_edit_link"] += file


def open_graph(title: str, description: str, url: str, site_name: str) -> str:
    """Return the elements that link previews show."""
    values = {
        "title": unescape(re.sub(r"<[^>]+>", "", title)),
        "description": description,
        "url": url,
        "type": "website",
        "site_name": site_name,
    }
    return "".join(
        _meta("property", f"og:{name}", value) for name, value in values.items()
    )


def _meta(key: str, name: str, content: str) -> str:
    return f'<meta {key}="{name}" content="{escape(content)}">\n'


def edited_file(name: str) -> str:
    """Return the file of the repository in which people edit a page."""
    if name == "changelog.md":
        return "CHANGELOG.md"
    is_generated = name.startswith("reference/") and name != "reference/sources.md"
    return _GENERATOR if is_generated else f"docs/{name}"
