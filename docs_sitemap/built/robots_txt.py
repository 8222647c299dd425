"""Name the sitemap in `robots.txt`.

Source: <https://www.rfc-editor.org/rfc/rfc9309> and
<https://www.sitemaps.org/protocol.html>.
"""

import errno
import os
import re
from pathlib import Path

from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.sitemap.urls import (
    BaseUrl,
    NormalizedUrl,
    quote_path,
)
from docs_sitemap.tools.files import (
    describe_write_error,
    lock_folder,
    read_regular,
    replace_files,
)

ROBOTS_FILE = "robots.txt"

# Crawlers read no more:
# https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec
MAX_ROBOTS_BYTES = 500 * 1024

# Crawlers accept both spellings.
_SITEMAP = r"(?im)^[^\S\n]*site-?map[^\S\n]*:[^\S\n]*([^\s#]+)"


def is_robots_effective(base_url: BaseUrl) -> bool:
    """Return whether crawlers read the robots.txt of a site: only at the root of an
    origin.

    Source: <https://www.rfc-editor.org/rfc/rfc9309#section-2.3>.
    """
    url = NormalizedUrl(base_url)
    return url == f"{url.origin}/"


def find_sitemap_lines(text: str) -> list[str]:
    """Return the URLs of the sitemaps that a robots.txt lists, as written."""
    return re.findall(_SITEMAP, text.replace("\r", "\n"))


def add_to_robots(
    base_url: BaseUrl,
    filename: str,
    out_dir: str,
    diagnostics: Diagnostics,
    *,
    option: str,
    is_at_root: bool,
) -> None:
    """Add the line `Sitemap:` to the `robots.txt` of a site, unless the file has it
    already. What the user wrote stays as it is.

    Args:
        base_url: The URL of the folder with the sitemap.
        filename: The name of the sitemap.
        out_dir: The folder of the built site.
        diagnostics: Receives a warning if the file cannot be completed, or a notice if
            crawlers would not read it.
        option: What messages call the option that wants the line.
        is_at_root: Whether the file is published at the root of a host.
    """
    url = base_url + quote_path(filename)
    if not is_at_root:
        root = f"{NormalizedUrl(base_url).origin}/{ROBOTS_FILE}"
        message = (
            f"{ROBOTS_FILE} is not written: crawlers read it only at the root of a "
            f"host. Fix: add the line Sitemap: {url} to {root} and remove {option}."
        )
        diagnostics.note(BuildCode.ROBOTS, message)
        return
    folder = Path(out_dir)
    try:
        with lock_folder(folder):
            _complete(folder / ROBOTS_FILE, url)
    except OSError as error:
        message = (
            f"the sitemap is not added to {ROBOTS_FILE}: "
            f"{describe_write_error(error)} Or add the line Sitemap: {url} yourself "
            f"and remove {option}."
        )
        diagnostics.warn(BuildCode.ROBOTS, message)


def _complete(path: Path, url: str) -> None:
    """Add the line to a file.

    Raises:
        OSError: The file cannot be read or written.
    """
    # The target of a link may belong to another site.
    if path.is_symlink():
        raise OSError(errno.EINVAL, "it is a symbolic link", os.fspath(path))
    data = b""
    if path.exists():
        data = read_regular(path, MAX_ROBOTS_BYTES)
    text = data.decode("utf-8-sig", "replace")
    if NormalizedUrl(url) in map(NormalizedUrl, find_sitemap_lines(text)):
        return
    end = b"\r\n" if b"\r\n" in data else b"\n"
    # After a byte order mark alone, the line is the first one.
    separator = end if text and not data.endswith((b"\n", b"\r")) else b""
    replace_files({path: data + separator + b"Sitemap: " + url.encode() + end})
