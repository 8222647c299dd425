"""The language tags of alternates, the values of `hreflang`: check them, and make them
from the names of locales.
"""

import re

from docs_sitemap.tools.printing import shorten

X_DEFAULT = "x-default"
"""The tag of the page for all other languages."""

# ISO 639-1 hardly changes. RFC 5646 also accepts its withdrawn codes: in, iw, ji, jw,
# mo, sh.
_LANGUAGES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr
    cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu
    gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka
    kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk
    ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps
    pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta
    te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh
    zu
    """.split()  # noqa: SIM905  # readable
)

# ISO 3166-1, and XK, which is used for Kosovo.
_REGIONS = frozenset(
    """
    ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm
    bn bo bq br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx
    cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg
    gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir
    is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv
    ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne
    nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro
    rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf
    tg th tj tk tl tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf
    ws xk ye yt za zm zw
    """.split()  # noqa: SIM905  # readable
)

# The scripts that names of locales contain as a modifier. Other modifiers have no tag.
_SCRIPTS = {"latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva", "arabic": "Arab"}

# The form of a language tag (RFC 5646, section 2.1) without extensions. Whether the
# language exists is not checked.
_HREFLANG = r"""(?ix)
    [a-z]{2,3} (?:-[a-z]{4})? (?:-(?:[a-z]{2}|[0-9]{3}))?
    (?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))* | x-default"""


def check_hreflang(text: str) -> None:
    """Check a language tag, or `x-default`. Languages with three letters are not looked
    up, because there are thousands.

    Source:
    <https://developers.google.com/search/docs/specialty/international/localized-versions>.

    Raises:
        ValueError: It is invalid. The message is the reason.
    """
    if not re.fullmatch(_HREFLANG, text):
        raise ValueError(f"{shorten(text)} is not a language tag")
    language, *others = text.lower().split("-")
    if len(language) == 2 and language not in _LANGUAGES:
        raise ValueError(f"{shorten(text)} does not start with a language of ISO 639-1")
    for other in others:
        if len(other) == 2 and other not in _REGIONS:
            raise ValueError(f"{shorten(text)} does not have a region of ISO 3166-1")


def to_hreflang(locale: str) -> str:
    """Return the language tag of a locale: `zh-CN` for `zh_CN`, `sr-Latn` for
    `sr@latin`, and `ca` for `ca@valencia`.

    Raises:
        ValueError: It has none. The message is the reason.
    """
    name, _, modifier = locale.partition("@")
    language, *others = name.replace("_", "-").split("-")
    if language.lower() == "x":  # x-default is no language.
        raise ValueError(f"{shorten(locale)} is not a language")
    if modifier.lower() in _SCRIPTS:
        others.insert(0, _SCRIPTS[modifier.lower()])
    check_hreflang("-".join([language, *others]))
    # https://www.rfc-editor.org/rfc/rfc5646#section-2.1.1
    cases = {2: str.upper, 4: str.title}
    tag = language.lower()
    for part in others:
        tag += f"-{cases.get(len(part), str.lower)(part)}"
    return tag
