"""Small sites with texts as people write them, in pages as generators write them: with
navigation, recent posts, and forms around the text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from pathlib import Path
from random import Random

from support.small_sites import newest_sources

NAMES = (
    "configuration",
    "installation",
    "quick-start",
    "limits",
    "upgrading",
    "monitoring",
    "backups",
    "permissions",
    "networking",
    "troubleshooting",
)
"""Names of documents that many manuals have."""

# The kinds of words in sentences.
_NOUNS = """
account address archive backup branch browser buffer build button cache
category certificate channel client cluster column command comment community
company connection container contract cursor customer database deadline
dependency deployment device directory document domain editor engine error
event example factory feature field file filter folder format framework
function gateway graph group handler header history host image index input
interface issue job key label language layer letter library license limit
link list location log machine manager memory message method metric mirror
model module monitor network node notebook number object operator option
order organization output owner package page parameter parser partner
password path pattern permission plan plugin policy pool port process
product profile project protocol provider proxy queue range reader record
region registry release report repository request resource result review
role router rule schedule schema script section server service session
setting shell signal socket source stage storage stream student subject
table target task team template terminal thread ticket timer token tool
transaction translation tree trigger user value variable vector version view
volume volunteer window worker
"""
_VERBS = """
accepts adds allows asks blocks builds calls changes checks closes collects
compares connects contains copies creates deletes delivers describes enables
explains finds follows handles ignores improves keeps limits loads locks
maps matches moves needs offers opens prints protects publishes reads
receives records reduces refuses removes renames repeats replaces reports
requires restarts returns runs saves sends shows signs skips sorts splits
starts stops stores supports trusts updates uses validates waits writes
"""
_ADJECTIVES = """
active annual broken central common complete current daily default early
empty external fast final free general global good hidden important internal
large late local long main manual missing narrow new next old open optional
original own partial plain previous private public quick random regular
remote safe second separate shared short simple single slow small special
stable strict temporary third typical unknown unused usual valid whole wide
"""
_LINKS = """
when while because although if before after until so and but where
"""
_PREPOSITIONS = """
for in with of from to without on behind between near
"""
_STARTS = (
    *("The", "Every", "Our", "This", "Each", "Another", "Your", "Any"),
    *("In most cases the", "After that the", "For example the", "However the"),
)
_split = functools.cache(str.split)


@functools.cache
def sentences(name: str, words: int) -> str:
    """Return a text of about so many words, which is another one for each name."""
    random = Random(name)  # noqa: S311
    found: list[str] = []
    number = 0
    while number < words:
        start = random.choice(_STARTS)
        phrase = [start, *_phrase(random, "")]
        if random.random() < 0.5:
            phrase += [random.choice(_split(_LINKS)), *_phrase(random, "the")]
        sentence = " ".join(phrase) + "."
        found.append(sentence)
        number += len(sentence.split())
    text = " ".join(found).split()
    return " ".join(islice(text, words)).rstrip(".") + "."


def _phrase(random: Random, article: str) -> list[str]:
    """Return a part of a sentence with a verb."""

    def choose(words: str) -> str:
        return random.choice(_split(words))

    phrase = [article] if article else []
    if random.random() < 0.6:
        phrase.append(choose(_ADJECTIVES))
    phrase += [choose(_NOUNS), choose(_VERBS), choose("the a its one"), choose(_NOUNS)]
    if random.random() < 0.7:
        phrase += [choose(_PREPOSITIONS), choose(_NOUNS)]
    return phrase


def document(
    name: str, words: int = 150, *, title: str = "", code: str = "", front: str = ""
) -> str:
    """Return a Markdown document with paragraphs, a link, and a word in bold type.

    Args:
        name: What tells its text from others.
        words: The number of words of its text.
        title: Its heading. Without one, it is made from the name.
        code: A block of code, which translations share.
        front: Lines of front matter.
    """
    random = Random(f"form of {name}")  # noqa: S311
    title = title or title_of(name)
    blocks = [f"---\n{front}\n---"] if front else []
    blocks.append(f"# {title}")
    text = sentences(name, words).split()
    while text:
        size = random.randint(30, 60)
        paragraph, text = text[:size], text[size:]
        if len(paragraph) > 12:
            paragraph[4] = f"**{paragraph[4]}**"
            paragraph[9] = f"[{paragraph[9]}](../{random.choice(NAMES)}.md)"
        blocks.append(" ".join(paragraph))
        if code:
            blocks.append(f"```sh\n{code}\n```")
            code = ""
    return "\n\n".join(blocks) + "\n"


def title_of(path: str) -> str:
    """Return a heading for a file."""
    name = path.rpartition("/")[2].partition(".")[0]
    return re.sub(r"\W+", " ", name).strip().capitalize()


def render(markdown: str) -> str:
    """Return the HTML of a document that `document` returned."""
    text = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.S)
    return "\n".join(map(_render_block, text.strip().split("\n\n")))


def _render_block(block: str) -> str:
    if block.startswith("```"):
        code = "\n".join(block.split("\n")[1:-1])
        return f"<pre><code>{escape(code)}</code></pre>"
    text = re.sub(r"\[([^]]+)\]\(([^)]+)\.md\)", r'<a href="\2/">\1</a>', block)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    if text.startswith("#"):
        marks, _, title = text.partition(" ")
        return f"<h{len(marks)}>{title}</h{len(marks)}>"
    return text if text.startswith("<!--") else f"<p>{text}</p>"


@dataclass
class RealisticSite:
    """A site, the files in git, and which of them may date each page.

    Attributes:
        has_main: Whether pages have an element for the text, as most themes do.
        recent: The list of recent posts that each page repeats.
        files: The files in git.
        bodies: The text of each page, as HTML.
        right: The files that may date a page. `None` stands for no date.
    """

    has_main: bool = True
    recent: str = ""
    files: dict[str, str] = field(default_factory=dict)
    bodies: dict[str, str] = field(default_factory=dict)
    right: dict[str, tuple[str | None, ...]] = field(default_factory=dict)

    def add(self, page: str, source: str, text: str | None = None) -> None:
        """Add a document, and the page with its text, which has its date."""
        text = document(source) if text is None else text
        self.files[source] = text
        self.add_page(page, render(text), source)

    def add_page(self, page: str, body: str, *right: str | None) -> None:
        """Add a page, and the files that may date it."""
        self.bodies[page] = body
        self.right[page] = right or (None,)

    def add_manual(self, page: str, source: str, names: Iterable[str] = NAMES) -> None:
        """Add documents of different sizes.

        Args:
            page: The paths of the pages, with `{}` for the name.
            source: The paths of the documents in the same form.
            names: The names.
        """
        for number, name in enumerate(names):
            path = source.format(name)
            self.add(page.format(name), path, document(path, 50 + 25 * number))

    def find_sources(self, project: Path, site: str = "site") -> dict[str, str | None]:
        """Build the site, and return the file that dates each page."""
        pages = {page: self._lay_out(page) for page in self.bodies}
        found = newest_sources(project, self.files, pages, site)
        assert found.keys() == self.right.keys(), self.right.keys() - found.keys()
        return found

    def wrong_sources(
        self, project: Path, site: str = "site"
    ) -> dict[str, tuple[str | None, tuple[str | None, ...]]]:
        """Build the site, and return the pages with the date of a file that must not
        date them, and the files that may do so.
        """
        found = self.find_sources(project, site)
        return {
            page: (found[page], right)
            for page, right in self.right.items()
            if found[page] not in right
        }

    def _lay_out(self, page: str) -> str:
        """Return the HTML of a page."""
        links = ""
        for other in self.bodies:
            path = other.removesuffix("index.html")
            links += f'<li><a href="/docs/{path}">{title_of(path.strip("/"))}</a></li>'
        text = self.bodies[page]
        title = re.search("<h1>(.+?)</h1>", text)
        name = title[1] if title else title_of(page)
        form = (
            "<form><label>Subscribe to the newsletter of the project</label>"
            "<input type=email><button>Send me news once a month</button></form>"
        )
        recent = f"<div class=recent><h3>Recent posts</h3>{self.recent}</div>"
        end = (
            "<p>Published under a free license by the contributors of the project.</p>"
        )
        if self.has_main:
            body = (
                f"<header><nav><ul>{links}</ul></nav></header>"
                f"<main><article>{text}</article>{form}</main>"
                f"<aside>{recent}</aside><footer>{end}</footer>"
            )
        else:
            body = (
                f"<div class=menu><ul>{links}</ul></div><div class=content>{text}</div>"
                f"<div class=sidebar>{recent}{form}</div><div class=end>{end}</div>"
            )
        head = f"<meta charset=utf-8><title>{name} - Example</title>"
        return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
