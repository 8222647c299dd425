"""The codes of all findings, each with its severity, its meaning, and how to fix it."""

from __future__ import annotations

from enum import Enum, StrEnum


class Severity(StrEnum):
    """Whether a finding breaks a rule or hides a page from search engines, or only may."""

    ERROR = "error"
    WARNING = "warning"


def _error(meaning: str, fix: str) -> tuple[Severity, str, str]:
    return Severity.ERROR, meaning, fix


def _warning(meaning: str, fix: str) -> tuple[Severity, str, str]:
    return Severity.WARNING, meaning, fix


class Code(Enum):
    """A kind of finding.

    Attributes:
        slug: The public name: the name of the member in lower case, with hyphens.
        severity: Whether it is an error or a warning.
        meaning: What is wrong, in one line.
        fix: How to fix it, in one line.
    """

    def __init__(self, severity: Severity, meaning: str, fix: str) -> None:
        self.slug = self.name.lower().replace("_", "-")
        self.severity = severity
        self.meaning = meaning
        self.fix = fix

    # Files
    UNREADABLE = _error(
        "the file or folder does not exist or cannot be read", "check its name and permissions"
    )
    NO_SITEMAP = _error(
        "the folder contains no sitemap",
        "build the site with the address of the published site (site_url in MkDocs, html_baseurl "
        "in Sphinx), and name the folder that you publish",
    )
    GZIP_BROKEN = _error(
        "the file is not a complete gzip file, or is over 1 MiB larger than its content",
        "compress the sitemap again",
    )
    GZIP_DIFFERS = _error(
        "the compressed copy differs from the sitemap next to it",
        "compress the sitemap again, or remove the compressed copy",
    )
    TOO_LARGE = _error(
        "the uncompressed file has more than 52,428,800 bytes",
        "split the sitemap, and list its parts in a sitemap index",
    )

    # XML
    ENCODING = _error(
        "the file does not have the encoding UTF-8, or the encoding that it declares",
        "save it as UTF-8, and declare no other encoding",
    )
    XML_VERSION = _warning(
        "the file declares another version of XML than 1.0, which some XML parsers reject",
        'write <?xml version="1.0" encoding="UTF-8"?>',
    )
    DOCTYPE = _error(
        "the file has a document type declaration, which many XML parsers reject",
        "remove <!DOCTYPE ...>",
    )
    NOT_WELL_FORMED = _error("the file is not well-formed XML", "fix the XML at this position")
    TOO_COMPLEX = _error(
        "there are over 64 nested elements, 1 MiB in a tag or comment, 1,000 links in an entry, or "
        "10,000 names",
        "remove what does not belong in a sitemap",
    )
    WRONG_ROOT = _error(
        "the root element is neither <urlset> nor <sitemapindex>",
        "use one of these two root elements, or check another file",
    )
    WRONG_NAMESPACE = _error(
        "the root element is not in the namespace of the sitemap protocol",
        'set xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
    )
    EMPTY = _error(
        "the sitemap contains no entries",
        "set the base URL of the site (site_url in MkDocs), and list at least one URL",
    )
    TOO_MANY_URLS = _error(
        "the file lists more than 50,000 URLs or sitemaps",
        "split it, and list its parts in a sitemap index",
    )
    UNKNOWN_ELEMENT = _error(
        "neither the protocol nor an extension has an element of this name at this position",
        "remove the element, put it into its entry, or give it a namespace of its own",
    )
    REPEATED_ELEMENT = _error(
        "an element that may occur once occurs more than once", "keep only one of them"
    )
    WRONG_ORDER = _warning(
        "the elements of an entry are not in the order of the protocol's schema",
        "use the order loc, lastmod, changefreq, priority, and then elements of other namespaces",
    )
    UNEXPECTED_CONTENT = _warning(
        "there is text or an attribute where the protocol allows none", "remove it"
    )
    UNUSUAL_PREFIX = _warning(
        "a namespace has a prefix that some parsers do not recognize",
        "use no prefix for the namespace of the sitemap, and the prefix xhtml for XHTML",
    )

    # <loc>
    LOC_MISSING = _error(
        "an entry has no <loc>, or an empty one", "add the URL, or remove the entry"
    )
    LOC_INVALID = _error(
        "a <loc> is not an absolute http or https URL",
        "use an absolute URL such as https://example.org/page/",
    )
    LOC_TOO_LONG = _error(
        "a <loc> has 2,048 characters or more", "shorten the URL, or remove the entry"
    )
    LOC_NOT_ENCODED = _error(
        "a <loc> contains a character that is not allowed in URLs",
        "percent-encode it: a space is %20, a percent sign is %25",
    )
    LOC_NOT_ASCII = _warning(
        "a <loc> contains a non-ASCII character, which crawlers may encode differently",
        "percent-encode it; write internationalized hosts in the form that starts with xn--",
    )
    LOC_ENCODED_TWICE = _warning(
        "a <loc> is probably escaped or percent-encoded twice",
        "escape and encode the URL once; ignore this if %20 or the like is part of a file name",
    )
    LOC_FRAGMENT = _warning(
        "a <loc> has a fragment, which search engines ignore",
        "list the page once, without a fragment",
    )
    LOC_DOT_SEGMENTS = _warning(
        "a <loc> has a '.' or '..' segment, which crawlers resolve", "write the resolved URL"
    )
    DUPLICATE = _warning("a URL is listed more than once", "list it once")
    HOST_DIFFERS = _error(
        "a URL does not have the scheme, host, and port of the sitemap or of the other URLs",
        "check the base URL, and use the same scheme, host, and port for all URLs",
    )
    OUT_OF_SCOPE = _error(
        "a URL is not below the folder in which the sitemap is published",
        "check the base URL, list the URL in another sitemap, or add the sitemap to robots.txt",
    )

    # Other elements
    LASTMOD_INVALID = _error(
        "a <lastmod> is not a W3C datetime",
        "use the form 2026-05-31, or 2026-05-31T08:30:00+00:00 with a time zone",
    )
    LASTMOD_FORM = _warning(
        "a <lastmod> is a W3C datetime in a form that the protocol's schema does not accept",
        "write the complete date, or the date and the time with seconds and a time zone",
    )
    LASTMOD_FUTURE = _error(
        "a <lastmod> is in the future", "set it to the time of the last change to the page"
    )
    LASTMOD_OLD = _warning(
        "a <lastmod> is older than the sitemap protocol (June 2005), usually because of an unset "
        "clock",
        "set it to the time of the last change to the page; ignore this if the date is accurate",
    )
    LASTMOD_ALL_SAME = _warning(
        "the <lastmod> of every page is the day of the build",
        "set it to the last change of each page, or omit it: search engines ignore incorrect dates",
    )
    CHANGEFREQ_INVALID = _error(
        "a <changefreq> is not one of the seven allowed values",
        "use always, hourly, daily, weekly, monthly, yearly, or never, or omit it",
    )
    PRIORITY_INVALID = _error(
        "a <priority> is not a number from 0.0 to 1.0", "use a number such as 0.5, or omit it"
    )

    # <xhtml:link>
    ALTERNATE_INVALID = _error(
        "an <xhtml:link> has no valid language or absolute URL, or repeats a language",
        'set rel="alternate", a unique hreflang such as "pt-BR", and an absolute URL as href',
    )
    ALTERNATE_NOT_FOUND = _error(
        "the site has no file for the URL of an <xhtml:link>",
        "build the translation, or remove the link",
    )
    ALTERNATE_NOT_RECIPROCAL = _error(
        "a page links to a translation that does not link back to it",
        "add both links: search engines ignore alternates that are not reciprocal",
    )
    ALTERNATE_NO_SELF = _error(
        "the alternates of a page do not include the page itself",
        "add an <xhtml:link> with the language and the URL of the page itself",
    )

    # Extensions
    EXTENSION_NAMESPACE = _error(
        "an extension does not have exactly the namespace that readers look for, so they ignore it",
        "use the namespace in the message, without https, other versions, and a slash at the end",
    )
    EXTENSION_INCOMPLETE = _error(
        "an image, video, or news article lacks an element that Google requires",
        "add the element, or remove the image, video, or news article",
    )
    EXTENSION_INVALID = _error(
        "an element of an image, video, or news article has an invalid value",
        "correct the value, or omit the element if Google does not require it",
    )
    EXTENSION_TOO_MANY = _error(
        "an entry has more than 1,000 images or videos, or a sitemap more than 1,000 news articles",
        "list the most important images, and split sitemaps of news articles",
    )

    # Sitemap indexes
    CHILD_MISSING = _error(
        "the sitemap index lists a sitemap that does not exist",
        "write the sitemap, or remove it from the index",
    )
    CHILD_NOT_SITEMAP = _error(
        "the sitemap index lists a page or another file that is not a sitemap",
        "list the page in a sitemap, and only sitemaps in the index",
    )
    CHILD_IS_INDEX = _error(
        "the sitemap index lists another sitemap index", "list the sitemaps themselves"
    )
    STALE_PART = _warning(
        "the folder contains a part of an earlier sitemap, which the sitemap index does not list",
        "remove the file",
    )

    # Pages
    NOT_FOUND = _error("the site has no file for a <loc>", "build the page, or remove the entry")
    OUTSIDE_SITE = _error(
        "a symbolic link leads out of the folder of the site", "copy the file into the site"
    )
    REDIRECT = _error(
        "the listed page redirects to another URL", "list the target of the redirect instead"
    )
    NOINDEX = _error(
        "the listed page declares noindex, or a past date in unavailable_after",
        "remove the entry, or the robots meta element of the page",
    )
    CANONICAL = _error(
        "the listed page declares another page as its canonical URL",
        "list the canonical page instead, or correct the canonical link",
    )
    CANONICAL_VERSION = _warning(
        "the listed pages declare the same pages of another version as canonical",
        "list only the canonical version in search engines: see docs-sitemap index",
    )
    CANONICAL_FORM = _warning(
        "the listed page declares another form of its own URL as canonical",
        "list the page with its canonical URL",
    )
    SAME_PAGE = _warning("two URLs open the same file", "list only the canonical URL")
    ERROR_PAGE = _warning("the error page for URLs that do not exist is listed", "remove the entry")
    MISSING = _warning(
        "no sitemap lists a page of the site",
        "list the page, exclude it with the option exclude of docs-sitemap (in Sphinx, "
        'sitemap_excludes), or add <meta name="robots" content="noindex"> to it; if a build on '
        "another machine excluded it, pass the report of that build with --report",
    )
    LEFT_OVER = _warning(
        "no sitemap lists a page that the last build does not know: an earlier build wrote it, or "
        "another tool",
        "clean the output folder and build again; if the page is there again, another tool writes "
        "it: list it with the option include (in Sphinx, sitemap_include), or exclude it with the "
        "option exclude (in Sphinx, sitemap_excludes)",
    )

    # robots.txt
    ROBOTS_DISALLOW = _error(
        "the file robots.txt disallows a listed URL, or the sitemap itself, for search engines",
        "allow it in robots.txt, or remove the entry",
    )
    ROBOTS_NO_SITEMAP = _warning(
        "the file robots.txt does not list the sitemap",
        "add a Sitemap line with the URL of the sitemap",
    )
    ROBOTS_SITEMAP_NOT_FOUND = _warning(
        "the file robots.txt lists a sitemap for which the site has no file",
        "write the sitemap, or remove the line; ignore this if another service provides it",
    )
    ROBOTS_TOO_LONG = _warning(
        "the file robots.txt has more than 2,000 lines or 500 KiB, or too many wildcards, and the "
        "rest is not checked",
        "shorten it: crawlers may ignore everything after the first 500 KiB",
    )
    ROBOTS_BOM = _warning(
        "the file robots.txt starts with a byte order mark, so some crawlers skip its first line",
        "save it as UTF-8 without a byte order mark",
    )
