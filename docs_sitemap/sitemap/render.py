"""Seventh step: render entries as XML files, with the built-in template or a custom one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate

import jinja2

from docs_sitemap.diagnostics import BuildCode, Diagnostic
from docs_sitemap.entry import Entry
from docs_sitemap.errors import TemplateError
from docs_sitemap.files import part_name
from docs_sitemap.options import Options
from docs_sitemap.site import RenderSitemap, Site
from docs_sitemap.sitemap.protocol import MAX_BYTES, MAX_ENTRIES, SITEMAP_NAMESPACE
from docs_sitemap.sitemap.urls import make_loc
from docs_sitemap.text import describe_error, one_line, shorten, shorten_value

_SITEMAP = "sitemap.xml"
_INDEX = "sitemapindex.xml"


class _XmlTemplate:
    """A template, and the root element that it must render.

    Args:
        template: The Jinja template. Everything that it prints is escaped.
        root: The name of the root element.
        indent: Spaces per level.
        is_custom: Whether the template is not built in, so that its output must be validated.
    """

    def __init__(
        self, template: jinja2.Template, root: str, *, indent: int, is_custom: bool
    ) -> None:
        self.name = template.name or root
        self._template = template
        self._root = root
        self._indent = indent
        self._is_custom = is_custom

    def render(self, **context: Any) -> bytes:
        """Render the template.

        Raises:
            TemplateError: The template failed, or did not render the root element.
        """
        try:
            text = self._template.render(context, indent=self._indent)
        except Exception as error:  # A custom template may raise any exception.
            raise TemplateError(_explain(error, self.name)) from None
        if self._is_custom:
            return validate_xml(text, self._root, self.name)
        return _reindent(text, self._indent).encode()


class Renderer:
    """Renders the files of a sitemap.

    A custom `sitemap.xml` may have a `sitemapindex.xml` next to it, which then renders the index.

    Args:
        options: The options of the sitemap.
        render_sitemap: A function that renders sitemaps instead of the template of the options.

    Raises:
        TemplateError: The template is missing, or is not valid Jinja.
    """

    def __init__(self, options: Options, render_sitemap: RenderSitemap | None = None) -> None:
        self._render_sitemap = render_sitemap
        folder, sitemap = None, _SITEMAP
        if options.template is not None:
            if not os.path.isfile(options.template):
                fault = "is a folder" if os.path.isdir(options.template) else "does not exist"
                raise TemplateError(f"the template {options.template!r} {fault}")
            path = Path(options.template)
            folder, sitemap = path.parent, path.name
        self._sitemap = _load(folder, sitemap, "urlset", options.indent)
        if folder is not None and not (folder / _INDEX).is_file():
            folder = None
        self._index = _load(folder, _INDEX, "sitemapindex", options.indent)

    def sitemap(self, listed: Sequence[Entry]) -> bytes:
        """Render a `<urlset>`.

        Raises:
            TemplateError: The template failed, or did not render a sitemap.
        """
        if self._render_sitemap is not None:
            try:
                text = self._render_sitemap(listed)
            except Exception as error:  # A custom function may raise any exception.
                raise TemplateError(_explain(error, _SITEMAP)) from None
            return validate_xml(text, "urlset", _SITEMAP)
        urls = [entry.url for entry in listed]
        return self._sitemap.render(urls=urls, alternates=any(url.alternates for url in urls))

    def index(self, locs: Sequence[str]) -> bytes:
        """Render a `<sitemapindex>` of the sitemaps at these URLs.

        Raises:
            TemplateError: The template failed, or did not render a sitemap index.
        """
        return self._index.render(sitemaps=[{"loc": loc} for loc in locs])


def check_template(path: str) -> None:
    """Check that a custom template exists and is valid Jinja.

    Args:
        path: The absolute path of the template.

    Raises:
        OptionError: No file can have this path.
        TemplateError: It is missing, or is not valid Jinja.
    """
    Renderer(Options(template=path))


def render_files(
    listed: Sequence[Entry], site: Site, diagnostics: list[Diagnostic]
) -> dict[str, bytes]:
    """Return the files by name, the sitemap itself first. If the entries exceed the limits of the
    protocol, the sitemap is an index of numbered parts. If a template fails, no file is returned,
    and a warning is added.
    """
    if not listed:
        return {}
    filename = site.options.filename
    try:
        renderer = Renderer(site.options, site.render_sitemap)
        parts = split(listed, renderer)
        if len(parts) == 1:
            return {filename: parts[0]}
        named = {part_name(filename, number): part for number, part in enumerate(parts, start=1)}
        index = renderer.index([make_loc(site.base_url, name) for name in named])
    except TemplateError as error:
        message = f"no new sitemap is written: {error}. Fix: correct the template."
        diagnostics.append(Diagnostic(BuildCode.TEMPLATE, message))
        return {}
    return {filename: index, **named}


def split(
    listed: Sequence[Entry],
    renderer: Renderer,
    *,
    max_entries: int = MAX_ENTRIES,
    max_bytes: int = MAX_BYTES,
) -> list[bytes]:
    """Render as many sitemaps as the limits of the protocol require.

    Source: <https://www.sitemaps.org/protocol.html#index>.

    Raises:
        TemplateError: A single URL takes more than `max_bytes`.
    """
    parts: list[bytes] = []
    for start in range(0, len(listed), max_entries):
        chunk = listed[start : start + max_entries]
        part = renderer.sitemap(chunk)
        if len(part) <= max_bytes:
            parts.append(part)
        elif len(chunk) == 1:
            raise TemplateError(f"the entry of {chunk[0].loc} has more than {max_bytes:,} bytes")
        else:
            # The sizes of entries differ. Make a quarter more parts than the mean size requires.
            number = max(2, -(-len(part) * 5 // (max_bytes * 4)))
            size = -(-len(chunk) // number)
            parts += split(chunk, renderer, max_entries=size, max_bytes=max_bytes)
    return parts


def _load(folder: Path | None, name: str, root: str, indent: int) -> _XmlTemplate:
    """Load a template from a folder, or the built-in one."""
    loader: jinja2.BaseLoader = jinja2.PackageLoader("docs_sitemap.sitemap")
    if folder is not None:
        loader = jinja2.FileSystemLoader(folder)
    environment = jinja2.Environment(
        loader=loader,
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=folder is None,
        lstrip_blocks=folder is None,
    )
    try:
        template = environment.get_template(name)
    except jinja2.TemplateError as error:
        raise TemplateError(_explain(error, name)) from None
    except (OSError, ValueError) as error:
        fault = describe_error(error)
        raise TemplateError(f"the template {name!r} cannot be read: {fault}") from None
    except Exception as error:  # For example, expressions that are nested too deeply.
        raise TemplateError(_explain(error, name)) from None
    return _XmlTemplate(template, root, indent=indent, is_custom=folder is not None)


def _reindent(text: str, indent: int) -> str:
    """Change the indentation of the built-in templates, whose values contain no line breaks.

    Args:
        text: XML with two spaces per level.
        indent: Spaces per level; 0 removes line breaks, too.
    """
    if indent == 2:
        return text.strip() + "\n"
    lines = text.split("\n")
    if indent == 0:
        declaration, *rest = lines
        return declaration + "\n" + "".join(line.strip() for line in rest) + "\n"
    levels = ((line, (len(line) - len(line.lstrip(" "))) // 2) for line in lines)
    return (
        "\n".join(" " * indent * level + line.strip(" ") for line, level in levels).strip() + "\n"
    )


def validate_xml(text: object, root: str, name: str | None) -> bytes:
    """Validate and encode the output of a custom template.

    Args:
        text: The document. White space around it is removed.
        root: The name of the root element, in the namespace of the protocol.
        name: The name of the template in messages.

    Raises:
        TemplateError: The text is not well-formed (for example, it contains a character that XML
            1.0 cannot represent), has another root, or declares another encoding than UTF-8.
    """
    if not isinstance(text, str):
        raise TemplateError(f"the template {name!r} rendered {shorten_value(text)} instead of text")
    elements: list[str] = []
    encodings: list[str | None] = []
    parser = ParserCreate("UTF-8", namespace_separator=" ")
    parser.StartElementHandler = lambda element, attributes: elements.append(element)
    parser.XmlDeclHandler = lambda version, encoding, standalone: encodings.append(encoding)
    try:
        data = (text.strip() + "\n").encode()
        parser.Parse(data, True)
    except UnicodeEncodeError as error:
        raise TemplateError(
            f"the template {name!r} rendered text that is not valid ({error.reason})"
        ) from None
    except ExpatError as error:
        raise TemplateError(
            f"the template {name!r} rendered XML that is not well-formed ({error})"
        ) from None
    if elements[0] != f"{SITEMAP_NAMESPACE} {root}":
        element = one_line(elements[0].rpartition(" ")[2])
        raise TemplateError(
            f"the template {name!r} rendered <{element}> instead of "
            f'<{root} xmlns="{SITEMAP_NAMESPACE}">'
        )
    encoding = encodings[0] if encodings else None
    if encoding is not None and encoding.upper() != "UTF-8":
        raise TemplateError(
            f"the template {name!r} declares the encoding {shorten(encoding)} instead of UTF-8"
        )
    return data


def _explain(error: Exception, name: str | None) -> str:
    if isinstance(error, jinja2.TemplateNotFound):
        return f"the template {shorten(str(error.name))} does not exist"
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"the template {name!r}, line {error.lineno}: {one_line(str(error.message))}"
    return f"the template {name!r} failed: {describe_error(error)}"
