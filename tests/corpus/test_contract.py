"""The contract parser, on contracts written here in the shapes that printed exhibits have."""

from harness.corpus.clauses import find_clauses, title
from harness.corpus.contract import decode, parse, repair

GAP = "\n\n\n\n\n\n"
FILLER = "The parties keep their promises under this agreement as long as it lasts and longer where it says so. " * 4


def filler(page: object) -> str:
    """Text of a page that no other page ends with."""
    word = "".join(chr(ord("a") + ord(character) % 26) for character in str(page))
    return f"{FILLER}So much on {word} and {word} {word} {word}."


def printed(*pages: str) -> bytes:
    return GAP.join(pages).encode()


def sourced(*pages: str) -> bytes:
    return printed(*(f"{page}\n\nSource: ACME HOLDINGS, INC., 8-K/A, 2/5/2020" for page in pages))


def labels(raw: bytes) -> list[str | None]:
    return [label for _, _, label in parse(raw).page_starts]


def test_source_lines_end_pages_and_are_gone() -> None:
    parsed = parse(sourced("Licence.", "Second page.", "Third page."))
    assert "Source:" not in parsed.text
    assert [number for _, number, _ in parsed.page_starts] == [1, 2, 3]
    assert parsed.text[parsed.page_starts[1][0] :].startswith("Second page.")


def test_a_form_with_words_in_brackets_is_a_source_line_too() -> None:
    raw = printed(
        "One.\n\nSource: ACME LTD, DRS (on F-1), 1/21/2014", "Two.\n\nSource: ACME LTD, DRS (on F-1), 1/21/2014"
    )
    assert "Source" not in parse(raw).text and len(parse(raw).page_starts) == 2


def test_a_source_named_in_the_text_stays() -> None:
    assert "Source: the annual report" in parse(b"Figures. Source: the annual report of 2019.\n").text


def test_numbers_at_the_foot_become_labels() -> None:
    for shape in ("{}", "-{}-", "- {} -", "Page {}", "Page -{}-", "Page {} of 3", "PAGE {}", "[{}]"):
        raw = printed(*(f"{filler(number)}\n\n{shape.format(number)}" for number in (1, 2, 3)))
        parsed = parse(raw)
        assert [label for _, _, label in parsed.page_starts] == ["1", "2", "3"], shape
        assert parsed.text.count("\n\n") == 2, shape


def test_labels_may_start_anywhere_and_be_roman_or_carry_a_prefix() -> None:
    assert labels(printed(*(f"{filler(number)}\n\n{number}" for number in ("i", "ii", "iii", "iv")))) == [
        "i",
        "ii",
        "iii",
        "iv",
    ]
    assert labels(printed(*(f"{filler(number)}\n\nB-{number}" for number in (4, 5, 6)))) == ["B-4", "B-5", "B-6"]


def test_a_number_fused_with_the_last_line_is_the_label_when_it_counts_up() -> None:
    parsed = parse(printed(*(f"{filler(number)[:-1]}     {number}" for number in range(1, 6))))
    assert [label for _, _, label in parsed.page_starts] == ["1", "2", "3", "4", "5"]
    assert not any(character.isdigit() for character in parsed.text)


def test_a_single_number_at_the_end_of_a_page_stays() -> None:
    parsed = parse(printed("The fee is stated in section 12", "The term is stated below.", "The end."))
    assert "in section 12" in parsed.text and parsed.page_starts == ()


def test_running_heads_and_feet_are_gone_even_when_fused() -> None:
    head, foot = "[***] Confidential treatment was asked for these marks.", "SUPPLY AGREEMENT OF ACME Page {} of 9"
    pages = [f"{head}\n\nThe clause says {word}. {foot.format(n)}" for n, word in enumerate("abcd", 1)]
    parsed = parse(printed(*pages))
    assert "Confidential treatment" not in parsed.text and "SUPPLY AGREEMENT" not in parsed.text
    assert "The clause says c." in parsed.text
    assert [label for _, _, label in parsed.page_starts] == ["1", "2", "3", "4"]


def test_numbers_in_the_middle_of_printed_pages_are_the_pages() -> None:
    body = "\n\n".join(f"{FILLER}and so on\n\n   {number}\n\n" for number in range(1, 6))
    half = len(body) // 2
    cut = body.index(". The", half) + 1
    parsed = parse((body[:cut] + GAP + body[cut:]).encode())
    assert [label for _, _, label in parsed.page_starts] == ["1", "2", "3", "4", "5"]


def test_gaps_without_any_number_are_no_pages() -> None:
    assert parse(printed("One.", "Two.", "Three.", "Four.")).page_starts == ()


def test_numbers_of_a_list_close_together_are_no_pages() -> None:
    parsed = parse(b"Scale:\n\n1\n\nlow\n\n2\n\nmiddle\n\n3\n\nhigh\n\n4\n\nhighest\n")
    assert parsed.page_starts == () and "\n3\n" in parsed.text


def test_a_sentence_over_a_page_break_stays_one_paragraph() -> None:
    parsed = parse(sourced("The licensee shall", "pay the fee.", "End."))
    assert "shall pay the fee." in parsed.text
    assert parsed.text[parsed.page_starts[1][0] :].startswith("pay the fee.")


def test_form_feeds_part_pages() -> None:
    raw = "\f".join(f"{filler(number)}\n\n{number}" for number in (1, 2, 3)).encode()
    assert labels(raw) == ["1", "2", "3"]


def test_white_space_runs_fold_and_paragraphs_stay() -> None:
    assert parse(b"a    b\t c\r\n\r\n\r\n  d\n").text == "a b c\n\nd\n"


def test_utf8_read_as_cp1252_is_repaired_only_when_it_round_trips() -> None:
    assert repair("the licenseeâ€™s caf\u00c3\u00a9") == "the licensee’s café"
    assert repair("SÃO PAULO, Ãx, Â§") == "SÃO PAULO, Ãx, §"
    assert decode("naïve".encode("cp1252")) == "naïve"
    assert decode("soft\u00adhyphen\u200b".encode()) == "softhyphen"


def test_clauses_are_found_with_number_title_and_offset() -> None:
    text = (
        "ARTICLE IV TERM\n\nSection 5.2 Fees. The fee is due.\n\n1. Definitions. In this contract:\n\n"
        '1.1 "Product" means the thing.\n\n2.2 Acme shall deliver the goods within thirty days after each order.\n\n'
        "3.1.2 Deep clause.\n\nEXHIBIT A\n\nGENERAL PROVISIONS\n\nARTICLE 7\n"
    )
    found = find_clauses(text)
    assert [(number, heading) for _, number, heading in found] == [
        ("Article IV", "TERM"),
        ("Section 5.2", "Fees"),
        ("1", "Definitions"),
        ("1.1", "Product"),
        ("2.2", ""),
        ("Exhibit A", ""),
        ("", "GENERAL PROVISIONS"),
        ("Article 7", ""),
    ]
    assert all(text[offset - 1] == "\n" for offset, _, _ in found[1:])


def test_contents_lines_sums_and_signatures_are_no_clauses() -> None:
    text = "1. Term ........ 4\n\nSection 2.1 Fees 12\n\n30 days later\n\n12.5 million\n\nACME CORP.\n\nBY: ________\n"
    assert find_clauses(text) == ()


def test_a_reference_at_the_start_of_a_sentence_is_no_heading() -> None:
    assert find_clauses("Section 4 of the Act shall apply to whoever signs without reading it first.\n") == ()


def test_a_title_is_short_and_in_title_case() -> None:
    assert title("Term and Termination. This agreement lasts.") == "Term and Termination"
    assert title("Acme shall not sell any of the goods to anyone else. More.") == ""
