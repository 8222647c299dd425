"""The languages of a site: of mkdocs-static-i18n, of `extra.alternate`, or of the option `locales`.

`extra.alternate` is the language selector of Material for MkDocs:
<https://squidfunk.github.io/mkdocs-material/setup/changing-the-language/#site-language-selector>.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urljoin

from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap import OptionError, Options, Page
from docs_sitemap.options import describe_unknown_language
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url

# The language of mkdocs-static-i18n for links that are no languages.
_NO_LANGUAGE = "null"


@dataclass(frozen=True, slots=True)
class LinkedLanguages:
    """How the languages of a site are linked.

    Attributes:
        pages: The pages, with the links between languages of this build.
        languages: The address of the site in each language that is built separately, with the
            language of this build; `None` if they follow from the options.
        notices: Why languages are not linked.
    """

    pages: Sequence[Page]
    languages: Mapping[str, BaseUrl] | None = None
    notices: tuple[str, ...] = ()


def with_language(options: Options, config: MkDocsConfig) -> Options:
    """Return the options with the language of the theme, if the option `locales` alone names the
    languages of the site.

    Raises:
        OptionError: Other options do not fit the language.
    """
    if not options.locales or _plugin_languages(config) or _alternates(config):
        return options
    return replace(options, language=_theme_language(config))


def check_languages(options: Options, config: MkDocsConfig) -> None:
    """Check the languages of mkdocs-static-i18n, and the option `x_default`.

    Raises:
        OptionError: A language has no language tag, or is not one of the site. The error lists all
            of them.
    """
    errors = []
    built = _plugin_languages(config)
    if built:
        codes = [*built]
        errors += [
            ("locales", describe_unknown_language(locale.code, codes))
            for locale in options.locales
            if locale.code not in codes
        ]
        errors += _invalid_tags([code for code in codes if built[code]], options)
    else:
        codes = [_theme_language(config), *(locale.code for locale in options.locales)]
        codes += [item["lang"] for item in _alternates(config) if isinstance(item["lang"], str)]
    if options.x_default is not None and options.x_default not in codes:
        errors.append(("x_default", describe_unknown_language(options.x_default, codes)))
    if errors:
        raise OptionError(errors)


def _invalid_tags(codes: Sequence[str], options: Options) -> Iterator[tuple[str, str]]:
    codes_by_tag: dict[str, str] = {}
    for code in codes:
        fix = f"Fix: set locales: {{{code}: TAG}} with the language tag for search engines"
        try:
            tag = options.hreflang_of(code)
        except ValueError as error:
            yield "locales", f"a locale of the i18n plugin has no language tag: {error}. {fix}"
            continue
        other = codes_by_tag.setdefault(tag, code)
        if other != code:
            yield "locales", f"{other} and {code} have the same language tag, {tag}. {fix}"


def link_languages(
    pages: Sequence[Page], options: Options, config: MkDocsConfig
) -> LinkedLanguages:
    """Find the languages of a site, and link the pages of this build.

    Args:
        pages: The pages of this build.
        options: The options with the base URL.
        config: The configuration of MkDocs.
    """
    if _plugin_languages(config):
        return LinkedLanguages(pages, {})  # The pages are linked already.
    alternates = _alternates(config)
    if not alternates:
        if not options.locales or options.language_base_urls():
            return LinkedLanguages(pages)
        notice = (
            "the option locales has no effect: the URLs of all languages would be the same. Fix: "
            f"add the folder /{options.folder_of(options.language)}/ to site_url, or set the path "
            "of each language."
        )
        return LinkedLanguages(pages, notices=(notice,))
    notices: list[str] = []
    sites = [*_read_sites(alternates, options, notices)]
    base_url = options.page_base_url()
    language = _theme_language(config)
    own = [code for code, site in sites if site == base_url]
    if own and language not in own:
        language = own[0]
    folders = _folders_in_build(pages, sites, base_url)
    if folders:
        folders |= {language: ""} if own else {}
        return LinkedLanguages(_link_folders(pages, folders), {}, tuple(notices))
    site = dict(sites).get(language)
    if site is not None and not own:
        notices.append(
            f"the languages in extra.alternate are not linked: the link of {language!r} is "
            f"{site}, and site_url is {base_url}. Fix: use the same address."
        )
        return LinkedLanguages(pages, {}, tuple(notices))
    languages: dict[str, BaseUrl] = {}
    for code, site in [(language, base_url), *sites]:
        if site not in languages.values():
            languages.setdefault(code, site)
    return LinkedLanguages(pages, languages, tuple(notices))


def _read_sites(
    alternates: Sequence[Mapping[str, Any]], options: Options, notices: list[str]
) -> Iterator[tuple[str, BaseUrl]]:
    """Yield the languages of `extra.alternate`, and the address of the site in each."""
    base_url = options.page_base_url()
    for item in alternates:
        code, link = item["lang"], item["link"]
        try:
            site = parse_base_url(urljoin(base_url, link).removesuffix("index.html"))
        except ValueError:  # mailto:, a page with a query, …
            continue
        try:
            if not isinstance(code, str):
                raise ValueError(f"{code!r} is not text")
            options.hreflang_of(code)
        except ValueError as error:
            notices.append(
                f"{site} in extra.alternate is not linked: {error}. Fix: set lang to a language "
                "tag, or add the language to the option locales of the sitemap plugin."
            )
            continue
        yield code, site


def _folders_in_build(
    pages: Sequence[Page], sites: Sequence[tuple[str, BaseUrl]], base_url: BaseUrl
) -> dict[str, str]:
    """Return the folders of the languages that are part of this build."""
    folders: dict[str, str] = {}
    for code, site in sites:
        folder = site.removeprefix(base_url)
        if folder not in ("", site) and any(page.url.startswith(folder) for page in pages):
            folders.setdefault(code, folder)
    return folders


def _link_folders(pages: Sequence[Page], folders: Mapping[str, str]) -> list[Page]:
    """Link the pages at the same path in the folders of languages."""
    urls = {page.url for page in pages}
    linked = []
    for page in pages:
        own = [code for code in folders if page.url.startswith(folders[code])]
        if own:
            code = max(own, key=lambda code: len(folders[code]))
            rest = page.url.removeprefix(folders[code])
            alternates = {other: folder + rest for other, folder in folders.items()}
            alternates = {other: url for other, url in alternates.items() if url in urls}
            page = replace(page, lang=code, alternates=alternates)
        linked.append(page)
    return linked


def _plugin_languages(config: MkDocsConfig) -> dict[str, bool]:
    """Return the languages of mkdocs-static-i18n, and whether each is built; empty without it."""
    plugin = config.plugins.get("i18n")
    languages = None if plugin is None else plugin.config.get("languages")
    if not isinstance(languages, list):
        return {}
    return {
        language["locale"]: language["build"]
        for language in languages
        if language["locale"] != _NO_LANGUAGE
    }


def _alternates(config: MkDocsConfig) -> list[Mapping[str, Any]]:
    """Return the items of `extra.alternate` that have a language and a link."""
    alternates = config.extra.get("alternate")
    return [
        item
        for item in (alternates if isinstance(alternates, list) else ())
        if isinstance(item, Mapping)
        and isinstance(item.get("link"), str)
        and item.get("lang") not in (None, "", _NO_LANGUAGE)
    ]


def _theme_language(config: MkDocsConfig) -> str:
    """Return the language of Material for MkDocs, or the locale of another theme."""
    return str(config.theme.get("language") or config.theme.get("locale") or "en")
