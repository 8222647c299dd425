"""Render the files of a sitemap, split them, write them, and remove earlier ones.

The limits of one file: <https://www.sitemaps.org/protocol.html#index>.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from docs_sitemap.diagnostics import TemplateError
from docs_sitemap.tools.files import (
    compress,
    lock_folder,
    open_regular,
    read_text_file,
    replace_files,
)
from docs_sitemap.tools.printing import describe_error, one_line, shorten

from .protocol import MAX_BYTES, MAX_ENTRIES, Url, is_part_name
from .rules import UnusableFileError

_T = TypeVar("_T")

_SITEMAP = "sitemap.xml"
_INDEX = "sitemapindex.xml"


class Renderer:
    """Renders sitemaps and sitemap indexes.

    A custom `sitemap.xml` may have a `sitemapindex.xml` next to it, which then renders
    the index.

    Args:
        template: The absolute path of a custom template for sitemaps.

    Raises:
        TemplateError: The template is missing, or is not valid Jinja.
    """

    def __init__(self, template: str | None = None) -> None:
        folder = None
        sitemap = _SITEMAP
        if template is not None:
            path = Path(template)
            folder = path.parent
            sitemap = path.name
        self._sitemap = _load(folder, sitemap)
        self._index: Callable[..., bytes] | None = None
        if folder is not None and (folder / _INDEX).is_file():
            self._index = _load(folder, _INDEX)

    def sitemap(self, urls: Sequence[Url]) -> bytes:
        """Render a `<urlset>`.

        Args:
            urls: The entries in order.

        Raises:
            TemplateError: The template failed.
        """
        alternates = any(url.alternates for url in urls)
        return self._sitemap(urls=urls, alternates=alternates)

    def index(self, sitemaps: Iterable[Url], *, comment: str = "") -> bytes:
        """Render a `<sitemapindex>`.

        Args:
            sitemaps: The URL of each sitemap, and its date if that is known.
            comment: A comment at the start of the file.

        Raises:
            TemplateError: The template failed.
        """
        render = self._index or _load(None, _INDEX)
        return render(sitemaps=sitemaps, comment=comment)


def _load(folder: Path | None, name: str) -> Callable[..., bytes]:
    """Return a function that renders a template in a folder, or a built-in template.

    Everything that the template prints is escaped. The function raises `TemplateError`
    if the template fails.
    """
    import jinja2  # Commands that render nothing do not need it.

    loader: jinja2.BaseLoader = jinja2.PackageLoader("docs_sitemap.sitemap")
    if folder is not None:
        loader = jinja2.FunctionLoader(partial(_read_template, folder))
    environment = jinja2.Environment(
        loader=loader,
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    try:
        template = environment.get_template(name)
    # For example, it cannot be read, or is nested too deeply.
    except Exception as error:
        raise TemplateError(_explain_error(error, name)) from None

    def render(**context: object) -> bytes:
        try:
            return (template.render(context).strip() + "\n").encode()
        except Exception as error:  # A custom template may raise any exception.
            raise TemplateError(_explain_error(error, name)) from None

    return render


def _read_template(folder: Path, name: str) -> str | None:
    """Return the text of a template below a folder; `None` if there is none."""
    from jinja2.loaders import split_template_path

    with suppress(FileNotFoundError):
        return read_text_file(folder.joinpath(*split_template_path(name)), "strict")
    return None


def _explain_error(error: Exception, name: str) -> str:
    """Return why a template failed."""
    import jinja2

    if isinstance(error, jinja2.TemplateNotFound):
        return f"the template {shorten(str(error.name))} does not exist"
    if isinstance(error, OSError):
        name = os.path.basename(error.filename)
        return f"the template {shorten(name)} cannot be read: {error.strerror}"
    if isinstance(error, jinja2.TemplateSyntaxError):
        message = one_line(str(error.message))
        return f"the template {name!r}, line {error.lineno}: {message}"
    return f"the template {name!r} failed: {describe_error(error)}"


def split(
    entries: Iterable[_T],
    render: Callable[[Sequence[_T]], bytes],
    *,
    max_entries: int = MAX_ENTRIES,
    max_bytes: int = MAX_BYTES,
) -> Iterator[tuple[Sequence[_T], bytes]]:
    """Render as many sitemaps as the limits require, and yield each with its entries.

    Args:
        entries: The entries in order.
        render: Renders some of them as one sitemap.
        max_entries: The number of entries that a file may have.
        max_bytes: The number of bytes that a file may have.

    Raises:
        TemplateError: A single entry takes more than `max_bytes`.
    """
    pending = iter(entries)
    while True:
        chunk = list(islice(pending, max_entries))
        if not chunk:
            return
        part = render(chunk)
        if len(part) <= max_bytes:
            yield chunk, part
        elif len(chunk) == 1:
            message = f"a sitemap with one entry has more than {max_bytes:,} bytes"
            raise TemplateError(message)
        else:
            # The sizes of entries differ. Make a quarter more parts than the mean size
            # requires.
            number = max(2, -(-len(part) * 5 // (max_bytes * 4)))
            size = -(-len(chunk) // number)
            yield from split(chunk, render, max_entries=size, max_bytes=max_bytes)
        del chunk, part  # A part can be large: forget it before the next one is made.


def write_files(files: Mapping[str, bytes], folder: Path, *, gzip: bool) -> None:
    """Replace the sitemap of an earlier build: the parts first, and the sitemap itself
    last. Parts that the new sitemap does not name are then removed.

    Args:
        files: The content of all files by name, the sitemap itself first.
        folder: The folder of the built site. It is created if it does not exist.
        gzip: Whether each file has a compressed copy.

    Raises:
        OSError: A file cannot be written. Each file is then the old or the new one.
    """
    sitemap, *parts = files
    contents: dict[Path, bytes | None] = {}
    for name in (*parts, sitemap):
        contents[folder / name] = files[name]
        contents[folder / f"{name}.gz"] = compress(files[name]) if gzip else None
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder):
        stale = _parts_in_index(folder, sitemap) - contents.keys()
        replace_files(contents)
        replace_files(dict.fromkeys(stale))


def remove_files(filename: str, folder: Path) -> None:
    """Remove the sitemap of an earlier build, its parts, and their compressed copies.

    Args:
        filename: The name of the sitemap.
        folder: The folder of the built site.

    Raises:
        OSError: The sitemap or its compressed copy cannot be removed.
    """
    sitemap = folder / filename
    copy = folder / f"{filename}.gz"
    if not folder.is_dir():
        return
    try:
        with lock_folder(folder):
            stale = _parts_in_index(folder, filename)
            replace_files(dict.fromkeys((copy, sitemap, *stale)))
    except OSError:
        if os.path.lexists(sitemap) or os.path.lexists(copy):
            raise


def _parts_in_index(folder: Path, filename: str) -> set[Path]:
    """Return the parts of a sitemap and their compressed copies. Files with similar
    names that the index does not list belong to the user.
    """
    parts: set[Path] = set()
    with suppress(OSError, UnusableFileError), open_regular(folder / filename) as file:
        from .reader import SitemapReader, read_chunks  # Clean builds find no sitemap.

        reader = SitemapReader()
        for entry in reader.entries(read_chunks(file, filename)):
            if not reader.is_index:
                break
            name = unquote((entry.text("loc") or "").rpartition("/")[2])
            if is_part_name(filename, name):
                parts |= {folder / name, folder / f"{name}.gz"}
    return parts
