"""`docs-sitemap index`."""

import os
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click
import msgspec

from docs_sitemap.built.deployed_branch import DeployedBranch
from docs_sitemap.built.site_folder import SiteFolder
from docs_sitemap.commands.console import print_json, print_line
from docs_sitemap.commands.site_options import format_option, parse_base_url_option
from docs_sitemap.diagnostics import Severity
from docs_sitemap.git.branch import Branch
from docs_sitemap.git.run import GitError
from docs_sitemap.tools.files import lock_folder, replace_files
from docs_sitemap.tools.printing import count, printable

from .canonical_links import PageLink, describe_first_links, describe_links
from .composition import Composition, IndexOptions, IndexResult, LazyContents, compose
from .versions import Deployed

_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.NOTICE: "bold",
}


class _OutputError(click.ClickException):
    """The sitemap cannot be written."""

    exit_code = 2


def _run(options: IndexOptions) -> Composition:
    """Compose the sitemap, and commit it or write it, if the user says where."""
    if os.path.isdir(options.deployed):
        target = options.output or os.path.join(options.deployed, "sitemap.xml")
        return _write(SiteFolder(options.deployed), target, options)
    # The name of a branch contains no colon.
    name, _, folder = options.deployed.partition(":")
    folder = folder.strip("/")
    branch = Branch.find(os.curdir, name)
    with closing(DeployedBranch(branch, folder)) as tree:
        if options.output is not None and not options.is_commit:
            return _write(tree, options.output, options)
        composition = compose(tree, options)
        if options.is_written and (composition.files or options.is_canonical):
            sitemaps = LazyContents(composition.files).items()
            message = "Update the sitemap of all versions"
            if options.is_canonical:
                message = "Update the sitemap and the canonical links of all versions"
            composition.commit = branch.commit(
                folder,
                chain(composition.changed_pages, sitemaps),
                message,
                push=options.is_push,
            )
            composition.written = composition.names
        _read_rest(composition)
    return composition


def _write(tree: SiteFolder, target: str, options: IndexOptions) -> Composition:
    """Write the pages and the sitemap into folders."""
    folder = os.path.dirname(target) or os.curdir
    composition = compose(tree, options, SiteFolder(folder))
    if options.is_canonical and options.is_written:
        root = Path(options.deployed)
        with lock_folder(root):
            for file, data in composition.changed_pages:
                replace_files({root / file: data}, root)
    if composition.files and not options.is_dry_run:
        _replace_files(composition, Path(folder))
    _read_rest(composition)
    return composition


def _read_rest(composition: Composition) -> None:
    """Read the pages that are not written, to show what would change."""
    deque(composition.changed_pages, maxlen=0)


def _replace_files(composition: Composition, folder: Path) -> None:
    """Replace the files of an earlier sitemap: all of them, or none."""
    new = {}
    old = []
    # The sitemap itself is replaced last, and old parts are removed after that.
    for name, read in reversed(composition.files.items()):
        if read is None:
            old.append(folder / name)
        else:
            new[folder / name] = read
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder):
        replace_files(LazyContents(new))
        replace_files(dict.fromkeys(old))
    composition.written = [printable(str(folder / name)) for name in composition.names]


def _parse_versions(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for name in filter(None, map(str.strip, ",".join(values).split(","))):
        names[name.rstrip("/") or name] = None
    return tuple(names)


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
  docs-sitemap index --versions stable,'2.*' public --base-url https://example.org/
  docs-sitemap index public --base-url https://example.org/docs/ --canonical --dry-run

\b
Exit codes:
  0  the sitemap is complete, or no version has one and --canonical finds pages
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
@_option(
    "--merge", "Write one sitemap with the URLs of all versions, instead of an index."
)
@_option(
    "--versions",
    "The versions to list, separated by commas: canonical (default), all, names, "
    "aliases, or patterns such as '2.*'. Can be repeated.",
    "NAMES",
    multiple=True,
    callback=_parse_versions,
)
@_option(
    "--skip",
    "The names or patterns of versions to ignore, such as old ones. Can be repeated.",
    "NAMES",
    multiple=True,
    callback=_parse_versions,
)
@_option(
    "--output",
    "The sitemap to write, for DEPLOY_DIR. By default, sitemap.xml in this folder; "
    "for a branch, nothing. With --commit, the name of the file in the branch.",
    "FILE",
)
@_option("--commit is_commit", "Commit the sitemap to the branch.")
@_option("--push is_push", "Push the branch to the remote after --commit.")
@_option(
    "--canonical is_canonical",
    "Point the pages of other versions to the same pages of the canonical version, "
    "with canonical links.",
)
@_option("--dry-run is_dry_run", "Write nothing, and show what would change.")
@format_option
@click.pass_context
def index(ctx: click.Context, /, output_format: str, **values: Any) -> None:
    """Write one sitemap for all versions, languages, or projects.

    DEPLOY_DIR is the folder that is published. BRANCH is a branch of the repository in
    the current folder, such as gh-pages. It is not checked out. Versions are found in
    versions.json (mike), and by the names of folders. The sitemaps of the versions are
    not changed, and neither are their pages, unless you add --canonical.
    """
    options = IndexOptions(**values)
    options.check()
    try:
        composition = _run(options)
    except GitError as error:
        text = str(error)
        fix = error.fix or "if git fsck reports damage, clone the repository again"
        if text.startswith("not a git repository"):
            text = (
                "there is no folder of this name, and the current folder is not a git "
                "repository"
            )
            fix = "correct the name, or change to a folder of the repository"
        raise _OutputError(
            printable(f"{options.deployed}: {text}. Fix: {fix}")
        ) from None
    if composition.canonical_links and not any(
        version.sitemaps for version in composition.versions
    ):
        # Old versions may have no usable sitemaps. Their links are complete anyway.
        warn = partial(replace, severity=Severity.WARNING)
        composition.diagnostics = [*map(warn, composition.diagnostics)]
    if output_format == "json":
        print_json(msgspec.convert(composition, IndexResult, from_attributes=True))
    else:
        _print_text(composition, options)
    severities = [diagnostic.severity for diagnostic in composition.diagnostics]
    ctx.exit(int(Severity.ERROR in severities))


def _print_text(composition: Composition, options: IndexOptions) -> None:
    for version in composition.versions:
        print_line((version.folder or "/", "bold"), f": {_version_text(version)}")
    for diagnostic in composition.diagnostics:
        severity = diagnostic.severity
        text = diagnostic.message
        if diagnostic.file is not None:
            line = "" if diagnostic.line is None else f":{diagnostic.line}"
            text = f"{diagnostic.file}{line}: {diagnostic.code}: {text}"
        if diagnostic.fix:
            text += f". Fix: {diagnostic.fix}"
        print_line((severity.capitalize(), _STYLES[severity]), f": {text}")
    if composition.files:
        _print_sitemap(composition, options)
    if options.is_canonical:
        _print_links(composition.canonical_links, is_written=options.is_written)


def _print_links(links: Sequence[PageLink], *, is_written: bool) -> None:
    text = "no pages of other versions"
    if links:
        text = describe_links(links, is_written=is_written)
    print_line(("canonical links", "bold"), f": {text}")
    if not is_written:
        for text in describe_first_links(links):
            print_line(f"  {text}")


def _print_sitemap(composition: Composition, options: IndexOptions) -> None:
    text = count(composition.urls, "URL")
    if composition.sitemaps:
        text = f"an index of {count(composition.sitemaps, 'sitemap')}, {text}"
    if composition.commit is not None:
        text += f", commit {composition.commit[:12]}"
    elif options.is_dry_run:
        text += ", not written"
    elif options.is_commit:
        text += ", nothing to commit"
    elif not composition.written:
        text += ", not written without --commit or --output"
    file = [*composition.written, composition.filename][0]
    print_line((file, "bold"), f": {text}")


def _version_text(version: Deployed) -> str:
    text = ""
    if version.name:
        aliases = f" ({', '.join(version.aliases)})" if version.aliases else ""
        text = f"version {version.name}{aliases}, "
    if version.reason is not None:
        return f"{text}skipped: {version.reason}"
    text += f"listed, {count(version.urls, 'URL')}"
    if version.lastmod is not None:
        text += f", last change {version.lastmod}"
    return text
