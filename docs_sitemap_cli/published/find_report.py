"""The saved report of the build of a site, if it is still the one of its sitemap."""

import os
from collections.abc import Iterator
from contextlib import suppress

import click

from docs_sitemap.result import SavedReport, hash_sitemap, read_report
from docs_sitemap.sitemap.protocol import MAX_BYTES
from docs_sitemap.sitemap.urls import INDEX_FILE
from docs_sitemap.tools.cache_folder import find_report_paths, may_be_report_of
from docs_sitemap.tools.files import StrPath
from docs_sitemap.tools.json_store import StoreError
from docs_sitemap_cli.console import print_line, shell_word

from .folder import ADDRESS_OPTIONS, Generator, SiteFolder, find_generator
from .sitemap_sources import find_other_site, find_sitemaps


def find_report(site_dir: str, report_file: str | None) -> SavedReport | None:
    """Return the report of the build of a site, and print a note if it is outdated. An
    outdated report is used only if the user named it.

    Args:
        site_dir: The folder of the site.
        report_file: The value of `--report`.

    Raises:
        click.UsageError: The file that the user named is not a valid report.
    """
    reports = []
    if report_file is not None:
        try:
            reports.append(read_report(report_file))
        except StoreError as error:
            raise click.UsageError(
                f"--report: {report_file} is not a valid build report: {error}. "
                "Fix: build the site again"
            ) from None
    else:
        reports += find_saved_reports(site_dir)
    for report in reports:
        if is_current(report, site_dir):
            return report
    if reports:
        note = explain_missing_sitemap(site_dir) or (
            "the report of the build does not match: another build or program wrote "
            f"the sitemap in {site_dir}. Fix: build the site or run docs-sitemap "
            "generate again"
        )
        print_line(f"Note: {note}", stderr=True)
    return None if report_file is None else reports[0]


def find_saved_reports(site_dir: str) -> Iterator[SavedReport]:
    """Yield the reports that builds of a site have saved, also outdated ones."""
    for path in find_report_paths(site_dir):
        with suppress(StoreError):
            report = read_report(path)
            project = os.path.join(site_dir, report.project)
            if may_be_report_of(path, project):
                yield report


# For generators with a plugin: the file of the configuration, and the plugin.
_BUILDS = {
    Generator.MKDOCS: ("mkdocs.yml", "the plugin sitemap"),
    Generator.SPHINX: ("conf.py", "the extension sphinx_sitemap_ext"),
}


def explain_missing_report(site_dir: str) -> str | None:
    """Return why a machine has no report of the build of a site, and how to get one;
    `None` if it has one, but it is outdated.
    """
    if any(find_saved_reports(site_dir)):
        return None
    note = explain_missing_sitemap(site_dir)
    if note is not None:
        return note
    folder = SiteFolder(site_dir)
    build = _BUILDS.get(find_generator(folder))
    program = build[1] if build else "docs-sitemap generate"
    name = find_sitemaps(folder)[0]
    return (
        f"this machine has no report of the build that wrote {name}. Fix: build the "
        f"site here with {program}, or pass the saved report: --report FILE"
    )


def explain_missing_sitemap(site_dir: str) -> str | None:
    """Return why a site has no sitemap, and how to get one; `None` if it has one."""
    folder = SiteFolder(site_dir)
    if find_sitemaps(folder):
        return None
    other = find_other_site(site_dir)
    if other is not None:
        fix = f"pass {shell_word(other)}"
        return f"{site_dir} has no sitemap, but {other} has one. Fix: {fix}"
    generator = find_generator(folder)
    if generator not in _BUILDS:
        return (
            f"{site_dir} has no sitemap: the build failed or does not write one. Fix: "
            "build again (with site_url in MkDocs, html_baseurl in Sphinx), or run "
            f"docs-sitemap generate {shell_word(site_dir)}"
        )
    file, plugin = _BUILDS[generator]
    # Most themes write a canonical link if the address is set.
    if folder.head(INDEX_FILE).canonicals:
        return (
            f"{site_dir} has no sitemap: the build failed or ran without {plugin}. "
            f"Fix: add {plugin} to {file}, build again, and look for warnings"
        )
    setting = ADDRESS_OPTIONS[generator]
    return (
        f"{site_dir} has no sitemap: {setting} is probably not set. Fix: set "
        f"{setting} in {file} to the address of the published site, then build again "
        f"with {plugin}"
    )


def find_project(report: SavedReport, site_dir: str, report_file: str | None) -> str:
    """Return the folder of the project of a site.

    Args:
        report: The report of the build.
        site_dir: The folder of the site.
        report_file: The value of `--report`. Such a report may come from elsewhere, and
            name any folder, so the project is in the current one.
    """
    if report_file is not None:
        return os.curdir
    return os.path.join(site_dir, report.project)


def is_current(report: SavedReport, site_dir: StrPath) -> bool:
    """Return whether the sitemap in a folder is the one that the build wrote."""
    if not report.files:
        return True
    with suppress(OSError), SiteFolder(site_dir).open_file(report.files[0]) as file:
        return hash_sitemap(file.read(MAX_BYTES)) == report.sha256
    return False
