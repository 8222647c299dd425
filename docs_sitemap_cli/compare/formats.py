"""The output formats of `docs-sitemap compare`."""

from collections.abc import Callable, Iterable, Sequence

from docs_sitemap.sitemap.protocol import DAY_LENGTH
from docs_sitemap.tools.printing import count, printable
from docs_sitemap_cli.console import MAX_NAMES, join_some, print_json, print_line
from docs_sitemap_cli.dating_commits import Sweep

from .comparison import Comparison, Difference, find_earlier_sweeps, sort_dates
from .moves import group_moves

# The text shows the dates and links of this many pages.
_MAX_SHOWN = 10

# In characters.
_MAX_SUBJECT = 120


def _print_text(comparison: Comparison) -> None:
    _print_counts(comparison)
    removed = []
    for url, reason in comparison.removed.items():
        removed.append(f"{url} ({reason})" if reason else url)
    changed = []
    for move in group_moves(comparison.changed):
        line = _change(move.before, move.after)
        if len(move.urls) > 1:
            line += f" ({count(len(move.urls), 'URL')})"
        changed.append(line)
    dates, others = _describe_dates(comparison, Sweep.describe)
    for url, pair in others.items():
        dates.append(f"{url}: {_change(*pair)}")
    links = []
    for url, pairs in comparison.alternates.items():
        for language, pair in pairs.items():
            links.append(f"{url}: {language}: {_change(*pair)}")
    _print_list("URL", "disappear", removed)
    _print_list("URL", "appear", comparison.added)
    number = len(comparison.changed)
    _print_list("URL", "change", changed, number=number)
    number = len(comparison.dates)
    _print_list("date", "change", dates, limit=_MAX_SHOWN, number=number)
    _print_list("hreflang link", "change", links, limit=_MAX_SHOWN)
    if comparison.lost:
        lost = count(len(comparison.lost), "URL")
        print_line()
        print_line(
            (f"Nothing redirects {lost} to a page", "bold red"),
            ". Fix: add a page with <meta http-equiv=refresh>, or a line in "
            "_redirects:",
        )
        for line in _group_lost(comparison):
            print_line(f"  {line}")


def _print_counts(comparison: Comparison) -> None:
    """Print how many pages there are, and how many share their dates."""
    text = (
        f"{count(comparison.urls_before, 'URL')} before, {comparison.urls_after:,} "
        "after"
    )
    if comparison.sweeps:
        swept = sum(len(sweep.urls) for sweep in comparison.sweeps)
        names = [sweep.name or sweep.day or "no date" for sweep in comparison.sweeps]
        text += (
            f"; {swept:,} of {comparison.urls_after:,} pages now share "
            f"{count(len(names), 'date')} ({', '.join(names)})"
        )
    print_line((text, "bold"))


def _describe_dates(
    comparison: Comparison, describe: Callable[[Sweep], str]
) -> tuple[list[str], dict[str, Difference]]:
    """Return a text for pages that have the same date now, and for those that had the
    same day before; then all other dates that changed, the most important first.

    Args:
        comparison: The comparison.
        describe: Returns the date of a sweep.
    """
    texts = []
    left = dict(sort_dates(comparison.dates))
    for sweep in comparison.sweeps:
        texts.append(f"{len(sweep.urls):,} to {describe(sweep)}")
        for url in sweep.urls:
            left.pop(url)
    for sweep in find_earlier_sweeps(left):
        days = sorted((left.pop(url)[1] or "")[:DAY_LENGTH] for url in sweep.urls)
        before = f"were {sweep.day}" if sweep.day else "had no date"
        texts.append(f"{len(days):,} {before} and are now {days[0]} to {days[-1]}")
    return texts, left


def _group_lost(comparison: Comparison) -> list[str]:
    """Return the URLs that nothing redirects to a page. URLs that all move in the same
    way are one line.
    """
    lost = dict.fromkeys(comparison.lost)
    lines = []
    for move in group_moves(comparison.changed):
        if len(move.urls) > 1 and lost.keys() >= set(move.urls):
            lines.append(f"{move.before} ({count(len(move.urls), 'URL')})")
            for url in move.urls:
                del lost[url]
    return [*lines, *lost]


def _change(old: str | None, new: str | None) -> str:
    return f"{old or 'none'} -> {new or 'none'}"


def _print_list(
    subject: str,
    verb: str,
    lines: Sequence[str],
    *,
    limit: int | None = None,
    number: int | None = None,
) -> None:
    """Print what changes, if anything does.

    Args:
        subject: What changes.
        verb: What happens to it.
        lines: One line for each change, or for some that belong together.
        limit: The largest number of lines; `None` to print all.
        number: The number of changes; by default, the number of lines.
    """
    if not lines:
        return
    if number is None:
        number = len(lines)
    ending = "s" if number == 1 else ""
    print_line()
    print_line((f"{count(number, subject)} {verb}{ending}:", "bold"))
    shown = lines[:limit]
    for line in shown:
        print_line(f"  {line}")
    if len(shown) < len(lines):
        print_line(f"  … and {len(lines) - len(shown):,} more; --format json shows all")


def _print_markdown(comparison: Comparison) -> None:
    """Print a summary for a review or for the page of a job."""
    print_line(
        f"**Sitemap:** {count(comparison.urls_before, 'URL')} before, "
        f"{comparison.urls_after:,} after"
    )
    removed = comparison.removed.keys() - comparison.lost
    kept = {}
    for before, after in comparison.changed.items():
        if before not in comparison.lost:
            kept[before] = after
    moved = [_code(move.before, move.after) for move in group_moves(kept)]
    dates, others = _describe_dates(comparison, _describe_sweep)
    # All sweeps are shown, so each text that is left out is one page.
    limit = len(dates) + MAX_NAMES
    for url, (old, new) in others.items():
        dates.append(f"{_code(url)} ({_code(old or 'no date', new or 'no date')})")
    print_line()
    _print_group("new", map(_code, comparison.added))
    _print_group("removed without a redirect to a page", map(_code, comparison.lost))
    _print_group("removed", map(_code, sorted(removed)))
    _print_group("moved", moved, number=len(kept))
    number = len(comparison.dates)
    _print_group("dated differently", dates, limit=limit, number=number)
    _print_group("with other languages", map(_code, comparison.alternates))


def _print_group(
    label: str,
    texts: Iterable[str],
    *,
    limit: int = MAX_NAMES,
    number: int | None = None,
) -> None:
    """Print a line of the summary, if it is about any page.

    Args:
        label: What the pages have in common.
        texts: The pages.
        limit: The largest number of texts in the line.
        number: The number of pages; by default, the number of texts.
    """
    names = list(texts)
    if number is None:
        number = len(names)
    if names:
        print_line(f"- {number:,} {label}: {join_some(names, limit)}")


def _describe_sweep(sweep: Sweep) -> str:
    """Return the date of the pages in a sweep, with the link of its commit."""
    if sweep.hash is None:
        return _code(sweep.lastmod or "no date")
    name = _code(sweep.name[:_MAX_SUBJECT].replace("`", "'"))
    if sweep.commit is not None and sweep.commit.url is not None:
        name = f"[{name}]({sweep.commit.url})"
    return f"the date of one commit, {name} ({_code(sweep.day)})"


def _code(*texts: str) -> str:
    """Return texts as code with an arrow between them. Nothing in them is markup."""
    return " → ".join(f"`{printable(text).replace('`', '%60')}`" for text in texts)


COMPARE_FORMATS = {
    "text": _print_text,
    "json": print_json,
    "markdown": _print_markdown,
}
