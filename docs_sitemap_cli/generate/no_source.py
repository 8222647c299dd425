"""What to do about the pages for which no source was found."""

from collections import Counter
from collections.abc import Sequence

from docs_sitemap.config.options import OPTION_NAMES
from docs_sitemap.diagnostics import BuildCode, DateStatus, Diagnostics
from docs_sitemap.entry import Entry
from docs_sitemap.page import NoSource
from docs_sitemap.tools.printing import count
from docs_sitemap_cli.console import join_some

from .option_places import CONFIG_FILES

# From this share of pages without a source, their folders are unusual.
_MAX_MISSING = 0.5

_OPTION = OPTION_NAMES["sources"]


def report_missing_sources(listed: Sequence[Entry], notes: Diagnostics) -> None:
    """Report how to date the listed pages for which no source was found: those that two
    files fit equally well, lists, and all others, each in one line.
    """
    tied: dict[str, NoSource] = {}
    lists, others = [], []
    for entry in listed:
        if entry.lastmod.status is not DateStatus.NO_SOURCE:
            continue
        reason = entry.page.no_source or NoSource()
        if reason.is_tied:
            tied[entry.page.name] = reason
        elif reason.is_list:
            lists.append(entry.page.name)
        else:
            others.append(entry.page.name)
    messages = []
    for page, reason in list(tied.items())[:1]:
        pages = f"{count(len(tied), 'page')} ({join_some(list(tied))})"
        messages.append(
            f"no date for {pages}, because two files fit equally well, such as "
            f"{' and '.join(reason.candidates)} for {page}. Fix: choose one in "
            f"{_OPTION} of {CONFIG_FILES[0]}: {_choices(page, reason.candidates)}"
        )
    if others:
        message = (
            f"no source was found for {count(len(others), 'page')}. Fix: run with "
            f"--dry-run to see why, then add the source files to {_OPTION}"
        )
        if len(others) > _MAX_MISSING * len(listed):
            message += f" of {CONFIG_FILES[0]}, for example: {_example(others)}"
        messages.append(message)
    if lists:
        messages.append(
            f"no date for {count(len(lists), 'page')} repeating other pages, as lists "
            f"do ({join_some(lists)}). Fix: for a date, add the files of those other "
            f"pages to {OPTION_NAMES['dependencies']}"
        )
    for message in messages:
        notes.note(BuildCode.DEPENDENCY, message)


def _choices(page: str, files: Sequence[str]) -> str:
    """Return the values of the option `sources` from which to choose for a page: the
    folders of both files, if the site has a folder for each of them.
    """
    folders = page.removesuffix("/index.html").split("/")
    paths = [file.split("/") for file in files]
    tail = 0  # the number of names that are the same at the end of both paths
    while len({tuple(path[-tail - 1 :]) for path in paths}) == 1:
        tail += 1
    start = "/".join(folders[:-tail]) if tail else ""
    lines = []
    for file, path in zip(files, paths, strict=True):
        if start:
            folder = "/".join([*path[:-tail], ""])
            lines.append(f'sources = {{ "{start}/" = "{folder}" }}')
        else:
            lines.append(f'sources = {{ "{page}" = "{file}" }}')
    return " or ".join(lines)


def _example(pages: Sequence[str]) -> str:
    """Return a value of the option `sources` to copy, for most pages."""
    folders = Counter(name.partition("/")[0] for name in pages if "/" in name)
    for folder, _ in folders.most_common(1):
        return f'sources = {{ "{folder}/" = "FOLDER/" }}'
    return 'sources = { "{name}.html" = "FOLDER/{name}.md" }'
