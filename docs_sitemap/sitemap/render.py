"""Render entries as XML files, with the built-in template or a custom one."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from docs_sitemap.errors import TemplateError
from docs_sitemap.printing import describe_error, one_line, shorten
from docs_sitemap.sitemap.protocol import SITEMAP_NAMESPACE, Url

_SITEMAP = "sitemap.xml"
_INDEX = "sitemapindex.xml"

_CHUNK = 2**16


class Renderer:
    """Renders sitemaps and sitemap indexes.

    A custom `sitemap.xml` may have a `sitemapindex.xml` next to it, which then renders the index.

    Args:
        template: The absolute path of a custom template for sitemaps.

    Raises:
        TemplateError: The template is missing, or is not valid Jinja.
    """

    def __init__(self, template: str | None = None) -> None:
        folder, sitemap = None, _SITEMAP
        if template is not None:
            if not os.path.isfile(template):
                raise TemplateError(f"the template {template!r} does not exist or is not a file")
            path = Path(template)
            folder, sitemap = path.parent, path.name
        self._sitemap = _load(folder, sitemap, "urlset")
        if folder is not None and not (folder / _INDEX).is_file():
            folder = None
        self._index = _load(folder, _INDEX, "sitemapindex")

    def sitemap(self, urls: Sequence[Url], *, comment: str = "") -> bytes:
        """Render a `<urlset>`.

        Args:
            urls: The entries in order.
            comment: A comment at the start of the file.

        Raises:
            TemplateError: The template failed, or did not render a sitemap.
        """
        alternates = any(url.alternates for url in urls)
        return self._sitemap(urls=urls, alternates=alternates, comment=comment)

    def index(self, sitemaps: Iterable[Url], *, comment: str = "") -> bytes:
        """Render a `<sitemapindex>`.

        Args:
            sitemaps: The URL of each sitemap, and its date if that is known.
            comment: A comment at the start of the file.

        Raises:
            TemplateError: The template failed, or did not render a sitemap index.
        """
        return self._index(sitemaps=sitemaps, comment=comment)


def _load(folder: Path | None, name: str, root: str) -> Callable[..., bytes]:
    """Return a function that renders a template in a folder, or a built-in template.

    Everything that the template prints is escaped. The function raises `TemplateError` if the
    template fails, or does not render the root element.
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
    except Exception as error:  # For example, it cannot be read, or is nested too deeply.
        raise TemplateError(explain_error(error, name)) from None

    def render(**context: object) -> bytes:
        try:
            text = template.render(context)
        except Exception as error:  # A custom template may raise any exception.
            raise TemplateError(explain_error(error, name)) from None
        # The built-in templates are tested, and their values are validated.
        return (text.strip() + "\n").encode() if folder is None else validate_xml(text, root, name)

    return render


def validate_xml(text: object, root: str, name: str) -> bytes:
    """Validate and encode the output of a custom template.

    Args:
        text: The document. White space around it is removed.
        root: The name of the root element, in the namespace of the protocol.
        name: The name of the template in messages.

    Raises:
        TemplateError: The text is not well-formed (for example, it contains a character that XML
            1.0 cannot represent), has another root, or declares another encoding than UTF-8.
    """
    from docs_sitemap.sitemap.reader import SitemapReader  # only needed by custom templates
    from docs_sitemap.sitemap.rules import UnusableFileError

    if not isinstance(text, str):
        raise TemplateError(f"the template {name!r} rendered {shorten(text)} instead of text")
    reader = SitemapReader()
    try:
        data = (text.strip() + "\n").encode()
        for _ in reader.entries(data[n : n + _CHUNK] for n in range(0, len(data), _CHUNK)):
            pass  # the entries themselves are checked later
    except UnicodeEncodeError as error:
        reason = f"it contains text that is not valid ({error.reason})"
    except UnusableFileError as error:
        line = "" if error.line is None else f"line {error.line}: "
        reason = f"{line}{error.rule.meaning} ({error})"
    else:
        if reader.is_index is (root == "sitemapindex"):
            return data
        reason = "the root element is another one"
    element = f'<{root} xmlns="{SITEMAP_NAMESPACE}">'
    raise TemplateError(f"the template {name!r} did not render a valid {element}: {reason}")


def explain_error(error: Exception, name: str | None) -> str:
    """Return why a template failed."""
    import jinja2

    if isinstance(error, jinja2.TemplateNotFound):
        return f"the template {shorten(str(error.name))} does not exist"
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"the template {name!r}, line {error.lineno}: {one_line(str(error.message))}"
    return f"the template {name!r} failed: {describe_error(error)}"
