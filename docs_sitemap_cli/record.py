"""`docs-sitemap record`."""

import os

import click

from docs_sitemap.config.parsers import parse_ref
from docs_sitemap.git.location import check_parents
from docs_sitemap.git.run import Git, GitError
from docs_sitemap.record.store import ContentRecord, open_store
from docs_sitemap.tools.files import describe_write_error, read_regular
from docs_sitemap.tools.json_store import MAX_BYTES, StoreError
from docs_sitemap.tools.printing import count, shell_word

from .console import print_line
from .site.branch import REMOTE, fetch_command

# The exit code of git-cat-file(1) if there is no such file.
_NOT_FOUND = 128


@click.command(
    epilog="""\b
Examples:
  docs-sitemap record --previous gh-pages site/record.json
  docs-sitemap record --previous gh-pages:dev/record.json site/record.json
  docs-sitemap record --previous last/record.json site/record.json

\b
Exit codes:
  0  the record was written, or there is no valid record to copy yet""",
)
@click.option(
    "--previous",
    metavar="WHERE",
    required=True,
    help="Copy this record: a file, or a branch or commit of the git repository, which "
    "is not checked out. `BRANCH:FILE` names the file on a branch.",
)
@click.argument("path", metavar="PATH", type=click.Path(dir_okay=False))
def record(previous: str, path: str) -> None:
    """Copy the content record of the last deployment.

    PATH is the file that the option `lastmod_record` or `generate --record` names. On a
    branch, the record is the file of the same name at the top level: with PATH
    `site/record.json`, it is `record.json`.
    """
    try:
        data = _read(previous, path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.UsageError(
            f"--previous: {previous} cannot be read: {reason}"
        ) from None
    except GitError as error:
        raise click.UsageError(
            f"--previous: {previous} is not a file, and git has failed: {error}. Fix: "
            "run the command in the git repository, or correct --previous."
        ) from None
    if data is None:
        print_line(
            f"first build: there is no content record at {shell_word(previous)} yet"
        )
        if not _is_path(previous):
            branch = previous.partition(":")[0].removeprefix(f"{REMOTE}/")
            print_line(
                "Note: a clone may not contain all branches. If this is not the first "
                f"build, run: {fetch_command(branch)}"
            )
        return
    store = open_store(path)
    try:
        content = store.parse(data)
    except StoreError as error:
        print_line(
            f"Warning: the content record at {shell_word(previous)} is not used: "
            f"{error}. Fix: build the site. The build writes a new record, with the "
            "dates from git.",
            stderr=True,
        )
        return
    _save(content, path)
    number = count(len(content.pages), "page")
    print_line(f"copied the content record of {number} to {shell_word(path)}")


def _save(content: ContentRecord, path: str) -> None:
    try:
        check_parents(path, os.curdir)
        open_store(path).save(content)
    except OSError as error:
        raise click.UsageError(
            f"PATH cannot be written: {describe_write_error(error)}"
        ) from None


def _read(previous: str, path: str) -> bytes | None:
    """Return the content of a record; `None` if there is none.

    Raises:
        OSError: The file cannot be read.
        GitError: Git failed.
        ValueError: The text names neither a file nor a commit.
    """
    if "://" in previous:
        raise ValueError(
            "URLs are not downloaded. Fix: download the record to a file, such as "
            "last.json, and use --previous last.json"
        )
    if _is_path(previous):
        if not os.path.lexists(previous):
            return None
        return read_regular(previous, MAX_BYTES)
    ref, _, name = previous.partition(":")
    parse_ref(ref)
    git = Git(os.getcwd())
    git.output(["rev-parse", "--git-dir"])  # Fail outside a repository.
    file = name or os.path.basename(path)
    # In a clone, the other branches are only branches of the remote.
    for branch in (ref, f"{REMOTE}/{ref}"):
        arguments = ["cat-file", "blob", f"{branch}:{file}"]
        data = git.output(arguments, accept=(0, _NOT_FOUND), limit=MAX_BYTES)
        if data:
            return data
    return None


def _is_path(previous: str) -> bool:
    if os.path.lexists(previous) or os.path.isabs(previous):
        return True
    return previous.partition(":")[0].endswith(".json")
