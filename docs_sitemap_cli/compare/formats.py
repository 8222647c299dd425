"""The output formats of `docs-sitemap compare`."""

from collections.abc import Sequence

from docs_sitemap.tools.printing import count, printable
from docs_sitemap_cli.console import join_some, print_json, print_line

from .comparison import Comparison

# The text shows the dates and links of this many pages.
_MAX_SHOWN = 10

# A line of the summary in Markdown shows this many URLs.
_MAX_NAMES = 5


def _print_text(comparison: Comparison) -> None:
    removed = []
    for url, reason in comparison.removed.items():
        removed.append(f"{url} ({reason})" if reason else url)
    changed = [_change(*urls) for urls in comparison.changed.items()]
    dates = []
    for url, pair in comparison.dates.items():
        dates.append(f"{url}: {_change(*pair)}")
    links = []
    for url, pairs in comparison.alternates.items():
        for language, pair in pairs.items():
            links.append(f"{url}: {language}: {_change(*pair)}")
    _print_list("URL", "disappear", removed)
    _print_list("URL", "appear", comparison.added)
    _print_list("URL", "change", changed)
    _print_list("date", "change", dates, limit=_MAX_SHOWN)
    _print_list("hreflang link", "change", links, limit=_MAX_SHOWN)
    if comparison.lost:
        lost = count(len(comparison.lost), "URL")
        print_line(
            (f"Nothing redirects {lost}", "bold red"),
            ". Fix: add a page with <meta http-equiv=refresh>, or a line in "
            "_redirects:",
        )
        for url in comparison.lost:
            print_line(f"  {url}")
        print_line()
    print_line(
        f"{count(comparison.urls_before, 'URL')} before, {comparison.urls_after:,} "
        "after"
    )


def _change(old: str | None, new: str | None) -> str:
    return f"{old or 'none'} -> {new or 'none'}"


def _print_list(
    subject: str, verb: str, lines: Sequence[str], *, limit: int | None = None
) -> None:
    if not lines:
        return
    ending = "s" if len(lines) == 1 else ""
    print_line((f"{count(len(lines), subject)} {verb}{ending}:", "bold"))
    shown = lines[:limit]
    for line in shown:
        print_line(f"  {line}")
    if len(shown) < len(lines):
        print_line(f"  … and {len(lines) - len(shown):,} more; --format json shows all")
    print_line()


def _print_markdown(comparison: Comparison) -> None:
    """Print a summary for a review or for the page of a job."""
    print_line(
        f"**Sitemap:** {count(comparison.urls_before, 'URL')} before, "
        f"{comparison.urls_after:,} after"
    )
    removed = comparison.removed.keys() - comparison.lost
    moved = []
    for before, after in comparison.changed.items():
        if before not in comparison.lost:
            moved.append(_code(before, after))
    dates = []
    for url, (old, new) in comparison.dates.items():
        dates.append(f"{_code(url)} ({_code(old or 'no date', new or 'no date')})")
    groups = {
        "new": map(_code, comparison.added),
        "removed, and nothing redirects": map(_code, comparison.lost),
        "removed": map(_code, sorted(removed)),
        "moved": moved,
        "dated differently": dates,
        "with other languages": map(_code, comparison.alternates),
    }
    print_line()
    for label, texts in groups.items():
        names = list(texts)
        if names:
            print_line(f"- {len(names):,} {label}: {join_some(names, _MAX_NAMES)}")


def _code(*texts: str) -> str:
    """Return texts as code with an arrow between them. Nothing in them is markup."""
    return " → ".join(f"`{printable(text).replace('`', '%60')}`" for text in texts)


COMPARE_FORMATS = {
    "text": _print_text,
    "json": print_json,
    "markdown": _print_markdown,
}
