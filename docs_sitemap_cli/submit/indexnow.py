"""The IndexNow protocol: <https://www.indexnow.org/documentation>."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import click
import msgspec

from docs_sitemap.sitemap.urls import NormalizedUrl, check_url
from docs_sitemap.tools.files import read_regular
from docs_sitemap.tools.printing import one_line
from docs_sitemap_cli.published.http_answers import Answer

from . import RefusedError, TemporaryError

# It passes the URLs on to all search engines that take part.
DEFAULT_ENDPOINT = "https://api.indexnow.org/indexnow"

MAX_URLS = 10_000

_KEY = re.compile("[A-Za-z0-9-]{8,128}")
MAX_KEY_FILE = 1_000

# https://www.indexnow.org/documentation#response
_ACCEPTED = (200, 202)
_MEANINGS = {
    200: "accepted",
    202: "accepted; the key is checked later. If this stays so, check that the key "
    "file is public",
}

# What an error means if the server gives no reason, and how to fix it.
_FAULTS = {
    400: ("the request is invalid", "report this to docs-sitemap"),
    403: (
        "the key is not accepted",
        "the key file is live, so try again in a few hours; if this stays so, check "
        "that no firewall keeps crawlers from the file, or use a new key",
    ),
    422: (
        "the URLs do not belong to the host, or the key is not valid",
        "use the key file of this host and submit only its URLs",
    ),
    429: ("too many requests", "submit later, and only pages that changed"),
}
_UNEXPECTED = ("an unexpected answer", "check --endpoint, or try again later")


@dataclass(frozen=True, slots=True)
class IndexNowKey:
    """A key, which its file proves to belong to the site.

    Attributes:
        key: The key.
        location: The URL of its file.
    """

    key: str
    location: str

    def find_url_fault(self, url: str) -> str | None:
        """Return why the endpoint would reject a URL; `None` if it would not. One such
        URL is enough to reject all of a request.
        """
        checked = check_url(url)
        if checked.faults:
            _, message = checked.faults[0]
            return message
        folder = NormalizedUrl(self.location).folder
        if checked.normalized is None or not checked.normalized.startswith(folder):
            return f"it is not below the folder of {self.location}"
        return None

    def request_body(self, urls: Sequence[str]) -> bytes:
        """Return the body of the request that submits up to 10,000 URLs."""
        host = NormalizedUrl(self.location).origin.partition("://")[2]
        document = {
            "host": host,
            "key": self.key,
            "keyLocation": self.location,
            "urlList": urls,
        }
        return msgspec.json.encode(document)


def read_key(path: str) -> str:
    """Return the key in a file.

    Raises:
        click.UsageError: The file cannot be read, or contains no key.
    """
    try:
        data = read_regular(path, MAX_KEY_FILE)
    except OSError as error:
        raise click.UsageError(f"--key-file: {path}: {error.strerror}") from None
    key = data.decode("utf-8-sig", "replace").strip()
    if not _KEY.fullmatch(key):
        raise click.UsageError(
            f"--key-file: {path}: it does not contain a key: 8 to 128 letters, digits, "
            "or hyphens"
        )
    return key


def explain_answer(answer: Answer) -> str:
    """Return what an answer to a submission means.

    Raises:
        RefusedError: The URLs were not accepted.
        TemporaryError: They were not accepted, but may be later.
    """
    meaning = _MEANINGS.get(answer.status)
    if meaning is None:
        meaning, fix = _FAULTS.get(answer.status, _UNEXPECTED)
        reason = _read_reason(answer.body)
        if reason:
            meaning = f"the server says: {reason.removesuffix('.')}"
        meaning += f". Fix: {fix}"
    text = f"HTTP {answer.status}: {meaning}"
    pause = answer.header("retry-after")
    if pause:
        text += f". The server says Retry-After: {one_line(pause)}"
    if answer.status in _ACCEPTED:
        return text
    if answer.status == 429 or answer.status >= 500:
        raise TemporaryError(f"{answer.url}: {text}")
    raise RefusedError(f"{answer.url}: {text}")


class _Reason(msgspec.Struct):
    """The JSON of an answer."""

    message: str = ""
    details: list["_Reason"] | None = None


def _read_reason(body: bytes) -> str:
    """Return the reason in the JSON of an answer, in one line; empty if it has none."""
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        reason = msgspec.json.decode(body, type=_Reason)
        texts = [one.message for one in (reason, *(reason.details or ()))]
        return one_line(": ".join(filter(None, texts)))
    return ""
