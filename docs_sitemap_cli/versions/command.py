"""`docs-sitemap index`."""

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from docs_sitemap.diagnostics import Severity
from docs_sitemap.git.run import GitError
from docs_sitemap.tools.files import lock_folder, replace_files
from docs_sitemap.tools.printing import count, printable
from docs_sitemap_cli.console import print_json, print_line
from docs_sitemap_cli.site.branch import Branch
from docs_sitemap_cli.site.deployed_branch import DeployedBranch
from docs_sitemap_cli.site.folder import SiteFolder
from docs_sitemap_cli.site_options import format_option, parse_base_url_option

from .canonical_links import describe_links
from .composition import Composition, IndexOptions, compose
from .versions import Deployed

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}


class _OutputError(click.ClickException):
    """The sitemap cannot be written."""

    exit_code = 2


def _run(options: IndexOptions) -> Composition:
    """Compose the sitemap, and commit it or write it, if the user wants that."""
    if os.path.isdir(options.deployed):
        composition = compose(SiteFolder(options.deployed), options)
        if composition.is_written:
            _write(composition, Path(options.deployed))
        # What is not written is shown.
        deque(composition.changed_pages, maxlen=0)
        return composition
    # The name of a branch contains no colon.
    name, _, folder = options.deployed.partition(":")
    folder = folder.strip("/")
    branch = Branch.find(os.curdir, name)
    if not options.is_commit:
        options = options._replace(is_dry_run=True)
    with closing(DeployedBranch(branch, folder)) as tree:
        composition = compose(tree, options)
        if composition.is_written:
            composition.result.commit = branch.commit(
                folder,
                _changes(composition),
                "Update the sitemap of all versions",
                push=options.is_push,
            )
            composition.result.written = [*composition.files]
        deque(composition.changed_pages, maxlen=0)
    return composition


def _changes(composition: Composition) -> Iterator[tuple[str, bytes | None]]:
    """Yield the new content of each file; `None` for a file to remove."""
    yield from composition.changed_pages
    for path, data in composition.files_in(Path()).items():
        yield str(path), data
    for name in composition.old_files:
        yield name, None


def _write(composition: Composition, root: Path) -> None:
    """Write the pages, and then the sitemap: all of its files, or none."""
    with lock_folder(root):
        for file, page in composition.changed_pages:
            replace_files({root / file: page}, root)
        replace_files(composition.files_in(root))
        # The new sitemap no longer lists them.
        replace_files(dict.fromkeys(root / name for name in composition.old_files))
    for name in composition.files:
        composition.result.written.append(printable(str(root / name)))


def _parse_versions(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[str, ...]:
    names = [name.strip() for name in ",".join(values).split(",")]
    return tuple(name.rstrip("/") or name for name in names if name)


def _option(
    name: str, text: str, metavar: str | None = None, **settings: Any
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    settings["is_flag"] = metavar is None
    return click.option(*name.split(), help=text, metavar=metavar, **settings)


@click.command(
    epilog="""\b
Examples:
  docs-sitemap index public --base-url https://example.org/docs/
  docs-sitemap index gh-pages --base-url https://example.org/docs/ --commit --push
  docs-sitemap index --versions stable,'2.*' public --base-url https://example.org/
  docs-sitemap index public --base-url https://example.org/docs/ --canonical --dry-run

\b
Exit codes:
  0  the sitemap is complete, or there is none to write and you add --canonical
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
    "The name of the sitemap in DEPLOY_DIR or DIR. By default, sitemap.xml, or "
    "sitemap-index.xml if a site at the root has a sitemap.",
    "NAME",
)
@_option("--commit is_commit", "Commit the sitemap to the branch.")
@_option("--push is_push", "Push the branch to the remote origin after --commit.")
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
        fix = error.fix or "check the name, and the repository with git fsck"
        text = f"{options.deployed}: {error}. Fix: {fix}"
        raise _OutputError(printable(text)) from None
    except sqlite3.OperationalError as error:
        raise _OutputError(
            f"the folder for temporary files: {error}. Fix: free some space there"
        ) from None
    result = composition.result
    if output_format == "json":
        print_json(result)
    else:
        _print_text(composition, options)
    severities = [diagnostic.severity for diagnostic in result.diagnostics]
    ctx.exit(int(Severity.ERROR in severities))


def _print_text(composition: Composition, options: IndexOptions) -> None:
    result = composition.result
    for version in result.versions:
        print_line((version.folder or "/", "bold"), f": {_version_text(version)}")
    for diagnostic in result.diagnostics:
        severity = diagnostic.severity
        text = diagnostic.message
        if diagnostic.file is not None:
            line = "" if diagnostic.line is None else f":{diagnostic.line}"
            text = f"{diagnostic.file}{line}: {diagnostic.code}: {text}"
        if diagnostic.fix:
            text += f". Fix: {diagnostic.fix}"
        print_line((severity.capitalize(), _STYLES.get(severity, "bold")), f": {text}")
    if composition.files:
        _print_sitemap(composition, options)
    if options.is_canonical:
        text = describe_links(result.canonical_links)
        if not composition.is_written:
            text += ", not written"
        print_line(("canonical links", "bold"), f": {text}")


def _print_sitemap(composition: Composition, options: IndexOptions) -> None:
    result = composition.result
    text = count(result.urls, "URL")
    if result.sitemaps:
        text = f"an index of {count(result.sitemaps, 'sitemap')}, {text}"
    if result.commit is not None:
        text += f", commit {result.commit[:12]}"
    elif not composition.is_written:
        text += ", not written"
    elif options.is_commit:
        text += ", nothing to commit"
    file = [*result.written, composition.filename][0]
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
