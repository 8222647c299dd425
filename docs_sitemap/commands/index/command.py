"""`docs-sitemap index`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import click

from docs_sitemap.commands.console import LinePrinter, print_json
from docs_sitemap.commands.index.composition import (
    ComposeError,
    Composition,
    IndexedVersion,
    IndexOptions,
    compose_sitemaps,
)
from docs_sitemap.commands.index.publish import commit_to_branch, write_to_folder
from docs_sitemap.commands.index.tree import DeployedBranch, DeployedFolder
from docs_sitemap.commands.site_options import format_option, parse_base_url_option
from docs_sitemap.diagnostics import Severity
from docs_sitemap.files import describe_write_error
from docs_sitemap.git.branch import Branch
from docs_sitemap.git.run import GitError
from docs_sitemap.text import count

_STDOUT = "-"
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTICE: "bold"}


class _OutputError(click.ClickException):
    """The sitemap cannot be written."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class _Request:
    """Where the site is, and where its sitemap is written."""

    deployed: str
    output: str | None
    is_commit: bool
    message: str
    is_push: bool
    remote: str
    output_format: str

    @property
    def is_folder(self) -> bool:
        return os.path.isdir(self.deployed)

    @property
    def filename(self) -> str | None:
        """The name of the sitemap; `None` for the usual one.

        Raises:
            click.UsageError: The options contradict each other.
        """
        folder, name = os.path.split(self.output or _STDOUT)
        root = os.path.join(os.path.realpath(self.deployed), "")
        if self.is_commit and self.is_folder:
            raise click.UsageError(f"--commit needs a branch, and {self.deployed} is a folder")
        if self.is_push and not self.is_commit:
            raise click.UsageError("--push needs --commit")
        if self.output in (None, _STDOUT):
            return None
        if not name.endswith(".xml"):
            raise click.UsageError("--output: the name of a sitemap ends in .xml")
        if self.is_commit and folder:
            raise click.UsageError("--output: with --commit, write only the name of the file")
        if self.is_folder and os.path.realpath(folder).startswith(root):
            fix = f"write the file into {self.deployed} itself, or elsewhere"
            raise click.UsageError(f"--output: {folder} is in {self.deployed}. Fix: {fix}")
        return name

    def run(self, options: IndexOptions) -> Composition:
        """Compose the sitemap, and commit it, write it, or print it."""
        now = datetime.now(UTC)
        # The name of a branch contains no colon.
        branch, _, folder = self.deployed.partition(":")
        folder = folder.strip("/")
        if self.is_commit:
            return commit_to_branch(
                *(os.curdir, branch, folder),
                lambda tree, scratch: compose_sitemaps(tree, options, scratch, now),
                message=self.message,
                remote=self.remote if self.is_push else None,
            )
        tree = (
            DeployedFolder(self.deployed)
            if self.is_folder
            else DeployedBranch(Branch.find(os.curdir, branch, self.remote), folder)
        )
        usual = os.path.join(self.deployed, "sitemap.xml") if self.is_folder else _STDOUT
        target = self.output or usual
        written = None if target == _STDOUT else DeployedFolder(os.path.dirname(target) or ".")
        with closing(tree), TemporaryDirectory() as scratch:
            composition = compose_sitemaps(tree, options, Path(scratch), now, written)
            if written is not None and composition.files:
                write_to_folder(composition, Path(target).parent)
            elif composition.files and self.output_format == "text":
                _print_sitemap(composition)
        return composition


def _parse_versions(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[str, ...]:
    names = [name.strip() for value in values for name in value.split(",")]
    names = [name.rstrip("/") or name for name in names if name] or ["canonical"]
    return tuple(dict.fromkeys(names))


def _option(
    name: str, text: str, metavar: str | None = None, **settings: Any
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    settings |= {"is_flag": True} if metavar is None else {"metavar": metavar}
    return click.option(*name.split(), help=text, **settings)


@click.command(
    epilog="""\b
Examples:
  docs-sitemap index public --base-url https://example.org/docs/
  docs-sitemap index gh-pages --base-url https://example.org/docs/ --commit --push
  docs-sitemap index --merge --keep-removed public --base-url https://example.org/
  docs-sitemap index --versions stable,'2.*' public --base-url https://example.org/
  docs-sitemap index gh-pages:docs --base-url https://example.org/docs/ --output index.xml

\b
Exit codes:
  0  the sitemap is complete
  1  a sitemap of a version cannot be used, or nothing can be listed""",
)
@click.argument("deployed", metavar="DEPLOY_DIR|BRANCH[:DIR]")
@_option(
    "--base-url",
    "The URL at which DEPLOY_DIR is published.",
    "URL",
    callback=parse_base_url_option,
    required=True,
)
@_option("--merge", "Write one sitemap with the URLs of all versions, instead of an index.")
@_option(
    "--versions",
    "The versions to list, separated by commas: canonical (default), all, names, aliases, or "
    "patterns such as '2.*'. Can be repeated.",
    "NAMES",
    multiple=True,
    callback=_parse_versions,
)
@_option(
    "--root-version",
    "The version at the root of DEPLOY_DIR, such as 2.0. By default, a sitemap.xml there belongs "
    "to a site without versions.",
    "NAME",
    default="",
)
@_option("--prereleases", "With all or patterns, also list pre-releases, dev, main, and so on.")
@_option("--keep-removed", "Also list pages that only older versions have, each from the newest.")
@_option(
    "--prune-alternates",
    "Leave out links to languages in which the page is not listed, or does not link back. Deploy "
    "all languages first.",
)
@_option(
    "--output",
    "The sitemap to write. Publish it in DEPLOY_DIR under the same name. By default, sitemap.xml "
    "in DEPLOY_DIR. - prints it, which is the default for a branch. With --commit, the name of the "
    "file in the branch.",
    "FILE",
)
@_option("--commit is_commit", "Commit the sitemap to the branch.")
@_option(
    "--message",
    "The message of the commit.",
    "TEXT",
    default="Update the sitemap of all versions",
    show_default=True,
)
@_option("--push is_push", "Push the branch to the remote after --commit.")
@_option(
    "--remote", "The remote that --push pushes to.", "NAME", default="origin", show_default=True
)
@format_option
@click.pass_context
def index(ctx: click.Context, /, **values: Any) -> None:
    """Write one sitemap for all versions, languages, or projects.

    DEPLOY_DIR is the folder that is published. BRANCH is a branch of the repository in the current
    folder, such as gh-pages. It is not checked out. Versions are found in versions.json (mike), in
    switcher.json (pydata-sphinx-theme), and by the names of folders. The sitemaps of the versions
    are not changed.
    """
    request = _Request(**{one.name: values.pop(one.name) for one in fields(_Request)})
    options = IndexOptions(**values, filename=request.filename)
    try:
        composition = request.run(options)
    except ComposeError as error:
        raise click.UsageError(str(error)) from None
    except GitError as error:
        text, fix = str(error), error.fix
        if text.startswith("not a git repository"):
            text = "there is no folder of this name, and the current folder is not a git repository"
            fix = "correct the name, or change to a folder of the repository"
        fix = f". Fix: {fix}" if fix else ""
        raise _OutputError(f"{request.deployed}: {text}{fix}") from None
    except FileNotFoundError as error:
        raise click.UsageError(f"{request.deployed}: {error.filename}: {error.strerror}") from None
    except OSError as error:
        error.filename = error.filename or gettempdir()
        raise _OutputError(f"nothing is written: {describe_write_error(error)}") from None
    if request.output_format == "json":
        print_json(composition.document)
    else:
        _print_text(composition, is_commit=request.is_commit)
    has_errors = any(one.severity is Severity.ERROR for one in composition.document.diagnostics)
    ctx.exit(int(has_errors))


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


def _print_text(composition: Composition, *, is_commit: bool) -> None:
    document = composition.document
    # Standard output contains the sitemap if it is printed.
    printer = LinePrinter(stderr=not document.files and bool(composition.files))
    for version in document.versions:
        printer.line((version.folder or "/", "bold"), f": {_version_text(version)}")
    for one in document.diagnostics:
        line = "" if one.line is None else f":{one.line}"
        place = "" if one.file is None else f"{one.file}{line}: {one.code}: "
        fix = f". Fix: {one.fix}" if one.fix else ""
        label = (one.severity.capitalize(), _STYLES[one.severity])
        printer.line(label, f": {place}{one.message}{fix}")
    kind = f"an index of {count(document.sitemaps, 'sitemap')}, " if document.sitemaps else ""
    notes = [f"{kind}{count(document.urls, 'URL')}"]
    if document.kept:
        notes.append(f"{document.kept:,} of them removed in newer versions")
    if document.duplicates:
        notes.append(f"{count(document.duplicates, 'duplicate')} omitted")
    if is_commit:
        notes.append(f"commit {document.commit[:12]}" if document.commit else "nothing to commit")
    if composition.files:
        printer.line(([*document.files, composition.filename][0], "bold"), f": {', '.join(notes)}")


def _version_text(version: IndexedVersion) -> str:
    aliases = f" ({', '.join(version.aliases)})" if version.aliases else ""
    subject = f"version {version.name}{aliases}, " if version.name else ""
    if version.reason is not None:
        return f"{subject}skipped: {version.reason}"
    date = "" if version.lastmod is None else f", last change {version.lastmod}"
    return f"{subject}listed, {count(version.urls, 'URL')}{date}"
