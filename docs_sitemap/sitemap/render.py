"""Render entries as XML files, with the built-in template or a custom one."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from docs_sitemap.diagnostics import TemplateError
from docs_sitemap.tools.printing import describe_error, one_line, shorten

from .protocol import Url

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
        if folder is not None and not (folder / _INDEX).is_file():
            folder = None
        self._index = _load(folder, _INDEX)

    def sitemap(self, urls: Sequence[Url], *, comment: str = "") -> bytes:
        """Render a `<urlset>`.

        Args:
            urls: The entries in order.
            comment: A comment at the start of the file.

        Raises:
            TemplateError: The template failed.
        """
        alternates = any(url.alternates for url in urls)
        return self._sitemap(urls=urls, alternates=alternates, comment=comment)

    def index(self, sitemaps: Iterable[Url], *, comment: str = "") -> bytes:
        """Render a `<sitemapindex>`.

        Args:
            sitemaps: The URL of each sitemap, and its date if that is known.
            comment: A comment at the start of the file.

        Raises:
            TemplateError: The template failed.
        """
        return self._index(sitemaps=sitemaps, comment=comment)


def _load(folder: Path | None, name: str) -> Callable[..., bytes]:
    """Return a function that renders a template in a folder, or a built-in template.

    Everything that the template prints is escaped. The function raises `TemplateError`
    if the template fails.
    """
    import jinja2  # Commands that render nothing do not need it.

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
    # For example, it cannot be read, or is nested too deeply.
    except Exception as error:
        raise TemplateError(_explain_error(error, name)) from None

    def render(**context: object) -> bytes:
        try:
            return (template.render(context).strip() + "\n").encode()
        except Exception as error:  # A custom template may raise any exception.
            raise TemplateError(_explain_error(error, name)) from None

    return render


def _explain_error(error: Exception, name: str) -> str:
    """Return why a template failed."""
    import jinja2

    if isinstance(error, jinja2.TemplateNotFound):
        return f"the template {shorten(str(error.name))} does not exist"
    if isinstance(error, jinja2.TemplateSyntaxError):
        message = one_line(str(error.message))
        return f"the template {name!r}, line {error.lineno}: {message}"
    return f"the template {name!r} failed: {describe_error(error)}"
