"""Text that a page includes is compared like the text of a document."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.mkdocs import MkDocsSite, build_days, days, snippets
from support.origin import always, serve

PART = """\
<!-- --8<-- [start:all] -->
## Title

One line
and another line.

* An item
    - another item

See [more](more.md).
<!-- --8<-- [end:all] -->
"""

# Each with a text of the file, and what stands in its place.
INVISIBLE = {
    "comment": ("## Title", "<!-- A note. -->\n\n## Title"),
    "rewrapped": ("line\nand another", "line and\nanother"),
    "id": ("## Title\n", "## Title {: #title }\n"),
    "space": ("another line.\n", "another line. \n"),
    "marker": ("* An", "- An"),
    "folder of a link": ("(more.md)", "(../more.md#start)"),
}
VISIBLE = {
    "word": ("One", "A"),
    "paragraph": ("and\nanother", "and\n\nanother"),
    "list": ("    - another", "- another"),
    "link": ("(../more.md#start)", "(index.md)"),
}

MARKS = "start='<!-- --8<-- [start:all] -->' end='<!-- --8<-- [end:all] -->'"

# Pages that show the file as text.
SNIPPETS = {
    "whole": '--8<-- "part.md"\n',
    "section": '--8<-- "part.md:all"\n',
    "range": '--8<-- "part.md:2:99"\n',
    "block": "--8<--\npart.md\n--8<--\n",
    "nested": '--8<-- "outer.md"\n',
    "note": '!!! note\n\n    --8<-- "part.md"\n',
    "markdown": "{% include-markdown 'part.md' %}\n",
    "plain": "{% include 'part.md' %}\n",
    "marks": f"{{% include-markdown 'part.md' {MARKS} %}}\n",
    "offset": "{% include-markdown 'part.md' heading-offset=1 comments=true %}\n",
}
MACROS = {
    "template": "{% include 'part.md' %}\n",
    "nested": "{% include 'outer.md' %}\n",
}
# Pages that show it as code.
CODE = {
    "code": '```md\n--8<-- "part.md"\n```\n',
    "list": '1.  An item:\n\n    ~~~md\n    --8<-- "part.md:all"\n    ~~~\n',
    "deep": '```md\n--8<-- "outer.md"\n```\n',
    "pre": "<pre>\n{% include 'part.md' %}\n</pre>\n",
    "both": '--8<-- "part.md"\n\n```md\n--8<-- "outer.md"\n```\n',
}


def make_site(project: Path, pages: dict[str, str], **config: object) -> MkDocsSite:
    files = {f"{name}.md": f"# Page\n\n{text}" for name, text in pages.items()}
    files |= {"index.md": "# Home\n", "more.md": "# More\n\n## Start\n"}
    files |= {"part.md": PART, "outer.md": pages.get("outer", '--8<-- "part.md"\n')}
    config |= {"exclude_docs": "part.md\nouter.md\n"}
    return MkDocsSite.create(project, files, **config)


def test_changes_to_a_snippet(project: Path) -> None:
    extensions = snippets(base_path=["docs"], dedent_subsections=True)
    extensions["markdown_extensions"] += ["admonition", "attr_list", "fenced_code"]
    site = make_site(
        project,
        SNIPPETS | CODE,
        plugins=["include-markdown"],
        validation={"links": {"not_found": "ignore", "anchors": "ignore"}},
        **extensions,
    )
    check_changes(site, texts=[*SNIPPETS], codes=[*CODE])


def test_changes_to_a_template_of_macros(project: Path) -> None:
    site = make_site(
        project,
        {
            **MACROS,
            "outer": "{% include 'part.md' %}\n",
            "code": "```\n{% include 'part.md' %}\n```\n",
        },
        plugins=["macros"],
        validation={"links": {"not_found": "ignore", "anchors": "ignore"}},
        markdown_extensions=["attr_list", "fenced_code"],
    )
    check_changes(site, texts=[*MACROS], codes=["code"])


def check_changes(site: MkDocsSite, texts: list[str], codes: list[str]) -> None:
    text = PART
    expected = dict.fromkeys([f"{name}/" for name in (*texts, *codes, "more")], 1)
    expected[""] = 1
    # One build shows that all of the first changes are invisible.
    last = len(INVISIBLE) + 1
    for day, (name, (old, new)) in enumerate((INVISIBLE | VISIBLE).items(), start=2):
        assert old in text
        text = text.replace(old, new)
        site.repository.commit({"docs/part.md": text}, day=day)
        changed = [*codes, *texts] if name in VISIBLE else codes
        expected |= dict.fromkeys([f"{page}/" for page in changed], day)
        if day >= last:
            site.run("build")
            assert days(site) == expected, name


@pytest.mark.parametrize(
    ("name", "fence", "old", "new", "day"),
    [
        ("a.py", "```", "x = 1\n", "x = 1  \n", 1),
        ("a.py", "```", "x = 1\n", "x =  1\n", 2),
        ("a.txt", "", "A.\nB.\n", "A.  \nB.\n", 2),
        ("a.txt", "", "A.\nB.\n", "A. B.\n", 2),
        ("a.md", "```", "<!-- A. -->\n", "<!-- B. -->\n", 2),
        ("a.md", "", "<!-- A. -->\n", "<!-- B. -->\n", 1),
    ],
)
def test_other_files(
    project: Path, name: str, fence: str, old: str, new: str, day: int
) -> None:
    page = f'# Home\n\n{fence}\n--8<-- "{name}"\n{fence}\n'
    site = MkDocsSite.create(
        project, {"index.md": page, f"../{name}": old}, **snippets()
    )
    site.repository.commit({name: new}, day=2)
    assert build_days(site) == {"": day}


def test_marks_in_the_text_of_a_url_select_nothing_of_a_file(project: Path) -> None:
    part = "Start\none\nEnd\ntwo\n"
    with serve() as origin:
        origin.replies["/part.md"] = always(200, part)
        url = f"{origin.url}part.md"
        page = f"{{% include '{url}' start='Start' end='End' %}}\n"
        site = MkDocsSite.create(
            project,
            {
                "index.md": f"# Home\n\n{{% include '../part.md' %}}\n\n{page}",
                "../part.md": part,
            },
            plugins=["include-markdown"],
        )
        site.repository.commit({"part.md": part.replace("two", "three")}, day=2)
        assert build_days(site) == {"": 2}


def test_definitions_and_posts(project: Path) -> None:
    words = "*[HTML]: Hyper Text\n\n[a]: more.md\n"
    post = "---\ndate: 2024-01-01\n---\n\n# Post\n\nA text.\n"
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n\nHTML and [this][a].\n",
            "more.md": "# More\n",
            "blog/index.md": "# Blog\n",
            "blog/posts/a.md": post,
            "../words.md": words,
        },
        theme="material",
        plugins=[{"blog": {"archive": False, "authors": False}}],
        markdown_extensions=[
            "abbr",
            {"pymdownx.snippets": {"auto_append": ["words.md"]}},
        ],
    )
    post = post.replace("# Post", "<!-- A note. -->\n\n# Post")
    words = words.replace("Text\n", "Text  \n")
    site.repository.commit({"words.md": words, "docs/blog/posts/a.md": post}, day=2)
    dates = build_days(site)
    assert (dates[""], dates["blog/"]) == (1, 1)
    words = words.replace("Text", "Texts")
    post = post.replace("A text", "A word")
    site.repository.commit({"words.md": words, "docs/blog/posts/a.md": post}, day=3)
    dates = build_days(site)
    assert (dates[""], dates["blog/"]) == (3, 3)


def test_every_change_counts_with_the_option(project: Path) -> None:
    page = '# Home\n\n--8<-- "part.md"\n'
    section = '# Section\n\n--8<-- "part.md:all"\n'
    site = MkDocsSite.create(
        project,
        {"index.md": page, "section.md": section, "../part.md": PART},
        sitemap={"lastmod_changes": "any"},
        **snippets(),
    )
    text = PART.replace("[start:all] -->", "[start:all] -->\n<!-- A note. -->")
    site.repository.commit({"part.md": text}, day=2)
    site.repository.commit({"part.md": f"{text}<!-- Another note. -->\n"}, day=3)
    site.run("build")
    assert days(site) == {"": 3, "section/": 2}
