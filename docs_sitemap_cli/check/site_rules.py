"""The rules about a site: its sitemap indexes, pages, and robots.txt."""

from docs_sitemap.sitemap.format_rules import (
    FormatRule,
    RuleCode,
    error,
    notice,
    warning,
)

DATING_TOOLS = (
    "the plugin for MkDocs, the extension for Sphinx, or docs-sitemap generate --update"
)
_GIT_DATES = f"clone the complete history (fetch-depth: 0), and use {DATING_TOOLS}"


class SiteRule(RuleCode):
    """The rules that need more than one file."""

    NO_SITEMAP = error(
        "the folder contains no sitemap",
        "build it with site_url or html_baseurl, run docs-sitemap generate, or "
        "name another folder",
    )
    BASE_URL = error(
        "the base URL contradicts the file CNAME",
        "correct the URL and the base path of the site in the configuration of the "
        "generator; if the site is published elsewhere, set --base-url",
    )
    LASTMOD_ALL_SAME = warning(
        "most pages have the same <lastmod>",
        f"{_GIT_DATES}; ignore this if one commit changed all these pages",
    )
    LASTMOD_MISSING = warning("no page has a <lastmod>", _GIT_DATES)
    LASTMOD_NOT_SHOWN = warning(
        "the page shows or declares another date than its <lastmod>",
        "turn off the other date, or show the one in the sitemap (page_dates); if "
        "authors set it in front matter, name its key in lastmod_fields (in Sphinx, "
        "sitemap_lastmod_fields)",
    )
    ALTERNATE_NOT_FOUND = error(
        "the site has no file for an <xhtml:link>",
        "build the translation, or remove the link",
    )
    CHILD_NOT_SITEMAP = error(
        "the sitemap index lists a page or another index", "list only sitemaps in it"
    )
    NOT_IN_INDEX = warning(
        "a part of a sitemap is in no sitemap index, but crawlers that know its URL "
        "still read it",
        "remove the file if an earlier build wrote it, or list it in the index",
    )
    NOT_FOUND = error(
        "the site has no file for a <loc>", "write the file, or remove the entry"
    )
    NO_ANSWER = error(
        "the server does not answer the request for a listed URL, or reports an error",
        "check the spelling of the URL, the server, and its certificate, and try again "
        "later",
    )
    CONTENT_TYPE = warning(
        "the server does not send a sitemap as XML",
        "send application/xml, or application/gzip for a compressed file",
    )
    REDIRECT = error(
        "the listed page redirects to another URL", "list the target instead"
    )
    NOINDEX = error(
        "the listed page declares noindex",
        "remove the entry, or the meta element or header",
    )
    CANONICAL = error(
        "the listed page has another canonical URL", "list the canonical page"
    )
    CANONICAL_NOT_FOUND = warning(
        "the canonical URL of the listed page does not exist, and search engines "
        "ignore it",
        "correct the canonical link; ignore this for pages that newer versions removed",
    )
    CANONICAL_VERSION = warning(
        "the canonical URLs of the listed pages are those of another version",
        "list only the canonical version in search engines: see docs-sitemap index",
    )
    CANONICAL_FORM = warning(
        "the canonical URL has another form", "list the canonical URL"
    )
    SLASH_MISSING = notice(
        "GitHub Pages, Netlify, and other hosts redirect the URL of a folder without a "
        "slash at its end",
        "list the URL with the slash; ignore this if your host does not redirect it",
    )
    ERROR_PAGE = warning("an error page is listed", "remove the entry")
    MISSING = warning(
        "no sitemap lists a page of the site",
        "list or exclude it (include, exclude; in Sphinx, sitemap_include, "
        "sitemap_excludes), also if a plugin wrote it, or let it declare noindex; if "
        "an earlier build wrote it, clean the output folder; if another machine built "
        "the site, use --report",
    )
    ROBOTS_DISALLOW = error(
        "robots.txt disallows a listed URL", "allow it, or remove the entry"
    )
    ROBOTS_NO_SITEMAP = warning(
        "robots.txt does not list the sitemap", "add a Sitemap line"
    )
    ROBOTS_SITEMAP_NOT_FOUND = warning(
        "robots.txt lists a sitemap that the site does not have, or an invalid URL",
        "write the absolute URL of the sitemap; ignore this if another service "
        "provides the file",
    )
    ROBOTS_BOM = warning(
        "robots.txt starts with a byte order mark, and some crawlers ignore its first "
        "line",
        "save it as UTF-8 without a byte order mark",
    )
    ROBOTS_TOO_LONG = warning(
        "robots.txt has over 2,000 lines or 500 KiB, or too many wildcards",
        "shorten it: crawlers may ignore everything after the first 500 KiB",
    )


RULES: tuple[RuleCode, ...] = (*FormatRule, *SiteRule)
