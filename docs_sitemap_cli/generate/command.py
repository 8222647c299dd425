"""`docs-sitemap generate`."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from docs_sitemap.config.options import OPTION_NAMES
from docs_sitemap.diagnostics import (
    BuildCode,
    DateStatus,
    Diagnostics,
    ExclusionReason,
)
from docs_sitemap.page import SourceRule
from docs_sitemap.sitemap.protocol import DAY_LENGTH
from docs_sitemap.tools.files import relative_path
from docs_sitemap.tools.printing import count
from docs_sitemap_cli.arguments import FILE, FOLDER
from docs_sitemap_cli.console import (
    join_some,
    print_diagnostics,
    print_line,
    print_option_files,
    print_summary,
)
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.site_options import quiet_option

if TYPE_CHECKING:
    from docs_sitemap.entry import Entry
    from docs_sitemap.result import BuildResult

    from .config_file import ProjectOptions

# Even small sites have some, such as proofs of who owns them.
_MAX_FRAGMENTS = 5

# What dates a page instead of a rule, or why no rule does.
_ORIGINS = {
    DateStatus.COMMIT: OPTION_NAMES["dependencies"],
    DateStatus.FRONT_MATTER: "its front matter",
    DateStatus.NO_SOURCE: "no source found",
}


@click.command(
    epilog="""\b
Examples:
  docs-sitemap generate
  docs-sitemap generate site --base-url https://example.org/docs/
  docs-sitemap generate build --dry-run
  docs-sitemap generate public --min-dated 90

\b
Exit codes:
  0  the sitemap is complete
  1  no sitemap was written, or fewer pages have a date than --min-dated"""
)
@click.argument("site_dir", metavar="[SITE_DIR]", required=False, type=FOLDER)
@click.option(
    "--config",
    metavar="FILE",
    type=FILE,
    help="The configuration file of docs-sitemap, Zensical, or MkDocs, if it is in "
    "another folder or has another name. Its paths are relative to its folder.",
)
@click.option(
    "--base-url",
    "-b",
    metavar="URL",
    help="The URL of the published site. By default, taken from the site, for example "
    "from canonical links.",
)
@click.option(
    "--source-dir",
    metavar="DIR",
    help="Find source files by words and paths only in this folder. By default, in all "
    "folders of the repository.",
)
@click.option(
    "--clean-urls",
    is_flag=True,
    default=None,
    help="List guide.html as guide, unless its canonical link or a sitemap has another "
    "URL.",
)
@click.option(
    "--exclude",
    metavar="PATTERNS",
    help="Pages to leave out: patterns such as 'drafts/*', separated by commas.",
)
@click.option(
    "--min-dated", metavar="PERCENT", help="Fail if fewer listed pages have a date."
)
@click.option(
    "--update",
    is_flag=True,
    help="Keep the generator's sitemap and only add and correct its dates. Options for "
    "a new sitemap, such as --exclude, have no effect.",
)
@click.option(
    "--dry-run", is_flag=True, help="Write nothing and show the same as --verbose."
)
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="Show pages, dates, and sources, or why a page has none.",
)
@quiet_option
@click.pass_context
def generate(
    ctx: click.Context,
    /,
    site_dir: str | None,
    config: str | None,
    dry_run: bool,
    **given: Any,
) -> None:
    """Write a sitemap for the built site of any generator.

    Run it after the build, in the git repository with the source files. SITE_DIR is the
    folder you publish. With Zensical, leave it out: the folder, the address, and the
    options of the plugin sitemap are read from zensical.toml or mkdocs.yml. Put other
    options in docs-sitemap.toml or in the table [tool.docs-sitemap] of pyproject.toml.
    """
    # The help and the completion of commands need none of these.
    from docs_sitemap.build import build_sitemap, plan_sitemap

    from .built_site import read_site
    from .config_file import read_settings
    from .generator_sitemaps import report_conflicts, report_left_out, update_sitemaps
    from .no_source import report_missing_sources

    is_update = given.pop("update")
    is_verbose = given.pop("verbose")
    settings = {name: value for name, value in given.items() if value is not None}
    project = read_settings(settings, site_dir, config)
    site, notes = read_site(project, is_update=is_update)
    site = replace(site, is_preview=dry_run)
    if is_update:
        result = build_sitemap(site, write=update_sitemaps)
    else:
        listed = report_conflicts(SiteFolder(project.site_dir), site, notes)
        result = plan_sitemap(site) if dry_run else build_sitemap(site)
        report_left_out(listed, result, os.fspath(site.out_dir), notes)
    if dry_run or is_verbose:
        _print_table(result, os.fspath(site.root))
        print_option_files(project.places)
        if project.unused and project.unused not in project.notes:
            print_line((project.unused, "dim"))
    # With --update, the sitemap may list other pages. A notice has their number.
    if not is_update:
        _print_summary(result)
        report_missing_sources(result.listed, notes)
        _report_fragments(result, notes)
    print_diagnostics((*notes, *result.diagnostics))
    _check_share(result, project)
    written = result.listed if dry_run else result.files
    ctx.exit(0 if written else 1)


def _print_table(result: BuildResult, folder: str) -> None:
    """Print the date of each page, its URL, the origin of the date, and its sources."""
    for entry in result.listed:
        date = (entry.url.lastmod or "no date")[:DAY_LENGTH]
        paths = []
        for source in entry.sources or ():
            paths.append(relative_path(source.path, folder))
        origin = f"  {_origin(entry)}"
        if entry.detail:
            origin += f": {entry.detail}"
        elif paths:
            origin += f": {join_some(paths)}"
        url = entry.page.url or "./"
        print_line(f"{date:<{DAY_LENGTH}}  ", (url, "bold"), (origin, "dim"))


def _origin(entry: Entry) -> str:
    """Return where the date of a page comes from, or why it is unknown."""
    status = entry.lastmod.status
    if status is DateStatus.COMMIT and entry.page.found_by is not None:
        return entry.page.found_by.meaning
    if status is DateStatus.COMMIT and entry.page.document is not None:
        return SourceRule.OWN_FILE.meaning  # It is no page, and was copied.
    return _ORIGINS.get(status, OPTION_NAMES.describe(status))


def _print_summary(result: BuildResult) -> None:
    """Print the numbers of listed and dated pages, and of undated and excluded pages
    with the reasons.
    """
    dated = []
    undated = defaultdict[str, list[str]](list)
    excluded = defaultdict[str, list[str]](list)
    for entry in result.listed:
        if entry.url.lastmod is None:
            undated[f"not dated: {_origin(entry)}"].append(entry.page.name)
        else:
            dated.append(_origin(entry))
    text = f"{count(len(result.listed), 'page')} listed, {len(dated):,} dated"
    separator = ": "
    for origin, number in Counter(dated).most_common():
        if number > 1:
            origin = origin.replace("its ", "their ")
        text += f"{separator}{number:,} by {origin}"
        separator = ", "
    print_summary(text)
    for entry in result.excluded:
        if entry.reason is not None:
            meaning = OPTION_NAMES.describe(entry.reason)
            excluded[f"left out: {meaning}"].append(entry.page.name)
    for groups in (undated, excluded):
        for text, names in sorted(groups.items(), key=lambda item: -len(item[1])):
            print_summary(f"{len(names):,} {text} ({join_some(names)})")


def _report_fragments(result: BuildResult, notes: Diagnostics) -> None:
    """Warn if most files are fragments: generators write complete pages."""
    names = []
    for entry in result.excluded:
        if entry.reason is ExclusionReason.NO_TITLE:
            names.append(entry.page.name)
    if len(names) > max(len(result.listed), _MAX_FRAGMENTS):
        message = (
            f"{count(len(names), 'file')} without a title, such as {names[0]}, are "
            f"left out and only {count(len(result.listed), 'page')} listed: the build "
            "has probably failed. Fix: open one of these files, then build the site "
            "again"
        )
        notes.warn(BuildCode.PAGE, message)


def _check_share(result: BuildResult, settings: ProjectOptions) -> None:
    """Fail if fewer of the listed pages have a date than the user wants."""
    least = settings.options.min_dated or 0
    dated = sum(entry.url.lastmod is not None for entry in result.listed)
    share = 100 * dated / max(1, len(result.listed))
    if share < least:
        label = settings.label("min_dated")
        raise click.ClickException(
            f"{label}: {share:.0f}% of the listed pages have a date, not {least:g}%. "
            "Fix: run with --dry-run to see which pages have none and why, then add "
            f"their files to {OPTION_NAMES['sources']} or allow fewer dates"
        )
