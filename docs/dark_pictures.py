"""Show each picture that has a `NAME-dark.png` in the colors of the theme.

The files stay plain Markdown. MkDocs loads this module as a hook, and Sphinx in
`conf.py`.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

_DOCS = Path(__file__).parent
_PICTURE = re.compile(r"!\[(?P<text>[^]]*)\]\((?P<path>[\w/.-]*pictures/[\w-]+)\.png\)")


def on_page_markdown(markdown: str, **arguments: object) -> str:
    """Run as a hook of MkDocs. Material has names for both pictures."""
    show = partial(_both, "![{text}]({path}#only-{theme})")
    return _PICTURE.sub(show, markdown)


def add_dark_pictures(app: object, docname: str, source: list[str]) -> None:
    """Handle the event `source-read` of Sphinx. Furo has classes for both pictures."""
    show = partial(_both, "![{text}]({path}){{.only-{theme}}}")
    source[0] = _PICTURE.sub(show, source[0])


def _both(form: str, picture: re.Match[str]) -> str:
    light = f"{picture['path']}.png"
    dark = f"{picture['path']}-dark.png"
    if not (_DOCS / "pictures" / Path(dark).name).exists():
        return picture[0]
    text = picture["text"]
    return form.format(text=text, path=light, theme="light") + form.format(
        text=text, path=dark, theme="dark"
    )
