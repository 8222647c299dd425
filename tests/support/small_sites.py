"""Small projects with a site that no generator has built: each file is committed on its
own day.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from support.cli import Done, invoke
from support.readers import read
from support.sitemaps import BASE, write_site
from support.sites import built_file, commit_files

REPOSITORY = "https://github.com/example/project"


def html(title: str = "Page", body: str = "", *, edit: str = "", head: str = "") -> str:
    """Return a page. `edit` is what its edit link opens: a branch and a file."""
    link = f'<a href="{REPOSITORY}/edit/{edit}">Edit this page</a>' if edit else ""
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head>"
        f"<body><main>{body}</main>{link}</body></html>"
    )


def unique_text(name: str) -> str:
    """Return a text with enough words to tell it from others."""
    digits = sha256(name.encode()).hexdigest()
    return " ".join(f"w{digits[start : start + 4]}" for start in range(0, 64, 4))


def made_from(source: str) -> tuple[str, str]:
    """Return the content of a source, and of a page that is made from it."""
    text = unique_text(source)
    return f"# {source}\n\n{text}\n", html(source, f"<h1>{source}</h1><p>{text}</p>")


def generate(*arguments: str | Path, code: int = 0) -> Done:
    """Run `docs-sitemap generate` in the current folder."""
    done = invoke("generate", *arguments)
    assert done.code == code, done
    return done


def newest_sources(
    project: Path,
    sources: Mapping[str, str] | Iterable[str],
    pages: Mapping[str, str] | Iterable[str],
    site: str = "site",
) -> dict[str, str | None]:
    """Return the source that dates each listed page of a site; `None` if a page has no
    date.

    Args:
        project: The folder of the project, which is the current one.
        sources: The names of the sources, or their content.
        pages: The HTML files, or their content.
        site: The folder of the site.
    """
    texts = (
        sources
        if isinstance(sources, Mapping)
        else {name: f"# {name}" for name in sources}
    )
    write_site(project, texts)
    names = {date: name for name, date in commit_files(project).items()}
    built = (
        pages if isinstance(pages, Mapping) else {name: html(name) for name in pages}
    )
    write_site(project / site, built)
    generate(site, "--base-url", BASE)
    found = {}
    for entry in read((project / site / "sitemap.xml").read_bytes()):
        file = built_file(project / site, entry.loc.removeprefix(BASE))
        found[file] = None if entry.lastmod is None else names[entry.lastmod]
    return found
