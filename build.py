"""Builds the site: content and captured data in, a folder of HTML out. Needs no network, database or model.

python build.py             build site/
python build.py --watch     build, serve on this machine, build again and reload the browser after every change
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import TemplateError, TemplateSyntaxError

from checks.data import problems_of
from checks.facts import PageFacts, page_facts
from checks.ids import FILE as PUBLISHED
from checks.ids import update_published
from checks.problems import Problem, Unreadable, errors
from checks.site import check_facts, check_texts, page_settings
from checks.site_files import MemoryFiles
from checks.unused import check_unused
from render.cache import Cache, Memory, build_cache, files_digest
from render.preview.serve import PORT, News, serve
from render.preview.watch import is_code, watch
from render.reading.examined import examined_datasets
from render.reading.graph import check_graph
from render.reading.load import load_library
from render.site import Options, RenderedSite, render_site
from render.write import is_replaceable, staging, write_files

ROOT = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Outcome:
    """How a build ended: what it found, how many of these forbade publishing, and what the site is (a digest of all
    its files, "" where none was put in place)."""

    problems: tuple[Problem, ...]
    blocking: int
    site: str = ""
    pages: int = 0
    fresh: tuple[str, ...] = ()


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Builds once. Returns 0, or 1 when problems kept the site from being written."""
    return 1 if build(parse(arguments, root), root).blocking else 0


def build(options: argparse.Namespace, root: Path, memory: Memory | None = None) -> Outcome:
    """Load, resolve, render, guard, write; says on stderr what came of it.

    ``memory`` is what earlier builds of this process made; like the cache on disk it changes nothing but the time.
    """
    problems: list[Problem] = []
    name = repr((options.base_url, str(options.out.resolve())))
    cache = build_cache(root, name, memory) if options.cache else Cache()
    try:
        examined = examined_datasets(root, cache)
        library = load_library(root, problems, {name: one.state for name, one in examined.items()})
        problems += problems_of(examined) + check_graph(library)
        problems += check_unused(root) + _texts(root, {page.path for page in library.pages.values()}, cache)
    except Unreadable as error:
        return _failed(options, [*problems, error.problem], "a file cannot be read")
    base = urlsplit(options.base_url).path.rstrip("/") + "/"
    settings = page_settings(root, base)
    how = Options(
        options.base_url,
        options.jobs,
        cache=cache,
        examine=lambda page: page_facts(page.text, page.path, settings),
        settings=repr(settings),
    )
    try:
        site = render_site(library, root / "templates", how)
    except TemplateError as error:
        return _failed(options, [*problems, _of_template(error, root)], "a template cannot be used")
    pages = {path: str(text) for path, text in site.files.items() if path.endswith(".html")}
    facts = [site.facts.get(path) or page_facts(text, path, settings) for path, text in pages.items()]
    problems += site.problems
    problems += check_facts(facts, MemoryFiles(site.files), base, root, options.out)
    try:
        blocking = _publish(site, facts, options, root, problems)
    except OSError as error:
        return _failed(options, [], f"it cannot be written: {error}; choose another --out")
    cache.drop_unused()
    if blocking:
        print(f"{options.out} is unchanged: {blocking} to fix", file=sys.stderr)
        return Outcome(tuple(sorted(set(problems))), blocking)
    print(f"{len(pages)} pages in {options.out}", file=sys.stderr)
    if not options.base_url:
        print("left out without --base-url: sitemap.xml, feed.xml, absolute addresses", file=sys.stderr)
    return Outcome(tuple(sorted(set(problems))), 0, site.id, len(pages), site.fresh)


def _texts(root: Path, checked: set[str], cache: Cache) -> list[Problem]:
    """What the guard of prose finds in the texts that are on no concept page: those are checked where they are made."""
    rest = files_digest(root, ["content", "checks"], checked)
    return cache.kept("texts", rest, lambda: check_texts(root, checked))


def _failed(options: argparse.Namespace, problems: list[Problem], why: str) -> Outcome:
    """A build that came to no site: its problems and the reason, on stderr."""
    report(problems, options.strict)
    print(f"{options.out} is unchanged: {why}" if problems else f"{options.out} is unchanged, {why}", file=sys.stderr)
    return Outcome(tuple(sorted(set(problems))), max(1, len(problems)))


def _of_template(error: TemplateError, root: Path) -> Problem:
    """Where a template cannot be read, or asks for what is not there."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".j2")]
    file, line = (frames[-1].filename, frames[-1].lineno or 0) if frames else (str(root / "templates"), 0)
    if isinstance(error, TemplateSyntaxError):
        file, line = error.filename or file, error.lineno
    place = Path(file).resolve()
    shown = place.relative_to(root.resolve()) if place.is_relative_to(root.resolve()) else place
    return Problem(shown.as_posix(), line, 1, "template", error.message or type(error).__name__, "fix the template")


def _publish(
    site: RenderedSite, facts: list[PageFacts], options: argparse.Namespace, root: Path, problems: list[Problem]
) -> int:
    """Writes the site beside its place and puts it there unless a problem forbids; returns how many do."""
    blocking = report(problems, options.strict)
    if options.draft and blocking:
        print(f"a draft, not for publishing: {blocking} to fix", file=sys.stderr)
        blocking = 0
    if blocking:
        return blocking
    with staging(options.out) as (folder, publish):
        write_files(folder, site.files)
        if options.update_ids:
            added = update_published(root, [one.ids for one in facts])
            print(f"{added} ids added to {PUBLISHED}", file=sys.stderr)
        publish()
    return 0


def preview(arguments: list[str], options: argparse.Namespace, root: Path) -> int:
    """Builds, serves the site on this machine and, with --watch, builds again what each change touches; until
    interrupted. A change of code starts this program anew, so that it counts."""
    memory: Memory = {}
    outcome = build(options, root, memory)
    news = News(options.watch, outcome.site, outcome.problems)
    try:
        server = serve(options.out, options.port, news)
    except OSError as error:
        print(f"cannot serve on port {options.port}: {error.strerror}; choose another --port", file=sys.stderr)
        return 1

    def rebuild(changed: list[str]) -> None:
        if any(is_code(path) for path in changed):
            print(f"{changed[0]} changed: starting anew", file=sys.stderr)
            server.server_close()
            os.execv(sys.executable, [sys.executable, str(root / "build.py"), *arguments])
        started = time.monotonic()
        news.busy()
        print(f"{', '.join(changed[:3])} changed", file=sys.stderr)
        found = build(options, root, memory)
        news.tell(found.site, found.problems)
        print(f"{len(found.fresh)} pages made in {time.monotonic() - started:.2f} s", file=sys.stderr)

    with suppress(KeyboardInterrupt):
        if options.watch:
            watch(root, rebuild)
        while True:
            time.sleep(1)
    server.shutdown()
    return 1 if outcome.blocking else 0


def report(problems: list[Problem], strict: bool) -> int:
    """Prints every problem; returns how many forbid publishing.

    With ``strict`` warnings do too, except that a dataset is equivalent: its page says so, and the third state is there
    so that a refactoring with an equal canary run costs no day of captures.
    """
    found = sorted(set(problems))
    for problem in found:
        print(problem, file=sys.stderr)
    return len([one for one in found if one.rule != "equivalent"]) if strict else len(errors(found))


def parse(arguments: list[str] | None, root: Path) -> argparse.Namespace:
    """The options of the command line."""
    summary, _, example = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=summary,
        epilog=example,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # `preview` leaves out --serve and --watch by their names
    )
    parser.add_argument("--out", type=Path, default=root / "site", metavar="DIR", help="folder to write")
    parser.add_argument("--base-url", default="", metavar="URL", help="public address; adds sitemap.xml and feed.xml")
    parser.add_argument("--strict", action="store_true", help="warnings fail the build too, equivalent datasets aside")
    parser.add_argument(
        "--draft", action="store_true", help="write whatever the guards say, to look at; not to publish"
    )
    parser.add_argument("--update-ids", action="store_true", help="note every page and part as published")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes that make pages (default: the cores)",
    )
    parser.add_argument(
        "--no-cache",
        dest="cache",
        action="store_false",
        help="make everything anew, and keep nothing for the next build",
    )
    parser.add_argument("--serve", action="store_true", help="serve the site on this machine")
    parser.add_argument("--port", type=int, default=PORT, metavar="N", help=f"the port to serve on (default: {PORT})")
    parser.add_argument(
        "--watch", action="store_true", help="serve, build again what a change touches, reload the browser"
    )
    options = parser.parse_args(arguments)
    if not is_replaceable(options.out):
        parser.error(f"{options.out} is neither empty nor a built site (or a git repository): choose another --out")
    if options.base_url and (fault := _fault_of_address(options.base_url)):
        parser.error(f"--base-url {options.base_url!r} {fault}: expected https://host/path/")
    if options.draft and (options.strict or options.update_ids):
        parser.error("--draft goes with neither --strict nor --update-ids: what the guards object to is not published")
    if not 0 <= options.port <= 65535:
        parser.error(f"--port {options.port}: expected 0 (any free one) to 65535")
    if options.jobs < 1:
        parser.error(f"--jobs {options.jobs}: expected 1 or more")
    return options


def _fault_of_address(address: str) -> str:
    """What keeps an address from being the public one of a site; empty where nothing does."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        return f"is no address ({error})"
    if parts.scheme not in ("http", "https") or not host or port == 0:
        return "is no address of the web"
    if parts.query or parts.fragment or "?" in address or "#" in address:
        return "has a query or a fragment, below which there can be no page"
    if "@" in parts.netloc:
        return "names a user"
    if re.search(r"[\s\\<>\"'{}|^`]|//|/\.\.?(/|$)", address.split("://", 1)[1]):
        return "has characters or parts that no path of a site has"
    return ""


if __name__ == "__main__":
    given = parse(None, ROOT)
    sys.exit(preview(sys.argv[1:], given, ROOT) if given.serve or given.watch else main())
