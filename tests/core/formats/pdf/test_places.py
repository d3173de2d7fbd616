import io

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfbase.pdfmetrics import stringWidth
from tests.stories.printed_book import FONT, HEIGHT, SIZE, WIDTH, drawn_words, printed_book

from fabula.core.chapters.reader import find_chapters
from fabula.core.formats.converting import draw_page
from fabula.core.formats.pdf.places import WordPlaces, in_words
from fabula.core.formats.pdf.reader import SCALE, pdf_document
from fabula.core.types import Span
from fabula.errors import DocumentError

TEXT = (
    "# The Ferry\n\nChapter 1\n\nThe ferry went over the sound twice a day, and Anna Dahl counted the boats "
    "from her window until the evening lamp was lit by her father.\n\nNobody else was at home on such a "
    "night, so she kept the fire alone and read the letter of Bo Lind from the first line to the last line, "
    "as she had done the night before.\n\nand she was still awake.\n\nChapter 2\n\nBo Lind drowned in the "
    "sound on the second of March, three days after he had written it.\n"
)


def span_of(words):
    start = TEXT.index(words)
    return Span(start, start + len(words))


@pytest.fixture(scope="module")
def places():
    found = pdf_document(printed_book(), "a.pdf")
    assert found.text == TEXT
    assert found.title == "The Ferry"
    assert [one.title for one in find_chapters(TEXT, title="x")] == ["Chapter 1", "Chapter 2"]
    return WordPlaces.from_bytes(found.places)


def test_every_word_has_its_offsets_page_line_and_box(places):
    """Left and right are the font's own widths; top and bottom hold a line of Times."""
    drawn = [one for one in drawn_words() if one.line > 1 and not one.text.isdigit()]
    drawn += [one for one in drawn_words() if one.text in ("1", "2") and one.line in (2, 3)]
    drawn.sort(key=lambda one: (one.page, one.line, one.left))
    rows = places._rows.tolist()
    assert len(rows) == len(drawn)
    for word, (start, end, page, line, *box) in zip(drawn, rows, strict=True):
        left, top, right, bottom = (side / 100 for side in box)
        assert (page, line) == (word.page, word.line)
        assert TEXT[start:end] == word.text.removesuffix("-")
        assert left == pytest.approx(word.left, abs=0.05)
        assert word.right - 0.05 < right < word.right + 0.06 * SIZE  # an f hangs over its width
        assert top < word.baseline - 0.6 * SIZE and word.baseline < bottom
        assert bottom - top < 1.4 * SIZE


def test_a_passage_has_a_place_on_each_page(places):
    (one,) = places.at(span_of("Anna Dahl counted the boats"))
    assert (one.page, one.first_line, one.last_line) == (1, 3, 4)
    assert one.label == "Page 1, Lines 3-4"
    assert one.box[0] == 40.0 and one.box[2] > 290
    two = places.at(span_of("kept the fire alone and read the letter"))
    assert in_words(two) == "Page 1, Line 6; Page 2, Line 2"
    assert in_words(places.at(span_of("Chapter 2"))) == "Page 3, Line 3"
    assert places.at(Span(0, 11)) == ()  # the title comes from the file's properties
    assert places.at(Span(len(TEXT), len(TEXT) + 9)) == ()
    halves = places.at(Span(span_of("counted").start + 4, span_of("counted").end))
    assert in_words(halves) == "Page 1, Line 4"


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
@pytest.mark.parametrize("drawn", [0, 90, 180, 270])
def test_letters_that_lie_on_their_side_are_read_in_order(turned, drawn):
    assert pdf_document(printed_book(rotate=turned, drawn=drawn), "a.pdf").text == TEXT


def picture(data, words, *, marked=True, **order):
    places = WordPlaces.from_bytes(pdf_document(data, "a.pdf").places)
    lines = places.lines(span_of(words))
    page = lines[0][0]
    boxes = [box for at, _, box in lines if at == page]
    png = draw_page(data, "a.pdf", page=page, marked=boxes if marked else [], **order)
    return Image.open(io.BytesIO(png)).convert("RGB"), boxes


def ink(image, box=None):
    part = image if box is None else image.crop(tuple(round(side * SCALE) for side in box))
    return sum(part.convert("L").histogram()[:128])


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (20.0, 30.0, 400.0, 580.0)])
def test_a_drawn_box_covers_the_quoted_words_and_nothing_else(rotate, crop):
    data = printed_book(rotate=rotate, crop=crop)
    words = "until the evening lamp"
    plain, (box,) = picture(data, words, marked=False)
    wide, high = (WIDTH, HEIGHT) if crop is None else (crop[2] - crop[0], crop[3] - crop[1])
    size = (wide, high) if rotate % 180 == 0 else (high, wide)
    assert plain.size == pytest.approx([side * SCALE for side in size], abs=2)
    across = box[2] - box[0] if rotate % 180 == 0 else box[3] - box[1]
    assert across == pytest.approx(stringWidth(words, FONT, SIZE), abs=0.1)
    bare = drawn(printed_book(rotate=rotate, crop=crop, without=words))
    assert ink(plain, box) > 200
    assert ink(bare, box) == 0  # all that is in the box are these words
    assert ink(bare) == pytest.approx(ink(plain) - ink(plain, box), abs=3)  # and all of them are in it
    shown, _ = picture(data, words)
    rows, columns = np.nonzero((np.asarray(shown) == (255, 236, 102)).all(axis=2))
    found = [side / SCALE for side in (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)]
    assert found == pytest.approx(box, abs=1.0)
    assert ink(shown) == pytest.approx(ink(plain), rel=0.02)  # the text is as dark as before


def drawn(data):
    return Image.open(io.BytesIO(draw_page(data, "a.pdf", page=1, marked=[]))).convert("RGB")


def test_what_is_not_shown_is_blank_and_what_cannot_be_drawn_is_said():
    data = printed_book()
    places = WordPlaces.from_bytes(pdf_document(data, "a.pdf").places)
    read = [box for end, box in places.on_page(3) if end <= span_of("Chapter 2").start]
    whole, _ = picture(data, "still awake", marked=False)
    part, _ = picture(data, "still awake", marked=False, shown=read)
    (line,) = [box for _, _, box in places.lines(span_of("and she was still awake."))]
    assert ink(part) == pytest.approx(ink(whole, line), rel=0.05) and ink(whole) > 2 * ink(part)
    with pytest.raises(DocumentError, match="pages 1 to 3, not 9"):
        draw_page(printed_book(), "a.pdf", page=9, marked=[])
    with pytest.raises(DocumentError, match="is damaged"):
        draw_page(b"%PDF-1.7 nonsense", "a.pdf", page=1, marked=[])


def test_an_outline_leaves_its_headings_their_places():
    from tests.stories.book_files import pdf

    found = pdf_document(
        pdf([["Chapter 1", "Anna left."], ["Chapter 2", "Bo."]], outline={"Chapter 1": 0, "Chapter 2": 1}),
        "a",
    )
    assert found.text == "## Chapter 1\n\nAnna left.\n\n## Chapter 2\n\nBo.\n"
    at = found.text.index("Chapter 2")
    assert in_words(WordPlaces.from_bytes(found.places).at(Span(at, at + 9))) == "Page 2, Line 1"
