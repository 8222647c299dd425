"""Write the sitemap of the built site of any generator."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.core import BASE_URL

_REPOSITORY = "https://github.com/example/project"
_PAGES_OF_A_COMMIT = 10

# The sizes of a realistic page: about 700 different words in a text of so many
# paragraphs and words, and a navigation of 20 KB of 50 KB.
_VOCABULARY = 12_000
_PARAGRAPHS = 24
_WORDS = 50
_LINKS = 240
_CODE_LINES = 160

# Groups of nearly equal pages, such as the pages of products or of releases.
_GROUPS = 6

_NESTED = 400_000  # bytes


class Made(NamedTuple):
    """A page, and its document.

    Attributes:
        document: The path of the document in the repository.
        text: Its content.
        page: The path of the page in the site, without `index.html`.
        html: The content of the page.
    """

    document: str
    text: str
    page: str
    html: str


def generate(folder: str, kind: str, count: str) -> Callable[[], None]:
    """Create a repository with documents and a site of a kind in `KINDS`."""
    path = Path(folder)

    def measured() -> None:
        path.mkdir()
        git = ["git", "-C", folder]
        subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
        subprocess.run([*git, "remote", "add", "origin", _REPOSITORY], check=True)
        lines: list[str] = []
        for number, made in enumerate(KINDS[kind](int(count))):
            if number % _PAGES_OF_A_COMMIT == 0:
                lines += ["commit refs/heads/main"]
                lines += [f"committer A <a@example.org> {1_700_000_000 + number} +0000"]
                lines += ["data 1", "x"]
            size = len(made.text.encode())
            lines += [f"M 100644 inline {made.document}", f"data {size}", made.text]
            page = path / f"site/{made.page}/index.html"
            page.parent.mkdir(parents=True)
            page.write_text(made.html)
        stream = "\n".join([*lines, ""])
        subprocess.run(
            [*git, "fast-import", "--quiet"], input=stream, text=True, check=True
        )
        subprocess.run([*git, "reset", "--hard", "--quiet"], check=True)

    return measured


def _make_small(count: int) -> Iterator[Made]:
    """Make pages of 20 KB, with the paths of their documents, and the same text."""
    for number in range(count):
        name = f"section-{number % 100}/page-{number}"
        text = '<p>Some text with a <a href="/docs/">link</a>.</p>' * 400
        yield Made(f"docs/{name}.md", name, name, _page(name, text))


def _make_linked(count: int) -> Iterator[Made]:
    """Make the same pages with edit links."""
    for made in _make_small(count):
        url = f"{_REPOSITORY}/edit/main/{made.document}"
        html = f'{made.html}<a href="{url}">Edit this page</a>'
        yield made._replace(html=html)


def _make_real(count: int) -> Iterator[Made]:
    """Make pages of 50 KB with texts of their own. Only words find the documents of
    half of them: their addresses are made of their titles.
    """
    write = _Writer()
    navigation = []
    for number in range(_LINKS):
        link = f'<a class="md-nav__link" href="/docs/{number}/">{write.words(2)}</a>'
        navigation.append(f'<li class="md-nav__item">{link}</li>')
    menu = f"<nav><ul>{''.join(navigation)}</ul></nav>"
    for number in range(count):
        title = write.words(5)
        section = f"section-{number % 20}"
        name = f"page-{number}" if number % 2 else title.replace(" ", "-")
        paragraphs = [write.words(_WORDS) for _ in range(_PARAGRAPHS)]
        code = [f"{write.words(1)}({write.words(1)})" for _ in range(_CODE_LINES)]
        text = "\n\n".join([f"# {title}", *paragraphs, "```", *code, "```"])
        main = f"<h1>{title}</h1>"
        for paragraph in paragraphs:
            main += f"<p>{paragraph}</p>\n"
        main += "<pre><code>"
        for line, call in enumerate(code):
            spans = re.sub(r"\w+", r'<span class="n">\g<0></span>', call)
            main += (
                f'<a id="__codelineno-{line}" href="#__codelineno-{line}"></a>{spans}\n'
            )
        main += "</code></pre>"
        html = _page(title, main, menu)
        document = f"docs/{section}/page-{number}.md"
        yield Made(document, text, f"{section}/{name}", html)


def _make_groups(count: int) -> Iterator[Made]:
    """Make groups of pages that differ in three words of 300, and documents that differ
    in as few.
    """
    write = _Writer()
    texts = [write.words(300).split() for _ in range(_GROUPS)]
    for number in range(count):
        words = list(texts[number % _GROUPS])
        for _ in range(3):
            words[write.random.randrange(len(words))] = write.words(1)
        text = " ".join(words)
        title = write.words(6)
        html = _page(title, f"<p>{text}</p>")
        yield Made(f"docs/page-{number}.md", text, title.replace(" ", "-"), html)


def _make_nested(count: int) -> Iterator[Made]:
    """Make pages with one word in each of tens of thousands of nested elements."""
    write = _Writer()
    for number in range(count):
        words = write.words(_NESTED // len("<div>word ")).split()
        main = "".join(f"<div>{word} " for word in words)[:_NESTED]
        name = f"page-{number}"
        yield Made(f"docs/{name}.md", " ".join(words), name, _page(name, main))


class _Writer:
    """Writes texts whose words are as frequent as those of a language: a few are most of
    each text, and most are rare. The texts are the same in each run.
    """

    def __init__(self) -> None:
        self.random = Random(0)  # noqa: S311
        syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "in", "or")]
        self._vocabulary = []
        for _ in range(_VOCABULARY):
            parts = self.random.choices(syllables, k=self.random.randint(1, 4))
            self._vocabulary.append("".join(parts))
        # Zipf's law
        self._weights = list(accumulate(1 / (n + 10) for n in range(_VOCABULARY)))

    def words(self, count: int) -> str:
        """Return so many words."""
        return " ".join(
            self.random.choices(self._vocabulary, cum_weights=self._weights, k=count)
        )


def _page(title: str, main: str, menu: str = "") -> str:
    return (
        '<!doctype html><html><head><meta charset="utf-8">'
        f"<title>{title}</title></head><body>{menu}<main>{main}</main>"
    )


KINDS = {
    "small": _make_small,
    "linked": _make_linked,
    "real": _make_real,
    "groups": _make_groups,
    "nested": _make_nested,
}


def read_files(folder: str) -> Callable[[], int]:
    """Only read the pages and the documents. The result is the number of pages."""

    def measured() -> int:
        pages = 0
        for file in Path(folder).rglob("*.*"):
            if file.suffix in (".html", ".md"):
                file.read_bytes()
                pages += file.suffix == ".html"
        return pages

    return measured


def this_project(folder: str) -> Callable[[], int]:
    """Run the command in the project. The result is the number of dated pages."""
    from docs_sitemap_cli.generate.command import generate

    os.chdir(folder)

    def measured() -> int:
        output = StringIO()
        with redirect_stdout(output):
            generate.main(["site", "--base-url", BASE_URL], standalone_mode=False)
        dated = re.search(r"([\d,]+) dated", output.getvalue())
        if dated is None:
            raise AssertionError(output.getvalue())
        return int(dated[1].replace(",", ""))

    return measured
