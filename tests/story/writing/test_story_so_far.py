from fabula.core.answering.answer_reader import AnswerRead, ReadSentence
from fabula.core.answering.answered import AnswerSettings
from fabula.core.types import Chunk, Passage, Span
from fabula.story.writing.story_so_far import story_so_far

TEXT = "Anna sailed. Bela stayed at home. Cato drowned."


def _passage(start, end, number):
    span = Span(start, end)
    text = span.of(TEXT)
    return Passage(Chunk(Chunk.make_id("s", span, text), "s", 1, number, span, text), 1.0)


class Both:
    """Reads two overlapping passages: the sentence that both hold is the best of each."""

    def read(self, question, passages, *, may_answer=None):
        found = []
        for number, text in enumerate(passages):
            at = text.index("Bela")
            found.append(ReadSentence(number, Span(at, at + 20), Span(at, at + 4), 0.4))
        last = passages[1].index("Cato")
        found.append(ReadSentence(1, Span(last, last + 13), Span(last, last + 4), 0.1))
        return AnswerRead(tuple(found), 0.5, 0.5)


def _told(length, reader):
    passages = [_passage(0, 33, 0), _passage(13, len(TEXT), 1)]
    return story_so_far(1, lambda _: passages, reader=reader, length=length, settings=AnswerSettings())


def test_a_sentence_that_two_passages_hold_is_told_once_and_without_a_reader_none():
    found = _told("long", Both())
    assert [line.text for line in found.lines] == ["Bela stayed at home.", "Cato drowned."]
    assert all(line.evidence[0].span.of(TEXT) == line.text for line in found.lines)
    assert [line.text for line in _told("short", Both()).lines] == ["Bela stayed at home."]
    assert _told("medium", None).lines == ()
