"""Bytes to text as browsers do it: byte-order marks, encodings that a page names, and bytes that fit none."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from checks.html.cli import main
from checks.html.encoding import PRESCAN, declared, decode
from checks.html.files import inspect

ROOT = Path(__file__).parents[2]


def flaws(content: bytes) -> list[str]:
    """Rule and place of what the bytes have wrong."""
    told = [one.problem for one in inspect(decode(content), "a.html")]
    return [f"{one.rule} {one.line}:{one.column}" for one in told]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"<p>\xc3\xa9</p>", "<p>é</p>"),
        (b"\xef\xbb\xbf<p>\xc3\xa9</p>", "<p>é</p>"),
        (b"\xff\xfe" + "<p>é</p>".encode("utf-16-le"), "<p>é</p>"),
        (b"\xfe\xff" + "<p>é</p>".encode("utf-16-be"), "<p>é</p>"),
        (b"<meta charset=latin1><p>\xe9\x80</p>", "<meta charset=latin1><p>é€</p>"),
        (b"<meta charset=' ISO-8859-1 '>\x93", "<meta charset=' ISO-8859-1 '>“"),
        (b"<meta charset=ascii>\x81", "<meta charset=ascii>\x81"),
        (b"<meta charset=iso-8859-9>\xfd", "<meta charset=iso-8859-9>ı"),
        (b"<meta charset=shift_jis>\x82\xa0", "<meta charset=shift_jis>あ"),
        (b"<meta charset=gb2312>\xc4\xe3", "<meta charset=gb2312>你"),
        (b"<meta charset=euc-kr>\xb0\xa1", "<meta charset=euc-kr>가"),
        (b"<meta charset=koi8-r>\xc1", "<meta charset=koi8-r>а"),
        (b"<meta charset=iso-8859-2>\xb1", "<meta charset=iso-8859-2>ą"),
        (b"<meta charset=windows-1251>\xe0", "<meta charset=windows-1251>а"),
        (b"<meta charset=utf-16>\xc3\xa9", "<meta charset=utf-16>é"),
        (b"<meta charset=utf-8>\xc3\xa9", "<meta charset=utf-8>é"),
        (b"<meta charset=rot13>a", "<meta charset=rot13>a"),
        (b"<meta charset=utf-7>+AOk-", "<meta charset=utf-7>+AOk-"),
    ],
)
def test_a_file_is_decoded_as_a_browser_would(content: bytes, text: str) -> None:
    assert decode(content).text == text


@pytest.mark.parametrize(
    ("head", "label"),
    [
        (b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "koi8-r"),
        (b"<meta http-equiv=content-type content='text/html; charset=\"big5\"'>", "big5"),
        (b"<meta http-equiv=content-type content=\"text/html; charset = 'big5'\">", "big5"),
        (b"<meta name=x content='charset=koi8-r'><meta charset=cp1252>", "cp1252"),
        (b"<meta http-equiv=content-type content=text/html>", ""),
        (b"<!-- <meta charset=koi8-r> --><META CHARSET=Big5>", "big5"),
        (b"</meta><link charset=koi8-r>", ""),
        (b"<p>charset=koi8-r</p>", ""),
    ],
)
def test_the_encoding_is_looked_for_in_meta_tags_only(head: bytes, label: str) -> None:
    assert declared(head)[0] == label


def test_a_meta_tag_counts_only_within_the_first_bytes() -> None:
    meta = b"<meta charset=latin1>"
    late = b" " * (PRESCAN - len(meta) + 1) + meta
    assert decode(late[1:] + b"\xe9").text.endswith("é")
    assert decode(late + b"\xe9").text.endswith("\ufffd")


def test_another_encoding_than_utf_8_is_told_at_the_tag_that_names_it() -> None:
    assert flaws("<p>é</p>".encode()) == flaws(b"<meta itemprop=x charset=UTF8><p>x</p>") == []
    assert flaws(b"<p>a</p>\n <meta itemprop=x charset=latin1>\xe9") == ["legacy-encoding 2:2"]
    assert flaws(b"\xff\xfe" + "<p>é</p>".encode("utf-16-le")) == ["legacy-encoding 1:1"]
    (one,) = inspect(decode(b"<meta itemprop=x charset=klingon>"), "a.html")
    assert one.problem.level == "warning" and "the unknown encoding 'klingon'" in one.problem.message


def test_a_byte_that_fits_no_character_is_told_with_its_place_and_the_rest_is_checked() -> None:
    assert flaws(b"<p>a</p>\n<p>\xc3\xa9\xff<div></div></p>") == ["undecodable-bytes 2:5", "flow-in-p 2:6"]
    assert flaws(b"<meta itemprop=x charset=euc-kr>\n\xff") == ["legacy-encoding 1:1", "undecodable-bytes 2:1"]
    (one,) = inspect(decode(b"\xef\xbb\xbf<p>\xe9</p>"), "a.html")
    assert one.problem.message.startswith("the byte 0xE9 is not UTF-8")


class _Bytes(io.TextIOWrapper):
    """Standard input as a process has it: bytes below the text."""


def test_standard_input_is_decoded_like_a_file() -> None:
    out = io.StringIO()
    assert main(["-"], _Bytes(io.BytesIO(b"<p>\xff</p>")), out) == 1
    assert out.getvalue().startswith("-:1:4: error [undecodable-bytes] the byte 0xFF is not UTF-8")


def test_a_closed_standard_input_is_said_so() -> None:
    command = f'"{sys.executable}" -m checks html - <&-'
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "standard input is closed: give files or folders, or pipe a page into it\n"
    closed = io.StringIO()
    closed.close()
    assert main(["-"], closed, io.StringIO()) == 2
