"""`docs-sitemap index`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

import click

from docs_sitemap.commands.console import LinePrinter, print_json
from docs_sitemap.commands.help import DocumentedCommand
from docs_sitemap.commands.index import (
    ComposeError,
    Composition,
    DeployedBranch,
    DeployedFolder,
    DeployedTree,
    IndexedVersion,
    IndexMessage,
    IndexOptions,
    MessageKind,
    commit_to_branch,
    compose_sitemaps,
    write_to_folder,
)
from docs_sitemap.commands.index.prune import PruneError, find_sitemap_files, prune_alternates
from docs_sitemap.commands.index.spooled_files import MARK
from docs_sitemap.commands.json_formats import make_index_json
from docs_sitemap.commands.site_options import format_option, parse_base_url_option
from docs_sitemap.files import describe_write_error
from docs_sitemap.git import Branch, GitError, ending_on_signals
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.text import count, printable

_STDOUT = "-"
_MESSAGE = "Update the sitemap of all versions"
_STYLES = {
    MessageKind.ERROR: "bold red",
    MessageKind.WARNING: "bold yellow",
    MessageKind.NOTE: "bold",
}


class _OutputError(click.ClickException):
    """The sitemap cannot be written."""

    exit_code = 2


def _parse_versions(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[str, ...]:
    names = [name.strip() for value in values for name in value.split(",")]
    return tuple(dict.fromkeys(name.rstrip("/") or name for name in names if name)) or (
        "canonical",
    )


@click.command(
    cls=DocumentedCommand,
    epilog="""\b
Examples:
  docs-sitemap index public --base-url https://example.org/docs/
  docs-sitemap index gh-pages --base-url https://example.org/docs/ --commit --push
  docs-sitemap index --merge --keep-removed public --base-url https://example.org/
  docs-sitemap index --versions stable,'2.*' public --base-url https://example.org/
  docs-sitemap index gh-pages:docs --base-url https://example.org/docs/ --output index.xml""",
    exit_codes={
        0: "the sitemap is complete",
        1: "a sitemap of a version cannot be used, or nothing can be listed",
    },
)
@click.argument("deployed", metavar="DEPLOY_DIR|BRANCH[:DIR]")
@click.option(
    "--base-url",
    metavar="URL",
    callback=parse_base_url_option,
    required=True,
    help="The URL at which DEPLOY_DIR is published.",
)
@click.option(
    "--merge",
    is_flag=True,
    help="Write one sitemap with the URLs of all versions, instead of an index of their sitemaps.",
)
@click.option(
    "--versions",
    metavar="NAMES",
    multiple=True,
    callback=_parse_versions,
    help="The versions to list, separated by commas: canonical (default), all, names, aliases, or "
    "patterns such as '2.*'. Can be repeated.",
)
@click.option(
    "--prereleases",
    is_flag=True,
    help="With all or patterns, also list pre-releases, and versions such as dev and main.",
)
@click.option(
    "--keep-removed",
    is_flag=True,
    help="Also list pages that only older versions have, each from the newest of them.",
)
@click.option(
    "--prune-alternates",
    "is_pruning",
    is_flag=True,
    help="In the sitemaps below DEPLOY_DIR, remove links to languages in which the page does not "
    "exist. Deploy all languages first.",
)
@click.option(
    "--output",
    metavar="FILE",
    help="The sitemap to write. Publish it in DEPLOY_DIR under the same name. By default, "
    "sitemap.xml in DEPLOY_DIR. - prints it, which is the default for a branch. With --commit, the "
    "name of the file in the branch.",
)
@click.option("--commit", "is_commit", is_flag=True, help="Commit the sitemap to the branch.")
@click.option(
    "--message",
    metavar="TEXT",
    default=_MESSAGE,
    show_default=True,
    help="The message of the commit.",
)
@click.option(
    "--push", "is_push", is_flag=True, help="Push the branch to the remote after --commit."
)
@click.option(
    "--remote",
    metavar="NAME",
    default="origin",
    show_default=True,
    help="The remote that --push pushes to.",
)
@format_option
@click.pass_context
def index(
    ctx: click.Context,
    deployed: str,
    base_url: BaseUrl,
    merge: bool,
    versions: tuple[str, ...],
    prereleases: bool,
    keep_removed: bool,
    is_pruning: bool,
    output: str | None,
    is_commit: bool,
    message: str,
    is_push: bool,
    remote: str,
    output_format: str,
) -> None:
    """Write one sitemap for all deployed versions, languages, or projects.

    DEPLOY_DIR is the folder that is published. BRANCH is a branch of the repository in the current
    folder, such as gh-pages. It is not checked out. Versions are found in versions.json (mike), in
    switcher.json (pydata-sphinx-theme), and by the names of folders. The sitemaps of the versions
    are not changed, except by --prune-alternates.
    """
    is_folder = os.path.isdir(deployed)
    if is_commit and is_folder:
        raise click.UsageError(f"--commit needs a branch, and {deployed} is a folder")
    if is_pruning and not is_folder:
        raise click.UsageError(f"--prune-alternates needs a folder, and {deployed} is none")
    if is_push and not is_commit:
        raise click.UsageError("--push needs --commit")
    filename = None if output in (None, _STDOUT) else os.path.basename(str(output))
    if filename is not None and not filename.endswith(".xml"):
        raise click.UsageError("--output: the name of a sitemap ends in .xml")
    if is_commit and output is not None and filename != output:
        raise click.UsageError("--output: with --commit, write only the name of the file")
    options = IndexOptions(base_url, versions, prereleases, keep_removed, merge, filename)
    now = datetime.now(UTC)
    commit = None
    files: list[str] = []
    pruned = _prune(deployed, base_url) if is_pruning else []
    try:
        # Git runs in its own session, and must end with this process.
        with nullcontext() if is_folder else ending_on_signals():
            if is_commit:
                name, folder = _split_branch(deployed)
                composition, commit = commit_to_branch(
                    os.curdir,
                    name,
                    folder,
                    options,
                    now,
                    message=message,
                    remote=remote if is_push else None,
                )
                files = composition.names
            else:
                composition, files = _compose(
                    deployed, options, now, output, remote, is_json=output_format == "json"
                )
    except ComposeError as error:
        raise click.UsageError(str(error)) from None
    except GitError as error:
        if str(error).startswith("not a git repository"):
            raise click.UsageError(
                f"{deployed}: there is no folder of this name, and the current folder is not a git "
                "repository. Fix: correct the name, or change to a folder of the repository"
            ) from None
        fix = f". Fix: {error.fix}" if error.fix else ""
        raise _OutputError(f"{deployed}: {error}{fix}") from None
    except FileNotFoundError as error:
        raise click.UsageError(f"{deployed}: {error.filename}: {error.strerror}") from None
    except OSError as error:
        error.filename = error.filename or gettempdir()
        raise _OutputError(f"nothing is written: {describe_write_error(error)}") from None
    composition.messages[:0] = pruned
    if output_format == "json":
        print_json(make_index_json(composition, files, commit))
    else:
        _print_text(composition, files, commit, is_commit=is_commit)
    ctx.exit(1 if composition.has_errors else 0)


def _prune(folder: str, base_url: BaseUrl) -> list[IndexMessage]:
    """Remove links between languages that lead nowhere, and return what was removed."""
    try:
        # The sitemaps of this command list what was deployed earlier.
        sitemaps = find_sitemap_files(folder, MARK.strip().encode())
        pruned = prune_alternates(sitemaps, folder, base_url)
    except PruneError as error:
        raise _OutputError(f"no link is removed: {error}. Fix: build this sitemap again") from None
    except OSError as error:
        raise _OutputError(f"links are not removed: {describe_write_error(error)}") from None
    messages = []
    for one in pruned:
        name = one.path.relative_to(Path(folder).resolve()).as_posix()
        text = f"{printable(name)}: {count(one.links, 'link')} to other languages removed"
        messages.append(IndexMessage(MessageKind.NOTE, text))
    return messages


def _split_branch(text: str) -> tuple[str, str]:
    """Return the name of a branch, which contains no colon, and the folder in it."""
    name, _, folder = text.partition(":")
    return name, folder.strip("/")


def _compose(
    deployed: str,
    options: IndexOptions,
    now: datetime,
    output: str | None,
    remote: str,
    *,
    is_json: bool,
) -> tuple[Composition, list[str]]:
    """Compose the sitemaps of a folder or branch without a commit, and write or print them."""
    tree: DeployedTree
    if os.path.isdir(deployed):
        tree = DeployedFolder(deployed)
        target = os.path.join(deployed, "sitemap.xml") if output is None else output
    else:
        name, folder = _split_branch(deployed)
        tree = DeployedBranch(Branch.find(os.curdir, name, remote), folder)
        target = output or _STDOUT
    with TemporaryDirectory() as scratch:
        try:
            written = None if target == _STDOUT else DeployedFolder(os.path.dirname(target) or ".")
            composition = compose_sitemaps(tree, options, Path(scratch), now, written)
        finally:
            tree.close()
        if not composition.files:
            return composition, []
        if target == _STDOUT:
            if not is_json:
                _print_sitemap(composition)
            return composition, []
        return composition, [*map(str, write_to_folder(composition, Path(target).parent))]


def _print_sitemap(composition: Composition) -> None:
    number = len(composition.names)
    if number > 1:
        raise _OutputError(
            f"the sitemap has {count(number, 'file')}, which cannot be printed. Fix: write "
            "them with --output or --commit"
        )
    path = composition.files[composition.filename]
    assert path is not None  # noqa: S101  # Only parts of earlier sitemaps have no content.
    with path.open(encoding="utf-8") as file:
        for line in file:
            click.echo(line, nl=False)


def _print_text(
    composition: Composition, files: Sequence[str], commit: str | None, *, is_commit: bool
) -> None:
    # Standard output contains the sitemap if it is printed.
    printer = LinePrinter(stderr=not files and bool(composition.files))
    for version in composition.versions:
        printer.line((version.folder or "/", "bold"), f": {_version_text(version)}")
    for message in composition.messages:
        label = (message.kind.capitalize(), _STYLES[message.kind])
        printer.line(label, f": {message.text}")
    if not composition.files:
        return
    kind = f"an index of {count(composition.sitemaps, 'sitemap')}, " if composition.sitemaps else ""
    notes = [f"{kind}{count(composition.urls, 'URL')}"]
    if composition.kept:
        notes.append(f"{composition.kept:,} of them removed in newer versions")
    if composition.duplicates:
        notes.append(f"{count(composition.duplicates, 'duplicate')} omitted")
    if commit is not None:
        notes.append(f"commit {commit[:12]}")
    elif is_commit:
        notes.append("nothing to commit")
    name = files[0] if files and not is_commit else composition.filename
    printer.line((name, "bold"), f": {', '.join(notes)}")


def _version_text(version: IndexedVersion) -> str:
    aliases = f" ({', '.join(version.aliases)})" if version.aliases else ""
    subject = f"version {version.name}{aliases}, " if version.name else ""
    if version.reason is not None:
        return f"{subject}not listed: {version.reason}"
    date = "" if version.lastmod is None else f", last change {version.lastmod}"
    return f"{subject}listed, {count(version.urls, 'URL')}{date}"
