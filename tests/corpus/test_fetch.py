"""The downloader against a local server that misbehaves: what arrives is whole, what cannot be had is named."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from harness.corpus.acquire import HttpSource, Outcome, acquire, document_path
from harness.corpus.fetch.http import Event
from harness.corpus.fetch.place import part_path
from harness.experiments.acquisition.clock import Clock
from harness.experiments.acquisition.documents import Doc, doc, made
from harness.experiments.acquisition.server import Act, Server

DOCS = made(5)
BODIES = {item.path: item.body for item in DOCS}
VICTIM = DOCS[2]


def plain(timeout: float = 10.0) -> httpx.Client:
    """A client without certificates to load, which takes longer than most of these tests."""
    return httpx.Client(timeout=timeout, verify=False)


class Rehearsal:
    """Runs of the downloader over one server, with waits that cost no time."""

    def __init__(self, server: Server, cache: Path) -> None:
        self.server, self.cache = server, cache
        self.clock = Clock()
        self.events: list[Event] = []
        self.timeout = 10.0
        self.docs = [item.at(server.url) for item in DOCS]

    def run(self, docs: Sequence[Doc] | None = None, workers: int = 1) -> dict[str, Outcome]:
        clock, jitter = self.clock, random.Random(1)
        source = HttpSource(
            plain(self.timeout), 100, jitter=jitter, sleep=clock.sleep, clock=clock, watch=self.events.append
        )
        outcomes = acquire(docs or self.docs, self.cache, source, workers=workers)
        return {outcome.id: outcome for outcome in outcomes}

    def statuses(self, item: Doc = VICTIM) -> list[int]:
        return [served.status for served in self.server.log() if served.path == item.path]

    def cached(self) -> set[str]:
        return {item.id for item in DOCS if document_path(self.cache, item.sha256).exists()}

    def waits(self) -> list[float]:
        return [event.seconds for event in self.events if event.what == "waited"]


def everything_arrives(rehearsal: Rehearsal) -> None:
    states = {name: outcome.state for name, outcome in rehearsal.run().items()}
    assert states == {item.id: "fetched" for item in DOCS}
    for item in DOCS:
        assert document_path(rehearsal.cache, item.sha256).read_bytes() == item.body
    assert not list((rehearsal.cache / "documents").glob("*.part"))


def refused_alone(rehearsal: Rehearsal) -> str:
    outcomes = rehearsal.run()
    assert {name for name, outcome in outcomes.items() if outcome.state == "fetched"} == rehearsal.cached()
    assert rehearsal.cached() == {item.id for item in DOCS} - {VICTIM.id}
    assert outcomes[VICTIM.id].state == "refused"
    assert not part_path(document_path(rehearsal.cache, VICTIM.sha256)).exists()
    return outcomes[VICTIM.id].reason


TRANSIENT: dict[str, tuple[list[Act], list[int]]] = {
    "429 with Retry-After": ([Act("status", 429, (("Retry-After", "9"),))], [429, 200]),
    "two 503, then fine": ([Act("status", 503)] * 2, [503, 503, 200]),
    "body cut short of its length": ([Act("cut")], [200, 206]),
    "body without a length, cut short": ([Act("short")], [200, 206]),
    "body that stops coming": ([Act("stall", seconds=2)], [200, 206]),
    "connection reset": ([Act("reset")], [0, 200]),
    "cut, reset, then 503": ([Act("cut"), Act("reset"), Act("status", 503)], [200, 0, 503, 206]),
}


@pytest.mark.parametrize("case", TRANSIENT)
def test_what_is_transient_is_waited_out_and_everything_arrives(case: str, tmp_path: Path) -> None:
    acts, statuses = TRANSIENT[case]
    with Server(BODIES, {VICTIM.path: acts}) as server:
        rehearsal = Rehearsal(server, tmp_path)
        rehearsal.timeout = 1.0 if any(act.kind == "stall" for act in acts) else 10.0
        everything_arrives(rehearsal)
        assert rehearsal.statuses() == statuses
        assert len(rehearsal.waits()) == len(acts)


def test_retry_after_is_waited_in_full(tmp_path: Path) -> None:
    with Server(BODIES, {VICTIM.path: [Act("status", 429, (("Retry-After", "9"),))]}) as server:
        rehearsal = Rehearsal(server, tmp_path)
        everything_arrives(rehearsal)
        sent = [event.at for event in rehearsal.events if event.what == "sent" and event.doc == VICTIM.id]
        assert sent[1] - sent[0] >= 9


def test_a_broken_body_is_resumed_where_it_broke_off(tmp_path: Path) -> None:
    with Server(BODIES, {VICTIM.path: [Act("cut")]}) as server:
        rehearsal = Rehearsal(server, tmp_path)
        everything_arrives(rehearsal)
        served = [item for item in server.log() if item.path == VICTIM.path]
        assert served[1].offset == served[0].sent == VICTIM.bytes // 2
        assert sum(item.sent for item in served) == VICTIM.bytes


def test_without_ranges_a_broken_body_begins_again(tmp_path: Path) -> None:
    with Server(BODIES, {VICTIM.path: [Act("cut")]}, whole_only=[VICTIM.path]) as server:
        rehearsal = Rehearsal(server, tmp_path)
        everything_arrives(rehearsal)
        assert rehearsal.statuses() == [200, 200]
        assert sum(item.sent for item in server.log() if item.path == VICTIM.path) == VICTIM.bytes * 3 // 2


def test_a_redirect_is_followed_and_each_hop_waits_for_its_turn(tmp_path: Path) -> None:
    moved = Act("status", 302, (("Location", "/elsewhere.txt"),))
    with Server(BODIES | {"/elsewhere.txt": VICTIM.body}, {VICTIM.path: [moved]}) as server:
        rehearsal = Rehearsal(server, tmp_path)
        everything_arrives(rehearsal)
        sent = [event.at for event in rehearsal.events if event.what == "sent"]
        assert len(sent) == len(DOCS) + 1
        assert min(b - a for a, b in pairwise(sent)) >= 0.0099


def test_a_redirect_in_a_circle_is_given_up(tmp_path: Path) -> None:
    moved = Act("status", 302, (("Location", VICTIM.path),))
    with Server(BODIES, {VICTIM.path: [moved] * 20}) as server:
        assert "more than 5 redirects" in refused_alone(Rehearsal(server, tmp_path))


REFUSED: dict[str, tuple[Act, str]] = {
    "an error page with 200": (Act("page"), "HTTP 200 with an HTML page"),
    "another length": (Act("other"), "truncated: the server announces"),
    "not there": (Act("status", 404), "HTTP 404"),
    "forbidden": (Act("status", 403), "HTTP 403"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_had_is_refused_by_name_after_one_request_and_the_rest_arrives(
    case: str, tmp_path: Path
) -> None:
    act, reason = REFUSED[case]
    with Server(BODIES, {VICTIM.path: [act]}) as server:
        rehearsal = Rehearsal(server, tmp_path)
        assert reason in refused_alone(rehearsal)
        assert len(rehearsal.statuses()) == 1


def test_an_error_page_without_a_type_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    page = b"\n<!DOCTYPE HTML><title>busy</title>".ljust(VICTIM.bytes)
    with Server(BODIES | {VICTIM.path: page}) as server:
        assert "HTTP 200 with an HTML page" in refused_alone(Rehearsal(server, tmp_path))


def test_an_html_document_is_no_error_page(tmp_path: Path) -> None:
    body = b"<!DOCTYPE html><title>10-K</title>"
    filing = Doc("filing", "", doc("filing", body).sha256, len(body))
    with Server({"/filing.html": body}) as server:
        wanted = Doc("filing", f"{server.url}/filing.html", filing.sha256, filing.bytes)
        assert Rehearsal(server, tmp_path).run([wanted])["filing"].state == "fetched"


def test_a_longer_body_without_a_length_is_dropped_once_it_is_too_long(tmp_path: Path) -> None:
    with Server(BODIES | {VICTIM.path: VICTIM.body * 4}, {VICTIM.path: [Act("short")]}) as server:
        assert "longer than expected" in refused_alone(Rehearsal(server, tmp_path))


def test_the_right_length_with_other_bytes_is_refused_by_checksum(tmp_path: Path) -> None:
    with Server(BODIES | {VICTIM.path: b"x" * VICTIM.bytes}) as server:
        assert "checksum mismatch" in refused_alone(Rehearsal(server, tmp_path))


def test_trouble_without_end_is_given_up_after_four_requests_and_the_rest_arrives(tmp_path: Path) -> None:
    with Server(BODIES, {VICTIM.path: [Act("status", 503)] * 9}) as server:
        rehearsal = Rehearsal(server, tmp_path)
        assert "HTTP 503" in refused_alone(rehearsal)
        assert rehearsal.statuses() == [503] * 4


def test_an_old_beginning_of_other_bytes_is_found_out_and_fetched_anew(tmp_path: Path) -> None:
    part = part_path(document_path(tmp_path, VICTIM.sha256))
    part.parent.mkdir(parents=True)
    part.write_bytes(b"y" * 100)
    with Server(BODIES) as server:
        rehearsal = Rehearsal(server, tmp_path)
        everything_arrives(rehearsal)
        assert rehearsal.statuses() == [206, 200]


def test_a_whole_part_left_before_its_rename_costs_no_request(tmp_path: Path) -> None:
    part = part_path(document_path(tmp_path, VICTIM.sha256))
    part.parent.mkdir(parents=True)
    part.write_bytes(VICTIM.body)
    with Server(BODIES) as server:
        rehearsal = Rehearsal(server, tmp_path)
        everything_arrives(rehearsal)
        assert rehearsal.statuses() == []


def test_a_quota_stops_the_run_after_one_refusal_and_the_next_run_goes_on(tmp_path: Path) -> None:
    with Server(BODIES, quota=2) as server:
        rehearsal = Rehearsal(server, tmp_path)
        states = [outcome.state for outcome in rehearsal.run().values()]
        assert states == ["fetched"] * 2 + ["postponed"] * 3
        assert [served.status for served in server.log()] == [200, 200, 429]
        assert rehearsal.waits() == []
        server.quota = None
        states = [outcome.state for outcome in rehearsal.run().values()]
        assert states == ["present"] * 2 + ["fetched"] * 3


def test_a_quota_without_headers_is_known_by_a_429_after_every_wait(tmp_path: Path) -> None:
    with Server(BODIES, {DOCS[1].path: [Act("status", 429)] * 9}) as server:
        rehearsal = Rehearsal(server, tmp_path)
        outcomes = rehearsal.run()
        assert [outcome.state for outcome in outcomes.values()] == ["fetched"] + ["postponed"] * 4
        assert "again after every wait" in outcomes[DOCS[4].id].reason
        assert len(server.log()) == 1 + 4


def test_the_quota_of_one_host_does_not_stop_another(tmp_path: Path) -> None:
    with Server(BODIES, quota=1) as strict, Server(BODIES) as open_house:
        docs = [item.at(strict.url) for item in DOCS[:3]] + [item.at(open_house.url) for item in DOCS[3:]]
        states = [outcome.state for outcome in Rehearsal(strict, tmp_path).run(docs).values()]
        assert states == ["fetched", "postponed", "postponed", "fetched", "fetched"]


def test_workers_share_the_ceiling_and_report_in_the_manifests_order(tmp_path: Path) -> None:
    with Server(BODIES, {VICTIM.path: [Act("status", 503)]}) as server:
        outcomes = acquire(
            [item.at(server.url) for item in DOCS],
            tmp_path,
            HttpSource(plain(), 50, jitter=random.Random(1)),
            workers=4,
        )
        assert [outcome.id for outcome in outcomes] == [item.id for item in DOCS]
        assert {outcome.state for outcome in outcomes} == {"fetched"}


def test_a_body_that_trickles_is_given_up_after_the_longest_time(tmp_path: Path) -> None:
    clock = Clock()

    def trickle(request: httpx.Request) -> httpx.Response:
        def blocks() -> Iterator[bytes]:
            for place in range(VICTIM.bytes):
                clock.now += 60
                yield VICTIM.body[place : place + 1]

        return httpx.Response(200, content=blocks())

    client = httpx.Client(transport=httpx.MockTransport(trickle))
    source = HttpSource(client, sleep=clock.sleep, clock=clock, jitter=random.Random(1), longest=600)
    outcome = acquire([VICTIM], tmp_path, source)[0]
    assert outcome.state == "refused"
    assert "slower than 600 s" in outcome.reason


def test_a_redirect_from_https_to_plain_http_is_refused(tmp_path: Path) -> None:
    def away(request: httpx.Request) -> httpx.Response:
        return httpx.Response(301, headers={"Location": "http://example.org/plain.txt"})

    source = HttpSource(httpx.Client(transport=httpx.MockTransport(away)))
    secure = Doc("a", "https://example.org/a.txt", VICTIM.sha256, VICTIM.bytes)
    outcome = acquire([secure], tmp_path, source)[0]
    assert "redirects to http://example.org/plain.txt" in outcome.reason


@pytest.mark.parametrize("url", ["https://[bad/a.txt", "no address", "https://example.org:port/a"])
def test_an_address_that_is_none_is_refused_alone(url: str, tmp_path: Path) -> None:
    with Server(BODIES) as server:
        clock = Clock()
        source = HttpSource(plain(), sleep=clock.sleep, clock=clock)
        wanted = [Doc("bad", url, "0" * 64, 5), DOCS[0].at(server.url)]
        assert [outcome.state for outcome in acquire(wanted, tmp_path, source)] == ["refused", "fetched"]
