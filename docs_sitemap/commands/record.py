"""`docs-sitemap record`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from urllib.parse import urlsplit
from urllib.request import url2pathname

import click

from docs_sitemap.commands.console import LinePrinter
from docs_sitemap.files import describe_write_error, read_regular
from docs_sitemap.git.built_commit import has_commit, read_from_ref
from docs_sitemap.git.run import GitError
from docs_sitemap.json_store import MAX_BYTES, StoreError
from docs_sitemap.record.store import open_store, parse_record
from docs_sitemap.text import count, shell_word
from docs_sitemap.values import parse_ref

_REMOTE = "origin"


@click.command(
    epilog="""\b
Examples:
  docs-sitemap record --previous gh-pages site/record.json
  docs-sitemap record --previous gh-pages:dev/record.json site/record.json
  docs-sitemap record --previous last-site/ site/record.json

\b
Exit codes:
  0  the record was copied, or there is no valid record yet""",
)
@click.option(
    "--previous",
    metavar="WHERE",
    required=True,
    help="Where the record is: a file, a folder, a file:// URL, or a branch or commit of the git "
    "repository, which is not checked out. `BRANCH:FILE` names the file on a branch.",
)
@click.argument("path", metavar="PATH", type=click.Path(dir_okay=False))
def record(previous: str, path: str) -> None:
    """Copy the content record of the last deployment before a build.

    PATH is the file that the option `lastmod_record` names. In a folder or on a branch, the file
    may have the same path as PATH, or be at the end of this path: with PATH `site/record.json`,
    the file `record.json` is also found.
    """
    printer = LinePrinter()
    try:
        data = _read(previous, path)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--previous: {previous} cannot be read: {error}") from None
    except GitError as error:
        raise click.UsageError(
            f"--previous: {previous} is not a file, and git has failed: {error}. Fix: run the "
            "command in the git repository, or correct --previous."
        ) from None
    if data is None:
        printer.line(f"first build: there is no content record at {shell_word(previous)} yet")
        if branch := _missing_branch(previous):
            refspec = shell_word(f"+{branch}:refs/remotes/{_REMOTE}/{branch}")
            printer.line(
                f"Note: the clone contains no branch {branch}. If this is not the first build, "
                f"run: git fetch {_REMOTE} {refspec}"
            )
        return
    try:
        number = len(parse_record(data).pages)
    except StoreError as error:
        LinePrinter(stderr=True).line(
            f"Warning: the content record at {shell_word(previous)} is not used: {error}. Fix: "
            "build the site. The build writes a new record, with the dates from git."
        )
        return
    try:
        open_store(path).write(data)
    except OSError as error:
        raise click.UsageError(f"PATH cannot be written: {describe_write_error(error)}") from None
    printer.line(f"copied the content record of {count(number, 'page')} to {shell_word(path)}")


def _read(previous: str, path: str) -> bytes | None:
    """Return the content of a record; `None` if there is none.

    Raises:
        OSError: The file cannot be read.
        GitError: Git failed.
        ValueError: The text names neither a file nor a commit.
    """
    url = urlsplit(previous)
    if url.scheme in ("http", "https"):
        raise ValueError(
            f"{previous} is not downloaded. Fix: download the record to a file, such as last.json, "
            "and use --previous last.json"
        )
    if url.scheme == "file":
        previous = url2pathname(url.path)
    is_folder = os.path.isdir(previous)
    if is_folder:
        files = [os.path.join(previous, name) for name in _possible_names(path)]
        previous = next(filter(os.path.isfile, files), files[-1])
    if os.path.lexists(previous):
        return read_regular(previous, MAX_BYTES)
    if is_folder or url.scheme == "file" or os.path.isabs(previous):
        return None
    ref, _, name = previous.partition(":")
    parse_ref(ref)
    names = [name] if name else [*_possible_names(path)]
    # In a clone, the other branches are only branches of the remote.
    for branch in (ref, f"{_REMOTE}/{ref}"):
        data = read_from_ref(".", branch, names, limit=MAX_BYTES)
        if data is not None:
            return data
    return None


def _missing_branch(previous: str) -> str | None:
    """Return the name of a branch that the clone does not contain.

    Many CI services clone only the branch that is built, so a branch that is missing is no proof
    of a first build.
    """
    ref = previous.partition(":")[0]
    is_path = os.path.isabs(previous) or os.path.isdir(previous) or ref.endswith(("/", ".json"))
    if is_path or ref == "file" or has_commit(".", ref) or has_commit(".", f"{_REMOTE}/{ref}"):
        return None
    return ref.removeprefix(f"{_REMOTE}/")


def _possible_names(path: str) -> Iterator[str]:
    """Yield the ends of a path, the longest first: the record may be in the folder of the site."""
    parts = [part for part in path.replace(os.sep, "/").split("/") if part not in ("", ".")]
    for start in range(len(parts)):
        yield "/".join(parts[start:])
