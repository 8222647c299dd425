"""A source file counts for the pages that show it, however the build is run."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.mkdocs import MkDocsSite, build_days, days

GENERATE = """
import mkdocs_gen_files
with mkdocs_gen_files.open("made.md", "w") as file:
    file.write("# Made\\n")
"""


@pytest.mark.parametrize(
    ("folder", "config"),
    [
        (".", "mkdocs.yml"),
        (".", "./mkdocs.yml"),
        (".", "{absolute}"),
        ("..", "project/mkdocs.yml"),
        ("docs", "../mkdocs.yml"),
    ],
)
def test_the_path_of_the_configuration_does_not_matter(
    project: Path, folder: str, config: str
) -> None:
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n\n--8<-- 'part.txt'\n", "a.md": "# A\n\n{{ word }}\n"},
        sitemap={"report": "site/report.json"},
        markdown_extensions=[{"pymdownx.snippets": {"base_path": ["docs/parts"]}}],
        plugins=[
            {"macros": {"include_yaml": ["words.yml"]}},
            # The folder of the script is relative to the working directory.
            {"gen-files": {"scripts": [str(project / "generate.py")]}},
        ],
    )
    # Only absolute paths make snippets independent of the working directory.
    site.replace_in_config("docs/parts", str(project / "docs/parts"))
    site.repository.commit({"words.yml": "word: Tea", "generate.py": GENERATE}, day=2)
    site.repository.commit({"docs/parts/part.txt": "Part."}, day=3)
    assert build_days(site) == {"": 3, "a/": 2, "made/": None}
    results = [
        (site.site / name).read_bytes() for name in ("report.json", "sitemap.xml")
    ]
    config = config.format(absolute=project / "mkdocs.yml")
    site.run("build", "--strict", "-f", config, folder=folder)
    assert [
        (site.site / name).read_bytes() for name in ("report.json", "sitemap.xml")
    ] == results
    assert b"mkdocs_gen_files" not in results[0]


def test_the_navigation_of_literate_nav_is_no_page(project: Path) -> None:
    pytest.importorskip("mkdocs_literate_nav")
    summary = "* [Home](index.md)\n* [A](a.md)\n"
    pages = {"index.md": "# Home", "a.md": "# A", "SUMMARY.md": summary}
    site = MkDocsSite.create(project, pages, plugins=["literate-nav"])
    site.repository.commit(
        {"docs/SUMMARY.md": "* [A](a.md)\n* [Home](index.md)\n"}, day=2
    )
    assert build_days(site) == {"": 1, "a/": 1}
    site.replace_in_config("- literate-nav", "- literate-nav: {nav_file: index.md}")
    site.repository.commit({"docs/index.md": f"# Home\n\n{summary}"}, day=3)
    site.run("build")
    assert days(site) == {"": 3, "SUMMARY/": 2, "a/": 1}


def write_glossary(**changed: str) -> str:
    """Return a glossary with other texts for some of its definitions."""
    texts = {
        "terms": "Terms.",
        "html": 'HyperText "Markup" Language',
        "w3c": "World Wide Web Consortium",
        "page": "<index.md>",
        "unused": "<https://example.org>",
    }
    texts |= changed
    return (
        f"<!-- {texts['terms']} -->\n\n*[HTML]: {texts['html']}\n"
        f"*[W3C & friends]:\n  {texts['w3c']}\n"
        f"[The  page]: {texts['page']}\n[unused]: {texts['unused']}\n"
    )


@pytest.mark.parametrize(
    ("changed", "dates"),
    [
        ({"terms": "Words."}, {"": 1, "code/": 1, "part/": 2, "w3c/": 1}),
        ({"html": "Markup"}, {"": 4, "code/": 4, "part/": 4, "w3c/": 1}),
        ({"w3c": "Consortium"}, {"": 1, "code/": 1, "part/": 2, "w3c/": 4}),
        ({"page": "<w3c.md>"}, {"": 4, "code/": 1, "part/": 2, "w3c/": 1}),
        ({"unused": "#"}, {"": 1, "code/": 1, "part/": 2, "w3c/": 1}),
    ],
)
@pytest.mark.parametrize("auto_append", [True, False])
def test_glossaries_date_the_pages_that_use_the_definition(
    project: Path, auto_append: bool, changed: dict[str, str], dates: dict[str, int]
) -> None:
    end = "" if auto_append else "\n\n--8<--\n\nterms.md\n\nmore.md\n--8<--\n"
    pages = {
        "index.md": "# Home\n\nHTML and [the page], but not [another]()\n",
        "part.md": "# I\n\n--8<-- 'part.txt'\n",
        "code.md": "# C\n\n```\n*[HTML]\n```\n",
        "w3c.md": "# W\n\nThe W3C & friends.\n",
        "none.md": "# N\n\nHTML5, W3C, and the page.\n",
    }
    names = ["terms.md", "more.md"] if auto_append else []
    site = MkDocsSite.create(
        project,
        {name: f"{text}{end}" for name, text in pages.items()},
        markdown_extensions=[
            {"pymdownx.snippets": {"auto_append": names, "check_paths": True}},
            *("abbr", "footnotes", "pymdownx.superfences"),
        ],
    )
    glossaries = {"terms.md": write_glossary(), "more.md": "[another]: <part.md>\n"}
    site.repository.commit(glossaries, day=1)
    site.repository.commit({"part.txt": "HTML"}, day=2)
    site.repository.commit({"more.md": "[another]: <none.md>\n"}, day=3)
    site.repository.commit({"terms.md": write_glossary(**changed)}, day=4)
    assert build_days(site) == dates | {"none/": 1}


OTHER_TEXTS = (
    "*[A]: B\n\nText.",
    "*[A]:",
    "[a]: b c",
    "[a]: b\n# Heading",
    "    [a]: code",
    "text [a]: b",
    "<!-- open",
    "<!-- a --> text",
    "[^1]: Footnote.",
    "--8<-- 'other.txt'",
    "!!! note",
    ".. note:: text",
    ".. _label:",
    ".. |a| replace:: b\n\nText.",
)
# Definitions, what a page says, and a change of the definition.
DEFINITIONS = (
    ("<!-- a\nb -->\n*[A]: B\n*[C d] :\n  E\n", "The C d.", "E", "F"),
    ("[x]: <y>\n   [X Y]:\n  z\n  'Title'  \n", "[x  y]", "Title", "Other"),
    ("[t]: u (Title)\n[X Y]: z\n", "[t]", "u", "v"),
)


def test_glossaries_are_files_with_nothing_but_definitions(project: Path) -> None:
    texts = {f"text-{number}": text for number, text in enumerate(OTHER_TEXTS)}
    pages, files, changed = {"index.md": "# Home\n"}, {}, {}
    for name, text in texts.items():
        pages[f"{name}.md"] = f"# T\n\n--8<-- '{name}.txt'\n"
        files[f"{name}.txt"] = text
        changed[f"{name}.txt"] = f"{text}\n\n[unused]: #\n"
    expected = {"": 1} | {f"{name}/": 4 for name in texts}
    for number, (text, used, old, new) in enumerate(DEFINITIONS):
        name = f"terms-{number}"
        pages[f"{name}.md"] = f"# T\n\n{used}\n\n--8<-- '{name}.txt'\n"
        pages[f"{name}-unused.md"] = f"# T\n\n--8<-- '{name}.txt'\n"
        files[f"{name}.txt"] = text
        assert old in text
        changed[f"{name}.txt"] = text.replace(old, new)
        expected |= {f"{name}/": 4, f"{name}-unused/": 1}
    site = MkDocsSite.create(
        project, pages, markdown_extensions=["pymdownx.snippets", "abbr"]
    )
    site.repository.commit(files | {"other.txt": "Other"}, day=1)
    site.repository.commit(changed, day=4)
    assert build_days(site) == expected


def test_a_term_leaves_a_glossary_that_the_page_shows(project: Path) -> None:
    included = "--8<-- 'terms.txt'\n"
    pages = {
        "index.md": f"# Home\n\nThe HTML.\n\n{included}",
        "open.md": f"# O\n\n<pre>\n\n{included}",
        "fence.md": f"# F\n\n```\n{included}```\n",
    }
    site = MkDocsSite.create(
        project,
        pages,
        markdown_extensions=["pymdownx.snippets", "abbr", "fenced_code"],
    )
    site.repository.commit({"terms.txt": "*[A & B]: C\n*[HTML]: Markup\n"}, day=1)
    site.repository.commit({"terms.txt": "*[HTML]: Markup\n"}, day=4)
    assert build_days(site) == {"": 1, "open/": 4, "fence/": 4}


def test_appended_text_and_footnotes_count_for_every_page(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n", "a.md": "# A\n"},
        markdown_extensions=[
            {"pymdownx.snippets": {"auto_append": ["end.md"]}},
            "footnotes",
        ],
    )
    texts = ["Contact us.", "[a]: b\nContact us.", "[^1]: A note.\n\n    More.\n"]
    for day, text in enumerate(texts, start=2):
        site.repository.commit({"end.md": text}, day=day)
        assert build_days(site) == {"": day, "a/": day}
    site.repository.commit({"end.md": "[a]: b\n"}, day=9)
    assert build_days(site) == {"": 1, "a/": 1}


def test_lists_of_posts_are_as_new_as_the_newest_post_on_the_page(
    project: Path,
) -> None:
    def post(year: int, category: str, text: str = "") -> str:
        return f"---\ndate: {year}-02-02\ncategories: [{category}]\n---\n# P{year}\n\n{text}\n"

    years = {2020: "Tea", 2021: "Tea", 2022: "Milk"}
    posts = {f"blog/posts/{year}.md": post(year, name) for year, name in years.items()}
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home\n", "blog/index.md": "# Blog\n"} | posts,
        theme="material",
        plugins=[{"blog": {"pagination_per_page": 2}}],
        # The names of posts are not names of the archives that contain them.
        sitemap={
            "exclude": ["docs/blog/posts/2021.md", "/blog/category/milk/"],
            "include": ["/blog/page/2/"],
        },
    )
    site.repository.commit(
        {"docs/blog/posts/2020.md": post(2020, "Tea", "More.")}, day=4
    )
    site.repository.commit(
        {"docs/blog/posts/2021.md": post(2021, "Tea", "More.")}, day=3
    )
    # A file of the project takes the place of a generated page.
    site.repository.commit({"docs/blog/archive/2022.md": "# In 2022\n"}, day=5)
    assert build_days(site) == {
        "": 1,
        "blog/": 3,
        "blog/2020/02/02/p2020/": 4,
        "blog/2022/02/02/p2022/": 1,
        "blog/archive/2020/": 4,
        "blog/archive/2021/": 3,
        "blog/archive/2022/": 5,
        "blog/category/tea/": 4,
        "blog/page/2/": 4,
    }
    site.replace_in_config("- /blog/page/2/", "- /blog/")
    log = site.run("build", "--verbose")
    reason = "search, indexes, source code, and other generated pages"
    assert f"excluded: blog/page/2/index.md: {reason}" in log


@pytest.mark.parametrize("plugin", ["blog", "material/blog"])
def test_lists_of_posts_change_with_their_excerpts(project: Path, plugin: str) -> None:
    post = "---\ndate: 2021-02-02\n---\n# {}\n\nStart.\n\n<!-- more -->\n\n{}\n"
    pages = {"index.md": "# Home\n", "blog/index.md": "# Blog\n"}
    site = MkDocsSite.create(
        project,
        pages
        | {
            "blog/posts/a.md": post.format("A", "End."),
            "blog/posts/b.md": "---\n---\n",
        },
        theme="material",
        plugins=[plugin],
    )
    site.repository.commit(
        {"docs/blog/posts/b.md": "---\ndate: 2020-02-02\n---\n# B\n"}, day=2
    )
    site.repository.commit(
        {"docs/blog/posts/a.md": post.format("A", "The end.")}, day=3
    )
    assert build_days(site) == {
        "": 1,
        "blog/": 2,
        "blog/2020/02/02/b/": 2,
        "blog/2021/02/02/a/": 3,
        "blog/archive/2020/": 2,
        "blog/archive/2021/": 1,
    }
    site.repository.commit(
        {"docs/blog/posts/a.md": post.format("Tea", "The end.")}, day=4
    )
    assert build_days(site)["blog/archive/2021/"] == 4
    indented = post.replace("date: ", "date:   ").format("Tea", "The end.")
    site.repository.commit({"docs/blog/posts/a.md": indented}, day=5)
    assert build_days(site)["blog/archive/2021/"] == 4
    text = post.replace("---\n#", "categories: [x]\n---\n#").format("Tea", "The end.")
    site.repository.commit({"docs/blog/posts/a.md": text}, day=6)
    assert build_days(site)["blog/archive/2021/"] == 6


def write_authors(**changed: str) -> str:
    """Return a file of authors with other values for some fields."""
    values = {"ann_name": "Ann", "ann_text": "Writer", "bob_name": "Bob"} | changed
    return f"""\
authors:
  ann:
    name: {values["ann_name"]}
    description: {values["ann_text"]}
    avatar: ann.png
  bob:
    name: {values["bob_name"]}
    description: Reader
    avatar: bob.png
"""


@pytest.mark.parametrize(
    ("authors", "shows_authors", "changed"),
    [
        (write_authors().replace("Writer", "'Writer'  # quoted"), True, set()),
        (
            write_authors(ann_name="Anna"),
            True,
            # The list of Bob's posts shows the first author of each post.
            {
                "",
                "a",
                "archive/2021",
                "archive/2022",
                "author/ann",
                "author/bob",
                "both",
            },
        ),
        (write_authors(ann_text="Editor"), True, {"a", "both", "author/ann"}),
        (
            write_authors(bob_name="Rob"),
            True,
            {"", "archive/2020", "author/bob", "b", "both"},
        ),
        (write_authors(ann_name="Anna"), False, set()),
    ],
)
def test_authors_date_their_posts_and_profiles(
    project: Path, authors: str, shows_authors: bool, changed: set[str]
) -> None:
    post = "---\ndate: {}-02-02\nslug: {}\nauthors: {}\n---\n# Post\n"
    options = {
        "blog_dir": "news",
        "authors": shows_authors,
        "authors_file": "people.yml",
        "post_url_format": "{slug}",
    }
    blog = pytest.importorskip("material.plugins.blog.config")
    has_profiles = shows_authors and hasattr(blog.BlogConfig, "authors_profiles")
    if has_profiles:
        options["authors_profiles"] = True
    else:  # in older versions
        changed = {name for name in changed if not name.startswith("author/")}
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n",
            "news/index.md": "# News\n",
            "news/posts/a.md": post.format(2022, "a", "[ann]"),
            "news/posts/both.md": post.format(2021, "both", "[ann, bob]"),
            "news/posts/b.md": post.format(2020, "b", "[bob]"),
            "people.yml": write_authors(),
        },
        theme="material",
        plugins=[{"blog": options}],
    )
    site.repository.commit({"docs/people.yml": authors}, day=4)
    dates = build_days(site)
    found = set()
    for url, day in dates.items():
        if day == 4:
            found.add(url.removeprefix("news/").strip("/"))
        else:
            assert day == 1
    assert found == changed
    assert len(dates) == (10 if has_profiles else 8)


def test_another_notation_of_authors_dates_no_post(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n",
            "blog/index.md": "# Blog\n",
            "blog/posts/a.md": "---\ndate: 2022-02-02\nauthors: [ann]\n---\n# Post\n",
            "blog/.authors.yml": "ann:\n  name: Ann\n  description: A\n  avatar: a\n",
        },
        theme="material",
        plugins=["blog"],
    )
    authors = "authors:\n  ann: {name: Ann, description: A, avatar: a}\n"
    site.repository.commit({"docs/blog/.authors.yml": authors}, day=2)
    assert set(build_days(site).values()) == {1}


def test_documented_commands_count(project: Path) -> None:
    pytest.importorskip("mkdocs_click")
    block = "::: mkdocs-click\n    :module: {}\n    :command: main\n"
    site = MkDocsSite.create(
        project,
        {
            "index.md": "# Home\n",
            "one.md": f"# One\n\n{block.format('tool_one')}",
            "two.md": f"# Two\n\n{block.format('tool_two')}    :depth: 1\n\nText.\n",
        },
        markdown_extensions=["mkdocs-click"],
        hooks=["hook.py"],
    )
    command = "import click\n\n@click.{}()\ndef main():\n    '''Do it.'''\n"
    hook = (
        "import pathlib, sys\nsys.path.insert(0, str(pathlib.Path(__file__).parent))\n"
    )
    site.repository.commit(
        {"hook.py": hook, "tool_one.py": command.format("command")}, day=2
    )
    group = f"{command.format('group')}\nimport tool_part\nmain.add_command(tool_part.main, 'part')\n"
    site.repository.commit({"tool_two.py": group}, day=3)
    site.repository.commit({"tool_part.py": command.format("command")}, day=4)
    site.run_process("build", "--strict")
    assert days(site) == {"": 1, "one/": 2, "two/": 4}
