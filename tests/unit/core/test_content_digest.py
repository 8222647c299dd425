"""What counts as main content of a built page."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from docs_sitemap.built.html import BuiltPage
from docs_sitemap.record.digest import digest_content

BASE = "https://example.org/docs/"


def digest(main: str, *, rest: str = "") -> str:
    html = f"<!doctype html><html><body>{rest}<main>{main}</main></body></html>"
    return digest_content(BuiltPage(html.encode()), BASE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>one two</p>", "<p>one\n  two\n</p>\n"),
        ("<p>one</p><p>two</p>", "<div>\n<p>one</p>\n\n<p>two</p></div>"),
        ("<p>one</p>", '<p class="big" id="one" style="color: red" data-x="1">one</p>'),
        ("<p>one</p>", "<p>one<!-- comment --></p>"),
        ("<p>one</p>", "<p>one</p><script>two()</script><style>p {}</style>"),
        (
            "<p>one</p>",
            "<p>one</p><template><p>two</p></template><noscript>two</noscript>",
        ),
        ("<p>one</p>", "<nav><a href='x'>two</a></nav><p>one</p>"),
        (
            "<p>one</p>",
            "<p>one</p><form><input name=q> Search</form><button>Copy</button>",
        ),
        ("<p>one</p>", "<p>one <svg><path d='M0 0'></path></svg></p>"),
        ("<p>one</p>", "<p><em>o</em>n<strong>e</strong></p>"),
        (
            "<h1>one</h1>",
            '<h1 id="one">one<a class="headerlink" href="#one">¶</a></h1>',
        ),
        (
            "<p>one</p>",
            '<p>one</p><a rel="edit" href="x">Edit</a><a rel="next" href="y">Next</a>',
        ),
        (
            "<p>one</p>",
            '<p>one</p><em><span class="git-revision-date-localized-plugin">May 31</span></em>',
        ),
        ("<p>one</p>", '<p>one</p><aside class="md-source-file">May 31</aside>'),
        (
            "<dt>f()</dt>",
            '<dt>f()<a href="m.html#f"><span class="viewcode-link">[source]</span></a></dt>',
        ),
        ('<img src="a.png">', '<img src="a.png?v=2" width="5" loading="lazy">'),
        (f'<a href="{BASE}a/">x</a>', '<a href="/a/" target="_blank" title="A">x</a>'),
        ('<a href="#id1">1</a>', '<a href="#id27">1</a>'),
        (
            '<a href="../a/">x</a><a href="./">y</a>',
            '<a href=".././a/">x</a><a href="././">y</a>',
        ),
        ('<a href="a/#b">x</a>', '<a href="./a/#b">x</a>'),
        ("<pre>a\n  b</pre>", "<pre><b>a</b>\n  <i>b</i></pre>"),
        (
            "<pre>a = 1</pre>",
            '<pre><span class="n">a</span> <span class="o">=</span> 1</pre>',
        ),
        ("<p>one</p>", "<p>one</p><div hidden>two</div>"),
        ("<p>one</p>", "<p>one</p><footer>two</footer>"),
        ("<p lang=de>one</p>", "<p lang=de> one</p>"),
        ("<li>one</li>", "<li> one </li>"),
        ("<p>x</p>", "<p>x<svg><title>a</title><desc>b</desc></svg></p>"),
        ('<img srcset="a.png?1 1x, b.png?2 2x">', '<img srcset="a.png 1x, b.png 2x">'),
        ('<video poster="a.png?1"></video>', '<video poster="a.png?2"></video>'),
    ],
)
def test_changes_that_do_not_count(before: str, after: str) -> None:
    assert digest(before) == digest(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>one</p>", "<p>One</p>"),
        ("<p>one</p><p>two</p>", "<p>two</p><p>one</p>"),
        ("<p>one</p><p>two</p>", "<p>onetwo</p>"),
        ("<p>one</p>", "<h2>one</h2>"),
        ("<h2>one</h2>", "<h3>one</h3>"),
        ("<p>one</p>", "<ul><li>one</li></ul>"),
        ("<p>one</p>", "<p><code>one</code></p>"),
        ("<table><tr><td>a b</table>", "<table><tr><td>a<td>b</table>"),
        ("<table><tr><td>a<tr><td>b</table>", "<table><tr><td>a<td>b</table>"),
        ("<p>x2</p>", "<p>x<sup>2</sup></p>"),
        ('<a href="a.html">x</a>', '<a href="b.html">x</a>'),
        ('<a href="a.html">x</a>', '<a href="a.html?b">x</a>'),
        ('<a href="a.html">x</a>', "x"),
        ('<img src="a.png">', '<img src="b.png">'),
        ('<img src="a.png" alt="A">', '<img src="a.png" alt="B">'),
        ('<video src="a.mp4"></video>', '<video src="b.mp4"></video>'),
        ("<abbr title='A'>x</abbr>", "<abbr title='B'>x</abbr>"),
        ("<input type=checkbox>x", "<input type=checkbox checked>x"),
        ("<pre>a\n  b</pre>", "<pre>a\nb</pre>"),
        ("<pre>a\n\nb</pre>", "<pre>a\nb</pre>"),
        ('<p lang="en">Gift</p>', '<p lang="de">Gift</p>'),
        ("<svg><text>A</text></svg>", "<svg><text>B</text></svg>"),
        ("<aside>A footnote</aside>", "<aside>Another footnote</aside>"),
        ("<p>a<br>b</p>", "<p>ab</p>"),
        *(
            (f"<svg>{before}</svg>", f"<svg>{after}</svg>")
            for before, after in (
                ("<text>a<tspan>b</tspan></text>", "<text>a<tspan>c</tspan></text>"),
                (
                    "<foreignObject><p>a</p></foreignObject>",
                    "<foreignObject><p>b</p></foreignObject>",
                ),
                ("<a href=a><text>a</text></a>", "<a href=b><text>a</text></a>"),
                ("<a xlink:href=a><path/></a>", "<a xlink:href=b><path/></a>"),
                ("<image href=a.png />", "<image href=b.png />"),
            )
        ),
        ("<map><area href=a></map>", "<map><area href=b></map>"),
        ("<map><area alt=a></map>", "<map><area alt=b></map>"),
        ('<img srcset="a.png 1x, b.png 2x">', '<img srcset="a.png 1x, c.png 2x">'),
        ('<source srcset="a.png">', '<source srcset="b.png">'),
        ('<video poster="a.png"></video>', '<video poster="b.png"></video>'),
    ],
)
def test_changes_that_count(before: str, after: str) -> None:
    assert digest(before) != digest(after)


def test_only_the_main_content_counts() -> None:
    first = digest("<p>one</p>", rest="<header>a</header><div>b</div>")
    assert first == digest("<p>one</p>", rest="<header>c</header>")


def body(html: str, selector: str | None = None) -> str:
    return digest_content(BuiltPage(html.encode()), BASE)


@pytest.mark.parametrize(
    "page",
    [
        "<main><div>Top</div><article>one</article></main>",
        "<div role=main>one</div><article>x</article>",
        "<div>x</div><article role=main>one</article>",
        "<article>one</article><aside>x</aside>",
        "<div class=body>one</div>x",
        "<div class=document>one</div>x",
        "<nav>x</nav><div>one</div><footer>x</footer>",
    ],
)
def test_the_main_content_of_common_themes(page: str) -> None:
    assert body(page) == body("<main>one</main>")


def test_several_articles_are_parts_of_the_main_content() -> None:
    page = "<main>one<article>two</article><article>three</article></main>"
    assert body(page) != body(page.replace("one", "1"))


@pytest.mark.parametrize(
    "html",
    [
        "<main>" + "<div class=a><p>one</div>" * 100_000,
        "<main>" + "<li>" * 100_000,
        f"<p>{''.join(f'<b id={number}>' for number in range(19))}</p>{'<p>x' * 9_000}",
    ],
)
def test_the_digest_of_a_long_page_takes_linear_time(html: str) -> None:
    before = time.process_time()
    body(html)
    assert time.process_time() - before < 4


def test_limits_leave_real_pages_complete() -> None:
    deep = "<div>" * 500 + "<b>" * 19
    many = "".join(
        f"<p><code class=c{number}>x</code> <b>y</b>" for number in range(9_000)
    )
    wide = f"<p {' '.join(f'a{number}' for number in range(5_000))}>"
    for html in (
        deep,
        many,
        wide,
        "<p>x" * 20_000,
        "<script>" + "a b " * 9_000 + "</script>",
    ):
        assert digest(f"{html}end") != digest(f"{html}END")


def test_any_page_has_a_digest() -> None:
    deep = "<div>" * 20_000 + "x"
    pages = ["", "\0", "<p>&#xD800;", "<main></main>", deep]
    for page in pages:
        assert len(body(page)) == 32
    assert len(digest_content(BuiltPage(b"\xff\xfe<main>\x00"), BASE)) == 32


WORDS = st.lists(st.text("abcäß<&😀", min_size=1, max_size=5), min_size=1, max_size=5)
SPACES = st.sampled_from([" ", "\n", "\t ", "  \n", "<!-- x --> "])
ATTRIBUTES = st.sampled_from(["", ' class="a"', ' id="b" style="c"', " data-x='1'"])


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


@given(st.lists(WORDS, min_size=1, max_size=4), st.data())
def test_white_space_and_attributes_never_count_and_words_always_do(
    paragraphs: list[list[str]], data: st.DataObject
) -> None:
    def render() -> str:
        parts = []
        for words in paragraphs:
            text = "".join(data.draw(SPACES) + escape(word) for word in words)
            parts.append(f"{data.draw(SPACES)}<p{data.draw(ATTRIBUTES)}>{text}</p>")
        return "".join(parts)

    before = digest(render())
    assert digest(render()) == before
    paragraph = data.draw(st.sampled_from(paragraphs))
    paragraph[data.draw(st.integers(0, len(paragraph) - 1))] += "z"
    assert digest(render()) != before


@given(st.text(max_size=200))
def test_random_documents_have_the_same_digest_every_time(html: str) -> None:
    data = html.encode("utf-8", "surrogatepass")
    assert digest_content(BuiltPage(data), BASE) == digest_content(
        BuiltPage(data), BASE
    )
