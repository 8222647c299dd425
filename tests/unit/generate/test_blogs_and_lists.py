"""Blogs: posts have the date of their document, and lists of posts have none."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from support.realistic_sites import RealisticSite, document, render, sentences


@pytest.fixture(autouse=True)
def _in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)


POSTS = {
    "2019-03-02-hello-world": ("intro", 90),
    "2019-03-20-first-release": ("releases", 160),
    "2019-06-11-why-we-moved": ("stories", 240),
    "2020-01-05-a-new-year": ("stories", 60),
    "2020-01-19-second-release": ("releases", 130),
    "2020-07-07-working-from-home": ("stories", 300),
    "2021-02-14-third-release": ("releases", 110),
    "2021-05-30-an-interview": ("people", 220),
    "2021-05-31-another-interview": ("people", 180),
    "2022-09-09-short-notes": ("stories", 45),
    "2023-11-01-the-roadmap": ("plans", 150),
}
SOURCE = "_posts/{}.md"


def page_of(post: str) -> str:
    """Return the page of a post, as Jekyll and Hexo write it."""
    year, month, day, name = post.split("-", 3)
    return f"{year}/{month}/{day}/{name}/index.html"


def blog(*, has_main: bool = True) -> RealisticSite:
    """Return a blog whose pages repeat the start of the newest posts."""
    site = RealisticSite(has_main=has_main)
    site.add("about/index.html", "about.md")
    for post, (_, words) in POSTS.items():
        source = SOURCE.format(post)
        site.add(page_of(post), source, document(post, words))
    site.recent = "".join(teaser(site, post, 120) for post in [*POSTS][-3:])
    return site


def teaser(site: RealisticSite, post: str, size: int) -> str:
    """Return the title and so many characters of a post."""
    body = site.bodies[page_of(post)]
    title, _, text = body.partition("</h1>")
    start = text.removeprefix("\n<p>")[:size].rpartition(" ")[0]
    return f'<h2><a href="/docs/{post[11:]}/">{title[4:]}</a></h2><p>{start} ...</p>'


def complete(site: RealisticSite, post: str) -> str:
    """Return a complete post, as archives contain it."""
    return site.bodies[page_of(post)].replace("h1>", "h2>")


@pytest.mark.parametrize(("has_main", "shown"), [(True, 40), (False, 80)])
@pytest.mark.parametrize(
    ("archive", "heading"),
    [
        ("2018/04/index.html", "Archive of April 2018"),
        ("tags/announcement/index.html", "Posts with the tag announcement"),
        ("category/news/index.html", "Category: news"),
        ("author/jane/index.html", "Posts by Jane"),
        ("2018/index.html", ""),
    ],
)
def test_a_short_post_and_a_list_with_only_this_post(
    project: Path, has_main: bool, shown: int, archive: str, heading: str
) -> None:
    """Links and code of the template language change a third of the post, and more than
    half of its page is the start of other posts.
    """
    site = blog(has_main=has_main)
    for number, post in enumerate(POSTS):
        related = [*POSTS][number - 2 : number] or [*POSTS][-2:]
        site.bodies[page_of(post)] += related_posts(site, related, shown)
    post = "2018-04-04-we-are-online"
    text = sentences(post, 19).rstrip(".")
    site.files[SOURCE.format(post)] = (
        "---\ntitle: We are online\n---\n"
        f"{text}, see {{% post_url 2019-03-02-hello-world %}} now and write to us.\n"
    )
    body = f"<p>{text}, see <a href=/hello>hello</a> now and write to us.</p>"
    related = ["2020-07-07-working-from-home", "2021-05-30-an-interview"]
    end = related_posts(site, related, shown)
    title = "<h1>We are online</h1>"
    site.add_page(page_of(post), f"{title}{body}{end}", SOURCE.format(post))
    link = title.replace("h1", "h2")
    site.add_page(archive, f"<h1>{heading}</h1>{link}{body}", None)
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize("page", ["{}/{}/{}.html", "{}/{}/{}/index.html"])
@pytest.mark.parametrize("content", ["excerpts", "posts"])
def test_posts_and_lists_of_the_same_month(
    project: Path, page: str, content: str
) -> None:
    """A list with one post has nearly all names of its path."""
    site = RealisticSite()
    site.add("about/index.html", "about.md")
    for post, (tag, words) in POSTS.items():
        year, month, _, name = post.split("-", 3)
        source = SOURCE.format(post)
        built = page.format(year, month, name)
        site.add(built, source, document(source, words))
        body = site.bodies[built].replace("h1>", "h2>")
        if content == "excerpts":
            body = body[: body.index("</p>") + 4]
        for folder in (f"{year}/{month}", f"tags/{tag}", f"{year}"):
            name = f"{folder}/index.html"
            title = f"<h1>Posts in {folder}</h1>"
            site.add_page(name, site.bodies.get(name, title) + body, None)
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize("folder", ["tags", "categories", "topics"])
def test_a_tag_with_the_name_of_its_only_post(project: Path, folder: str) -> None:
    """The tag page looks like a copy of the post in another language."""
    site = RealisticSite()
    site.add("index.html", "index.md", document("home page", 60))
    names = [post[11:] for post in POSTS]
    for post, (_, words) in POSTS.items():
        source = SOURCE.format(post)
        site.add(f"{post[11:]}/index.html", source, document(source, words))
    post = site.bodies[f"{names[4]}/index.html"]
    site.add_page(f"{folder}/{names[4]}/index.html", post, None)
    for number, tag in enumerate(("intro", "releases", "stories", "people")):
        shown = "".join(
            site.bodies[f"{name}/index.html"].replace("h1>", "h2>")
            for name in names[2 * number : 2 * number + 3]
        )
        body = f"<h1>Posts about {tag}</h1>{shown}"
        site.add_page(f"{folder}/{tag}/index.html", body, None)
    assert site.wrong_sources(project) == {}


def related_posts(site: RealisticSite, posts: list[str], words: int) -> str:
    """Return the end of some posts, as themes show it below another post."""
    html = "<h3>You may also like</h3>"
    for post in posts:
        end = " ".join(site.files[SOURCE.format(post)].split()[-words:])
        html += f"<h4><a href=/>{post[11:]}</a></h4>{render(end)}"
    return html


NOTEBOOK_SOURCES = {
    # Octopress and Pelican.
    "{% notebook name.ipynb %}": (
        "content/posts/{}.md",
        "blog/{:%Y/%m/%d}/{}/index.html",
    ),
    # Jekyll.
    "{% include_relative notebooks/name.html %}": (
        "_posts/{}.md",
        "{:%Y/%m/%d}/{}.html",
    ),
    # Hexo.
    "{% asset_jupyter name.ipynb %}": (
        "source/_posts/{}.md",
        "{:%Y/%m/%d}/{}/index.html",
    ),
    # Nikola and others: a short text before the notebook.
    "": ("posts/{}.rst", "news/{:%Y/%m/%d}/{}.html"),
}


@pytest.mark.parametrize("code", sorted(NOTEBOOK_SOURCES))
@pytest.mark.parametrize("words", [10, 25])
def test_a_post_whose_text_comes_from_a_notebook(
    project: Path, code: str, words: int
) -> None:
    """The date and the name of the post are in the path of its page."""
    source, page = NOTEBOOK_SOURCES[code]
    site = RealisticSite()
    site.add("about/index.html", "about.md")
    for number, (post, (_, length)) in enumerate(POSTS.items()):
        day, name = date.fromisoformat(post[:10]), post[11:]
        path, built = source.format(post), page.format(day, name)
        if number % 3:
            site.add(built, path, document(post, length))
        else:
            intro = sentences(post, words)
            site.files[path] = f"---\ntitle: {name}\n---\n{intro}\n\n{code}\n"
            cells = sentences(f"notebook of {post}", 250)
            body = f"<h1>{name}</h1><p>{intro}</p><div>{cells}</div>"
            site.add_page(built, body, path)
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize("has_main", [True, False])
@pytest.mark.parametrize("content", ["titles", "excerpts", "posts"])
def test_lists_of_a_blog(project: Path, has_main: bool, content: str) -> None:
    """Lists show titles, excerpts, or complete posts, also of one post."""
    site = blog(has_main=has_main)
    lists: dict[str, list[str]] = {
        "index.html": [*POSTS][-4:],
        "blog/index.html": [*POSTS][-10:],
        "older/index.html": [*POSTS][:7],
        "archives/index.html": [*POSTS],
    }
    for post, (tag, _) in POSTS.items():
        year, month, *_ = post.split("-")
        for page in (f"{year}/{month}", f"tags/{tag}", f"years/{year}"):
            lists.setdefault(f"{page}/index.html", []).append(post)
    for page, posts in lists.items():
        body = f"<h1>{page.removesuffix('/index.html')}</h1>"
        for post in posts:
            title = f"<h2><a href=/>{post[11:]}</a></h2><time>{post[:10]}</time>"
            if content == "titles":
                body += f"<li>{title}</li>"
            elif content == "posts" and page.startswith(("index", "tags", "2")):
                body += complete(site, post)
            else:
                body += title + teaser(site, post, 200)
        site.add_page(page, body, None)
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize(
    ("more", "posts"),
    [("<!-- more -->", 1), ("<!--more-->", 2), ("<!-- TEASER_END -->", 11)],
)
def test_lists_with_the_text_before_a_comment(
    project: Path, more: str, posts: int
) -> None:
    site = RealisticSite()
    site.add("about/index.html", "about.md")
    body = ""
    for post, (_, words) in [*POSTS.items()][:posts]:
        start, end = document(post, 40), sentences(f"rest of {post}", words)
        site.add(page_of(post), SOURCE.format(post), f"{start}\n{more}\n\n{end}\n")
        body += f"<article>{render(start)}<a href=/>Read more</a></article>"
    site.add_manual("docs/{}/index.html", "docs/{}.md")
    site.add_page("index.html", body, None)
    site.add_page("tags/all/index.html", f"<h1>all</h1>{body}", None)
    assert site.wrong_sources(project) == {}


LOOPS = {
    "index.html": "---\nlayout: default\n---\n{% for post in site.posts %}{{ post.title }}{% endfor %}\n",
    "blog/index.html": "---\npagination: true\n---\n{%- for post in paginator.posts -%}\n{{ post.excerpt }}\n{% endfor %}\n",
    "archives/index.njk": "---\npermalink: /archives/\n---\n{% for post in collections.posts %}{{ post.url }}{% endfor %}\n",
    "src/archives.hbs": "{{#each posts}}<li>{{title}}</li>{{/each}}\n",
    "layouts/_default/list.html": "{{ range .Pages }}{{ .Title }}{{ end }}\n",
}


@pytest.mark.parametrize("template", sorted(LOOPS))
def test_templates_of_lists(project: Path, template: str) -> None:
    site = blog()
    site.files[template] = LOOPS[template]
    body = "".join(teaser(site, post, 160) for post in POSTS)
    for page in ("index.html", "blog/index.html", "archives/index.html"):
        site.add_page(page, body, None)
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            "team.md",
            "---\ntitle: Team\n---\n{% for person in site.data.team %}\n- {{ person.name }}\n{% endfor %}\n",
        ),
        ("team.md", "---\ntitle: Team\nlayout: team\n---\n"),
        ("_data/team.json", json.dumps([{"name": sentences("Ada", 5)}])),
        ("data/team.yml", f"- name: {sentences('Ada', 5)}\n"),
    ],
)
def test_a_page_made_from_data(project: Path, source: str, text: str) -> None:
    """Its own file has no words of the page."""
    site = blog()
    site.add_manual("docs/{}/index.html", "docs/{}.md")
    site.files[source] = text
    people = "".join(
        f"<li>{sentences(name, 12)}</li>" for name in ("Ada", "Ben", "Cid")
    )
    site.add_page("team/index.html", f"<h1>Team</h1><ul>{people}</ul>", source, None)
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("docs/downloads.md", "downloads/index.html"),
        ("docs/downloads/index.md", "downloads/index.html"),
        ("docs/downloads.rst", "downloads.html"),
        ("docs/guide/downloads.mdx", "guide/downloads.html"),
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        "Find all downloads on GitHub.",
        "```python\nimport example\n\nexample.run(debug=True)\n```",
        "```sh\n"
        + "\n".join(
            f"curl --output {name}.zip example.org/{name}"
            for name in ("core", "docs", "tools")
        )
        + "\n```",
        "Soon.",
    ],
)
def test_documents_of_few_words_or_only_code(
    project: Path, source: str, page: str, text: str
) -> None:
    site = RealisticSite()
    ending = ".html" if page.endswith("s.html") else "/index.html"
    site.add_manual("{}" + ending, f"docs/{{}}{Path(source).suffix}")
    text = f"# Downloads\n\n{text}\n"
    body = f"<h1>Downloads</h1><pre><code>{text.replace('#', '').replace('`', '')}</code></pre>"
    site.files[source] = text
    site.add_page(page, body, source)
    assert site.wrong_sources(project) == {}


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("README.md", "index.html"),
        ("docs/README.md", "index.html"),
        ("docs/guide/README.md", "guide/index.html"),
        ("CHANGELOG.md", "changelog/index.html"),
        ("CONTRIBUTING.md", "docs/contributing/index.html"),
        ("CHANGES.rst", "whats-new/index.html"),
    ],
)
def test_files_of_the_project_that_are_pages(
    project: Path, source: str, page: str
) -> None:
    """Other files with such names are no pages."""
    site = RealisticSite()
    site.add_manual("{}/index.html", "docs/{}.md")
    others = {"README.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "site-src/README.md"}
    for other in others - {source}:
        site.files[other] = document(other, 200)
    site.add(page, source, document(source, 220))
    if page != "index.html":
        site.add_page("index.html", f"<p>{sentences('home page', 60)}</p>", None)
    assert site.wrong_sources(project) == {}
