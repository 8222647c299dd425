"""Link the languages of each page.

Source:
<https://developers.google.com/search/docs/specialty/international/localized-versions>.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from docs_sitemap.config.languages import (
    folder_of,
    hreflang_of,
    language_base_urls,
    language_folder,
)
from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.entry import Entry
from docs_sitemap.site import Site
from docs_sitemap.sitemap.language_tags import X_DEFAULT
from docs_sitemap.sitemap.protocol import Alternate
from docs_sitemap.tools.printing import shorten


def link_languages(
    entries: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> None:
    """Set the alternates of each listed page: the pages at the same path below the
    address of each language. Only listed pages are linked if this build has pages in a
    language. Otherwise another build has them, and all are linked. Alternates that the
    hook of the user has set stay.
    """
    languages = _find_languages(site, diagnostics)
    built = _find_built(languages, site, entries)
    if not site.is_preview:
        _check_address(site, languages, built, diagnostics)
    if not built:
        return
    linked = {}
    for entry in entries:
        if entry.reason is None and entry.page.is_translated:
            linked[entry.loc] = entry
    for loc, entry in linked.items():
        # The folder of a language may be in the folder of another one.
        own = max(filter(loc.startswith, built.values()), key=len, default=None)
        if own is None or entry.url.alternates:
            continue
        alternates = []
        for hreflang, address in languages.items():
            target = address + loc.removeprefix(own)
            if hreflang not in built or target in linked:
                alternates.append(Alternate(hreflang, target))
        # Search engines ignore a page that is only linked with itself.
        if any(alternate.href != loc for alternate in alternates):
            entry.url = replace(entry.url, alternates=tuple(alternates))


def _find_built(
    languages: Mapping[str, str], site: Site, entries: Sequence[Entry]
) -> dict[str, str]:
    """Return the languages in which this build has pages."""
    built = {}
    for hreflang, address in languages.items():
        is_below = address.startswith(site.base_url)
        if is_below and any(entry.loc.startswith(address) for entry in entries):
            built[hreflang] = address
    return built


def _check_address(
    site: Site,
    languages: Mapping[str, str],
    built: Mapping[str, str],
    diagnostics: Diagnostics,
) -> None:
    """Report why this build and the other languages are not linked with each other."""
    options = site.options
    named = {locale.hreflang for locale in options.locales}
    if not built and (languages or named - {"en"}):
        message = (
            f"the languages are not linked: {site.base_url} is not the address of any "
            "of them. Fix: add the language of this build or correct its address: in "
            f"{site.names['locales']}, path is the folder of a language, and '' is "
            "the root."
        )
        diagnostics.note(BuildCode.OPTION, message)
    if not built or site.languages is not None:  # The generator knows the addresses.
        return
    language = options.language
    folder = language_folder(options)
    expected = folder_of(options, language)
    if expected not in ("", folder):
        message = (
            f"the other languages link to /{expected}/, but this build is at "
            f"{site.base_url}. Fix: set the path of {language} to {folder} in "
            f"{site.names['locales']} of each build."
        )
        diagnostics.warn(BuildCode.OPTION, message)


def _find_languages(site: Site, diagnostics: Diagnostics) -> dict[str, str]:
    """Return the address of the site in each language, sorted by language tag. The
    address for all other languages comes last.
    """
    options = site.options
    addresses = site.languages
    if addresses is None:
        addresses = language_base_urls(options)
    languages: dict[str, str] = {}
    for code, address in addresses.items():
        try:
            languages.setdefault(hreflang_of(options, code), address)
        except ValueError as error:
            message = (
                f"the language at {address} is not linked: {error}. Fix: set its "
                f"language tag in {site.names['locales']}."
            )
            diagnostics.note(BuildCode.OPTION, message)
    languages = dict(sorted(languages.items()))
    default = options.x_default
    if default and default in addresses:
        languages[X_DEFAULT] = addresses[default]
    elif default and addresses:
        message = (
            f"{site.names['x_default']} has no effect: {shorten(default)} is not one "
            f"of the languages {', '.join(addresses)}. Fix: correct or remove it."
        )
        diagnostics.warn(BuildCode.OPTION, message)
    return languages
