"""``python -m harness``: fetch documents, prepare the corpus, capture datasets, verify them, say their state."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.errors import HarnessError
from harness.paths import cache_dir, mirror_dir

EXAMPLES = """examples:
  python -m harness acquire                      fetch the manifest's documents from their public URLs
  python -m harness acquire --mirror ../mirror   … or from a folder <host>/<path>
  python -m harness prepare                      parse, chunk, embed, load into PostgreSQL (resumes where it stopped)
  python -m harness list                         datasets: state, size, age, time a capture takes
  python -m harness regenerate bm25              capture a dataset again, then: python build.py
  python -m harness verify --rerun bm25          capture it into a temporary file and compare
  python -m harness canary                       run every capture on the small built-in corpus
  python -m harness eval --collection DIR        the same retrieval and metrics on a BEIR-layout collection
"""


def log(message: str) -> None:
    """One line of progress on standard error."""
    print(message, file=sys.stderr, flush=True)


def acquire(args: argparse.Namespace) -> int:
    """Every document of the manifests into the cache; 1 when any was refused or postponed."""
    from harness.corpus.acquire import HttpSource, MirrorSource, Source
    from harness.corpus.acquire import acquire as fetch_all
    from harness.corpus.load import CORPORA
    from harness.corpus.manifest import read_manifest
    from harness.progress import bar

    paths = [args.manifest] if args.manifest else [CORPORA[name][0] for name in _corpora(args)]
    entries = list({entry.sha256: entry for path in paths for entry in read_manifest(path)}.values())
    mirror: Path | None = args.mirror or mirror_dir()
    if mirror and not mirror.is_dir():
        raise HarnessError(f"{mirror}: no such mirror folder; expected a folder with <host>/<path> in it")
    source: Source = MirrorSource(mirror) if mirror else HttpSource()
    outcomes = fetch_all(entries, cache_dir(), source, bar("acquire"))
    for outcome in outcomes:
        if outcome.state == "refused":
            print(f"refused {outcome.id}: {outcome.reason}")
    for reason, count in Counter(outcome.reason for outcome in outcomes if outcome.state == "postponed").items():
        print(f"postponed {count}: {reason}; the same command goes on from there")
    counts: Counter[str] = Counter(outcome.state for outcome in outcomes)
    shown = ("fetched", "present", "refused", *(["postponed"] if counts["postponed"] else []))
    print(", ".join(f"{counts[state]} {state}" for state in shown))
    return 1 if counts["refused"] or counts["postponed"] else 0


def prepare(args: argparse.Namespace) -> int:
    """Parse, chunk, embed and load; every stage keeps what it made, so an interrupted run resumes."""
    for name in _corpora(args):
        _prepare_one(name, database=not args.no_database)
    return 0


def _corpora(args: argparse.Namespace) -> list[str]:
    from harness.corpus.load import CORPORA

    return [args.corpus] if args.corpus else list(CORPORA)


def _prepare_one(name: str, *, database: bool) -> None:
    from harness.corpus.load import load_corpus
    from harness.corpus.stages import record
    from harness.store import open_store

    corpus = load_corpus(log, name=name)
    corpus.vectors()
    log(f"vectors: {len(corpus.chunks):,}")
    for stage in record(corpus):
        log(f"{stage} of the corpus {name} are not what they were: datasets that read them are stale")
    if database:
        import psycopg

        try:
            open_store(corpus, log).close()
        except psycopg.Error as error:
            place = "DATABASE_URL must name a server and a role that may create roles and extensions on it"
            raise HarnessError(f"PostgreSQL refused to load the corpus: {str(error).strip()}; {place}") from error
    print(f"prepared {corpus.name}: {len(corpus.documents)} documents, {len(corpus.chunks)} chunks, {corpus.digest}")


def regenerate(args: argparse.Namespace) -> int:
    """Capture the named datasets, each in a process of its own."""
    from harness.capture import registry, runner

    names = registry.names() if args.all else args.names
    if not names:
        raise HarnessError(f"regenerate: name a dataset ({', '.join(registry.names())}) or give --all")
    return runner.regenerate(names, log)


def verify(args: argparse.Namespace) -> int:
    """Check hashes; with ``--rerun`` capture again and compare."""
    from harness.capture.verify import oldest
    from harness.capture.verify import verify as verify_all

    if args.oldest is not None and (args.names or not args.rerun):
        raise HarnessError("verify: --oldest N goes with --rerun and without names")
    names = args.names if args.oldest is None else oldest(args.oldest)
    return verify_all(names, rerun=args.rerun, log=log) if names or args.oldest is None else 0


def list_datasets(args: argparse.Namespace) -> int:
    """State, size, age and cost of every dataset that a capture is registered for."""
    from harness.capture.listing import print_listing

    return print_listing(as_json=args.json)


def manifest(args: argparse.Namespace) -> int:
    """Write a corpus' manifest again by its selection rule, over a mirror."""
    from harness.corpus.full.select import write_full_manifest
    from harness.corpus.load import CORPORA
    from harness.corpus.select import write_manifest

    mirror: Path | None = args.mirror or mirror_dir()
    if mirror is None:
        raise HarnessError("manifest: the selection reads a mirror folder; give --mirror DIR")
    name = args.corpus or "rfc"
    out: Path = args.out or CORPORA[name][0]
    write = write_full_manifest if name == "full" else write_manifest
    print(f"{out}: {write(mirror, out)} documents")
    return 0


CORPUS_NAMES = ("rfc", "full")
FORWARDED = {
    "eval": ("harness.evaluation.cli", "score retrieval on a BEIR-layout or SMART collection"),
    "canary": ("harness.capture.canary", "run every capture on the small built-in corpus"),
    "new": ("harness.capture.new", "write the files that a new dataset begins with"),
    "figures": ("harness.capture.kept", "hold a capture's tables against its published figures"),
}
"""Subcommands with a parser of their own: name → (module with ``main(argv)``, help)."""


def build_parser() -> argparse.ArgumentParser:
    """The command line of the harness."""
    parser = argparse.ArgumentParser(
        prog="python -m harness",
        description="The pipeline behind the site: from public documents to captured datasets.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=help, description=run.__doc__)
        made.set_defaults(run=run)
        return made

    one = command("acquire", acquire, "fetch the manifest's documents, checksum by checksum")
    one.add_argument("--mirror", type=Path, help="a folder <host>/<path> instead of the network (or ZEROTH_MIRROR)")
    one.add_argument("--manifest", type=Path, help="another manifest than the corpora's")
    one.add_argument("--corpus", choices=CORPUS_NAMES, help="this corpus only (default: both)")
    one = command("prepare", prepare, "parse, chunk, embed, load")
    one.add_argument("--corpus", choices=CORPUS_NAMES, help="this corpus only (default: both)")
    one.add_argument("--no-database", action="store_true", help="stop before PostgreSQL")
    one = command("regenerate", regenerate, "capture datasets again")
    one.add_argument("names", nargs="*", metavar="NAME", help="a dataset such as bm25")
    one.add_argument("--all", action="store_true", help="every registered capture")
    one = command("verify", verify, "check datasets against code and inputs")
    one.add_argument("names", nargs="*", metavar="NAME", help="datasets (default: all)")
    one.add_argument("--rerun", action="store_true", help="capture again and compare; the outcome is recorded")
    one.add_argument("--oldest", type=int, metavar="N", help="with --rerun: the N datasets verified longest ago")
    one = command("list", list_datasets, "state, size, age and cost of every dataset")
    one.add_argument("--json", action="store_true", help="for machines")
    one = command("manifest", manifest, "write the manifest again by its selection rule")
    one.add_argument("--mirror", type=Path, help="the mirror to select from (or ZEROTH_MIRROR)")
    one.add_argument("--out", type=Path, help="where to write it (default: the corpus' own place)")
    one.add_argument("--corpus", choices=CORPUS_NAMES, help="whose manifest (default: rfc)")
    for name, (_, help_text) in FORWARDED.items():
        commands.add_parser(name, help=help_text, add_help=False)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Entry: 0 when all went well, 1 on a user's mistake (one line a problem), 2 on wrong usage."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if words and words[0] in FORWARDED:
            return int(importlib.import_module(FORWARDED[words[0]][0]).main(words[1:]))
        args = build_parser().parse_args(words)
        return int(args.run(args))
    except HarnessError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error}; see that the path is right and may be read and written", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; what is done is kept, the same command goes on from there", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
