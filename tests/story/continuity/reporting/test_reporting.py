"""Findings as SARIF 2.1.0: what the standard asks for, and places that are right."""

import io
import json
import re
import tomllib

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows, values

from fabula.core.documents import document_from_text, read_document
from fabula.core.formats.word.comments import Comment, docx_of, with_comments
from fabula.core.types import Evidence, Span
from fabula.errors import DocumentError, UsageError
from fabula.story.continuity.reporting.comments import commented
from fabula.story.continuity.reporting.sarif import SourceText, sarif_log
from fabula.story.continuity.suppressions import Suppressions, note_finding
from fabula.story.model.findings import CheckReport, Severity, Suppressed, Violation

BOOK = "Chapter 1\r\n\r\nHer eyes were grey.\r\n\r\nChapter 2\r\n\r\nHer eyes\r\nwere brown, “she” said.\r\n"


def eyes(view, draft=None):
    """Eyes that change ``colour``.

    More of it.
    """


def quote(text, chapter, document="book"):
    start = BOOK.index(text)
    return Evidence(document, chapter, Span(start, start + len(text)), text)


SIDES = (quote("Her eyes were grey.", 1), quote("Her eyes\r\nwere brown", 2))

ONE = Violation("eyes", Severity.ERROR, "Grey, then brown.", ("anna",), SIDES, "Choose one.", "dyed")


def run(*violations, **given):
    report = CheckReport(violations, 1, 1, 10, **given)
    sources = {"book": SourceText("my books/a b.txt", BOOK)}
    log = sarif_log(report, rules=[eyes], sources=sources, version="1.2.3")
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    json.dumps(log, allow_nan=False)
    return log["runs"][0]


def test_places_are_of_the_files_own_lines_and_characters():
    (result,) = run(ONE)["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "my%20books/a%20b.txt"}
    region = place["region"]
    # the quote begins line 7, column 1 and ends before column 11 of line 8
    assert [region[k] for k in ("startLine", "startColumn", "endLine", "endColumn")] == [7, 1, 8, 11]
    start, length = region["charOffset"], region["charLength"]
    assert BOOK[start : start + length] == region["snippet"]["text"] == SIDES[1].quote
    (earlier,) = result["relatedLocations"]
    assert earlier["physicalLocation"]["region"]["startLine"] == 3
    assert earlier["message"]["text"] == "“Her eyes were grey.”"


def test_what_the_standard_asks_for():
    made = run(ONE)
    driver = made["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("fabula", "1.2.3")
    (rule,) = driver["rules"]
    assert rule["id"] == "eyes"
    assert rule["shortDescription"]["text"] == __doc__
    assert rule["fullDescription"]["text"] == "Eyes that change colour."
    (result,) = made["results"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "eyes"
    assert result["level"] == "error" and result["message"]["text"].startswith("Grey, then brown.")
    assert result["partialFingerprints"] == {"fabula/v1": ONE.fingerprint}
    assert made["columnKind"] == "unicodeCodePoints"
    allowed = "ruleId ruleIndex level message locations relatedLocations partialFingerprints properties"
    assert set(result) <= {*allowed.split(), "suppressions"}


def test_levels_suppressions_and_quotes_without_a_file():
    hint = Violation("other", Severity.INFO, "m", (), (quote("Her eyes were grey.", 1, "codex"), SIDES[1]))
    note, meant = run(hint, suppressed=(Suppressed(ONE, "lenses"),))["results"]
    assert note["level"] == "note" and "ruleIndex" not in note and "suppressions" not in note
    assert "physicalLocation" not in note["relatedLocations"][0]
    assert note["relatedLocations"][0]["logicalLocations"][0]["name"] == "codex, chapter 1"
    assert meant["suppressions"] == [{"kind": "external", "status": "accepted", "justification": "lenses"}]


@pytest.mark.parametrize(("path", "uri"), values(__file__, "paths_as_uris.tsv"))
def test_paths_as_uris(path, uri):
    assert SourceText(path, "").uri == uri


@given(st.text(alphabet="ab\n\r “", min_size=1, max_size=60), st.data())
def test_lines_and_columns_lead_back_to_the_offset(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    region = SourceText("a", text).region(Evidence("a", 1, Span(start, end), text[start:end]))
    lines = text.split("\n")
    for line, column, place in (("startLine", "startColumn", start), ("endLine", "endColumn", end)):
        before = sum(len(each) + 1 for each in lines[: region[line] - 1])
        assert before + region[column] - 1 == place


def test_what_a_story_says_makes_no_link_in_a_message():
    text = r"[here](javascript:alert(1)) ![x](http://127.0.0.1/x) [1](2) \[a]"
    side = Evidence("book", 1, Span(0, len(text)), text)
    linking = Violation("eyes", Severity.ERROR, f"She said {text}.", ("anna",), (side, side), text, "")
    (result,) = run(linking)["results"]
    messages = [result["message"]["text"], *(one["message"]["text"] for one in result["relatedLocations"])]
    assert len(messages) == 2
    for message in messages:
        assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]]", message), message
        assert text in re.sub(r"\\(.)", r"\1", message)
    snippet = result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"]
    assert snippet == text  # no message: as it stands in the file


def finding(rule="eyes", message="Grey, then brown."):
    quotes = ("Her eyes were grey.", "Elena’s eyes,\nbrown as peat")
    sides = tuple(Evidence("book", 1, Span(0, len(quote)), quote) for quote in quotes)
    return Violation(rule, Severity.ERROR, message, ("elena-voss", "hale"), sides)


def test_by_fingerprint():
    one, other = finding(), finding(rule="hair")
    entry = "[[suppress]]\nfingerprint = '{}'\nreason = '{}'\n"
    text = entry.format(one.fingerprint, "lenses") + entry.format("0" * 16, "none")
    sifted = Suppressions.parse(text).sift((one, other))
    assert sifted.kept == (other,) and [each.reason for each in sifted.stale] == ["none"]
    assert [(each.violation, each.reason) for each in sifted.suppressed] == [(one, "lenses")]


@pytest.mark.parametrize(("text", "said"), rows(__file__, "damaged_suppressions.tsv"))
def test_a_damaged_file_is_one_clear_line(text, said, tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said) as caught:
        Suppressions.load(path)
    assert "\n" not in str(caught.value).strip()
    assert str(path) in str(caught.value)


def test_bytes_that_are_no_text_and_no_file_at_all(tmp_path):
    path = tmp_path / "s.toml"
    path.write_bytes(b"\xff\xfe\x00")
    for bad in (path, tmp_path / "none.toml", tmp_path):
        with pytest.raises(UsageError, match="cannot be read"):
            Suppressions.load(bad)


def test_appending_keeps_what_stands_there(tmp_path):
    path = tmp_path / "new" / "s.toml"
    note_finding(path, finding(), reason="first")
    mine = path.read_text() + "\n# my own note\n"
    path.write_text(mine)
    note_finding(path, finding(rule="hair"), reason="second")
    assert path.read_text().startswith(mine.rstrip())
    kept = Suppressions.load(path)
    assert [each.reason for each in kept.entries] == ["first", "second"]
    assert kept.sift([finding(), finding(rule="hair")]).kept == ()
    note_finding(path, finding(), reason="", state="later")
    assert [(one.state, one.reason) for one in Suppressions.load(path).entries] == [
        ("meant", "second"),
        ("later", ""),
    ]
    assert Suppressions.load(path).sift([finding()]).kept == (finding(),)
    note_finding(path, finding(rule="hair"), reason="", state=None)
    assert [one.state for one in Suppressions.load(path).entries] == ["later"]
    assert "# my own note" in path.read_text()
    with pytest.raises(UsageError, match="reason"):
        note_finding(path, finding(rule="x"), reason=" ")


@given(reason=st.text(min_size=1).filter(str.strip), message=st.text())
def test_any_reason_and_any_story_text_make_a_sound_file(tmp_path_factory, reason, message):
    path = tmp_path_factory.mktemp("s") / "s.toml"
    one = finding(message=message)
    try:
        note_finding(path, one, reason=reason)
    except UsageError:  # nothing is left of the reason but what TOML cannot hold
        assert not path.exists() or not tomllib.loads(path.read_text(encoding="utf-8")).get("suppress")
        return
    assert Suppressions.load(path).sift([one]).kept == ()
    note_finding(path, one, reason=reason, state="later")
    assert [each.state for each in Suppressions.load(path).entries] == ["later"]
    note_finding(path, one, reason="", state=None)
    assert Suppressions.load(path).entries == ()


EYES = "Marta had grey eyes, and everybody said so."
BROWN = "Marta\u2019s brown eyes followed the boats."


@pytest.fixture
def book(tmp_path):
    made = docx.Document()
    made.add_heading("Chapter 1", 1)
    first = made.add_paragraph("Nobody looked. Marta had grey eyes, and ")
    first.add_run("everybody").bold = True
    first.add_run(" said so. She kept the ledger.")
    made.add_heading("Chapter 2", 1)
    made.add_paragraph(f"{BROWN} It rained. {BROWN}")
    made.save(tmp_path / "book.docx")
    return tmp_path / "book.docx"


def commenting(document, *places):
    quotes = tuple(Evidence.of(document, chapter, span) for chapter, span in places)
    told = ("eyes", Severity.WARNING, "Marta: grey, then brown.", ("marta",), quotes)
    return Violation(*told, "Choose.", "it is dyed")


def place_of(text, words, nth=0):
    at = -1
    for _ in range(nth + 1):
        at = text.index(words, at + 1)
    return Span(at, at + len(words))


def marked(data):
    """The words between the marks of each comment, and what it says."""
    made = docx.Document(io.BytesIO(data))
    said = {str(one.comment_id): one.text for one in made.comments}
    found, open_ones = [], {}
    for element in made.element.body.iter():
        tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        key = next((value for name, value in element.attrib.items() if name.endswith("}id")), "")
        if tag == "commentRangeStart":
            open_ones[key] = ""
        elif tag == "commentRangeEnd":
            found.append((open_ones.pop(key), said[key]))
        elif tag == "t":
            open_ones = {one: words + element.text for one, words in open_ones.items()}
    return found


def start_of_mark(data):
    """How many runs of the last paragraph stand before its first mark."""
    tags = [child.tag.rpartition("}")[2] for child in docx.Document(io.BytesIO(data)).paragraphs[3]._p]
    return tags[: tags.index("commentRangeStart")].count("r")


def paragraphs(data):
    return [one.text for one in docx.Document(io.BytesIO(data)).paragraphs]


def test_each_side_is_marked_word_for_word_and_the_text_stays(book):
    document = read_document(book)
    one = commenting(document, (1, place_of(document.text, EYES)), (2, place_of(document.text, BROWN, 1)))
    data, count = commented([one], document, file=book)
    assert count == 2
    assert paragraphs(data) == paragraphs(book.read_bytes())
    (earlier, said), (later, also) = marked(data)
    assert (earlier, later) == (EYES, BROWN)
    assert said.startswith("Marta: grey, then brown.\nChapter 2: \u201cMarta") and "Choose." in also
    assert "Chapter 1: \u201cMarta had grey" in also and "How sure: sure" in also
    runs = docx.Document(io.BytesIO(data)).paragraphs[1].runs
    assert [run.text for run in runs if run.bold] == ["everybody"]
    assert start_of_mark(data) > 0, "the second time is meant"


def test_the_time_that_is_meant_is_marked_and_words_that_are_not_there_are_left_out(book):
    wanted = [(BROWN, 1, "here"), ("rained", 0, "wet"), ("no such words", 0, "x"), ("", 0, "y")]
    data, count = with_comments(book.read_bytes(), [Comment(*one) for one in wanted], author="x")
    assert count == 2
    assert start_of_mark(data) > 0, "the first time is not marked"
    assert sorted(marked(data)) == sorted([(BROWN, "here"), ("rained", "wet")])


def test_a_book_of_another_kind_becomes_a_document(tmp_path):
    document = document_from_text(f"# Chapter 1\n\n{EYES}\n\nA bell: \x07.\n", id="b", title="Salt")
    data, count = commented([commenting(document, (1, place_of(document.text, EYES)))], document, file=None)
    assert count == 1 and paragraphs(data)[0] == "Salt" and EYES in paragraphs(data)
    assert marked(data)[0][0] == EYES
    assert paragraphs(docx_of(document)) == paragraphs(data)


def test_another_text_by_now_is_refused(book):
    document = read_document(book)
    changed = docx.Document(book)
    changed.add_paragraph("And more.")
    changed.save(book)
    with pytest.raises(UsageError, match="index it again"):
        commented([], document, file=book)


def test_what_is_no_word_document_is_said():
    with pytest.raises(DocumentError, match="cannot be opened"):
        with_comments(b"PK no", [], author="x")
