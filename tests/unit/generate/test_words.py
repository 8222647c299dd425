"""Sources that only the words of pages show, or that their words rule out."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import invoke
from support.small_sites import generate, html, made_from, newest_sources, unique_text


@pytest.fixture(autouse=True)
def _in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)


DOCS = ("docs/index.md", "docs/install.md", "docs/usage.md")


def site_of(pages: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the sources and the pages of a site."""
    sources = {source: made_from(source)[0] for source in pages.values()}
    return sources, {page: made_from(source)[1] for page, source in pages.items()}


BASIC = {
    "index.html": "docs/index.md",
    "install.html": "docs/install.md",
    "usage.html": "docs/usage.md",
}


def test_a_page_with_another_path_has_the_document_with_its_words(
    project: Path,
) -> None:
    pages = {**BASIC, "2024/hello/index.html": "content/01-welcome.en.md"}
    sources, built = site_of(pages)
    assert newest_sources(project, sources, built) == pages
    shown = invoke("explain", "site", "2024/hello/")
    expected = "its words: 100% of content/01-welcome.en.md is on this page"
    assert expected in shown.out


def test_a_document_with_other_words_is_not_the_source(project: Path) -> None:
    sources, built = site_of(BASIC)
    built["usage.html"] = html("Usage", unique_text("something else"))
    assert newest_sources(project, sources, built) == {**BASIC, "usage.html": None}


def test_an_unpublished_readme_is_not_the_home_page(project: Path) -> None:
    pages = {**BASIC, "index.html": "docs/welcome.md"}
    sources, built = site_of(pages)
    sources["docs/README.md"] = made_from("docs/README.md")[0]
    assert newest_sources(project, sources, built) == pages


def test_of_two_documents_with_one_path_the_words_decide(project: Path) -> None:
    pages = {**BASIC, "new/index.html": "docs/new/index.md"}
    sources, built = site_of(pages)
    sources["docs/new.md"] = made_from("docs/new.md")[0]
    assert newest_sources(project, sources, built) == pages


@pytest.mark.parametrize("shown", [12, 5_000])
def test_a_list_of_posts_has_no_source(project: Path, shown: int) -> None:
    posts = {f"blog/{name}.html": f"posts/2024-01-01-{name}.md" for name in "abcdef"}
    sources, built = site_of({**BASIC, **posts})
    teasers = "".join(f"<p>{unique_text(post)[:shown]}</p>" for post in posts.values())
    built["blog/index.html"] = html("Blog", teasers)
    found = newest_sources(project, sources, built)
    assert found == {**BASIC, **posts, "blog/index.html": None}


def test_copies_of_a_document_leave_a_page_without_a_source(project: Path) -> None:
    sources, built = site_of({**BASIC, "a/x.html": "one/b.md"})
    sources["two/c.md"] = sources["one/b.md"]
    assert newest_sources(project, sources, built)["a/x.html"] is None


@pytest.mark.parametrize(
    "page", ["<main>{}</main><p>{}</p>", "<div role=main>{}</div><div>{}</div>"]
)
def test_only_the_main_element_has_the_words_of_a_page(
    project: Path, page: str
) -> None:
    pages = {**BASIC, "hello.html": "posts/welcome.md"}
    sources, built = site_of(pages)
    other = "".join(unique_text(f"other {number}") for number in range(5))
    body = page.format(sources["posts/welcome.md"], other)
    built["hello.html"] = f"<!doctype html><title>Hello</title>{body}"
    assert newest_sources(project, sources, built) == pages


def test_text_that_all_pages_repeat_is_no_text_of_a_page(project: Path) -> None:
    pages = {f"p{number}.html": f"posts/{number}-x.md" for number in range(20)}
    sources, built = site_of(pages)
    license_text = "".join(unique_text(f"license {number}") for number in range(9))
    built = {name: page.replace("</p>", license_text) for name, page in built.items()}
    sources["LICENSE.md"] = license_text
    assert newest_sources(project, sources, built) == pages


def test_languages_without_spaces_are_compared_by_characters(project: Path) -> None:
    text = "本文は、サイトマップの日付がどのように決まるかを説明します。変更の日付は、履歴から読み取られます。"
    sources, built = site_of(BASIC)
    sources["ja/setsumei.md"] = text
    built["ja/hizuke.html"] = html("日付", f"<p>{text}</p>")
    found = newest_sources(project, sources, built)
    assert found["ja/hizuke.html"] == "ja/setsumei.md"


def test_pages_of_few_words_do_not_decide(project: Path) -> None:
    sources, built = site_of(BASIC)
    sources["posts/short.md"] = "See the guide."
    built["blog/x.html"] = html("X", "See the guide.")
    assert newest_sources(project, sources, built)["blog/x.html"] is None


def test_a_page_without_translation_has_the_edit_link_of_the_original(
    project: Path,
) -> None:
    sources, built = site_of(BASIC)
    for page, source in BASIC.items():
        text = f"<p>{unique_text('notice')[:9]}</p><p>{unique_text(source) * 2}</p>"
        built[page] = html(page, edit=f"main/{source}", body=text)
        built[f"de/{page}"] = built[page]
    built["de/usage.html"] = html("Usage", "Other", edit="main/docs/usage.md")
    copies = {f"de/{page}": source for page, source in BASIC.items()}
    found = newest_sources(project, sources, built)
    assert found == BASIC | copies | {"de/usage.html": None}


CODE = {
    "Client.html": ("lib/client.rb", "class Client"),
    "Server.html": ("lib/server.rb", "class Server"),
    "index.html": ("lib/other.rb", "class Other"),
}


def test_api_documentation_has_the_comments_of_code(project: Path) -> None:
    """Classes inherit the comments of others, whose files do not contain their name."""
    sources = {}
    pages = {}
    for page, (source, name) in CODE.items():
        text = unique_text(source)
        sources[source] = "".join(f"# {word}\n" for word in text.split()) + name
        pages[page] = html(page, f"<p>{text}</p><p>{unique_text(page)}</p>")
    pages["Inherited.html"] = pages["Client.html"]
    pages["short.html"] = html("Short", "class Client")
    sources["spec/client.rb"] = sources["vendor/client.rb"] = sources["lib/client.rb"]
    found = newest_sources(project, sources, pages)
    assert found == {
        "Client.html": "lib/client.rb",
        "Server.html": "lib/server.rb",
        "index.html": None,
        "Inherited.html": None,
        "short.html": None,
    }


def test_of_copies_those_next_to_other_sources_are_the_sources(project: Path) -> None:
    pages = {f"20{number}/index.html": f"posts/{number}-a.md" for number in range(4)}
    sources, built = site_of(pages)
    for number in range(3):
        sources[f"app/posts/{number}-a.md"] = sources[f"posts/{number}-a.md"]
    assert newest_sources(project, sources, built) == pages


def test_pages_of_few_words_next_to_the_folder_of_sources(project: Path) -> None:
    posts = {f"20{number}/index.html": f"_posts/{number}-a.md" for number in range(4)}
    sources, built = site_of(posts)
    sources |= {"about.md": "About me", "README.md": "", "CHANGELOG.md": ""}
    others = {name: html(name) for name in ("about/index.html", "changelog.html")}
    others["index.html"] = html("Home")
    found = newest_sources(project, sources, built | others)
    assert found == posts | dict.fromkeys(others) | {"about/index.html": "about.md"}


def test_a_post_and_a_list_with_only_this_post(project: Path) -> None:
    pages = {f"2023/p{number}.html": f"posts/2023-p{number}.md" for number in range(20)}
    pages["2024/05/hello/index.html"] = "posts/2024-05-hello.md"
    sources, built = site_of(pages)
    lists = ("2024/05/index.html", "tags/hello/index.html", "tags/other/index.html")
    post = built["2024/05/hello/index.html"]
    built |= dict.fromkeys(lists, post.replace("<title>", "<title>Archive: "))
    found = newest_sources(project, sources, built)
    assert found == {**pages, **dict.fromkeys(lists)}


def test_the_user_names_sources(project: Path) -> None:
    Path("docs-sitemap.toml").write_text(
        '[sources]\n"blog/" = "posts/"\n"api/{name}.html" = "src/{name}.py"\n'
        '"usage.html" = "USAGE.md"\n'
    )
    named = {
        "blog/a.html": "posts/a.md",
        "blog/b/index.html": "posts/b.md",
        "blog/index.html": "posts/index.md",
        "api/x.y.html": "src/x.y.py",
        "usage.html": "USAGE.md",
    }
    sources = dict.fromkeys([*DOCS, *named.values()], "")
    built = {name: html(name) for name in ["index.html", "install.html", *named]}
    found = newest_sources(project, sources, built)
    assert found == {**BASIC, **named}
    shown = generate("site", "--base-url", "https://example.org/", "--dry-run").out
    assert "usage.html  your configuration: USAGE.md" in shown


@pytest.mark.parametrize(
    ("page", "source", "message"),
    [
        ("blog/", "posts", "only one of them is a folder with / at the end"),
        ("a.html", "{name}.md", "{name} is not in the page"),
        ("{name}{name}", "a", "{name} is more than once in it"),
        ("x.html", "gone.md", "no page has such a file in git. Fix: correct or remove"),
    ],
)
def test_sources_without_effect(
    project: Path, page: str, source: str, message: str
) -> None:
    Path("docs-sitemap.toml").write_text(f'[sources]\n"{page}" = "{source}"\n')
    sources, built = site_of(BASIC)
    for name, text in {
        **sources,
        **{f"site/{key}": built[key] for key in built},
    }.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    done = invoke("generate", "site", "--base-url", "https://example.org/")
    assert message in done.err.replace("\n", " ")


INTRO = unique_text("introduction")


@pytest.mark.parametrize(
    ("page", "text", "title", "source"),
    [
        ("index.html", INTRO, "Introduction", "src/intro.md"),
        ("index.html", INTRO, "Book", None),
        ("index.html", "Few words", "Introduction", None),
        ("index.html", f"{INTRO} and more", "Introduction", None),
        ("old/index.html", INTRO, "Introduction", None),
        ("print.html", INTRO, "Introduction", None),
    ],
)
def test_a_home_page_that_repeats_the_first_chapter(
    project: Path, page: str, text: str, title: str, source: str | None
) -> None:
    chapter = text.removesuffix(" and more")
    sources = {"src/intro.md": chapter, "src/other.md": "Other"}
    pages = {
        "intro.html": html("Introduction", chapter),
        "other.html": html("Other", "Other"),
        page: html(title, text),
    }
    assert newest_sources(project, sources, pages).get(page) == source
