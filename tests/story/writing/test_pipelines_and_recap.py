import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.comparison_fakes import (
    FakeChecker,
    FakeGenerator,
    make_document,
    make_graph,
    passage,
    refused,
)
from tests.tables import values

from fabula.core.answering.answer_reader import AnswerRead, ReadSentence
from fabula.core.answering.answered import AnswerSettings
from fabula.core.types import Chunk, Horizon, Passage, Span
from fabula.story.prose import paragraphs, scenes_of
from fabula.story.writing.context import assemble
from fabula.story.writing.graph_notes import cast_of
from fabula.story.writing.pipelines import Desk, ReadAhead, Sampling, Stopwatch, write
from fabula.story.writing.story_so_far import story_so_far

DOC = make_document()
BAD, WORSE, GOOD = "Cato said no. It rained.", "Cato said no. Cato said yes.", "Bela said no. It rained."


def run(*replies, revises=True, checker=None, context_tokens=4096):
    answers, ticks, heard = iter(replies), iter(range(100)), []
    generator = FakeGenerator(lambda prompt: next(answers), context_tokens=context_tokens)
    given = {"passages": [passage(DOC, "Bela wept.")], "notes": (), "budget": 50, "note_share": 0.0}
    context = assemble(document=DOC, horizon=Horizon(2), scene=None, count=generator.count_tokens, **given)
    watch = Stopwatch(lambda: float(next(ticks)))
    parts = (generator, checker or FakeChecker(DOC), Sampling(), watch, threading.Lock())
    desk = Desk(*parts, lambda stage, text: heard.append((stage, text)))
    written = write("Go on.", context=context, revises=revises, desk=desk)
    return written, generator, watch, heard


def test_a_clean_draft_is_not_revised():
    written, generator, watch, heard = run(GOOD)
    assert len(written.drafts) == len(generator.prompts) == 1
    assert watch.seconds == (("generate", 1.0), ("check", 1.0))
    assert [stage for stage, text in heard if not text] == ["generate", "check"]
    assert "".join(text for _, text in heard) == GOOD


class Unsure(FakeChecker):
    def check(self, text):
        made = super().check(text)
        return replace(made, violations=tuple(replace(one, confidence=0.4) for one in made.violations))


def test_a_draft_is_not_revised_for_what_is_hardly_sure():
    written, generator, *_ = run(BAD, checker=Unsure(DOC))
    assert len(generator.prompts) == len(written.drafts[0].check.violations) == 1


def test_a_draft_with_findings_is_revised_once_and_the_better_one_kept():
    written, generator, watch, _ = run(WORSE, BAD, GOOD)
    assert [len(draft.check.violations) for draft in written.drafts] == [2, 1]
    assert (written.kept, written.notice) == (1, "revised once: 2 violations, then 1; kept")
    assert watch.seconds == (("generate", 1.0), ("check", 2.0), ("revise", 1.0))
    _, revision = generator.prompts
    assert "Cato speaks, but he is dead." in revision.user
    assert 'The story says: "Old Cato drowned in the weir."' in revision.user
    assert WORSE in revision.user and "[Passage ch. 2]" in revision.user


@pytest.mark.parametrize("second", [BAD, WORSE])
def test_a_revision_that_is_no_better_is_dropped_but_shown(second):
    written, *_ = run(BAD, second)
    assert written.kept == 0
    assert [draft.generation.text for draft in written.drafts] == [BAD, second]
    assert written.notice.endswith("dropped")


def test_who_revises_and_where_it_fits():
    written, generator, *_ = run(BAD, GOOD, revises=False)
    assert len(written.drafts) == len(generator.prompts) == 1
    first = run(BAD, GOOD)[1].prompts[0]
    small = len(f"{first.system}\n{first.user}".split()) + 220 + 32
    written, generator, *_ = run(BAD, GOOD, context_tokens=small)
    assert len(generator.prompts) == 1
    assert "does not fit" in written.notice


def test_each_failure_costs_no_more_than_its_step():
    written, *_ = run(refused())
    assert (written.drafts, written.error) == ((), "the model said no")
    written, *_ = run(BAD, checker=FakeChecker(DOC, error=refused("no parser")))
    assert (written.drafts[0].check, written.error) == (None, "the check failed: no parser")
    written, *_ = run(BAD, refused())
    assert (len(written.drafts), written.kept) == (1, 0)
    assert written.error == "the revision failed, the first draft stands: the model said no"
    with pytest.raises(ZeroDivisionError):
        run(ZeroDivisionError())


def cast(prompt, chapter=2, **how):
    return cast_of(prompt, view=make_graph(make_document()).as_of(Horizon(chapter)), chapter=chapter, **how)


@pytest.mark.parametrize(("prompt", "characters"), values(__file__, "names_and_aliases_in_the_prompt.tsv"))
def test_names_and_aliases_in_the_prompt(prompt, characters):
    assert cast(prompt).characters == characters
    assert cast(prompt).named


def test_places_are_kept_apart_and_else_it_is_those_most_present():
    assert (cast("Anna goes to the Mill.").characters, cast("Go to the Mill.").places) == (
        ("anna",),
        ("mill",),
    )
    present = cast("What happens next?", limit=3)
    assert present.characters == ("anna", "bela", "cato")  # those in both chapters, then by id
    assert not present.named
    assert cast("Dora speaks.", 1).characters == ("anna", "bela")  # who is told later is nobody yet


def parsed(pieces):
    """What is handed on of these pieces, once all of it was parsed."""
    done, idle = [], threading.Event()
    with ReadAhead(lambda text: idle.set() if text == "end" else done.append(text)) as ahead:
        feed = ahead.feed()
        for piece in pieces:
            feed(piece)
        ahead.feed()("end\n\n")
        assert idle.wait(60)
    return done


def test_a_paragraph_is_done_when_a_blank_line_follows():
    pieces = ("The bell", " rang.", "\n", "\n", "Anna", " came.\n\n", "Tom left.")
    assert parsed(pieces) == ["The bell rang.", "Anna came."]


PARTS = st.sampled_from(["Anna came. ", "“No,” he said.", "\n", "\n\n", " \n \t\n", "***", "_so_ "])


@given(st.lists(PARTS, max_size=20), st.integers(1, 7))
def test_what_is_parsed_ahead_is_what_the_reading_will_ask_for(parts, size):
    text = "".join(parts)
    done = parsed(text[start : start + size] for start in range(0, len(text), size))
    ahead = [p.text for part in done for p in paragraphs(part, scenes_of(part))]
    whole = [p.text for p in paragraphs(text, scenes_of(text))]
    assert ahead == whole[: len(ahead)]
    assert len(whole) - len(ahead) <= 1


def test_it_works_beside_the_writer_and_drops_errors():
    seen, begun = [], threading.Event()

    def parse(text):
        seen.append((text, threading.current_thread().name))
        begun.set()
        raise ValueError(text)

    with ReadAhead(parse) as ahead:
        ahead.feed()("Anna came.\n\n")
        assert begun.wait(60)
        ahead.feed()("nothing is done yet")
    assert [text for text, _ in seen] == ["Anna came."]
    assert seen[0][1].startswith("read-ahead")


TEXT = "Anna sailed. Bela stayed at home. Cato drowned."


class Both:
    """Reads two overlapping passages: the sentence that both hold is the best of each."""

    def read(self, question, passages, *, may_answer=None):
        told = [(0, "Bela stayed at home.", 0.4), (1, "Bela stayed at home.", 0.4), (1, "Cato drowned.", 0.1)]
        found = []
        for number, sentence, sure in told:
            at = passages[number].index(sentence)
            found.append(ReadSentence(number, Span(at, at + len(sentence)), Span(at, at + 4), sure))
        return AnswerRead(tuple(found), 0.5, 0.5)


def lines(length, reader):
    passages = []
    for number, span in enumerate((Span(0, 33), Span(13, len(TEXT)))):
        text = span.of(TEXT)
        passages.append(Passage(Chunk(Chunk.make_id("s", span, text), "s", 1, number, span, text), 1.0))
    how = {"reader": reader, "length": length, "settings": AnswerSettings()}
    return story_so_far(1, lambda _: passages, **how).lines


def test_a_sentence_that_two_passages_hold_is_told_once_and_without_a_reader_none():
    found = lines("long", Both())
    assert [line.text for line in found] == ["Bela stayed at home.", "Cato drowned."]
    assert all(line.evidence[0].span.of(TEXT) == line.text for line in found)
    assert [line.text for line in lines("short", Both())] == ["Bela stayed at home."]
    assert lines("medium", None) == ()
