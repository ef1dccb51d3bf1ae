"""What an answer means: a short wait, a quota, a document that is not to be had."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from harness.corpus.fetch.answers import Refuse, Retry, Stop, asked_wait, judge, retry_after

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
STAMP = NOW.timestamp()


def date(seconds: float) -> str:
    return format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": " 0 "}, 0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": date(90)}, 90),
        ({"retry-after": date(-90)}, 0),
        ({"retry-after": date(3690), "date": date(3600)}, 90),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date_by_the_servers_own_clock(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers, STAMP) == seconds


@pytest.mark.parametrize("headers", [{"retry-after": "5"}, {"retry-after": "300"}, {}, {"x-ratelimit-remaining": "0"}])
def test_a_429_with_a_short_wait_or_none_is_transient_and_holds_every_worker(headers: dict[str, str]) -> None:
    verdict = judge(429, headers, False, STAMP)
    assert isinstance(verdict, Retry)
    assert verdict.shared


@pytest.mark.parametrize(
    ("status", "headers", "said"),
    [
        (429, {"retry-after": "301"}, "HTTP 429; the next request is welcome in 6 min"),
        (429, {"retry-after": date(7200)}, "HTTP 429; the next request is welcome in 2 h 0 min"),
        (429, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(STAMP + 21600)}, "quota used up"),
        (429, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "21600"}, "6 h 0 min"),
        (429, {"ratelimit-remaining": "0", "ratelimit-reset": "21600", "retry-after": "1"}, "quota used up"),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "3600"}, "HTTP 403, quota used up"),
        (503, {"retry-after": "3600"}, "HTTP 503; the next request is welcome in 1 h 0 min"),
    ],
)
def test_a_wait_beyond_patience_stops_the_run_and_says_until_when(
    status: int, headers: dict[str, str], said: str
) -> None:
    verdict = judge(status, headers, False, STAMP)
    assert isinstance(verdict, Stop)
    assert said in verdict.reason


def test_a_429_that_outlasts_every_wait_is_a_quota_and_a_503_that_does_is_not() -> None:
    assert isinstance(judge(429, {}, True, STAMP), Stop)
    assert isinstance(judge(503, {}, True, STAMP), Retry)


def test_a_reset_counts_only_when_nothing_remains() -> None:
    assert asked_wait({"x-ratelimit-remaining": "12", "x-ratelimit-reset": "21600"}, STAMP) is None


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451])
def test_a_definite_no_is_not_asked_again(status: int) -> None:
    assert judge(status, {}, False, STAMP) == Refuse(f"HTTP {status}")


@pytest.mark.parametrize("status", [408, 425, 500, 502, 503, 504])
def test_trouble_on_the_servers_side_is_tried_again_by_this_worker_alone(status: int) -> None:
    assert judge(status, {}, False, STAMP) == Retry(f"HTTP {status}")
