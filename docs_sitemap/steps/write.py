"""Render the sitemap, and write it into the site."""

import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from docs_sitemap.diagnostics import (
    BuildCode,
    Diagnostic,
    Diagnostics,
    ExclusionReason,
    TemplateError,
)
from docs_sitemap.entry import Entry
from docs_sitemap.site import Site
from docs_sitemap.sitemap.protocol import Url, part_name
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, make_loc, strip_index
from docs_sitemap.sitemap.writer import Renderer, split, write_files
from docs_sitemap.tools.files import describe_write_error


def write_sitemap(
    listed: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> tuple[Path, ...]:
    """Write the sitemap. Pages that a custom template leaves out are excluded.

    Returns:
        The absolute paths of the files, the sitemap itself first; empty if nothing was
        written.
    """
    if not listed:
        return ()
    options = site.options
    folder = Path(site.out_dir)
    # The output of the built-in template needs no check: its values are validated.
    is_custom = options.template is not None
    try:
        rendered = _render(listed, site)
        pages = _read_pages(rendered, options.template) if is_custom else set()
        write_files(rendered, folder, gzip=options.gzip)
    except TemplateError as error:
        message = f"no new sitemap is written: {error}. Fix: correct the template."
        diagnostics.warn(BuildCode.TEMPLATE, message)
        return ()
    except OSError as error:
        message = f"no new sitemap is written: {describe_write_error(error)}"
        diagnostics.warn(BuildCode.WRITE, message)
        return ()
    if is_custom:
        _check_rendered(rendered, site.base_url, diagnostics)
        left_out = [entry for entry in listed if _page_url(entry.loc) not in pages]
        # A template may also write only URLs of its own.
        if len(left_out) < len(listed):
            for entry in left_out:
                entry.exclude(ExclusionReason.TEMPLATE)
    return tuple(folder / name for name in rendered)


def _render(listed: Sequence[Entry], site: Site) -> dict[str, bytes]:
    """Return the files by name, the sitemap itself first. If the entries exceed the
    limits of the protocol, the sitemap is an index of numbered parts.

    Raises:
        TemplateError: The template failed, or did not render a sitemap.
    """
    filename = site.options.filename
    renderer = Renderer(site.options.template)

    files: dict[str, bytes] = {}
    locs = []
    for _, part in split([entry.url for entry in listed], renderer.sitemap):
        name = part_name(filename, len(files) + 1)
        files[name] = part
        locs.append(Url(make_loc(site.base_url, name)))
    if len(files) == 1:
        return {filename: part}
    return {filename: renderer.index(locs), **files}


def _check_rendered(
    files: Mapping[str, bytes], base_url: BaseUrl, diagnostics: Diagnostics
) -> None:
    """Report the first violation of each rule of the format in each file."""
    # Few sites have a custom template.
    from docs_sitemap.sitemap.validation import check_sitemap

    base = NormalizedUrl(base_url)
    now = datetime.now(UTC)
    for name, data in files.items():
        first: dict[str, Diagnostic] = {}
        for violation in check_sitemap(io.BytesIO(data), name, base, now):
            first.setdefault(violation.code, violation)
        for code, violation in first.items():
            message = f"{name}: {code}: {violation.message}. Fix: {violation.fix}."
            diagnostics.warn(BuildCode.CHECK, message)


def _read_pages(rendered: Mapping[str, bytes], template: str | None) -> set[str]:
    """Return the URLs that a custom template has written.

    Raises:
        TemplateError: It did not render a sitemap.
    """
    # Few sites have a custom template.
    from docs_sitemap.sitemap.reader import SitemapReader, read_chunks

    urls = set()
    try:
        for data in rendered.values():
            for entry in SitemapReader().entries(read_chunks(io.BytesIO(data), "")):
                urls.add(_page_url(entry.text("loc") or ""))
    except UnusableFileError as error:
        name = Path(template or "sitemap.xml").name
        raise TemplateError(
            f"the template {name!r} did not render a sitemap: {error.rule.meaning} "
            f"({error})"
        ) from None
    return urls


def _page_url(loc: str) -> str:
    return strip_index(NormalizedUrl(loc))
