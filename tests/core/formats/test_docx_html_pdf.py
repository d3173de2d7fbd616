import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter
from tests.stories.book_files import pdf, zipped
from tests.tables import values

from fabula.core.chapters.reader import find_chapters
from fabula.core.documents import SUPPORTED, read_document
from fabula.core.formats.blocks import clean_title
from fabula.core.formats.html import html_document
from fabula.core.formats.pdf.reader import pdf_document
from fabula.core.formats.word.reader import docx_document
from fabula.errors import DocumentError

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
BODY = "The ferry went over the sound twice a day, and Anna Dahl counted the boats from her window. "


def refused(read, data, name):
    with pytest.raises(DocumentError) as caught:
        read(data, name)
    message = str(caught.value)
    assert "\n" not in message and message.startswith(name) and ":" in message
    return message


def titles(text):
    return [one.title for one in find_chapters(text, title="x")]


P = "<w:p>{}<w:r><w:t xml:space='preserve'>{}</w:t></w:r></w:p>"
NUMBERED = "<w:pPr><w:pStyle w:val='H'/><w:numPr><w:ilvl w:val='{}'/><w:numId w:val='7'/></w:numPr></w:pPr>"
BROKEN = "<w:p><w:r><w:br w:type='page'/></w:r></w:p>"
CENTRED = "<w:pPr><w:jc w:val='center'/></w:pPr>"


def word_text(body, space=W, **parts):
    styles = f"<w:styles {space}><w:style w:styleId='H'><w:name w:val='heading 1'/></w:style></w:styles>"
    document = f"<w:document {space}><w:body>{body}</w:body></w:document>"
    parts = {"document": document, "styles": styles} | parts
    files = {f"word/{name}.xml": part for name, part in parts.items()}
    return docx_document(zipped(files), "a.docx").text


def test_tracked_changes_boxes_and_hidden_text():
    body = (
        "<w:p><w:r><w:t>Anna </w:t></w:r><w:del><w:r><w:delText>no</w:delText>"
        "</w:r></w:del><w:ins><w:r><w:t>came</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr>"
        "<w:t>hidden</w:t></w:r><w:r><w:drawing><w:p><w:r><w:t>box</w:t></w:r></w:p></w:drawing></w:r>"
        "<w:hyperlink><w:r><w:t> home.</w:t></w:r></w:hyperlink><w:r><w:noBreakHyphen/></w:r></w:p>"
        "<w:sdt><w:sdtContent><w:p><w:pPr><w:outlineLvl w:val='0'/></w:pPr><w:r><w:t>Two</w:t></w:r></w:p>"
        "</w:sdtContent></w:sdt>"
    )
    assert word_text(body) == "Anna came home.-\n\n# Two\n"


def test_a_style_takes_its_level_from_what_it_is_based_on():
    based = (("a", "heading 2", ""), ("b", "Mine", "a"), ("c", "C", "d"), ("d", "D", "c"))
    styles = "".join(
        f"<w:style w:styleId='{id}'><w:name w:val='{name}'/><w:basedOn w:val='{on}'/></w:style>"
        for id, name, on in based
    )
    body = "".join(P.format(f"<w:pPr><w:pStyle w:val='{style}'/></w:pPr>", style) for style in "abc")
    assert word_text(body, styles=f"<w:styles {W}>{styles}</w:styles>") == "## a\n\n## b\n\nc\n"


def test_a_deleted_end_of_a_paragraph_and_a_dropped_initial_join_it_to_the_next():
    deleted = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
    moved = "<w:pPr><w:rPr><w:moveFrom/></w:rPr></w:pPr>"
    initial = "<w:pPr><w:framePr w:dropCap='drop'/></w:pPr>"
    said = ((deleted, "One "), (moved, "two "), ("", "three."), (initial, "F"), (deleted, "our."))
    assert word_text("".join(P.format(*one) for one in said)) == "One two three.\n\nFour.\n"


def test_both_name_spaces_of_word_are_read():
    strict = 'xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"'
    body = P.format("<w:pPr><w:pStyle w:val='H'/></w:pPr>", "One") + BROKEN + P.format("", "Text.")
    assert word_text(body, space=strict) == word_text(body) == "# One\n\nText.\n"


def test_a_text_box_is_read_once():
    box = "<w:txbxContent>" + P.format("", "Sven.") + P.format("", "Come.") + "</w:txbxContent>"
    both = f"<w:r><a><c><w:drawing>{box}</w:drawing></c><fallback><w:pict>{box}</w:pict></fallback></a></w:r>"
    old = f"<w:r><w:pict>{box}</w:pict></w:r>"
    for drawn in (both, old, f"<w:ins>{both}</w:ins>"):
        body = P.format(drawn, "Before.") + P.format("", "After.")
        assert word_text(body) == "Before.\n\nSven.\n\nCome.\n\nAfter.\n"
    assert word_text(P.format(f"<w:del>{both}</w:del>", "Before.")) == "Before.\n"


@pytest.mark.parametrize(
    ("style", "label", "text", "expected"), values(__file__, "headings_that_word_numbers.tsv")
)
def test_headings_that_word_numbers(style, label, text, expected):
    levels = (
        f"<w:lvl w:ilvl='0'><w:numFmt w:val='{style}'/><w:lvlText w:val='{label}'/></w:lvl>"
        "<w:lvl w:ilvl='1'><w:start w:val='3'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.%2'/></w:lvl>"
    )
    numbering = (
        f"<w:numbering {W}><w:abstractNum w:abstractNumId='4'>{levels}</w:abstractNum>"
        "<w:num w:numId='7'><w:abstractNumId w:val='4'/></w:num></w:numbering>"
    )
    head = P.format(NUMBERED.format(0), text)
    body = head + P.format("", "Anna came.") + head + P.format("", "Bo came.")
    found = word_text(body, numbering=numbering)
    assert [line[2:] for line in found.split("\n") if line.startswith("#")] == expected
    deeper = P.format(NUMBERED.format(1), "")
    found = word_text(head + deeper + deeper + head + deeper, numbering=numbering)
    if style == "decimal":
        assert [line for line in found.split("\n") if "." in line] == ["# 1.3", "# 1.4", "# 2.3"]


def test_like_lines_that_begin_pages_are_headings():
    lines = [P.format(CENTRED, name) for name in ("The Mill", "The Road", "Home")]
    story = P.format("", "Anna came. " * 9)
    within = [line.replace("<w:r>", "<w:r><w:br w:type='page'/>") for line in lines]
    before = [line.replace("<w:jc", "<w:pageBreakBefore/><w:jc") for line in lines]
    named = P.format("<w:pPr><w:pStyle w:val='H'/></w:pPr>", "Chapter 1")
    for between, heads, count in (
        (BROKEN, lines, 3),
        ("", within, 3),
        ("", before, 3),
        ("", lines, 0),
        (BROKEN, lines[:2], 0),
        (BROKEN, ["", "", ""], 0),
        (BROKEN, [named + lines[0], *lines[1:]], 1),
    ):
        assert word_text(between.join(head + story for head in heads)).count("# ") == count


def of_word(body, head=""):
    return zipped({"word/document.xml": f"{head}<w:document {W}><w:body>{body}</w:body></w:document>"})


ENTITY = '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (zipped({"a": "b"}), "no Word document"),
        (b"PK nonsense", "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "encrypted"),
        (of_word("<w:p/>" * 4_000_000), "packed"),
        (of_word("<w:p><w:r><w:t>&a;</w:t></w:r></w:p>", ENTITY), "damaged"),
    ],
    ids=["a zip", "cut off", "locked", "a bomb", "an entity"],
)
def test_word_files_that_are_refused(data, said):
    assert said in refused(docx_document, data, "a.docx")


def test_pages_that_are_refused(tmp_path):
    assert "no known encoding" in refused(html_document, bytes(range(128, 256)) * 9 + b"\0\1" * 999, "a.html")
    beside = b"<aside>x</aside><main><footer>caf\xe9</footer></main><footer><p>x</footer>"
    assert html_document(beside, "a.html", encoding="latin-1").text == "caf\u00e9\n"
    for data in (b"", b"   ", b"<script>x</script>", b"<!DOCTYPE html ["):
        path = tmp_path / "a.html"
        path.write_bytes(data)
        with pytest.raises(DocumentError, match="is blank"):
            read_document(path)


@pytest.mark.parametrize("said", ["<div>", "<p", "&&&", "<!--", "<!DOCTYPE [", "<<<"])
def test_hostile_markup_costs_no_time(said):
    html_document((said * 100_000).encode(), "a.html")


def lines(chapter, page):
    return [
        "THE FERRY",
        *([f"Chapter {chapter}"] if page == 0 else []),
        "The ferry went over the sound twice a day, and Anna Dahl coun-",
        "ted the boats from her window until the evening lamp was lit by",
        "her father.",
        "Nobody else was at home on such a night, so she kept the fire",
        "alone.",
        str(10 * chapter + page),
    ]


def test_a_pdf_gives_paragraphs_without_heads_and_numbers(tmp_path):
    data = pdf([lines(c, p) for c in (1, 2) for p in (0, 1)], title="The Ferry")
    found = pdf_document(data, "a.pdf")
    one = (
        "The ferry went over the sound twice a day, and Anna Dahl counted the boats from her window until "
        "the evening lamp was lit by her father.\n\nNobody else was at home on such a night, so she kept "
        "the fire alone."
    )
    assert found.text == f"# The Ferry\n\nChapter 1\n\n{one}\n\n{one}\n\nChapter 2\n\n{one}\n\n{one}\n"
    assert titles(found.text) == ["Chapter 1", "Chapter 2"]
    assert found.title == "The Ferry"
    path = tmp_path / "a.pdf"
    path.write_bytes(data)
    assert read_document(path).text == found.text


def test_a_pdf_outline_names_the_chapters():
    pages = [lines(c, p) for c in (1, 2) for p in (0, 1)]
    found = pdf_document(pdf(pages, title="x.docx", outline={"Chapter 1": 0, "Chapter 2": 2}), "a.pdf")
    assert titles(found.text) == ["Chapter 1", "Chapter 2"]
    assert found.text.startswith("## Chapter 1\n\nThe ferry")
    assert found.title is None


def locked_pdf():
    writer, target = PdfWriter(io.BytesIO(pdf([["Anna."]]))), io.BytesIO()
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(target)
    return target.getvalue()


def test_pdfs_that_are_refused():
    for data in (b"", b"%PDF-1.7\n", b"nonsense", pdf([["Anna."]])[:200]):
        assert "damaged" in refused(pdf_document, data, "a.pdf")
    assert "OCR" in refused(pdf_document, pdf([[], []]), "a.pdf")
    assert "encrypted" in refused(pdf_document, locked_pdf(), "a.pdf")
    ticks = iter(range(0, 100_000, 1000))
    with pytest.raises(DocumentError, match="five minutes"):
        pdf_document(pdf([["Anna."]]), "a.pdf", clock=lambda: float(next(ticks)))


@given(st.binary(max_size=300), st.sampled_from(SUPPORTED))
def test_any_bytes_are_a_story_or_a_document_error(tmp_path_factory, data, kind):
    path = tmp_path_factory.mktemp("any") / f"a{kind}"
    path.write_bytes(data)
    try:
        document = read_document(path)
    except DocumentError as error:
        assert "\n" not in str(error)
    else:
        assert document.chapters


def test_titles_are_one_plain_line():
    assert clean_title(" The\n\x1b[31mFerry\u202e ") == "The [31mFerry"
    assert clean_title("\u200b \n") is None
    assert clean_title("x" * 500) == "x" * 200
