"""Clause headings of a contract: articles, numbered clauses, exhibits, and lines in capitals."""

from __future__ import annotations

import re

WORDED = re.compile(
    r"^(?P<kind>ARTICLE|Article|SECTION|Section|CLAUSE|Clause|EXHIBIT|Exhibit|SCHEDULE|Schedule|ANNEX|Annex"
    r"|APPENDIX|Appendix|ATTACHMENT|Attachment)\s+(?P<number>\d{1,3}(?:\.\d{1,3})*|[IVXL]{1,6}|[A-Z](?:-?\d{1,2})?)\b"
    r"(?P<rest>[.:)\s–—-]*(?:\S.*)?)$"
)
NUMBERED = re.compile(r"^(?P<number>\d{1,2}(?:\.\d{1,3}){0,2})(?P<dot>\.?)\)?\s*(?P<rest>[\"“A-Z_\[].*)$")
ROMAN = re.compile(r"^(?P<number>[IVXL]{1,6})\.\s+(?P<rest>[A-Z].*)$")
CONTENTS = re.compile(r"(?:\.\s?){4,}|\s\d{1,3}$")
TITLE = re.compile(r"^[\"“]?(?P<title>[A-Z][^.:;\n]{1,78}?)[\"”]?(?:[.:;]|\s[–—-]{1,2}\s|$)")
DEFINED = re.compile(r"^[\"“](?P<title>[^\"”\n]{2,60})[\"”]")
SMALL = re.compile(
    r"(?:a|an|and|as|at|by|for|from|in|into|its|of|on|or|per|the|to|under|upon|with|without|not|any|all|no)$"
)
COMPANY = re.compile(r"\b(?:INC|LLC|L\.L\.C|CORP|CORPORATION|LTD|LIMITED|L\.?P|COMPANY|PLC|GMBH|BY|NAME|TITLE|DATE)\b")
WORD = re.compile(r"[A-Za-z][A-Za-z'’&/-]*")
DEPTH = 2


def find_clauses(text: str) -> tuple[tuple[int, str, str], ...]:
    """(offset, number, heading) of every paragraph that begins a clause; lines of a contents list left out.

    Numbers go down to "4.2"; deeper ones ("4.2.1") belong to the clause above. The heading is "" for a clause that
    has a number and no title.
    """
    found: list[tuple[int, str, str]] = []
    offset = 0
    blank_before = True
    for line in text.split("\n"):
        if blank_before and line and (heading := _heading(line)):
            found.append((offset, *heading))
        blank_before = not line
        offset += len(line) + 1
    return tuple(found)


def _heading(line: str) -> tuple[str, str] | None:
    worded = WORDED.match(line)
    if worded and not worded["rest"]:
        return _worded(worded)
    if len(line) < 160 and CONTENTS.search(line):
        return None
    if worded:
        return _worded(worded)
    if numbered := NUMBERED.match(line):
        number = numbered["number"]
        if not numbered["dot"] and "." not in number:
            return None
        if number.count(".") >= DEPTH or number.startswith("0"):
            return None
        return number, title(numbered["rest"])
    if (roman := ROMAN.match(line)) and (heading := title(roman["rest"])):
        return roman["number"], heading
    return ("", line.rstrip(".:")) if _capitals(line) else None


def _worded(match: re.Match[str]) -> tuple[str, str] | None:
    rest = match["rest"]
    number = f"{match['kind'].capitalize()} {match['number']}"
    bare = rest.lstrip(" .:)–—-")
    if not bare:
        return number, ""
    heading = title(bare)
    marked = rest[0] in ".:" or rest.lstrip()[0] in "–—-:"
    if heading or marked:
        return number, heading
    return None


def title(rest: str) -> str:
    """The title a clause opens with ("Term and Termination." of "Term and Termination. This …"), or ""."""
    if defined := DEFINED.match(rest):
        return defined["title"]
    match = TITLE.match(rest)
    if not match:
        return ""
    words = WORD.findall(match["title"])
    if not words or len(words) > 10:
        return ""
    small = [word for word in words[1:] if word[0].islower() and not SMALL.match(word)]
    return match["title"].strip(' "“”') if not small or (len(words) <= 4 and len(small) == 1) else ""


def _capitals(line: str) -> bool:
    """Is the line a heading in capitals? Names of companies, signatures and blanks to fill in are not."""
    letters = sum(character.isalpha() for character in line)
    if not 5 <= letters <= 70 or line != line.upper() or len(WORD.findall(line)) > 9:
        return False
    return not (COMPANY.search(line) or re.search(r"[_$\[\]@*=]|--|/s/|,$|\d{3,}", line))
