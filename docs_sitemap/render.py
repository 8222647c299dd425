"""The Jinja environment and templates; every file that leaves here is well-formed UTF-8 XML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate

import jinja2

from docs_sitemap.errors import TemplateError
from docs_sitemap.model import NAMESPACE, Listed, Url
from docs_sitemap.options import Options


class Renderer:
    """Renders sitemaps by a template; escapes whatever the template prints.

    A user's template stands in a folder of its own choice; a `sitemapindex.xml` beside it is
    used for the index.

    Raises:
        TemplateError: the template is missing or is not valid Jinja.
    """

    def __init__(self, options: Options) -> None:
        self._indent = options.indent
        built_in = jinja2.PackageLoader("docs_sitemap")
        if options.template is None:
            self._sitemap = _load(built_in, "sitemap.xml")
            self._index = _load(built_in, "sitemapindex.xml")
        else:
            path = Path(options.template)
            if not path.is_file():
                what = "is a folder" if path.is_dir() else "does not exist"
                raise TemplateError(f"template {options.template!r} {what}")
            own = jinja2.FileSystemLoader(path.parent)
            self._sitemap = _load(own, path.name)
            self._index = _load(jinja2.ChoiceLoader([own, built_in]), "sitemapindex.xml")

    def sitemap(self, listed: Sequence[Listed]) -> bytes:
        """Render a `<urlset>`.

        Raises:
            TemplateError: the template failed, or gave something that is not a sitemap.
        """
        urls: list[Url] = [entry.url for entry in listed]
        alternates = any(url.alternates for url in urls)
        text = _render(self._sitemap, urls=urls, alternates=alternates, indent=self._indent)
        return to_xml(text, "urlset", self._sitemap.name)

    def sitemapindex(self, locs: Sequence[str]) -> bytes:
        """Render a `<sitemapindex>` of the sitemaps at these URLs.

        Raises:
            TemplateError: the template failed, or gave something that is not a sitemap index.
        """
        sitemaps = [{"loc": loc} for loc in locs]
        text = _render(self._index, sitemaps=sitemaps, indent=self._indent)
        return to_xml(text, "sitemapindex", self._index.name)


def _load(loader: jinja2.BaseLoader, name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined
    )
    try:
        return environment.get_template(name)
    except jinja2.TemplateError as error:
        raise TemplateError(_explain(error, name)) from None
    except (OSError, ValueError) as error:
        raise TemplateError(f"template {name!r} cannot be read ({error})") from None


def _render(template: jinja2.Template, **context: Any) -> str:
    try:
        return template.render(**context)
    except Exception as error:  # a user's template may raise anything
        raise TemplateError(_explain(error, template.name)) from None


def to_xml(text: str, root: str, name: str | None) -> bytes:
    """Encode what a template rendered.

    Args:
        text: the document; space around it is taken off.
        root: the name of the root element that it must have, in the protocol's namespace.
        name: what the template is called in messages.

    Raises:
        TemplateError: it is not well-formed (a character that XML 1.0 cannot hold is one way:
            neither it nor its reference may stand anywhere), has another root, or says that it
            is not UTF-8.
    """
    roots: list[str] = []
    encodings: list[str] = []
    parser = ParserCreate("UTF-8", namespace_separator=" ")

    def note_root(element: str, _: dict[str, str]) -> None:
        roots.append(element)
        parser.StartElementHandler = None

    def note_encoding(_: str, encoding: str | None, __: int) -> None:
        encodings.append(encoding or "UTF-8")

    parser.StartElementHandler = note_root
    parser.XmlDeclHandler = note_encoding
    try:
        data = (text.strip() + "\n").encode("utf-8")
        parser.Parse(data, True)
    except UnicodeEncodeError as error:
        raise TemplateError(f"template {name!r} rendered no valid text ({error.reason})") from None
    except ExpatError as error:
        raise TemplateError(f"template {name!r} rendered no well-formed XML ({error})") from None
    if roots != [f"{NAMESPACE} {root}"]:
        raise TemplateError(
            f"template {name!r} rendered <{roots[0].rpartition(' ')[2]}>; it must be "
            f'<{root} xmlns="{NAMESPACE}">'
        )
    if encodings and encodings[0].upper() != "UTF-8":
        raise TemplateError(f"template {name!r} says {encodings[0]!r}; a sitemap is UTF-8")
    return data


def _explain(error: Exception, name: str | None) -> str:
    if isinstance(error, jinja2.TemplateNotFound):
        return f"template {error.name!r} does not exist"
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"template {error.name!r}, line {error.lineno}: {error.message}"
    return f"template {name!r} failed: {type(error).__name__}: {error}"
