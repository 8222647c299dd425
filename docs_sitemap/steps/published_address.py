"""Where the repository of a site publishes its pages, and whether the address of the
site fits that.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlsplit

from docs_sitemap.config.read_the_docs import published_url
from docs_sitemap.diagnostics import BuildCode, Diagnostics, UrlError
from docs_sitemap.git.remotes import Remote, parse_remote, read_remotes
from docs_sitemap.git.repository import find_repository
from docs_sitemap.git.run import GitError
from docs_sitemap.site import Site
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url
from docs_sitemap.tools.files import read_regular

CNAME_FILE = "CNAME"
"""The file with the domain of a site at GitHub Pages."""

MAX_CNAME = 1_024
"""In bytes: what GitHub reads of the file, and more."""

# The domains of the sites of projects, by the hosts of their repositories:
# https://docs.github.com/en/pages/getting-started-with-github-pages/what-is-github-pages
# and https://docs.gitlab.com/user/project/pages/getting_started_part_one/.
_PAGES_DOMAINS = {"github.com": "github.io", "gitlab.com": "gitlab.io"}


def check_published_address(site: Site, diagnostics: Diagnostics) -> None:
    """Report if the address of a site is the one of its repository, lacks the name of
    the project at GitHub Pages or GitLab Pages, or has another domain than `CNAME`.
    """
    # Read the Docs knows the address, and the address of a preview is a local one.
    if site.is_preview or published_url() is not None:
        return
    base_url = site.base_url
    published = find_pages_url(
        base_url, os.fspath(site.options.repository or site.root)
    )
    origin = "the pages of the git repository are at"
    if published is None:
        with suppress(OSError):
            path = os.path.join(site.out_dir, CNAME_FILE)
            published = parse_cname(read_regular(path, MAX_CNAME))
        origin = f"the file {CNAME_FILE} names"
        if published is None or has_domain(base_url, published):
            return
    message = (
        f"the URLs of the sitemap start with {base_url}, but {origin} {published}. "
        "Fix: correct the address of the site; ignore this if the site is published "
        "elsewhere."
    )
    diagnostics.note(BuildCode.BASE_URL, message)


def find_pages_url(base_url: BaseUrl, repository: str) -> BaseUrl | None:
    """Return the address at which a project is published at GitHub Pages or GitLab
    Pages, if the base URL contradicts it: it is the URL of a repository, or is at the
    same domain, but not below this address. Otherwise, return `None`.

    Args:
        base_url: The base URL.
        repository: A folder in the repository. Its remotes are only read if the base
            URL is at such a domain.
    """
    named = parse_remote(base_url)
    if named is not None and named.host in _PAGES_DOMAINS:
        return pages_url(named)  # It is the URL of a repository.
    domain = urlsplit(base_url).netloc
    if not domain.endswith(tuple(f".{name}" for name in _PAGES_DOMAINS.values())):
        return None
    remotes: Iterable[Remote] = ()
    with suppress(GitError):
        remotes = read_remotes(find_repository(repository))
    urls = []
    for remote in sorted(remotes):
        url = pages_url(remote)
        if url is not None and urlsplit(url).netloc == domain:
            urls.append(url)
    if any(base_url.lower().startswith(url.lower()) for url in urls):
        return None
    return urls[0] if urls else None


def pages_url(remote: Remote) -> BaseUrl | None:
    """Return the address of the site of a project; `None` at other services."""
    domain = _PAGES_DOMAINS.get(remote.host)
    if domain is None:
        return None
    owner, _, project = remote.path.partition("/")
    domain = f"{owner.lower()}.{domain}"
    path = "" if project.lower() in (domain, "") else f"{project}/"
    with suppress(UrlError):
        return parse_base_url(f"https://{domain}/{path}")
    return None


def parse_cname(data: bytes) -> BaseUrl | None:
    """Return the address in the file `CNAME`; `None` if it contains no domain.

    Source:
    <https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site/troubleshooting-custom-domains-and-github-pages>.
    """
    domain = data.decode("utf-8", "replace").strip()
    if "." in domain and not {*"/:"} & {*domain}:
        with suppress(UrlError):
            return parse_base_url(f"https://{domain}/")
    return None


def has_domain(base_url: str, url: str) -> bool:
    """Return whether two URLs have the same domain. GitHub Pages redirects to or from
    `www.`.
    """
    domains = {urlsplit(one).netloc.removeprefix("www.") for one in (base_url, url)}
    return len(domains) == 1
