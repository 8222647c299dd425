"""The Jinja environment and templates; every file that leaves here is well-formed UTF-8 XML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate

import jinja2

from docs_sitemap.errors import TemplateError
from docs_sitemap.model import Listed, Url
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
        loaders: list[jinja2.BaseLoader] = [jinja2.PackageLoader("docs_sitemap")]
        name = "sitemap.xml"
        if options.template is not None:
            path = Path(options.template)
            name = path.name
            loaders.insert(0, jinja2.FileSystemLoader(path.parent))
        environment = jinja2.Environment(
            loader=jinja2.ChoiceLoader(loaders),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
        )
        try:
            self._sitemap = environment.get_template(name)
            self._index = environment.get_template("sitemapindex.xml")
        except jinja2.TemplateError as error:
            raise TemplateError(_explain(error, name)) from None
        except (OSError, ValueError) as error:
            raise TemplateError(f"template {name!r} cannot be read ({error})") from None

    def sitemap(self, listed: Sequence[Listed]) -> bytes:
        """Render a `<urlset>`.

        Raises:
            TemplateError: the template failed, or gave something that is not a sitemap.
        """
        urls: list[Url] = [entry.url for entry in listed]
        alternates = any(url.alternates for url in urls)
        return render(self._sitemap, urls=urls, alternates=alternates, indent=self._indent)

    def sitemapindex(self, locs: Sequence[str]) -> bytes:
        """Render a `<sitemapindex>` of the sitemaps at these URLs.

        Raises:
            TemplateError: the template failed, or gave something that is not a sitemap index.
        """
        sitemaps = [{"loc": loc} for loc in locs]
        return render(self._index, sitemaps=sitemaps, indent=self._indent)


def render(template: jinja2.Template, **context: Any) -> bytes:
    """Render a template and make sure that XML readers accept the result.

    Raises:
        TemplateError: the template failed, or its output is not well-formed, or its root is
            neither `urlset` nor `sitemapindex`.
    """
    try:
        text = template.render(**context)
    except Exception as error:  # a user's template may raise anything
        raise TemplateError(_explain(error, template.name)) from None
    return to_xml(text, template.name)


def to_xml(text: str, name: str | None) -> bytes:
    """Encode what a template rendered.

    Raises:
        TemplateError: it is not well-formed (a character that XML 1.0 cannot hold is one way:
            neither it nor its reference may stand anywhere), or is no sitemap.
    """
    roots: list[str] = []
    parser = ParserCreate()

    def note_root(element: str, _: dict[str, str]) -> None:
        roots.append(element)
        parser.StartElementHandler = None

    parser.StartElementHandler = note_root
    try:
        data = (text.strip() + "\n").encode("utf-8")
        parser.Parse(data, True)
    except UnicodeEncodeError as error:
        raise TemplateError(f"template {name!r} rendered no valid text ({error.reason})") from None
    except ExpatError as error:
        raise TemplateError(f"template {name!r} rendered no well-formed XML ({error})") from None
    if roots[0].rpartition(":")[2] not in ("urlset", "sitemapindex"):
        raise TemplateError(
            f"template {name!r} rendered <{roots[0]}>, a sitemap starts with <urlset>"
        )
    return data


def _explain(error: Exception, name: str | None) -> str:
    if isinstance(error, jinja2.TemplateNotFound):
        return f"template {error.name!r} does not exist"
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"template {error.name!r}, line {error.lineno}: {error.message}"
    return f"template {name!r} failed: {type(error).__name__}: {error}"
