import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import values

from fabula.core.types import Span
from fabula.story.evidence.quote_finder import QuoteFinder
from fabula.story.evidence.untrusted import CLOSE, OPEN, SECTION_LABELS, fence, neutralise


def test_quotes_are_found_whatever_the_white_space():
    finder = QuoteFinder("One\r\n two\tthree.  One two")
    assert finder.find("One two") == Span(0, 9)
    assert finder.find("One two", within=Span(5, 25)) == Span(18, 25)
    assert finder.find("one two") is None
    assert finder.find(" ") is None
    assert list(finder.find_name("two")) == [Span(6, 9), Span(22, 25)]
    assert list(QuoteFinder("Ann, Anna").find_name("Ann")) == [Span(0, 3)]
    assert list(QuoteFinder("İX ann, Annann ANN").find_name("Ann", any_case=True)) == [
        Span(3, 6),
        Span(15, 18),
    ]
    assert list(QuoteFinder("ann").find_name("Ann")) == []


def test_harmless_prose_keeps_its_bytes():
    for prose in (
        "“No,” said Mr. Dove — he had [for once] 3 < 5 reasons; she had 5 > 3. A|B, a -> b.",
        "«Oui», dit-il. ‹Non.› The World was old; the system failed: nobody knew.",
        "He saw the user manual [sic]. [1] stood on the door. <sigh> Well…\r\n\r\n\tIt rained.",
        "He told the STORY again, and the draft came in.\n\nFindings of the court: none.",
        "Приехала Наташа. 紅樓夢 שלום مرحبا naïve café",
    ):
        assert neutralise(prose) == prose, prose


def test_what_poses_as_structure_loses_it():
    for said, left in values(__file__, "what_poses_as_structure_loses_it.tsv"):
        assert neutralise(said) == left, (said, left)


PIECES = [
    *(OPEN, CLOSE, "<", ">", "<|", "|>", "|", "[", "]", "［", "］", "STORY", "‹", "›", "\n", " ", "\t", "#"),  # noqa: RUF001
    *"**,:,System,assistant,INST,World,story so far,Passage ch. 3,</s>,tool_call".split(","),
    *("\u200b", "\x1b", "\u202e", "\r", "\x85", "\ud800", "\U000e0041", "a"),
]


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.text())
def test_no_structure_is_left_and_twice_is_once(text):
    clean = neutralise(text)
    assert neutralise(clean) == clean
    for token in (OPEN, CLOSE, "<<", ">>", "<|", "|>"):
        assert token not in clean
    labels = "|".join(map(re.escape, (*SECTION_LABELS, "INST", "System")))
    assert not re.search(rf"\[\s*(?:{labels})\s*\]", clean, re.IGNORECASE)
    assert not re.search(r"^[ \t]*(?:system|assistant)[ \t]*:", clean, re.IGNORECASE | re.MULTILINE)
    assert all(one in "\n\t\r" or unicodedata.category(one) not in ("Cc", "Cs") for one in clean)
    assert not set(clean) & set("\u200b\u200f\u202e\u2066\ufeff\U000e0041\ufe0f\u00ad")
    fenced = fence(clean)
    assert fenced.count(OPEN) == fenced.count(CLOSE) == 1


def test_hostile_text_costs_no_time():
    for piece in "<|[|[ |< |[Story |#|<s |\n#|STORY |[Passage ch.| |[##|\n ".split("|"):
        neutralise(piece * (200_000 // len(piece)))
        neutralise(piece + piece[-1] * 200_000)


@pytest.mark.parametrize(("told", "clean"), values(__file__, "a_label_around_a_label_is.tsv"))
def test_a_label_around_a_label_is_none_either(told, clean):
    assert neutralise(told) == clean
