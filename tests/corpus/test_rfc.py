"""The RFC parser, on documents written here in the shapes that real ones have."""

from harness.corpus.rfc import decode, parse

PAGED = (
    "Network Working Group                                        A. Author\n"
    "Request for Comments: 9999                                   June 1999\n\n\n"
    "1.  Introduction\n\n"
    "   This sentence runs over the page\n"
    "\n\n\nAuthor                      Standards Track                     [Page 1]\n"
    "\f\n"
    "RFC 9999                    An Example                       June 1999\n\n\n"
    "   break and ends here.\n\n"
    "2.  Second\n\n"
    "   Text of the second section.\n"
    "\n\nAuthor                      Standards Track                     [Page 2]\n"
    "\f\n"
    "RFC 9999                    An Example                       June 1999\n\n"
    "Appendix A.  Notes\n\n"
    "   Last words.\n"
    "\n\nAuthor                      Standards Track                     [Page 3]\n"
)


def test_page_headers_and_footers_are_gone_and_page_starts_are_kept() -> None:
    parsed = parse(PAGED.encode())
    assert "[Page" not in parsed.text
    assert "RFC 9999" not in parsed.text
    assert [(number, label) for _, number, label in parsed.page_starts] == [(1, "1"), (2, "2"), (3, "3")]
    second = parsed.page_starts[1][0]
    assert parsed.text[second:].startswith("   break and ends here.")


def test_a_sentence_that_runs_over_a_page_break_stays_one_paragraph() -> None:
    assert "over the page\n   break and ends" in parse(PAGED.encode()).text


def test_headings_are_found_with_number_and_offset() -> None:
    parsed = parse(PAGED.encode())
    found = [(number, heading) for _, number, heading in parsed.sections]
    assert found == [("1", "Introduction"), ("2", "Second"), ("Appendix A", "Notes")]
    for offset, _, heading in parsed.sections:
        assert heading in parsed.text[offset:].split("\n", 1)[0]


def test_a_document_without_form_feeds_gets_no_invented_pages() -> None:
    parsed = parse(b"Title\n\n1.  One\n\n   Text.\n\n2.  Two\n\n   More.\n")
    assert parsed.page_starts == ()


def test_lines_of_a_contents_list_are_no_headings() -> None:
    contents = "Table of Contents\n\n1. Introduction ............ 3\n\n2  Terms                      4\n\n"
    body = contents + "1.  Introduction\n\n   Text.\n"
    assert [heading for _, _, heading in parse(body.encode()).sections] == ["Table of Contents", "Introduction"]


def test_printed_labels_may_differ_from_physical_pages() -> None:
    roman = PAGED.replace("[Page 1]", "[Page i]")
    assert parse(roman.encode()).page_starts[0][1:] == (1, "i")


def test_bytes_that_are_not_utf8_are_read_as_latin1_and_a_mark_is_dropped() -> None:
    assert decode(b"caf\xe9\r\n") == "café\n"
    assert decode("\ufeffTitle".encode()) == "Title"


def test_an_empty_document_parses_to_nothing() -> None:
    parsed = parse(b"")
    assert parsed.text.strip() == "" and parsed.page_starts == () and parsed.sections == ()
