"""The sources that Doxygen and MyST record for each page that they build."""

import json
import os
from contextlib import suppress

from docs_sitemap.built.html import parse_html
from docs_sitemap.tools.files import read_regular

# In bytes. Larger files describe more than one page.
_MAX_FILE = 2**24


def find_recorded(folder: str, name: str, generator: str) -> tuple[str, ...]:
    """Return the sources of a page as its generator wrote them: absolute, or relative
    to a folder of sources, which is unknown.

    Args:
        folder: The absolute path of the site.
        name: The path of the page below the site.
        generator: The generator that the page names.
    """
    stem = os.path.splitext(name)[0]
    if generator.startswith("Doxygen"):
        # The XML file of the home page has another name.
        file = "indexpage" if stem == "index" else stem
        return _read_locations(_read(os.path.join(folder, "..", "xml", f"{file}.xml")))
    data = _read(os.path.join(folder, f"{stem.removesuffix('/index')}.json"))
    return _read_location(data)


def _read_locations(data: bytes) -> tuple[str, ...]:
    """Return the files in the XML of Doxygen that declare or define a page."""
    paths = []
    for node in parse_html(data).css("location[file]"):
        for attribute in ("file", "bodyfile", "declfile"):
            paths.append(node.attributes.get(attribute))
    return tuple(filter(None, paths))


def _read_location(data: bytes) -> tuple[str, ...]:
    """Return the file in the JSON of MyST; none if it describes no page of MyST."""
    with suppress(ValueError, RecursionError):
        record = json.loads(data)
        if isinstance(record, dict) and record.keys() >= {"kind", "mdast"}:
            return (str(record.get("location")).lstrip("/"),)
    return ()


def _read(path: str) -> bytes:
    with suppress(OSError):
        return read_regular(path, _MAX_FILE)
    return b""
