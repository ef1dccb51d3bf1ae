"""Submissions split into their documents, on one written here."""

import io
import zipfile

from harness.corpus.submission import clean, split, submissions

SUBMISSION = b"""<SEC-DOCUMENT>0000000000-01-000001.txt
<DOCUMENT>
<TYPE>8-K
<SEQUENCE>1
<FILENAME>form.txt
<DESCRIPTION>CURRENT REPORT
<TEXT>
<PAGE>
Item 5. Other events.



The company signed a contract.
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-10.1
<SEQUENCE>2
<TEXT>
<HTML><BODY><P>A <B>lease</B>&nbsp;of land<BR>by the sea</P><TABLE><TR><TD>Rent</TD><TD>$</TD><TD>5</TD></TR>
<TR><TD>Tax</TD><TD></TD><TD>1</TD></TR></TABLE></BODY></HTML>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>GRAPHIC
<SEQUENCE>3
<FILENAME>logo.jpg
<TEXT>
begin 644 logo.jpg
M_]C_X
end
</TEXT>
</DOCUMENT>
"""


def test_every_document_comes_with_its_headers() -> None:
    parts = split(SUBMISSION)
    assert [(part.type, part.sequence, part.filename, part.description) for part in parts] == [
        ("8-K", 1, "form.txt", "CURRENT REPORT"),
        ("EX-10.1", 2, "", ""),
        ("GRAPHIC", 3, "logo.jpg", ""),
    ]


def test_plain_text_loses_layout_tags_and_blank_runs() -> None:
    assert split(SUBMISSION)[0].text == "Item 5. Other events.\n\nThe company signed a contract.\n"


def test_html_becomes_paragraphs_and_table_lines() -> None:
    assert split(SUBMISSION)[1].text == "A lease of land by the sea\n\nRent | $5\nTax | 1\n"


def test_images_and_encoded_files_have_no_text() -> None:
    assert split(SUBMISSION)[2].text == ""
    assert clean("begin 644 a.pdf\nM123\nend\n") == ""


def test_a_document_without_its_end_mark_ends_at_the_next_one() -> None:
    assert len(split(SUBMISSION.replace(b"</DOCUMENT>\n", b""))) == 3
    assert split(b"no submission") == ()


def test_an_archive_yields_its_submissions_by_name() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("b/two.txt", SUBMISSION)
        archive.writestr("b/one.txt", SUBMISSION)
        archive.writestr("b/readme.txt", b"nothing")
    assert [(name, len(parts)) for name, parts in submissions(made.getvalue())] == [("b/one.txt", 3), ("b/two.txt", 3)]
