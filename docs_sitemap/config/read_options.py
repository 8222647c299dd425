"""Read the options of a user: parse each value, and check how they fit together."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from docs_sitemap.diagnostics import (
    BuildCode,
    Diagnostic,
    OptionError,
    Severity,
    TemplateError,
    UrlError,
)
from docs_sitemap.sitemap.protocol import part_name
from docs_sitemap.sitemap.urls import BaseUrl, make_loc, parse_base_url

from .languages import page_base_url
from .options import (
    OPTION_NAMES,
    OPTIONS,
    OptionNames,
    Options,
    describe_unknown_option,
)

_PATHS = ("template", "repository", "report", "source_dir")

# The name of no part is longer than with this number.
_LAST_PART = 10**9


def read_options(
    values: Mapping[str, Any],
    folder: str = "",
    names: OptionNames = OPTION_NAMES,
    folders: Mapping[str, str] | None = None,
) -> Options:
    """Return the options of a user.

    Args:
        values: Values as users write them, by the names in `Options`. `None` means the
            default.
        folder: The folder to which paths are relative; by default, the current folder.
        names: The names of options in messages.
        folders: Other folders for some options.

    Raises:
        OptionError: Values are invalid or contradict each other, or the template is
            missing or not valid Jinja. The error lists all of them.
    """
    known = [option.name for option in OPTIONS]
    errors = []
    for name in sorted(values.keys() - known):
        errors.append((name, describe_unknown_option(name, known)))
    parsed: dict[str, Any] = {}
    for option in OPTIONS:
        value = values.get(option.name)
        if value is not None:
            try:
                parsed[option.name] = option.parse(value)
            except ValueError as error:
                errors.append((option.name, str(error)))
    for name in _PATHS:
        if parsed.get(name):
            start = (folders or {}).get(name, folder)
            parsed[name] = os.path.join(start, parsed[name])
    options = Options(**parsed)
    if not errors:
        errors += _contradictions(options, names)
    if options.template is not None:
        from docs_sitemap.sitemap.writer import Renderer  # Most sites have no template.

        try:
            Renderer(options.template)
        except TemplateError as error:
            errors.append(("template", str(error)))
    if errors:
        raise OptionError(errors)
    return options


def with_address(options: Options, base_url: BaseUrl) -> Options:
    """Return the options with the address of the published site.

    Raises:
        OptionError: The URL of the sitemap is too long at this address.
    """
    options = options._replace(base_url=base_url)
    errors = list(_contradictions(options, OPTION_NAMES))
    if errors:
        raise OptionError(errors)
    return options


def with_published_address(
    options: Options, address: str | None, *, setting: str, file: str
) -> tuple[Options, Diagnostic | None]:
    """Return the options with the address that a setting of the generator names.

    Args:
        options: The options.
        address: The address of the published site, as the user wrote it; `None` or
            empty if it is not set.
        setting: The name of the setting.
        file: The name of the file that contains it.

    Returns:
        The options, and why no sitemap can be written. The options then have the
        address of a local build, which can still show the dates of pages.

    Raises:
        OptionError: The URL of the sitemap is too long at this address.
    """
    reason = f"{setting} is not set to an absolute URL"
    severity = Severity.NOTICE  # Local builds often have no address.
    if address:
        try:
            return with_address(options, parse_base_url(address)), None
        except UrlError as error:
            reason = str(error)
            severity = Severity.WARNING
    message = (
        f"no sitemap is written: {reason}. Fix: set {setting} in {file} to the address "
        "of the published site."
    )
    local = options._replace(base_url=BaseUrl("http://localhost/"))
    return local, Diagnostic(BuildCode.BASE_URL, message, severity)


def _contradictions(options: Options, names: OptionNames) -> Iterator[tuple[str, str]]:
    """Yield the options that do not fit the others, each with the reason."""
    try:
        make_loc(page_base_url(options), part_name(options.filename, _LAST_PART))
    except UrlError as error:
        name = "filename" if options.url_scheme == "{link}" else "url_scheme"
        yield name, str(error)
    if options.ref != "HEAD" and options.repository is None:
        yield "ref", f"{names['repository']} is not set"
    if options.page_dates and not options.lastmod:
        yield "page_dates", f"{names['lastmod']} is off, so no page has a date"
