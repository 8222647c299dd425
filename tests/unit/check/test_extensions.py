"""Extensions for images, videos, news, and languages: namespaces, required elements, and values."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support.sitemaps import BASE, NAMESPACES, check_data, index, links, summarize, url, urlset

A = f"{BASE}a/"
GOOGLE = "http://www.google.com/schemas/sitemap-"
EXTENDED = (
    f'{NAMESPACES} xmlns:image="{GOOGLE}image/1.1" xmlns:video="{GOOGLE}video/1.1"'
    f' xmlns:news="{GOOGLE}news/0.9"'
)


def extended(*lines: str) -> str:
    return urlset(*lines).replace(NAMESPACES, EXTENDED)


def one(rest: str) -> str:
    return extended(url(A, rest))


def image(loc: str = f"{A}x.png", rest: str = "") -> str:
    return f"<image:image><image:loc>{loc}</image:loc>{rest}</image:image>"


VIDEO = {
    "thumbnail_loc": f"{A}123.jpg",
    "title": "Grilling steaks for summer",
    "description": "Alkis shows you how to get perfectly done steaks every time",
    "content_loc": "http://streamserver.example.com/video123.mp4",
    "player_loc": "https://www.example.com/videoplayer.php?video=123",
    "duration": "600",
    "expiration_date": "2009-11-05T19:20:30+08:00",
    "rating": "4.2",
    "view_count": "12345",
    "publication_date": "2007-11-05T19:20:30+08:00",
    "family_friendly": "yes",
}
PUBLICATION = "<news:name>The Example Times</news:name><news:language>en</news:language>"
NEWS = {
    "publication": PUBLICATION,
    "publication_date": "2008-12-23",
    "title": "Companies A, B in Merger Talks",
}


def element(name: str, values: Mapping[str, str | None]) -> str:
    inner = "".join(
        f"<{name}:{key}>{value.replace('&', '&amp;')}</{name}:{key}>"
        for key, value in values.items()
        if value is not None
    )
    return f"<{name}:{name}>{inner}</{name}:{name}>"


def video(**values: str | None) -> str:
    return element("video", VIDEO | values)


def news(**values: str | None) -> str:
    return element("news", NEWS | values)


GOOD = {
    "images": one(image() + image("https://cdn.example.com/y.png?a=1&amp;b=2")),
    "deprecated elements of images": one(
        image(rest="<image:caption>C</image:caption><image:license>L</image:license>")
    ),
    "the maximum number of images": extended(*(url(f"{A}{n}", image() * 1_000) for n in range(2))),
    "non-ASCII image": one(image(f"{A}é.png")),
    "video": one(video()),
    "two videos": one(video() + video()),
    "video without a player": one(video(player_loc=None)),
    "video without a file": one(video(content_loc=None)),
    "video with elements that may be repeated": one(
        video().replace(
            "</video:video>",
            "<video:price currency='EUR'>1</video:price><video:tag>x</video:tag>"
            "<video:tag>y</video:tag><video:restriction relationship='allow'>IE GB"
            "</video:restriction></video:video>",
        )
    ),
    **{
        f"video with {key} {value}": one(video(**{key: value}))
        for key, value in (
            *(("duration", text) for text in ("1", "28800")),
            *(("rating", text) for text in ("0", "5.0", "4.", ".5")),
            *(("publication_date", text) for text in ("2007-11-05", "2007-11-05T19:20Z")),
            *((name, "ftp://example.org/x") for name in ("thumbnail_loc", "content_loc")),
            *(("requires_subscription", text) for text in ("yes", "No")),
            ("description", "é" * 2_048),
            ("uploader", "x" * 255),
        )
    },
    "video with an empty URL next to another one": one(video(content_loc="")),
    "news": one(news()),
    "news with deprecated elements": one(
        news().replace("<news:title>", "<news:genres>Blog</news:genres><news:title>")
    ),
    **{
        f"news in {language}": one(news(publication=PUBLICATION.replace(">en<", f">{language}<")))
        for language in ("fil", "zh-cn", "zh-tw", "EN")
    },
    "the maximum number of news": extended(*(url(f"{A}{n}", news()) for n in range(1_000))),
    "CDATA": one(video(title="<![CDATA[A & B]]>").replace("&amp;", "&")),
    "foreign elements in an extension": one(
        image(rest='<x:loc xmlns:x="urn:x">y<x:loc/></x:loc><x:link xmlns:x="urn:x"/>')
    ),
    "all extensions": one(image() + video() + news() + links(de=A)),
    "other namespaces of Google": one(
        f'<mobile:mobile xmlns:mobile="{GOOGLE.replace("www.", "www.")}mobile/1.0"/>'
        f'<PageMap xmlns="{GOOGLE}pagemap/1.0"><DataObject/></PageMap>'
    ),
    "usual prefixes for other purposes": one(
        '<news:item xmlns:news="urn:x"/><xhtml:link2 xmlns:xhtml="urn:y"/>'
    ),
    "other elements of XHTML": one("<xhtml:meta name='a'/>"),
    "wrong namespaces that are not used": urlset(url(A)).replace(
        NAMESPACES, NAMESPACES + f' xmlns:image="{GOOGLE}image/1.0"'
    ),
}


@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD)
def test_valid_extension_has_no_findings(content: str) -> None:
    assert check_data(content) == []


def misplaced(text: str, where: str) -> str:
    place = {"above": "<url>", "below": "</url>"}[where]
    return one("").replace(place, {"above": f"{text}\n<url>", "below": f"</url>\n{text}"}[where])


BAD: dict[str, tuple[str, list[str]]] = {
    # Namespaces
    **{
        f"{right} as {wrong}": (
            extended(url(A, f"\n{text}"), url(f"{A}b", text)).replace(f'"{right}"', f'"{wrong}"'),
            ["extension-namespace@4"],
        )
        for text, right, wrongs in (
            (
                links(de=A, en=f"{A}b"),
                "http://www.w3.org/1999/xhtml",
                (
                    "http://www.w3.org/1999/xhtml/",
                    "https://www.w3.org/1999/xhtml",
                    "http://w3.org/1999/xhtml",
                    "http://www.w3.org/TR/xhtml11/xhtml11_schema.html",
                    "http://www.w3.org/TR/xhtml1",
                    "urn:x",
                ),
            ),
            (
                image(),
                f"{GOOGLE}image/1.1",
                (
                    f"{GOOGLE}image/1.1/",
                    f"{GOOGLE}image/1.0",
                    f"{GOOGLE.replace('http', 'https')}image/1.1",
                    f"{GOOGLE.replace('www.', '')}image/1.1",
                    "urn:x",
                ),
            ),
            (video(), f"{GOOGLE}video/1.1", (f"{GOOGLE}video/1.0", f"{GOOGLE}Video/1.1")),
            (news(), f"{GOOGLE}news/0.9", (f"{GOOGLE}news/0.9/", f"{GOOGLE}news/1.0")),
        )
        for wrong in wrongs
    },
    "wrong namespace with another prefix": (
        one(f'<i:image xmlns:i="{GOOGLE}image/1.0"/>'),
        ["extension-namespace@3"],
    ),
    "two wrong namespaces": (
        one(image() + "\n" + links(de=A)).replace("/1.1", "/1.0").replace("9/xhtml", "9/xhtml/"),
        ["extension-namespace@3", "extension-namespace@4"],
    ),
    # Positions
    **{
        f"{name} {where} an entry": (
            misplaced(text, where),
            ["unknown-element@3" if where == "above" else "unknown-element@4"],
        )
        for name, text in {"link": links(de=A), "image": image(), "news": news()}.items()
        for where in ("above", "below")
    },
    "link in an index": (
        index(A).replace("</loc>", f"</loc>{links(de=A)}"),
        ["unknown-element@3"],
    ),
    "image in an index": (
        index(A).replace(NAMESPACES, EXTENDED).replace("</loc>", f"</loc>{image()}"),
        ["unknown-element@3"],
    ),
    "loc of an image in an entry": (
        one(f"<image:loc>{A}x.png</image:loc>"),
        ["unknown-element@3"],
    ),
    "element in a value": (
        one(image("<b/>")),
        ["unknown-element@3"],
    ),
    "text in an image": (one(image(rest="x")), ["unexpected-content@3"]),
    "two locs": (
        one(image(rest=f"\n<image:loc>{A}y.png</image:loc>")),
        ["repeated-element@4"],
    ),
    # Values
    "image without loc": (one("<image:image/>"), ["extension-invalid@3"]),
    "image with the loc of pages": (
        one(f"<image:image><loc>{A}x.png</loc></image:image>"),
        ["extension-invalid@3"],
    ),
    "empty loc of an image": (one(image(" ")), ["extension-invalid@3"]),
    **{
        f"image {loc}": (one(f"\n{image(loc)}"), ["extension-invalid@4"])
        for loc in ("/x.png", "x.png", "//example.org/x.png", "ftp://example.org/x", f"{A}x y.png")
    },
    **{
        f"video without {key}": (one("\n" + video(**{key: None})), ["extension-invalid@4"])
        for key in ("thumbnail_loc", "title", "description")
    },
    "video without a URL": (
        one(video(content_loc=None, player_loc=None)),
        ["extension-invalid@3"],
    ),
    "second video": (
        one(video() + "\n" + video(title=None, duration="0")),
        ["extension-invalid@4", "extension-invalid@4"],
    ),
    **{
        f"video with {key} {value}": (one(video(**{key: value})), ["extension-invalid@3"])
        for key, value in (
            *(("duration", text) for text in ("0", "28801", "1.5", "10:00", "-1", "9" * 5_000)),
            *(("rating", text) for text in ("5.1", "-1", "high", "nan", "4,2")),
            *(("publication_date", text) for text in ("2007", "2007-11", "yesterday")),
            *(("expiration_date", text) for text in ("2009-11-05T19:20:30", "2009-02-30")),
            *((name, "video.mp4") for name in ("thumbnail_loc", "content_loc", "player_loc")),
            *((name, "") for name in ("duration", "rating", "expiration_date", "live")),
            *((name, "true") for name in ("family_friendly", "requires_subscription", "live")),
            ("description", "x" * 2_049),
            ("description", "x" * 20_000),
            ("uploader", "x" * 256),
        )
    },
    "empty news": (one("<news:news/>"), ["extension-invalid@3"]),
    **{f"news without {key}": (one(news(**{key: None})), ["extension-invalid@3"]) for key in NEWS},
    "news without a language": (
        one(news(publication="<news:name>N</news:name>")),
        ["extension-invalid@3"],
    ),
    "two news of one entry": (one(news() + "\n" + news()), ["repeated-element@4"]),
    "name outside the publication": (
        one(news(publication="<news:language>en</news:language>", name="N")),
        ["extension-invalid@3"],
    ),
    **{
        f"news in {language}": (
            one(news(publication=PUBLICATION.replace(">en<", f">{language}<"))),
            ["extension-invalid@3"],
        )
        for language in ("English", "en-US", "uk-UA", "us", "zh-hk")
    },
    **{
        f"news of {date}": (one(news(publication_date=date)), ["extension-invalid@3"])
        for date in ("2008", "12/23/2008", "2008-12-23T08:00:00")
    },
    # Limits
    "too many images": (
        extended(url(f"{A}0", image()), url(A, image() * 1_001)),
        ["extension-invalid@4"],
    ),
    "too many news": (
        extended(*(url(f"{A}{n}", news()) for n in range(1_001))),
        ["extension-invalid"],
    ),
}


@pytest.mark.parametrize(("content", "expected"), BAD.values(), ids=[text[:60] for text in BAD])
def test_invalid_extension_has_the_expected_findings(content: str, expected: list[str]) -> None:
    assert summarize(check_data(content)) == expected


MESSAGES = {
    "missing elements": (
        one(video(title=None, content_loc=None, player_loc=None)),
        "<video:video> has no <video:title>, <video:content_loc> or <video:player_loc>",
    ),
    "value": (
        one(video(duration="0")),
        "<video:duration> is '0': it is not a number from 1 to 28,800",
    ),
    "language": (
        one(news(publication=PUBLICATION.replace(">en<", ">English<"))),
        "<news:language> is 'English': it is not a language of ISO 639, zh-cn, or zh-tw",
    ),
    "namespace": (
        one(image()).replace("image/1.1", "image/1.0"),
        f"<image> is in '{GOOGLE}image/1.0' instead of '{GOOGLE}image/1.1'",
    ),
    "position": (misplaced(image(), "below"), "<image:image> is not allowed here"),
}


@pytest.mark.parametrize(("content", "message"), MESSAGES.values(), ids=MESSAGES)
def test_message_of_an_extension(content: str, message: str) -> None:
    (finding,) = check_data(content)
    assert finding.message == message


def test_finding_about_an_extension_has_the_url_of_its_entry() -> None:
    content = extended(f"<url>{image('x.png')}<loc>{A}</loc></url>")
    findings = check_data(content)
    assert [(one.code, one.url) for one in findings] == [
        ("wrong-order", None),
        ("extension-invalid", A),
    ]
