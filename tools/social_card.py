"""Draws the social card (1200 × 630 PNG) from rectangles and polygons: the name and a list of ten places.

python tools/social_card.py     writes templates/assets/card.png
Standard library alone, no fonts: the same pixels on every machine.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

WIDTH, HEIGHT = 1200, 630
PAPER, INK, AMBER, EDGE = (251, 251, 249), (26, 29, 35), (201, 134, 20), (130, 134, 140)
PALETTE = (PAPER, INK, AMBER, EDGE)
OUT = Path(__file__).resolve().parent.parent / "templates" / "assets" / "card.png"
Points = list[tuple[float, float]]


def letters() -> list[Points]:
    """Z E R O T H as polygons in boxes of 100 × 140, stroke 26, at the top left."""
    shapes: list[tuple[int, list[Points]]] = [
        (100, [[(0, 0), (100, 0), (100, 26), (36, 114), (100, 114),
                (100, 140), (0, 140), (0, 114), (64, 26), (0, 26)]]),
        (92, [box(0, 0, 28, 140), box(0, 0, 92, 26), box(0, 57, 80, 26), box(0, 114, 92, 26)]),
        (104, [box(0, 0, 28, 140), box(0, 0, 80, 26), box(72, 14, 28, 56), box(0, 58, 84, 26),
               [(48, 80), (78, 80), (104, 140), (73, 140)],
               [(80, 0), (100, 14), (72, 26)], [(72, 58), (100, 70), (84, 84)]]),
        (108, [box(0, 16, 28, 108), box(80, 16, 28, 108), box(16, 0, 76, 26), box(16, 114, 76, 26),
               [(0, 16), (16, 0), (28, 26)], [(92, 0), (108, 16), (80, 26)],
               [(0, 124), (28, 114), (16, 140)], [(108, 124), (92, 140), (80, 114)]]),
        (104, [box(0, 0, 104, 26), box(38, 0, 28, 140)]),
        (104, [box(0, 0, 28, 140), box(76, 0, 28, 140), box(0, 57, 104, 26)]),
    ]  # fmt: skip
    placed: list[Points] = []
    left = 96.0
    for width, polygons in shapes:
        placed += [[(left + x, 150 + y) for x, y in polygon] for polygon in polygons]
        left += width + 30
    return placed


def box(x: float, y: float, width: float, height: float) -> Points:
    """A rectangle as a polygon."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def fill(rows: list[bytearray], polygon: Points, colour: int) -> None:
    """Colours the pixels whose middle lies in the polygon."""
    for y in range(int(min(p[1] for p in polygon)), int(max(p[1] for p in polygon)) + 1):
        middle, crossings = y + 0.5, []
        for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
            if (y1 <= middle) != (y2 <= middle):
                crossings.append(x1 + (middle - y1) * (x2 - x1) / (y2 - y1))
        crossings.sort()
        for start, end in zip(crossings[::2], crossings[1::2], strict=True):
            first, last = round(start), round(end)
            rows[y][first:last] = bytes([colour]) * (last - first)


def draw() -> list[bytearray]:
    """The card as rows of palette indices: the name, and ten places of which three are filled."""
    rows = [bytearray(WIDTH) for _ in range(HEIGHT)]
    for polygon in letters():
        fill(rows, polygon, 1)
    for place in range(10):
        left = 96 + place * 102
        if place in (0, 3, 4):
            fill(rows, box(left, 370, 84, 130), 2)
        else:
            fill(rows, box(left, 370, 84, 130), 3)
            fill(rows, box(left + 4, 374, 76, 122), 0)
    fill(rows, box(0, 612, WIDTH, 18), 2)
    return rows


def png(rows: list[bytearray]) -> bytes:
    """An indexed PNG of the rows."""
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    colours = b"".join(bytes(colour) for colour in PALETTE)
    pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    chunks = [(b"IHDR", header), (b"PLTE", colours), (b"IDAT", pixels), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


if __name__ == "__main__":
    OUT.write_bytes(png(draw()))
