import threading
from dataclasses import replace

import pytest
from tests.stories.comparison_fakes import FakeChecker, FakeGenerator, make_document, passage, refused

from fabula.core.types import Horizon
from fabula.story.writing.context import assemble
from fabula.story.writing.pipelines import Desk, Sampling, Stopwatch, write

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
