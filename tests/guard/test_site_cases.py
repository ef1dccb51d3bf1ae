"""Every rule about accessibility, policy and completeness without script against its case file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from checks import a11y, csp, noscript
from checks.pages import Page, read_page
from checks.problems import Problem
from tests.guard.guard_cases import Case, cases

Check = Callable[[list[Page]], Iterable[Problem]]
GUARDS: dict[str, tuple[Check, set[str]]] = {
    "a11y": (a11y.check_pages, set(a11y.RULES) - {"title-unique"}),
    "csp": (csp.check_pages, set(csp.RULES)),
    "noscript": (noscript.check_pages, set(noscript.RULES)),
}
CASES = {name: cases(Path(__file__).parent / f"cases_{name}") for name in GUARDS}
ALL = [(name, case) for name, found in CASES.items() for case in found]
BEFORE = '<!DOCTYPE html><html lang="en"><head><title>t</title></head><body><main><h1>h</h1>\n'


def told(guard: str, case: Case) -> list[str]:
    """What the guard says; for accessibility a piece stands in a page that is fine otherwise."""
    whole = guard != "a11y" or "<!DOCTYPE" in case.html
    html = case.html if whole else f"{BEFORE}{case.html}\n</main></body></html>"
    found = GUARDS[guard][0]([read_page(html, "case.html")])
    return sorted(f"{one.rule} {one.line - (not whole)}:{one.column}" for one in found)


@pytest.mark.parametrize(("guard", "case"), ALL, ids=str)
def test_each_case_gives_exactly_the_findings_in_its_file(guard: str, case: Case) -> None:
    assert told(guard, case) == sorted(case.expected), case.html


@pytest.mark.parametrize("guard", GUARDS)
def test_every_rule_has_a_case_that_must_fail_and_one_that_must_pass(guard: str) -> None:
    rules = {case.rule for case in CASES[guard]}
    assert rules == GUARDS[guard][1]
    for rule in rules:
        assert {case.fails for case in CASES[guard] if case.rule == rule} == {True, False}, rule
        for case in CASES[guard]:
            if case.rule == rule:
                assert any(line.startswith(f"{rule} ") for line in case.expected) == case.fails, case


@pytest.mark.parametrize("guard", GUARDS)
def test_every_finding_has_a_message_and_a_remedy(guard: str) -> None:
    for case in CASES[guard]:
        for one in GUARDS[guard][0]([read_page(case.html, "case.html")]):
            assert one.message and one.fix and one.path == "case.html"


def pages(**titles: str) -> list[Page]:
    html = '<!DOCTYPE html><html lang="en"><head>{}</head><body><main><h1>h</h1></main></body></html>'
    return [read_page(html.format(head), name) for name, head in titles.items()]


def test_two_pages_with_one_title_are_told_apart() -> None:
    (problem,) = a11y.check_pages(pages(a="<title>x</title>", b="<title> x\n</title>", c="<title>y</title>"))
    assert (problem.rule, problem.path, problem.column) == ("title-unique", "b", 38)
    assert "is that of a too" in problem.message


def test_pages_that_send_on_at_once_may_share_a_title() -> None:
    moved = '<title>Moved</title><meta http-equiv="refresh" content="0; url=a.html">'
    assert list(a11y.check_pages(pages(a=moved, b=moved))) == []
    waits = moved.replace("0;", "9;")
    assert [one.rule for one in a11y.check_pages(pages(a=waits, b=waits))].count("title-unique") == 1
    assert [one.rule for one in a11y.check_pages(pages(a="<title></title>", b="<title></title>"))] == ["page-title"] * 2


@pytest.mark.parametrize(("seconds", "told"), [("0" * 5000, False), ("0" * 9 + "1", True), ("9" * 5000, True)])
def test_a_page_may_wait_for_any_number_of_seconds(seconds: str, told: bool) -> None:
    head = f'<title>x</title><meta http-equiv="refresh" content="{seconds}; url=a.html">'
    assert [one.rule for one in a11y.check_pages(pages(a=head))] == ["timed-refresh"] * told


def test_a_piece_of_a_page_needs_none_of_what_a_page_needs_and_shares_its_title_with_others() -> None:
    pieces = [read_page("<title>x</title><p>x</p>", name) for name in ("a", "b")]
    assert list(a11y.check_pages(pieces)) == []


NAMED_BY_TEXT = ["checkbox", "radio", "switch"]
UNNAMED_BY_TEXT = ["combobox", "listbox", "searchbox", "slider", "spinbutton", "textbox"]


@pytest.mark.parametrize("role", [*NAMED_BY_TEXT, "menuitemcheckbox", *UNNAMED_BY_TEXT])
def test_a_widget_of_any_role_needs_a_label_and_some_take_their_text_for_one(role: str) -> None:
    def found(html: str) -> list[str]:
        return [one.rule for one in a11y.check_pages([read_page(html, "a.html")])]

    assert found(f'<div role="{role}"></div>') == ["control-label"]
    assert found(f'<div role="{role}" aria-label="x"></div>') == []
    assert found(f'<div role="{role}">x</div>') == ([] if role in NAMED_BY_TEXT else ["control-label"])


POLICY = '<!DOCTYPE html><head><meta http-equiv="Content-Security-Policy" content="{}"></head><body></body>'
WHOLE = "default-src 'none'; base-uri 'none'; form-action 'none'"
# Content Security Policy Level 3, section 6: the directives that decide what is fetched; those whose fetches run.
RUNS = ["script-src", "script-src-elem", "style-src", "style-src-elem"]
RUNS += ["object-src", "frame-src", "child-src", "worker-src"]
SHOWS = ["img-src", "font-src", "connect-src", "media-src", "manifest-src", "script-src-attr", "style-src-attr"]


def weak(policy: str) -> list[str]:
    """What the guard says of a policy."""
    return [one.message for one in csp.check_pages([read_page(POLICY.format(policy), "a.html")])]


@pytest.mark.parametrize("directive", [*RUNS, *SHOWS])
def test_no_directive_of_a_policy_may_name_another_host(directive: str) -> None:
    for source in ("https://cdn.example", "*"):
        assert weak(f"{WHOLE}; {directive} {source}") == [f"{directive} {source}: allows another host"]
    assert (
        weak(f"{WHOLE}; {directive} 'self' 'nonce-x' 'sha256-x' 'strict-dynamic' 'wasm-unsafe-eval' 'report-sample'")
        == []
    )
    forbidden = f"{directive} 'unsafe-inline': allows what the policy is there to forbid"
    assert weak(f"{WHOLE}; {directive} 'unsafe-inline'") == [forbidden]
    runs = [f"{directive} {source}: lets a page's text become code" for source in ("data:", "blob:")]
    assert weak(f"{WHOLE}; {directive} data: blob:") == (runs if directive in RUNS else [])


def test_the_directives_that_every_policy_needs_are_held_to_the_same() -> None:
    assert weak("default-src *; base-uri 'none'; form-action 'none'") == ["default-src *: allows another host"]
    assert weak("default-src data:; base-uri 'none'; form-action 'none'") == [
        "default-src data:: lets a page's text become code"
    ]
    assert weak("default-src 'none'; base-uri *; form-action *") == [
        "base-uri *: leads to another host",
        "form-action *: leads to another host",
    ]
    assert weak(f"{WHOLE}; upgrade-insecure-requests; frame-ancestors-x *") == []


def test_a_word_in_quotation_marks_is_no_host() -> None:
    assert weak(f"{WHOLE}; script-src 'self' 'inline-speculation-rules' 'report-sha256'") == []


# MIME Sniffing, section 4.6: the JavaScript MIME type essences.
SCRIPTS = ["application/ecmascript", "application/javascript", "application/x-ecmascript", "application/x-javascript"]
SCRIPTS += ["text/ecmascript", "text/javascript", "text/jscript", "text/livescript", "text/x-ecmascript"]
SCRIPTS += ["text/x-javascript", *(f"text/javascript1.{version}" for version in range(6))]


@pytest.mark.parametrize("kind", ["", "module", "importmap", "speculationrules", " Text/JavaScript ", *SCRIPTS])
def test_every_kind_of_code_in_a_page_is_a_script(kind: str) -> None:
    page = POLICY.format(WHOLE).replace("<body>", f'<body><script type="{kind}"></script>')
    assert [one.rule for one in csp.check_pages([read_page(page, "a.html")])] == ["inline-script"]


@pytest.mark.parametrize("kind", ["application/json", "text/x-template-of-javascript", "text/javascript1.6"])
def test_a_block_of_data_is_no_script(kind: str) -> None:
    page = POLICY.format(WHOLE).replace("<body>", f'<body><script type="{kind}"></script>')
    assert not list(csp.check_pages([read_page(page, "a.html")]))


def test_a_style_sheet_before_the_policy_is_not_governed() -> None:
    early = POLICY.format(WHOLE).replace("<head>", "<head><style></style>")
    found = [one.rule for one in csp.check_pages([read_page(early, "a.html")])]
    assert found == ["csp-missing", "inline-style"]


def test_a_link_that_loads_nothing_may_stand_before_the_policy() -> None:
    for rel, rules in (("canonical", []), ("me", []), ("icon", ["csp-missing"]), ("preload", ["csp-missing"])):
        page = POLICY.format(WHOLE).replace("<head>", f'<head><link rel="{rel}" href="a">')
        assert [one.rule for one in csp.check_pages([read_page(page, "a.html")])] == rules
    page = POLICY.format(WHOLE).replace("<head>", '<head><link rel="icon">')
    assert not list(csp.check_pages([read_page(page, "a.html")]))


# HTML, section 8.1.8.2, and what touch, pointers, animations, selections, full screen and SVG add to it.
EVENTS = [
    *("abort", "auxclick", "beforeinput", "beforematch", "beforetoggle", "blur", "cancel", "canplay", "canplaythrough"),
    *("change", "click", "close", "command", "contextlost", "contextmenu", "contextrestored", "copy", "cuechange"),
    *("cut", "dblclick", "drag", "dragend", "dragenter", "dragleave", "dragover", "dragstart", "drop"),
    *("durationchange", "emptied", "ended", "error", "focus", "formdata", "input", "invalid", "keydown", "keypress"),
    *("keyup", "load", "loadeddata", "loadedmetadata", "loadstart", "mousedown", "mouseenter", "mouseleave"),
    *("mousemove", "mouseout", "mouseover", "mouseup", "paste", "pause", "play", "playing", "progress", "ratechange"),
    *("reset", "resize", "scroll", "scrollend", "securitypolicyviolation", "seeked", "seeking", "select"),
    *("slotchange", "stalled", "submit", "suspend", "timeupdate", "toggle", "volumechange", "waiting", "wheel"),
    *("webkitanimationend", "webkitanimationiteration", "webkitanimationstart", "webkittransitionend"),
    *("afterprint", "beforeprint", "beforeunload", "hashchange", "languagechange", "message", "messageerror"),
    *("offline", "online", "pagehide", "pagereveal", "pageshow", "pageswap", "popstate", "rejectionhandled"),
    *("storage", "unhandledrejection", "unload"),
    *("pointercancel", "pointerdown", "pointerenter", "pointerleave", "pointermove", "pointerout", "pointerover"),
    *("pointerrawupdate", "pointerup", "gotpointercapture", "lostpointercapture"),
    *("touchcancel", "touchend", "touchmove", "touchstart", "animationcancel", "animationend"),
    *("animationiteration", "animationstart", "transitioncancel", "transitionend", "transitionrun", "transitionstart"),
    *("selectionchange", "selectstart", "fullscreenchange", "fullscreenerror", "begin", "end", "repeat"),
    *("beforecopy", "beforecut", "beforepaste", "focusin", "focusout", "mousewheel", "search"),
    *("orientationchange", "scrollsnapchange", "scrollsnapchanging"),
    *("webkitfullscreenchange", "webkitfullscreenerror", "encrypted", "waitingforkey", "beforexrselect"),
    *("devicemotion", "deviceorientation", "deviceorientationabsolute", "gamepadconnected", "gamepaddisconnected"),
]


@pytest.mark.parametrize("event", EVENTS)
def test_a_handler_of_any_event_is_a_script(event: str) -> None:
    page = POLICY.format(WHOLE).replace("<body>", f'<body><p on{event}="x()">')
    (problem,) = csp.check_pages([read_page(page, "a.html")])
    assert problem.message == f"<p> has the attribute on{event}"


def test_a_control_that_does_nothing_is_told_as_it_is_written() -> None:
    (problem,) = noscript.check_pages([read_page('<button id="b" type="button">x</button>', "a.html")])
    assert problem.message == '<button type="button"> does nothing without script'


WIDGETS = ["button", "checkbox", "combobox", "menuitem", "radio", "searchbox", "slider", "spinbutton"]
WIDGETS += ["switch", "tab", "textbox"]


@pytest.mark.parametrize("role", WIDGETS)
def test_a_made_up_widget_does_nothing_without_script(role: str) -> None:
    found = [one.rule for one in noscript.check_pages([read_page(f'<div role="{role}">x</div>', "a.html")])]
    assert found == ["script-only-control"]
    native = f'<details><summary role="{role}">x</summary></details><datalist><option role="{role}"></datalist>'
    assert not list(noscript.check_pages([read_page(native, "a.html")]))


def test_a_walkthrough_is_no_state_of_its_own_and_holds_nothing_behind_it() -> None:
    for html in (
        '<figure data-wt="w" class="wt-step">x</figure>',
        '<figure data-wt="w"></figure><b class="wt-step">x</b>',
    ):
        assert [one.rule for one in noscript.check_pages([read_page(html, "a.html")])] == ["hidden-state"]
