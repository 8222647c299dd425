"""The report as one HTML file, which loads nothing, and as text for terminals."""

from base64 import b64encode
from hashlib import sha256
from typing import Any

from docs_sitemap.tools.printing import count, printable

from .facts import FreshnessReport
from .pages import BANDS, find_band


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
    script = environment.get_template("report.js").render()
    digest = sha256(script.encode()).digest()
    return environment.get_template(name).render(
        facts=facts,
        bands=BANDS,
        script=script,
        # The browser runs no other script.
        script_hash=b64encode(digest).decode(),
    )


def format_age(days: int) -> str:
    """Return an age for people: in days below two months, in months below two years."""
    months = days * 12 // 365
    if months < 2:
        return count(days, "day")
    if months < 24:
        return count(months, "month")
    return count(days // 365, "year")
