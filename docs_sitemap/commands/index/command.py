"""`docs-sitemap index`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import click
import msgspec

from docs_sitemap.commands.console import LinePrinter, print_json
from docs_sitemap.commands.help import DocumentedCommand
from docs_sitemap.commands.index.composition import (
    ComposeError,
    Composition,
    IndexedVersion,
    IndexOptions,
    compose_sitemaps,
)
from docs_sitemap.commands.index.publish import commit_to_branch, write_to_folder
from docs_sitemap.commands.index.tree import DeployedBranch, DeployedFolder, DeployedTree
from docs_sitemap.commands.site_options import format_option, parse_base_url_option
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.files import describe_write_error
from docs_sitemap.git import Branch, GitError, ending_on_signals
from docs_sitemap.text import count, printable

_STDOUT = "-"
_MESSAGE = "Update the sitemap of all versions"
_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.NOTICE: "bold",
}


class _OutputError(click.ClickException):
    """The sitemap cannot be written."""

    exit_code = 2


class IndexJson(msgspec.Struct, frozen=True, kw_only=True):
    """The document that `docs-sitemap index --format json` prints.

    Attributes:
        version: The version of this format.
        files: The sitemap and its parts that were written; empty if nothing was written.
        commit: The hash of the commit; `null` if nothing was committed.
        sitemaps: The number of sitemaps that the index lists; 0 if it is no index.
        urls: The number of URLs in all of them.
        kept: The number of these URLs that only older versions have.
        duplicates: The number of entries that were omitted, because their URLs were already listed.
        metadata: The file that names the versions; `null` if there is none.
        versions: The versions and sites that are deployed.
        diagnostics: The errors, warnings, and notices.
    """

    version: int = 1
    files: list[str]
    commit: str | None
    sitemaps: int
    urls: int
    kept: int
    duplicates: int
    metadata: str | None
    versions: list[IndexedVersion]
    diagnostics: list[Diagnostic]


@dataclass(frozen=True, slots=True)
class _Request:
    """Where the site is, and where its sitemap is written."""

    deployed: str
    output: str | None
    is_commit: bool
    message: str
    is_push: bool
    remote: str

    @property
    def is_folder(self) -> bool:
        return os.path.isdir(self.deployed)

    @property
    def filename(self) -> str | None:
        """The name of the sitemap; `None` for the usual one.

        Raises:
            click.UsageError: The options contradict each other.
        """
        if self.is_commit and self.is_folder:
            raise click.UsageError(f"--commit needs a branch, and {self.deployed} is a folder")
        if self.is_push and not self.is_commit:
            raise click.UsageError("--push needs --commit")
        if self.output in (None, _STDOUT):
            return None
        folder, name = os.path.split(str(self.output))
        if not name.endswith(".xml"):
            raise click.UsageError("--output: the name of a sitemap ends in .xml")
        if self.is_commit and folder:
            raise click.UsageError("--output: with --commit, write only the name of the file")
        root = os.path.join(os.path.realpath(self.deployed), "")
        if self.is_folder and os.path.realpath(folder).startswith(root):
            raise click.UsageError(
                f"--output: {folder} is a folder in {self.deployed}. Fix: write the file into "
                f"{self.deployed} itself, or elsewhere"
            )
        return name

    def run(self, options: IndexOptions, *, is_json: bool) -> tuple[Composition, list[str], str]:
        """Return what was composed, the files that were written, and the hash of the commit."""
        now = datetime.now(UTC)
        # The name of a branch contains no colon.
        branch, _, folder = self.deployed.partition(":")
        if self.is_commit:
            composition, commit = commit_to_branch(
                *(os.curdir, branch, folder.strip("/")),
                lambda tree, scratch: compose_sitemaps(tree, options, scratch, now),
                message=self.message,
                remote=self.remote if self.is_push else None,
            )
            return composition, composition.names, commit or ""
        tree: DeployedTree
        if self.is_folder:
            tree = DeployedFolder(self.deployed)
        else:
            found = Branch.find(os.curdir, branch, self.remote)
            tree = DeployedBranch(found, folder.strip("/"))
        usual = os.path.join(self.deployed, "sitemap.xml") if self.is_folder else _STDOUT
        target = self.output or usual
        written = None if target == _STDOUT else DeployedFolder(os.path.dirname(target) or ".")
        with TemporaryDirectory() as scratch:
            try:
                composition = compose_sitemaps(tree, options, Path(scratch), now, written)
            finally:
                tree.close()
            if written is not None and composition.files:
                write_to_folder(composition, Path(target).parent)
                names = (str(Path(target).parent / name) for name in composition.names)
                return composition, [*names], ""
            if composition.files and not is_json:
                _print_sitemap(composition)
        return composition, [], ""


def _parse_versions(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[str, ...]:
    names = [name.strip() for value in values for name in value.split(",")]
    return tuple(dict.fromkeys(name.rstrip("/") or name for name in names if name)) or (
        "canonical",
    )


@click.command(
    cls=DocumentedCommand,
    short_help="Write one sitemap for all deployed versions or sites.",
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
    "--root-version",
    metavar="NAME",
    default="",
    help="The version at the root of DEPLOY_DIR, such as 2.0. By default, a sitemap.xml there "
    "belongs to a site without versions.",
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
    is_flag=True,
    help="Leave out links to languages in which the page is not listed, or that are not returned. "
    "Deploy all languages first.",
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
def index(ctx: click.Context, output_format: str, **values: Any) -> None:
    """Write one sitemap for all deployed versions, languages, or projects.

    DEPLOY_DIR is the folder that is published. BRANCH is a branch of the repository in the current
    folder, such as gh-pages. It is not checked out. Versions are found in versions.json (mike), in
    switcher.json (pydata-sphinx-theme), and by the names of folders. The sitemaps of the versions
    are not changed.
    """
    request = _Request(**{one.name: values.pop(one.name) for one in fields(_Request)})
    options = IndexOptions(**values, filename=request.filename)
    is_json = output_format == "json"
    try:
        # Git runs in its own session, and must end with this process.
        with nullcontext() if request.is_folder else ending_on_signals():
            composition, files, commit = request.run(options, is_json=is_json)
    except ComposeError as error:
        raise click.UsageError(str(error)) from None
    except GitError as error:
        if str(error).startswith("not a git repository"):
            raise click.UsageError(
                f"{request.deployed}: there is no folder of this name, and the current folder is "
                "not a git repository. Fix: correct the name, or change to a folder of the "
                "repository"
            ) from None
        fix = f". Fix: {error.fix}" if error.fix else ""
        raise _OutputError(f"{request.deployed}: {error}{fix}") from None
    except FileNotFoundError as error:
        raise click.UsageError(
            f"{request.deployed}: {error.filename}: {error.strerror}"
        ) from None
    except OSError as error:
        error.filename = error.filename or gettempdir()
        raise _OutputError(f"nothing is written: {describe_write_error(error)}") from None
    if is_json:
        print_json(_make_json(composition, files, commit))
    else:
        _print_text(composition, files, commit, is_commit=request.is_commit)
    ctx.exit(any(one.severity is Severity.ERROR for one in composition.diagnostics))


def _make_json(composition: Composition, files: Sequence[str], commit: str) -> IndexJson:
    return IndexJson(
        files=[*map(printable, files)],
        commit=commit or None,
        sitemaps=composition.sitemaps,
        urls=composition.urls,
        kept=composition.kept,
        duplicates=composition.duplicates,
        metadata=composition.metadata,
        versions=composition.versions,
        diagnostics=composition.diagnostics,
    )


def _print_sitemap(composition: Composition) -> None:
    number = len(composition.names)
    if number > 1:
        raise _OutputError(
            f"the sitemap has {count(number, 'file')}, which cannot be printed. Fix: write "
            "them with --output or --commit"
        )
    with Path(str(composition.files[composition.filename])).open(encoding="utf-8") as file:
        for line in file:
            click.echo(line, nl=False)


def _print_text(
    composition: Composition, files: Sequence[str], commit: str, *, is_commit: bool
) -> None:
    # Standard output contains the sitemap if it is printed.
    printer = LinePrinter(stderr=not files and bool(composition.files))
    for version in composition.versions:
        printer.line((version.folder or "/", "bold"), f": {_version_text(version)}")
    for one in composition.diagnostics:
        label = (one.severity.capitalize(), _STYLES[one.severity])
        line = "" if one.line is None else f":{one.line}"
        place = "" if one.file is None else f"{one.file}{line}: {one.code}: "
        fix = f". Fix: {one.fix}" if one.fix else ""
        printer.line(label, f": {place}{one.message}{fix}")
    if not composition.files:
        return
    kind = f"an index of {count(composition.sitemaps, 'sitemap')}, " if composition.sitemaps else ""
    notes = [f"{kind}{count(composition.urls, 'URL')}"]
    if composition.kept:
        notes.append(f"{composition.kept:,} of them removed in newer versions")
    if composition.duplicates:
        notes.append(f"{count(composition.duplicates, 'duplicate')} omitted")
    if is_commit:
        notes.append(f"commit {commit[:12]}" if commit else "nothing to commit")
    name = files[0] if files and not is_commit else composition.filename
    printer.line((name, "bold"), f": {', '.join(notes)}")


def _version_text(version: IndexedVersion) -> str:
    aliases = f" ({', '.join(version.aliases)})" if version.aliases else ""
    subject = f"version {version.name}{aliases}, " if version.name else ""
    if version.reason is not None:
        return f"{subject}skipped: {version.reason}"
    date = "" if version.lastmod is None else f", last change {version.lastmod}"
    return f"{subject}listed, {count(version.urls, 'URL')}{date}"
