import io
import logging

import pytest
from reportlab.pdfgen import canvas
from tests.tables import rows

from fabula.core.documents import read_document
from fabula.core.formats.pdf.reader import pdf_document

WIDE = "and then she went on along the shore until the evening came, and she was glad of it"


def printed(*pages, large=36):
    """A PDF of the words at their places; a single letter is printed large."""
    target = io.BytesIO()
    made = canvas.Canvas(target, pagesize=(500, 600))
    for page in pages:
        for left, top, said in page:
            made.setFont("Times-Roman", large if len(said.strip("“ ")) == 1 and said[-1].isalpha() else 11)
            made.drawString(left, 600 - top, said)
        made.showPage()
    made.save()
    return target.getvalue()


def one_page(*lines):
    return [(50, 60 + 15 * at, said) for at, said in enumerate(lines)]


def text_of(*lines):
    return " ".join(pdf_document(printed(one_page(WIDE, *lines)), "a.pdf").text.split())


@pytest.mark.parametrize(("first", "second", "expected"), rows(__file__, "hyphens.tsv"))
def test_hyphens_at_the_ends_of_lines(first, second, expected):
    known = "mother-in-law: the red-haired postman saw the red-haired boy there and mother-in-law too"
    assert expected in text_of(known, f"and {first}", f"{second} until the evening came, and she was glad")


def test_a_word_that_a_page_ends_in_is_put_together():
    pages = [
        [(50, 30, "THE SEA"), *one_page(WIDE, WIDE, "saw the light-"), (240, 570, "1")],
        [(50, 30, "A. NOBODY"), *one_page(f"house {WIDE}", "Jean stood."), (240, 570, "2")],
        [(50, 30, "THE SEA"), *one_page("Chapter 2", WIDE, "The end came soon."), (240, 570, "3")],
        [(50, 30, "A. NOBODY"), *one_page("Chapter 3", WIDE, "It was late."), (240, 570, "4")],
    ]
    text = pdf_document(printed(*pages), "a.pdf").text
    assert "saw the lighthouse and" in text
    assert "SEA" not in text and "NOBODY" not in text
    assert [line for line in text.split("\n") if line.startswith("Chapter")] == ["Chapter 2", "Chapter 3"]


@pytest.mark.parametrize(("letter", "rest", "expected"), rows(__file__, "drop_caps.tsv"))
def test_drop_caps(letter, rest, expected):
    page = [(50.0, 30.0, "Chapter One"), (50.0, 90.0, letter), (80.0, 70.0, rest), (80.0, 85.0, WIDE)]
    text = pdf_document(printed([*page, (50.0, 100.0, WIDE)]), "a.pdf").text
    assert text.startswith(f"Chapter One\n\n{expected}")


@pytest.mark.parametrize("line_by_line", [True, False])
def test_columns_that_are_read_across_are_told_of(tmp_path, caplog, line_by_line):
    left = [(50.0, 60.0 + 15 * at, "Anna went along the shore and") for at in range(20)]
    right = [(280.0, top, "Bo stood in the garden there") for _, top, _ in left]
    both = [one for pair in zip(left, right, strict=True) for one in pair]
    path = tmp_path / "a.pdf"
    path.write_bytes(printed(both if line_by_line else [*left, *right]))
    with caplog.at_level(logging.WARNING):
        read_document(path)
    assert ("columns" in caplog.text) == line_by_line
