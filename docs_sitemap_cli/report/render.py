"""The report as one HTML file, which loads nothing, and as text for terminals."""

from base64 import b64encode
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from docs_sitemap.tools.printing import printable

from .charts import count_by_quarter, group_by_year
from .facts import FreshnessReport
from .pages import BANDS, find_band, format_age


def render_html(facts: FreshnessReport) -> bytes:
    """Return the HTML file. Everything in it is escaped."""
    text = _render("report.html.j2", facts, autoescape=True)
    # File names may contain bytes that are not UTF-8.
    return text.encode("utf-8", "backslashreplace")


def render_text(facts: FreshnessReport, site_dir: str) -> list[str]:
    """Return the lines of the text. The first line is the summary."""
    text = _render(
        "report.txt.j2",
        facts,
        # A line break in a file name must not start another line.
        finalize=lambda value: printable(str(value)),
    )
    return f"{site_dir}: {text}".splitlines()


def _render(name: str, facts: FreshnessReport, **options: Any) -> str:
    import jinja2  # JSON does not need it.

    environment = jinja2.Environment(  # noqa: S701  # `render_html` sets `autoescape`.
        loader=jinja2.PackageLoader("docs_sitemap_cli.report"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )
    environment.filters["age"] = format_age
    environment.filters["band"] = find_band
    environment.filters["number"] = "{:,}".format
    environment.filters["by_year"] = group_by_year
    values: dict[str, object] = {}
    for kind, file in (("style", "report.css"), ("script", "report.js")):
        text = environment.get_template(file).render()
        values[kind] = text
        # The browser uses no other style, and runs no other script.
        values[f"{kind}_hash"] = b64encode(sha256(text.encode()).digest()).decode()
    return environment.get_template(name).render(
        facts=facts,
        bands=BANDS,
        bars=count_by_quarter(facts.pages, facts.today),
        version=version("docs-sitemap"),
        **values,
    )
