"""How fast the HTML guard is against html5lib on the same bytes in one run: ``python -m bench.guard_speed [MB]``.

The pages are made from a seed in the manner of a documentation site: prose with links, ids and code, lists, tables,
figures with SVG. Times are processor seconds of this process, the best of three for the guard and of one for
html5lib; both start with empty caches. turbohtml, when installed, is shown for scale.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import html5lib

from checks.html.guard import Guard

WORDS = "query index vector recall chunk score rank tenant policy row filter passage answer".split()  # noqa: SIM905


def page(seed: int, size: int) -> str:
    """One page of about ``size`` characters."""
    choose = random.Random(seed)
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Page</title>\n</head>\n<body>\n'
    ]
    length, number = 0, 0
    while length < size:
        number += 1
        part = choose.choice((prose, prose, prose, listing, table, figure, code))(choose, number)
        parts.append(part)
        length += len(part)
    return "".join([*parts, "</body>\n</html>\n"])


def words(choose: random.Random, count: int) -> str:
    return " ".join(choose.choice(WORDS) for _ in range(count))


def prose(choose: random.Random, number: int) -> str:
    link = f'<a href="../{choose.choice(WORDS)}/index.html#s{choose.randint(1, 999)}">{words(choose, 3)}</a>'
    return (
        f'<section id="s{number}">\n<h2>{words(choose, 4)}</h2>\n<p>{words(choose, 40)} <em>{words(choose, 2)}</em>'
        f" {words(choose, 20)} {link} {words(choose, 20)} <code>{words(choose, 1)}</code>.</p>\n</section>\n"
    )


def listing(choose: random.Random, number: int) -> str:
    items = "".join(f"<li>{words(choose, 12)} <strong>{words(choose, 1)}</strong></li>\n" for _ in range(6))
    return f"<ul>\n{items}</ul>\n"


def table(choose: random.Random, number: int) -> str:
    cells = "".join(f'<td class="n">{choose.random():.4f}</td>' for _ in range(5))
    rows = "".join(f'<tr><th scope="row">{words(choose, 1)}</th>{cells}</tr>\n' for _ in range(8))
    return f"<table>\n<caption>{words(choose, 5)}</caption>\n<tbody>\n{rows}</tbody>\n</table>\n"


def figure(choose: random.Random, number: int) -> str:
    bars = "".join(f'<rect x="{x}" y="{choose.randint(1, 90)}" width="8" height="9"/>' for x in range(9))
    svg = f'<svg viewBox="0 0 90 90"><g>{bars}</g></svg>'
    return f"<figure>\n{svg}\n<figcaption>{words(choose, 9)}</figcaption>\n</figure>\n"


def code(choose: random.Random, number: int) -> str:
    spans = " ".join(f'<span class="{choose.choice("knsp")}">{choose.choice(WORDS)}</span>' for _ in range(30))
    return f'<div class="highlight"><pre><code>{spans}</code></pre></div>\n'


def seconds(work: Callable[[str], object], pages: list[str], repeat: int) -> float:
    """Processor seconds for all pages, the best of ``repeat`` runs."""
    best = float("inf")
    for _ in range(repeat):
        started = time.process_time()
        for text in pages:
            work(text)
        best = min(best, time.process_time() - started)
    return best


def main(megabytes: float) -> dict[str, float]:
    """Measure and return megabytes, megabytes a second by tool, and the ratio."""
    pages = [page(seed, 50_000) for seed in range(max(1, round(megabytes * 20)))]
    size = sum(len(text.encode()) for text in pages) / 1e6
    findings = sum(len(Guard(text).run()) for text in pages[:1])
    assert findings == 0, "the pages are meant to be clean"
    guard = seconds(lambda text: Guard(text).run(), pages, 3)
    parser = seconds(html5lib.parse, pages, 1)
    rates = {"megabytes": size, "guard": size / guard, "html5lib": size / parser, "ratio": parser / guard}
    try:
        import turbohtml

        rates["turbohtml"] = size / seconds(lambda text: turbohtml.parse(text), pages, 3)
    except ImportError:
        pass
    return {name: round(value, 2) for name, value in rates.items()}


if __name__ == "__main__":
    print(json.dumps(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)))
