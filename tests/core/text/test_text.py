import itertools
import unicodedata
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows

from fabula.core.documents import read_document
from fabula.core.text.encodings import guess_encoding, normalized
from fabula.core.text.markdown import read_markdown
from fabula.core.text.sentences import is_heading, is_scene_break, sentences
from fabula.core.text.term_evidence import QueryEvidence, measured
from fabula.core.text.tokenizing import Tokenizer

BREAKS = (
    "* * *|~|#|⁂|***|---|• • •|~~~|❦|§|-- * --|[* * *]|◆|...|…|x x x|—|___|+|o0o|✦|oOo|-oOo-|xXx|0o0|~ * ~"
    "|◇ ◆ ◇|☙❧|.|=====|***  ***|///|†|♥|☕️|—o—|X X X|••|- - -|&|@"
)
NONE = "?|!|?!|xo|ox|XXX|ooh|x|X|no|* no *|“|”|-3-|“...”|$|xoxo|oxygen|>||()|```|" + "x" * 60


@pytest.mark.parametrize("line", BREAKS.split("|"))
def test_ornaments_part_scenes(line):
    assert is_scene_break(f"  {line} \r\n")


@pytest.mark.parametrize("line", ["| - |", *NONE.split("|")])
def test_what_says_something_does_not(line):
    assert not is_scene_break(line)


def test_headings_of_markdown():
    assert is_heading("## The Mill") and is_heading("# 1 ##\n")
    assert not any(map(is_heading, ["##", "# #", "#mill", " text", "####### Seven", "# " + "a" * 300]))


STORY = "# Chapter 1\n\nAnna left.{}\n\n# Chapter 2\n\nBo stayed.\n"


@pytest.mark.parametrize(("said", "left"), rows(__file__, "no_story.tsv"))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_is_no_story_in_a_file(tmp_path, said, left, newline):
    file = tmp_path / "ferry.markdown"
    whole = "---\ntitle: My Tale\n---\n\n" + STORY.format(said)
    file.write_bytes(whole.replace("\n", newline).encode())
    document = read_document(file)
    assert "NOTE" not in document.text
    assert document.title == "My Tale"
    bodies = [one.body.of(document.text).split() for one in document.chapters]
    assert bodies == [f"Anna left.{left if left[:1] == ' ' else ' ' + left}".split(), ["Bo", "stayed."]]
    assert document.text.count("\n") == whole.count("\n")


@pytest.mark.parametrize(("text", "title", "first"), rows(__file__, "front_matter.tsv"))
def test_front_matter_and_lines_that_part_scenes(text, title, first):
    front, story = read_markdown(text)
    assert front.get("title") == (title or None)
    assert story.lstrip().startswith(first)


def test_an_illustration_that_names_a_chapter_stays(tmp_path):
    file = tmp_path / "pride.text"
    file.write_text(
        "[Illustration:\n\n·PRIDE·\n\nChapter I.]\n\nAnna left.\n\n[Illustration: a boat]\n\n"
        "Chapter II.\n\nBo ate.\n"
    )
    document = read_document(file)
    assert [one.title for one in document.chapters] == ["Chapter I", "Chapter II"]
    assert "boat" not in document.text


@pytest.mark.parametrize(("said", "plain"), rows(__file__, "normal_form.tsv"))
def test_a_text_as_a_reader_sees_it(said, plain):
    assert normalized(said) == plain


@given(st.text("ae\u0301\u0308\u00ad\u200b\u200d\ufeff\f\v\u2028\u2029\u00a0\u2011. \r\nC#“"))
def test_twice_gives_what_once_gives(said):
    once = normalized(said)
    assert normalized(once) == once
    assert unicodedata.is_normalized("NFC", once)


@pytest.mark.parametrize(("said", "encoding"), rows(__file__, "encodings.tsv"))
def test_the_likeliest_encoding(said, encoding):
    assert guess_encoding(said.encode(encoding)) == encoding


def test_what_is_no_text_has_no_encoding():
    assert guess_encoding(b"\0\1\2\xff" * 500) is None


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "sentences.tsv"))
def test_where_sentences_end(text, expected):
    assert [span.of(text) for span in sentences(text)] == expected.split(" | ")


@given(st.text(alphabet=" \n\r.!?\u2026\"'aAB1“”Mr", max_size=200))
def test_sentences_cover_all_but_white_space(text):
    spans = sentences(text)
    assert text.strip() or not spans
    assert all(one.end <= two.start for one, two in itertools.pairwise(spans))
    left = list(text)
    for span in spans:
        assert span.of(text) == span.of(text).strip() != ""
        left[span.start : span.end] = " " * len(span)
    assert "".join(left).strip() == ""


@dataclass(frozen=True)
class Term:
    term: str
    idf: float


def evidence(**idf):
    return QueryEvidence.of([Term(word, value) for word, value in idf.items()])


def measure(asked, passage):
    """Coverage and nearness of one passage, given as its index terms."""
    known = {term: number for number, term in enumerate(dict.fromkeys([*asked.terms, *passage]))}
    words = np.array([known[word] for word in passage], dtype=np.int32)
    numbers, ends = [known[term] for term in asked.terms], np.array([0, len(words)], dtype=np.int64)
    coverage, nearness = measured(asked, numbers, words, ends, np.zeros(1, dtype=np.intp))
    return float(coverage[0]), float(nearness[0])


def test_by_hand():
    asked = evidence(golden=2.0, dragon=1.0, temple=3.0)
    coverage, nearness = measure(asked, "temple by the sea dragon golden".split())
    assert coverage == 1
    assert nearness == pytest.approx((2 + 1) / 2 / 1 / 6 + (1 + 3) / 2 / 4 / 6)
    assert measure(asked, "the golden golden temple".split()) == pytest.approx(((2 + 3) / 6, 0))


def test_what_counts_of_a_question():
    asked = evidence(a1=1.0, b1=1.0)
    assert measure(asked, "a1 x x x b1 x a1".split())[1] == pytest.approx(1 / 2 / 2)
    asked = evidence(whi=4.0, did=3.0, dragon=1.0)  # "whi" is the stem of "why"
    assert asked.terms == ("dragon",)
    assert evidence(who=4.0, did=3.0).terms == ("who", "did")
    assert measure(QueryEvidence.of([]), ["dragon"]) == (0.0, 0.0)
    assert measure(evidence(dragon=0.0), ["dragon"]) == (0.0, 0.0)
    assert measure(evidence(dragon=1.0), []) == (0.0, 0.0)
    asked = QueryEvidence.of([Term("king", 1.0), Term("crown", 2.0), Term("king", 1.0)])
    assert (asked.terms, asked.total) == (("king", "crown"), 3.0)


@pytest.mark.parametrize(("query", "text"), rows(__file__, "accents.tsv"))
def test_accents_of_latin_letters_make_no_other_word(query, text):
    assert Tokenizer().terms(query) == Tokenizer().terms(text)


@pytest.mark.parametrize(("one", "other"), [("мой", "мои"), ("が", "か"), ("한", "하")])
def test_letters_of_other_scripts_stay_as_they_are(one, other):
    assert Tokenizer().terms(one) != Tokenizer().terms(other)
