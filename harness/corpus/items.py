"""Parts, items and bold sub-headings of an annual report, found in its body and not in its table of contents."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

PART = re.compile(r"^PART\s+(IV|I{1,3})\b[\s.,:–—-]*(.*)$", re.IGNORECASE)
ITEM = re.compile(r"^ITEMS?\s*(\d{1,2}[A-C]?)\b\s*(?:\(\w\))?[\s.:–—|-]*(.*)$", re.IGNORECASE)
CONTINUED = re.compile(r"continued\)?\W*$", re.IGNORECASE)
HEADING_CHARACTERS = 220
SUB_CHARACTERS = 120
CONTENTS_GAP = 250
"""Two item lines closer than this, with an item twice, are lines of a contents list."""
Head = tuple[int, str, bool]


def find_items(heads: Sequence[Head], end: int) -> tuple[tuple[int, str, str], ...]:
    """(offset, "Part I" or "Item 1A", heading) of the body; a bold sub-heading carries the number of its item.

    ``heads`` are all paragraphs as (offset, text, all bold); ``end`` is the length of the text.
    """
    kept = {offset: (number, heading) for offset, number, heading in _items(heads, end)}
    found: list[tuple[int, str, str]] = []
    number = ""
    for offset, text, bold in heads:
        if offset in kept:
            number, heading = kept[offset]
            found.append((offset, number, heading))
        elif bold and _is_sub(text):
            found.append((offset, "" if number.startswith("Part") else number, text.rstrip(" .:")))
    return tuple(found)


def _is_sub(text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    if len(text) > SUB_CHARACTERS or letters < 4 or CONTINUED.search(text) or ITEM.match(text):
        return False
    return text[0].isalnum() or text[0] in '“"('


def _items(heads: Sequence[Head], end: int) -> list[tuple[int, str, str]]:
    candidates: list[tuple[int, str, str]] = []
    for place, (offset, text, bold) in enumerate(heads):
        if len(text) > HEADING_CHARACTERS or CONTINUED.search(text):
            continue
        part, item = PART.match(text), ITEM.match(text)
        if part and (bold or text.isupper()) and len(part[2]) < 60:
            candidates.append((offset, f"Part {part[1].upper()}", part[2].strip()))
        elif item and (bold or text.isupper() or _titled(item[2])):
            heading = item[2].strip(" .")
            if not heading and place + 1 < len(heads) and len(heads[place + 1][1]) < SUB_CHARACTERS:
                heading = heads[place + 1][1].strip(" .")
            candidates.append((offset, f"Item {item[1].upper()}", heading))
    counts: dict[str, int] = {}
    for _, number, _ in candidates:
        counts[number] = counts.get(number, 0) + 1
    offsets = [*(offset for offset, _, _ in candidates), end]
    bodies = [b - a for a, b in itertools.pairwise(offsets)]
    chosen: dict[str, int] = {}
    for place, (_, number, _) in enumerate(candidates):
        best = chosen.get(number)
        if best is None or (bodies[best] < CONTENTS_GAP and place > best + 1):
            chosen[number] = place
    return [candidates[place] for place in sorted(chosen.values())]


def _titled(rest: str) -> bool:
    words = re.findall(r"[A-Za-z][\w’']*", rest)
    return 0 < len(words) <= 18 and words[0][0].isupper() and not rest.rstrip().endswith((",", ";"))
