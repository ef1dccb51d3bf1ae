"""What the HTML standard says about elements, as tables.

The first half is the parser's view (section 13.2.6: which tags close, ignore or move what), the second the
content models (section 4). Obsolete elements are listed because a browser's parser still knows them.
"""

from __future__ import annotations

from dataclasses import dataclass


def names(text: str) -> frozenset[str]:
    """A set of element names, written with spaces between."""
    return frozenset(text.split())


HEADINGS = names("h1 h2 h3 h4 h5 h6")
VOID = names("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")

# --- the parser's view ---------------------------------------------------------------------------------

CLOSES_P = HEADINGS | names(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header"
    " hgroup main menu nav ol p search section summary ul pre listing form xmp hr table li dd dt"
)
SPECIAL = HEADINGS | names(
    "applet article aside blockquote button center dd details dir dl dt fieldset figcaption figure footer form header"
    " hgroup li listing main marquee menu nav noscript object ol pre search section select summary table ul"
)
"""What ends the search for an open list item (13.2.6.4.7), of what elements can be in: neither void ones nor raw text,
nor what only a table or a template leads to, and without address, div and p, which that search passes."""
SCOPE_BOUNDS = names("applet html table marquee object select template")
"""What ends a search of the open elements (13.2.4.2); cells and captions, too, but they stand in a table."""
MARKERS = names("applet object marquee td th caption")
"""What the list of open formatting elements is not searched beyond (13.2.4.3), besides a template."""
TABLE_PARTS = names("caption col colgroup tbody td tfoot th thead tr")
SECTIONS = names("tbody thead tfoot")
CELLS = names("td th")
TABLE_CONTEXT = SECTIONS | names("table tr")
HEAD_CONTENT = names("base basefont bgsound link meta title noframes style script template noscript")
NOSCRIPT_HEAD_CONTENT = names("basefont bgsound link meta noframes style")
DOCUMENT_TAGS = names("html head body frameset frame")
IMPLIED_END = names("dd dt li optgroup option p rb rp rt rtc")
RUBY_PARTS = names("rb rtc rp rt")

MATH_TEXT_POINTS = names("mi mo mn ms mtext")
SVG_HTML_POINTS = names("foreignobject desc title")
BREAKOUT = HEADINGS | names(
    "b big blockquote body br center code dd div dl dt em embed head hr i img li listing menu meta nobr ol p pre"
    " ruby s small span strong strike sub sup table tt u ul var"
)

OMITTED_BEFORE: dict[str, frozenset[str]] = {
    "p": HEADINGS
    | names(
        "address article aside blockquote details dialog div dl fieldset figcaption figure footer form header"
        " hgroup hr main menu nav ol p pre search section table ul"
    ),
    "li": names("li"),
    "dt": names("dt dd"),
    "dd": names("dt dd"),
    "rt": names("rt rp"),
    "rp": names("rt rp"),
    "option": names("option optgroup hr"),
    "optgroup": names("optgroup hr"),
    "caption": names("colgroup thead tbody tfoot tr"),
    "colgroup": names("colgroup thead tbody tfoot tr"),
    "thead": names("tbody tfoot"),
    "tbody": names("tbody tfoot"),
    "tr": names("tr"),
    "td": names("td th"),
    "th": names("td th"),
    "head": names("body"),
}
"""End tags that may be left out when this start tag follows (section 13.1.2.4)."""

OMITTED_AT_END = names("p li dd dt rt rp option optgroup tbody tfoot tr td th body html colgroup caption")
"""End tags that may be left out when the parent ends."""

KEEPS_P_OPEN = names("a audio del ins map noscript video")
"""Parents at whose end a ``</p>`` may not be left out."""

# --- content models ------------------------------------------------------------------------------------

_PHRASING_ONLY = names(
    "a abbr audio b bdi bdo button canvas cite code data datalist del dfn em i iframe ins kbd label map mark"
    " meter noscript object output picture progress q ruby s samp script select selectedcontent slot small span"
    " strong sub sup template textarea time u var video"
)
FLOW_ONLY = HEADINGS | names(
    "address article aside blockquote center details dialog dir div dl fieldset figure footer form header hgroup hr"
    " listing main menu nav ol p pre search section table ul xmp"
)
TRANSPARENT = names("a ins del map noscript object video audio canvas slot marquee applet")
OBSOLETE = names(
    "acronym applet basefont bgsound big blink center dir font frame frameset isindex keygen listing marquee"
    " menuitem multicol nextid nobr noembed noframes param rb rtc spacer strike tt xmp"
)
METADATA = names("base title style")
SCRIPT_SUPPORT = names("script template")

PARENTS: dict[str, tuple[str, ...]] = {
    "li": ("ul", "ol", "menu"),
    "dt": ("dl",),
    "dd": ("dl",),
    "figcaption": ("figure",),
    "legend": ("fieldset",),
    "summary": ("details",),
    "option": ("select", "datalist", "optgroup"),
    "optgroup": ("select",),
    "rt": ("ruby",),
    "rp": ("ruby",),
    "source": ("picture", "video", "audio"),
    "track": ("video", "audio"),
    "caption": ("table",),
    "colgroup": ("table",),
    "col": ("colgroup",),
    "thead": ("table",),
    "tbody": ("table",),
    "tfoot": ("table",),
    "tr": ("table", "tbody", "thead", "tfoot"),
    "td": ("tr",),
    "th": ("tr",),
    "param": ("object",),
    "rb": ("ruby",),
    "rtc": ("ruby",),
    "html": ("document",),
    "head": ("html",),
    "body": ("html",),
}
"""Elements that are allowed only in these parents."""

KNOWN = _PHRASING_ONLY | FLOW_ONLY | OBSOLETE | METADATA | frozenset(PARENTS) | VOID


@dataclass(frozen=True, slots=True)
class Model:
    """What an element may hold: a class of content (``base``), more elements (``extra``), text or not."""

    base: str  # "flow", "phrasing", "nothing", "any"
    extra: frozenset[str] = frozenset()
    text: bool = True


FLOW = Model("flow")
PHRASING_MODEL = Model("phrasing")
ANY = Model("any")
_NOTHING = Model("nothing", text=False)


def _only(children: str) -> Model:
    return Model("nothing", names(children) | SCRIPT_SUPPORT, text=False)


_PHRASING_PARENTS = HEADINGS | names(
    "p pre abbr b bdi bdo button cite code data dfn em i kbd label mark meter output progress q s samp small span"
    " strong sub sup time u var rt rp acronym big blink font nobr strike tt listing"
)

MODELS: dict[str, Model] = {
    **dict.fromkeys(_PHRASING_PARENTS, PHRASING_MODEL),
    **dict.fromkeys(VOID, _NOTHING),
    "html": Model("nothing", names("head body frameset"), text=False),
    "head": Model("nothing", HEAD_CONTENT, text=False),
    "ul": _only("li"),
    "ol": _only("li"),
    "menu": _only("li"),
    "dir": _only("li"),
    "dl": _only("dt dd div"),
    "table": _only("caption colgroup thead tbody tfoot"),
    "thead": _only("tr"),
    "tbody": _only("tr"),
    "tfoot": _only("tr"),
    "tr": _only("td th"),
    "select": _only("option optgroup hr button div noscript"),
    "optgroup": _only("option legend div noscript"),
    "option": Model("phrasing", names("div")),
    "datalist": Model("phrasing", names("option")),
    "hgroup": Model("nothing", HEADINGS | SCRIPT_SUPPORT | names("p"), text=False),
    "picture": _only("source img"),
    "ruby": Model("phrasing", names("rt rp rb rtc")),
    "figure": Model("flow", names("figcaption")),
    "fieldset": Model("flow", names("legend")),
    "details": Model("flow", names("summary")),
    "summary": Model("phrasing", HEADINGS | names("hgroup")),
    "legend": Model("phrasing", HEADINGS | names("hgroup")),
    "svg title": PHRASING_MODEL,
    "math text": PHRASING_MODEL,
}
"""Content models; an element that is not listed holds flow content."""

TRANSPARENT_EXTRA: dict[str, frozenset[str]] = {
    "video": names("source track"),
    "audio": names("source track"),
    "object": names("param"),
    "applet": names("param"),
}

_SECTIONING = names("article aside nav section")
_HEADING_CONTENT = HEADINGS | names("hgroup")
FORBIDS: dict[str, frozenset[str]] = {
    "a": names("a"),
    "address": _HEADING_CONTENT | _SECTIONING | names("header footer address"),
    "dt": _HEADING_CONTENT | _SECTIONING | names("header footer"),
    "th": _HEADING_CONTENT | _SECTIONING | names("header footer"),
    "header": names("header footer"),
    "footer": names("header footer"),
    "caption": names("table"),
    "form": names("form"),
    "meter": names("meter"),
    "progress": names("progress"),
    "dfn": names("dfn"),
    "label": names("label"),
    "video": names("video audio"),
    "audio": names("video audio"),
    "noscript": names("noscript"),
    "option": names("datalist object"),
}
"""Ancestor → descendants it forbids at any depth; interactive content is separate (it depends on attributes)."""

INTERACTIVE_LIMITS = names("a button")
INTERACTIVE = names("button details embed iframe label select textarea")
LABELABLE = names("button input meter output progress select textarea")


def is_custom(name: str) -> bool:
    """Whether this is a valid custom element's name (it holds a hyphen)."""
    return "-" in name and name != "annotation-xml"
