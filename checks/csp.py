"""Guard of the Content-Security-Policy: each page carries a strict one, and nothing on it needs more.

The policy is a meta tag, so that it also holds on a static host and from disk. ``frame-ancestors``, ``report-uri`` and
``sandbox`` have no effect there (Content Security Policy Level 3, section 3.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from checks.addresses import asks
from checks.html.elements import names
from checks.pages import Element, Page
from checks.problems import Problem
from checks.rule import Found, Rulebook

BOOK = Rulebook()

_FETCH = names("default-src script-src script-src-elem style-src style-src-elem img-src font-src connect-src media-src")
_FETCH |= names("object-src frame-src child-src worker-src manifest-src script-src-attr style-src-attr")
_CODE = names(
    "default-src script-src script-src-elem style-src style-src-elem object-src frame-src child-src worker-src"
)
_NEEDED = ("default-src", "base-uri", "form-action")
_IGNORED = names("frame-ancestors report-uri sandbox")
_SCRIPT_TYPES = names("module importmap speculationrules")
# MIME Sniffing, section 4.6: the JavaScript MIME type essences.
_SCRIPT_TYPES |= names("application/ecmascript application/javascript application/x-ecmascript text/ecmascript")
_SCRIPT_TYPES |= names("application/x-javascript text/javascript text/jscript text/livescript text/x-ecmascript")
_SCRIPT_TYPES |= names("text/x-javascript text/javascript1.0 text/javascript1.1 text/javascript1.2")
_SCRIPT_TYPES |= names("text/javascript1.3 text/javascript1.4 text/javascript1.5")
# HTML, section 8.1.8.2: the events that any element, or the body, has a handler attribute for.
_EVENTS = names("abort auxclick beforeinput beforematch beforetoggle blur cancel canplay canplaythrough change click")
_EVENTS |= names("close command contextlost contextmenu contextrestored copy cuechange cut dblclick drag dragend")
_EVENTS |= names("dragenter dragleave dragover dragstart drop durationchange emptied ended error focus formdata input")
_EVENTS |= names("invalid keydown keypress keyup load loadeddata loadedmetadata loadstart mousedown mouseenter")
_EVENTS |= names("mouseleave mousemove mouseout mouseover mouseup paste pause play playing progress ratechange reset")
_EVENTS |= names("resize scroll scrollend securitypolicyviolation seeked seeking select slotchange stalled submit")
_EVENTS |= names("suspend timeupdate toggle volumechange waiting wheel webkitanimationend webkitanimationiteration")
_EVENTS |= names("webkitanimationstart webkittransitionend afterprint beforeprint beforeunload hashchange offline")
_EVENTS |= names("languagechange message messageerror online pagehide pagereveal pageshow pageswap popstate")
_EVENTS |= names("rejectionhandled storage unhandledrejection unload")
# What other standards and browsers add: pointers, touch, animations, selections, full screen, SVG.
_EVENTS |= names("pointercancel pointerdown pointerenter pointerleave pointermove pointerout pointerover pointerup")
_EVENTS |= names("pointerrawupdate gotpointercapture lostpointercapture touchcancel touchend touchmove touchstart")
_EVENTS |= names("animationcancel animationend animationiteration animationstart transitioncancel transitionend")
_EVENTS |= names("transitionrun transitionstart selectionchange selectstart fullscreenchange fullscreenerror begin end")
_EVENTS |= names("repeat beforecopy beforecut beforepaste focusin focusout mousewheel search orientationchange")
_EVENTS |= names("scrollsnapchange scrollsnapchanging webkitfullscreenchange webkitfullscreenerror encrypted")
_EVENTS |= names("waitingforkey beforexrselect devicemotion deviceorientation deviceorientationabsolute")
_EVENTS |= names("gamepadconnected gamepaddisconnected")


def check_pages(pages: Iterable[Page]) -> Iterator[Problem]:
    """Every problem of the policies of some pages."""
    return chain.from_iterable(map(check_page, pages))


def check_page(page: Page) -> Iterator[Problem]:
    """Every problem of a page's policy; a piece of a page carries none."""
    return iter(()) if page.is_fragment else BOOK.check(page)


def policies(page: Page) -> list[Element]:
    """The meta tags that hold a policy."""
    return [one for one in page.tagged("meta") if _is_policy(one)]


def _is_policy(meta: Element) -> bool:
    return meta.attributes.get("http-equiv", "").lower() == "content-security-policy"


def directives(policy: str) -> dict[str, list[str]]:
    """The directives of a policy with their sources, in lower case; of a repeated one the first, as in browsers."""
    found: dict[str, list[str]] = {}
    for part in policy.lower().split(";"):
        words = part.split()
        if words:
            found.setdefault(words[0], words[1:])
    return found


@BOOK.rule(
    "csp-missing",
    "Every page has a Content-Security-Policy, before everything it is to govern.",
    'write <meta http-equiv="Content-Security-Policy" content="default-src \'none\'; …"> first in the head',
)
def csp_missing(page: Page) -> Found:
    """No policy, or one after a script or style sheet, or in the body; an empty one is weak."""
    found = policies(page)
    if not found:
        yield None, "the page has no Content-Security-Policy"
        return
    loads = [one for one in page.tagged("script", "style", "link") if one.tag != "link" or _loads(one)]
    if any(one.offset < found[0].offset for one in loads):
        yield found[0], "the policy comes after a script or style sheet, which it does not govern"
    if found[0].closest("body"):
        yield found[0], "the policy stands in the body, where browsers ignore it"


def _loads(link: Element) -> bool:
    return "href" in link.attributes and asks(link)


@BOOK.rule(
    "csp-weak",
    "The policy allows only what the page's own host serves.",
    "begin with default-src 'none', allow 'self' where needed, and set base-uri and form-action",
)
def csp_weak(page: Page) -> Found:
    """A missing directive, a source that opens the policy, or a directive without effect."""
    for policy in policies(page):
        found = directives(policy.attributes.get("content", ""))
        for needed in _NEEDED:
            if needed not in found:
                yield policy, f"the policy has no {needed}"
        for directive, sources in found.items():
            if directive in _IGNORED:
                yield policy, f"{directive} has no effect in a meta tag"
            for source in sources:
                reason = _too_wide(directive, source)
                if reason:
                    yield policy, f"{directive} {source}: {reason}"


def _too_wide(directive: str, source: str) -> str:
    """Why a source makes a directive too wide; empty where it does not."""
    if directive not in _FETCH | {"base-uri", "form-action"}:
        return ""
    if source.startswith("'unsafe-"):
        return "allows what the policy is there to forbid"
    if source.startswith("'"):
        return ""
    if source in ("data:", "blob:"):
        return "lets a page's text become code" if directive in _CODE else ""
    return "allows another host" if directive in _FETCH else "leads to another host"


@BOOK.rule("inline-script", "Scripts stand in files.", "move it into a file and load that with src and defer")
def inline_script(page: Page) -> Found:
    """A script in the page; blocks of data (JSON and the like) are none."""
    for script in page.tagged("script"):
        if "src" not in script.attributes and _is_code(script.attributes.get("type", "")) and not _in_drawing(script):
            yield script, "a script stands in the page"


def _is_code(kind: str) -> bool:
    kind = kind.strip().lower()
    return not kind or kind in _SCRIPT_TYPES


def _in_drawing(script: Element) -> bool:
    return bool(script.attributes.keys() & {"href", "xlink:href"}) and script.closest("svg") is not None


@BOOK.rule("inline-style", "Styles stand in files.", "give the element a class and style that in a style sheet")
def inline_style(page: Page) -> Found:
    """A style sheet in the page, or a ``style`` attribute."""
    for style in page.tagged("style"):
        yield style, "a style sheet stands in the page"
    for element in page.having("style"):
        yield element, f"<{element.tag}> has a style attribute"


@BOOK.rule("event-attribute", "Events are handled in scripts.", "add a listener in a script file")
def event_attribute(page: Page) -> Found:
    """An attribute whose value is a script."""
    handlers = [name for name in page.by_attribute if name.startswith("on") and name[2:] in _EVENTS]
    for element in page.having(*handlers):
        for attribute in element.attributes:
            if attribute in handlers:
                yield element, f"<{element.tag}> has the attribute {attribute}"


RULES = BOOK.rules
"""All rules by id, in the order of the documentation."""
