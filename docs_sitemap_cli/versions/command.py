"""`docs-sitemap index`."""

import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.git.run import GitError
from docs_sitemap.tools.printing import count, printable
from docs_sitemap_cli.arguments import BASE_URL, check_folder
from docs_sitemap_cli.branch import CommitError, check_out, push_command
from docs_sitemap_cli.console import (
    SEVERITY_STYLES,
    join_some,
    print_json,
    print_line,
    print_summary,
)
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.site_options import (
    format_option,
    quiet_option,
)

from .canonical_links import change_page, describe_links
from .composition import (
    Composition,
    IndexOptions,
    IndexResult,
    compose,
    write,
)
from .deployed_versions import Deployed


class _OutputError(click.ClickException):
    """The sitemap cannot be written."""

    exit_code = 2


def _parse_versions(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[str, ...]:
    names = [name.strip() for name in ",".join(values).split(",")]
    return tuple(name.rstrip("/") or name for name in names if name)


@click.command(
    epilog="""\b
Examples:
  docs-sitemap index public --base-url https://example.org/docs/
  docs-sitemap index gh-pages --base-url https://example.org/docs/ --commit
  docs-sitemap index --versions stable,'2.*' public --base-url https://example.org/
  docs-sitemap index public --base-url https://example.org/docs/ --canonical --dry-run

\b
Exit codes:
  0  the sitemap is complete, or there is none to write with --canonical
  1  a sitemap of a version cannot be used, or nothing can be listed""",
)
@click.argument("deployed", metavar="DEPLOY_DIR|BRANCH[:DIR]")
@click.option(
    "--base-url",
    "-b",
    metavar="URL",
    required=True,
    type=BASE_URL,
    help="The URL of the published DEPLOY_DIR.",
)
@click.option(
    "--versions",
    metavar="NAMES",
    multiple=True,
    callback=_parse_versions,
    help="Versions to list, separated by commas: canonical (default), all, names, "
    "aliases, or patterns such as '2.*'. Other folders, such as humble,foxy, become "
    "versions: list the newest first. Can be repeated.",
)
@click.option(
    "--skip",
    metavar="NAMES",
    multiple=True,
    callback=_parse_versions,
    help="Versions to ignore, such as old ones, by name or pattern. Can be repeated.",
)
@click.option(
    "--output",
    "-o",
    metavar="NAME",
    help="The name of the sitemap in DEPLOY_DIR or DIR. By default, sitemap.xml, or "
    "sitemap-index.xml if a site at the root has a sitemap.",
)
@click.option(
    "--commit", "is_commit", is_flag=True, help="Commit the sitemap to the branch."
)
@click.option(
    "--canonical",
    "is_canonical",
    is_flag=True,
    help="Point the pages of other versions to the same pages of the canonical "
    "version, with canonical links.",
)
@click.option(
    "--dry-run",
    "is_dry_run",
    is_flag=True,
    help="Write nothing and show what would change.",
)
@format_option()
@quiet_option
@click.pass_context
def index(ctx: click.Context, /, output_format: str, **values: Any) -> None:
    """Write one sitemap for all versions, languages, or projects.

    DEPLOY_DIR is the folder you publish. BRANCH is a branch of the repository in the
    current folder, such as gh-pages, which git checks out into a temporary folder.
    Versions are found in versions.json (mike) and by the names of folders. Their
    sitemaps never change, and their pages only with --canonical.
    """
    options = IndexOptions(**values)
    options.check()
    if os.path.lexists(options.deployed):
        check_folder(options.deployed)
        composition, _ = _index_tree(SiteFolder(options.deployed), options)
        result = composition.result
        paths = [Path(options.deployed, name) for name in result.written]
        result.written = [printable(str(path)) for path in paths]
    else:
        composition = _index_branch(options)
        result = composition.result
    if output_format == "json":
        print_json(result)
    else:
        _print_text(composition, options)
    severities = [diagnostic.severity for diagnostic in result.diagnostics]
    ctx.exit(int(Severity.ERROR in severities))


def _index_tree(
    tree: SiteFolder, options: IndexOptions
) -> tuple[Composition, list[str]]:
    """Compose the sitemap of a tree, and write it, if the user wants that. Return also
    the files that were written or removed.
    """
    composition = compose(tree, options)
    files = []
    if not options.is_written:
        # Find the pages whose canonical links cannot be changed.
        for link in composition.result.canonical_links:
            change_page(tree, link)
    elif options.is_canonical or composition.content is not None:
        files = write(tree, composition)
    return composition, files


def _index_branch(options: IndexOptions) -> Composition:
    """Compose the sitemap of a branch, and commit it, if the user wants that.

    Raises:
        click.ClickException: Git failed, or a hook rejects the commit.
    """
    try:
        with check_out(options.deployed, to_commit=options.is_written) as checkout:
            composition, files = _index_tree(checkout.folder, options)
            message = "Update the sitemap of all versions"
            composition.result.commit = checkout.commit(files, message)
    except GitError as error:
        if isinstance(error, CommitError):
            for line in error.output.splitlines():
                print_line(line, stderr=True)
        fix = error.fix or "check the name, or check the repository with git fsck"
        text = f"{options.deployed}: {error}. Fix: {fix}"
        raise _OutputError(printable(text)) from None
    return composition


def _print_text(composition: Composition, options: IndexOptions) -> None:
    """Print the versions, the diagnostics, and what was written or would be."""
    result = composition.result
    changed_links = [link for link in result.canonical_links if link.is_changed]
    has_changes = composition.content is not None or bool(changed_links)
    _print_versions(result.versions)
    for diagnostic in result.diagnostics:
        _print_diagnostic(diagnostic)
    if composition.content is not None:
        sitemaps = count(result.sitemaps, "sitemap")
        text = f"an index of {sitemaps}, {count(result.urls, 'URL')}"
        name, *_ = result.written or [composition.filename]
        print_summary((name, "bold"), f": {text}{_outcome_text(result, options)}")
    if options.is_canonical:
        text = describe_links(result.canonical_links)
        if changed_links and not options.is_written:
            text += ", not written"
        print_summary(("canonical links", "bold"), f": {text}")
    if result.commit is not None:
        branch = options.deployed.partition(":")[0]
        print_summary(("to publish it", "bold"), f": {push_command(branch)}")
    elif has_changes and not options.is_written:
        option = "run without --dry-run" if options.is_dry_run else "add --commit"
        print_summary(("to write it", "bold"), f": {option}")


def _print_versions(versions: Sequence[Deployed]) -> None:
    """Print a line for each version that is listed, and one for each reason to skip
    others.
    """
    skipped = defaultdict[str, list[str]](list)
    for version in versions:
        name = version.folder or "/"
        if version.reason is None:
            print_summary((name, "bold"), f": {_version_text(version)}")
        else:
            skipped[version.reason].append(name)
    for reason, names in skipped.items():
        print_summary(("skipped", "bold"), f", {reason}: {join_some(names)}")


def _outcome_text(result: IndexResult, options: IndexOptions) -> str:
    if not options.is_written:
        return ", not written"
    if result.commit is not None:
        return f", commit {result.commit[:12]}"
    return ", nothing to commit" if options.is_commit else ""


def _print_diagnostic(diagnostic: Diagnostic) -> None:
    severity = diagnostic.severity
    text = diagnostic.message
    if diagnostic.file is not None:
        text = f"{diagnostic.place}: {diagnostic.code}: {text}"
    if diagnostic.fix:
        text += f". Fix: {diagnostic.fix}"
    print_line((severity.capitalize(), SEVERITY_STYLES[severity]), f": {text}")


def _version_text(version: Deployed) -> str:
    text = ""
    if version.name:
        aliases = f" ({', '.join(version.aliases)})" if version.aliases else ""
        text = f"version {version.name}{aliases}, "
    text += f"listed, {count(version.urls, 'URL')}"
    if version.lastmod is not None:
        text += f", last change {version.lastmod}"
    return text
