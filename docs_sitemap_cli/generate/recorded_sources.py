"""The sources that generators record in the sites that they build, or next to them."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from glob import glob
from typing import Any
from urllib.parse import unquote, urlsplit

from docs_sitemap.tools.files import read_regular
from docs_sitemap_cli.site.page import BuiltPage

# In bytes. Larger files describe more than one page.
_MAX_FILE = 2**24

# The script of a VitePress page, which is preloaded.
_VITEPRESS_SCRIPT = re.compile(
    rb'href="[^"]*?/(assets/[^"/]+\.md\.[^"/.]+)(?:\.lean)?\.js"'
)
# The data of a page in the scripts of VitePress and Docusaurus.
_PAGE_DATA = re.compile(rb"JSON\.parse\((['`])(\{(?:[^'`\\]++|\\.|(?!\1)['`])*+)\1\)")
_ESCAPED_BYTE = re.compile(rb"\\x([0-9a-f]{2})")
_ESCAPED = re.compile(rb"\\(['`$\\])")


class SourceRecords:
    """Reads what the generator recorded about the sources of pages.

    Args:
        folder: The absolute path of the site.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def find(self, page: BuiltPage, name: str) -> Iterator[str]:
        """Yield the sources of a page as its generator wrote them: relative to a folder
        of sources, which is unknown.

        Args:
            page: The page.
            name: The path of the page below the site.
        """
        stem = os.path.splitext(name)[0]
        match page.head.generator.partition(" ")[0]:
            case "VitePress":
                yield from self._read_vitepress(page)
            case "Docusaurus":
                if page.head.canonicals:
                    url = page.head.canonicals[0]
                    path = unquote(urlsplit(url).path).rstrip("/")
                    yield from self._docusaurus.get(path, ())
            case "Doxygen":
                yield from self._read_doxygen(stem)
            case _:
                yield from self._read_myst(stem.removesuffix("/index"))

    def _read_vitepress(self, page: BuiltPage) -> Iterator[str]:
        script = _VITEPRESS_SCRIPT.search(page.data)
        if script is not None:
            for data in self._read_page_data(f"{os.fsdecode(script[1])}.js"):
                yield str(data.get("filePath"))

    @cached_property
    def _docusaurus(self) -> Mapping[str, list[str]]:
        """The sources by the paths of URLs, from the scripts of the pages."""
        records: dict[str, list[str]] = {}
        # Each language has its own scripts.
        for pattern in ("assets/js/*.js", "*/assets/js/*.js"):
            for script in glob(pattern, root_dir=self._folder):
                for data in self._read_page_data(script):
                    path = str(data.get("permalink")).rstrip("/")
                    if "source" in data:
                        source = str(data["source"])
                        records[path] = [source.removeprefix("@site/")]
        return records

    def _read_page_data(self, script: str) -> Iterator[dict[str, Any]]:
        for _, text in _PAGE_DATA.findall(self._read(script)):
            text = _ESCAPED_BYTE.sub(rb"\\u00\1", text)
            data = _parse_json(_ESCAPED.sub(rb"\1", text))
            if isinstance(data, dict):
                yield data

    def _read_doxygen(self, stem: str) -> Iterator[str]:
        if stem == "index":  # Its XML file has another name.
            stem = "indexpage"
        xml = BuiltPage(self._read("..", "xml", f"{stem}.xml"))
        for node in xml.parse().css("location[file]"):
            for attribute in ("file", "bodyfile", "declfile"):
                path = node.attributes.get(attribute)
                if path:
                    yield path

    def _read_myst(self, stem: str) -> Iterator[str]:
        record = _parse_json(self._read(f"{stem}.json"))
        if isinstance(record, dict) and record.keys() >= {"kind", "mdast"}:
            yield str(record.get("location")).lstrip("/")

    def _read(self, *path: str) -> bytes:
        with suppress(OSError, ValueError):
            return read_regular(os.path.join(self._folder, *path), _MAX_FILE)
        return b""


def _parse_json(data: bytes) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(data)
    return None
