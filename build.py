"""Builds the site: content and captured data in, a folder of HTML out. Needs no network, database or model.

python build.py                     build site/
python build.py --serve --watch     build, serve on this machine, build again after every change
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
import traceback
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import TemplateError, TemplateSyntaxError

from checks.data import problems_of
from checks.ids import FILE as PUBLISHED
from checks.ids import facts_of as ids_of
from checks.ids import update_published
from checks.pages import read_site
from checks.problems import Problem, Unreadable, errors
from checks.site import check_content, check_site
from render.cache import Cache, build_cache
from render.reading.examined import examined_datasets
from render.reading.graph import check_graph
from render.reading.load import load_library
from render.serve import PORT, serve, watch
from render.site import Options, RenderedSite, render_site
from render.write import is_replaceable, staging, write_files

ROOT = Path(__file__).resolve().parent


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Load, resolve, render, guard, write. Returns 0, or 1 when problems kept the site from being written."""
    options = parse(arguments, root)
    problems: list[Problem] = []
    try:
        cache = build_cache(root, repr((options.base_url, options.out))) if options.cache else Cache()
        examined = examined_datasets(root, cache)
        library = load_library(root, problems, {name: one.state for name, one in examined.items()})
        problems += problems_of(examined) + check_graph(library)
        problems += check_content(root, {page.path for page in library.pages.values()})
    except Unreadable as error:
        report([*problems, error.problem], options.strict)
        print(f"{options.out} is unchanged: a file cannot be read", file=sys.stderr)
        return 1
    try:
        site = render_site(library, root / "templates", Options(options.base_url, options.jobs, cache=cache))
    except TemplateError as error:
        report([*problems, _of_template(error, root)], options.strict)
        print(f"{options.out} is unchanged: a template cannot be used", file=sys.stderr)
        return 1
    problems += site.problems
    try:
        blocking = _write(site, options, root, problems)
    except OSError as error:
        print(f"{options.out} is unchanged, it cannot be written: {error}; choose another --out", file=sys.stderr)
        return 1
    cache.drop_unused()
    pages = sum(path.endswith(".html") for path in site.files)
    done = f"{options.out} is unchanged: {blocking} to fix" if blocking else f"{pages} pages in {options.out}"
    print(done, file=sys.stderr)
    if not options.base_url and not blocking:
        print("left out without --base-url: sitemap.xml, feed.xml, absolute addresses", file=sys.stderr)
    return 1 if blocking else 0


def _of_template(error: TemplateError, root: Path) -> Problem:
    """Where a template cannot be read, or asks for what is not there."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".j2")]
    file, line = (frames[-1].filename, frames[-1].lineno or 0) if frames else (str(root / "templates"), 0)
    if isinstance(error, TemplateSyntaxError):
        file, line = error.filename or file, error.lineno
    place = Path(file).resolve()
    shown = place.relative_to(root.resolve()) if place.is_relative_to(root.resolve()) else place
    return Problem(shown.as_posix(), line, 1, "template", error.message or type(error).__name__, "mend the template")


def _write(site: RenderedSite, options: argparse.Namespace, root: Path, problems: list[Problem]) -> int:
    """Writes the site beside its place, checks it, and puts it there unless a problem forbids; returns how many do."""
    with staging(options.out) as (folder, publish):
        write_files(folder, site.files)
        problems += check_site(folder, urlsplit(options.base_url).path.rstrip("/") + "/", root, options.out)
        blocking = report(problems, options.strict)
        if options.draft and blocking:
            print(f"a draft, not for publishing: {blocking} to mend", file=sys.stderr)
            blocking = 0
        if not blocking:
            if options.update_ids:
                added = update_published(root, map(ids_of, read_site(folder)))
                print(f"{added} ids added to {PUBLISHED}", file=sys.stderr)
            publish()
    return blocking


def preview(arguments: list[str], options: argparse.Namespace, root: Path) -> int:
    """Builds in a fresh process (so that changed code counts), then serves and watches until interrupted."""
    kept = [argument for argument in arguments if argument not in ("--serve", "--watch")]

    def build() -> int:
        return subprocess.run([sys.executable, str(root / "build.py"), *kept], check=False).returncode

    code = build()
    try:
        server = serve(options.out, PORT) if options.serve else None
    except OSError as error:
        print(f"cannot serve on port {PORT}: {error.strerror}; end what serves there", file=sys.stderr)
        return 1
    try:
        if options.watch:
            watch(root, build)
        while server:
            time.sleep(1)
    except KeyboardInterrupt:
        pass
    return code


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
    parser.add_argument("--watch", action="store_true", help="build again after every change")
    options = parser.parse_args(arguments)
    if not is_replaceable(options.out):
        parser.error(f"{options.out} is neither empty nor a built site (or a git repository): choose another --out")
    if options.base_url and (fault := _fault_of_address(options.base_url)):
        parser.error(f"--base-url {options.base_url!r} {fault}: expected https://host/path/")
    if options.draft and (options.strict or options.update_ids):
        parser.error("--draft goes with neither --strict nor --update-ids: what the guards object to is not published")
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
        return "has a query or a fragment, below which no page can lie"
    if "@" in parts.netloc:
        return "names a user"
    if re.search(r"[\s\\<>\"'{}|^`]|//|/\.\.?(/|$)", address.split("://", 1)[1]):
        return "has characters or parts that no path of a site has"
    return ""


if __name__ == "__main__":
    given = parse(None, ROOT)
    sys.exit(preview(sys.argv[1:], given, ROOT) if given.serve or given.watch else main())
