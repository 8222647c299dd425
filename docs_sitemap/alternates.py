"""Link the languages of each page.

Source: <https://developers.google.com/search/docs/specialty/international/localized-versions>.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from docs_sitemap.diagnostics import BuildCode, Diagnostic, Severity
from docs_sitemap.entry import Entry
from docs_sitemap.languages import find_folder
from docs_sitemap.printing import shorten
from docs_sitemap.site import Site
from docs_sitemap.sitemap.hreflang import X_DEFAULT
from docs_sitemap.sitemap.protocol import Alternate


def link_languages(entries: Sequence[Entry], site: Site, diagnostics: list[Diagnostic]) -> None:
    """Set the alternates of each listed page: the pages at the same path below the address of each
    language. Only listed pages are linked if this build has pages in a language. Otherwise another
    build has them, and all are linked. Alternates that the hook of the user has set stay.
    """
    languages = _find_languages(site, diagnostics)
    built = {
        hreflang: address
        for hreflang, address in languages.items()
        if address.startswith(site.base_url) and any(one.loc.startswith(address) for one in entries)
    }
    if not site.is_preview:
        diagnostics += _check_address(site, languages, built)
    accepts_all = site.options.min_translated == 0
    linked = {
        entry.loc: entry
        for entry in entries
        if entry.reason is None and (entry.page.is_translated or accepts_all)
    }
    for loc, entry in linked.items():
        # The folder of a language may be in the folder of another one.
        own = max(filter(loc.startswith, built.values()), key=len, default=None)
        if own is not None:
            path = loc.removeprefix(own)
            alternates = [
                Alternate(hreflang, address + path)
                for hreflang, address in languages.items()
                if hreflang not in built or address + path in linked
            ]
            # Search engines ignore a page that is only linked with itself.
            if len({one.href for one in alternates}) > 1 and not entry.url.alternates:
                entry.url = replace(entry.url, alternates=tuple(alternates))


def _check_address(
    site: Site, languages: Mapping[str, str], built: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """Yield why this build and the other languages are not linked with each other."""
    options, base_url, severity = site.options, site.base_url, Severity.NOTICE
    language, folder = options.language, options.language_folder()
    # The generator may know the addresses of the languages.
    expected = options.folder_of(language) if site.languages is None else ""
    named = {one.hreflang for one in options.locales}
    is_english = language.lower().startswith("en")
    if expected and not folder and not is_english and find_folder("en", base_url):
        message = f"this build is in {language}, but its URLs are in the English site, {base_url}"
        fix = f"write {expected} instead of en in the address of the site"
    elif not built and (languages or (named and named | {language} != {"en"})):
        message = f"the languages are not linked: {base_url} is not the address of any of them"
        fix = "add the language of this build, with this address, or correct the addresses"
        if expected:
            fix = (
                f"if it is published there, set the path of {language} to '' in the option locales "
                f"of each build; if not, add the folder {expected} to the address of the site"
            )
    elif built and expected not in ("", folder):
        severity = Severity.WARNING
        message = f"the other languages link to /{expected}/, but this build is at {base_url}"
        fix = f"set the path of {language} to {folder} in the option locales of each build"
    elif expected and not built.keys() <= named | {X_DEFAULT}:
        message = f"the other languages do not link back: {language} is not in the option locales"
        fix = "name all languages there, in the same way in each build"
    else:
        return
    yield Diagnostic(BuildCode.OPTION, f"{message}. Fix: {fix}.", severity)


def _find_languages(site: Site, diagnostics: list[Diagnostic]) -> dict[str, str]:
    """Return the address of the site in each language, sorted by language tag. The address
    for all other languages comes last.
    """
    options = site.options
    addresses = options.language_base_urls() if site.languages is None else site.languages
    languages: dict[str, str] = {}
    for code, address in addresses.items():
        try:
            languages.setdefault(options.hreflang_of(code), address)
        except ValueError as error:
            message = (
                f"the language at {address} is not linked: {error}. Fix: set its language tag in "
                "the option locales."
            )
            diagnostics.append(Diagnostic(BuildCode.OPTION, message, Severity.NOTICE))
    languages = dict(sorted(languages.items()))
    default = options.x_default
    if default and default in addresses:
        languages[X_DEFAULT] = addresses[default]
    elif default and addresses:
        message = (
            f"the option x_default has no effect: {shorten(default)} is not one of the languages "
            f"{', '.join(addresses)}. Fix: correct or remove it."
        )
        diagnostics.append(Diagnostic(BuildCode.OPTION, message))
    return languages
