import itertools
import json

import pytest

from fabula.core.types import Chapter, Document, Evidence, Horizon, Span
from fabula.errors import ModelRefused
from fabula.llm.scripted import ScriptedGenerator
from fabula.story.continuity.by_model.critic import ModelCritic
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.findings import Severity
from fabula.story.model.types import EntityKind, EntityMention, Interval, Relation, StoryLog

TEXT = (
    "Anna had a brother named Bela. She ran the ferry.\n\n"
    "Years went by on the river. The bell rang.\n\n"
    "Anna was an only child and told everyone. She ran the mill."
)

STARTS = (0, TEXT.index("Years"), TEXT.index("Anna was"), len(TEXT))

BOOK = Document(
    "book",
    "Book",
    TEXT,
    tuple(
        Chapter(n, str(n), Span(a, a), Span(a, b))
        for n, (a, b) in enumerate(itertools.pairwise(STARTS), start=1)
    ),
)


def quote(words):
    start = TEXT.index(words)
    chapter = next(c.number for c in BOOK.chapters if c.body.start <= start < c.body.end)
    return Evidence.of(BOOK, chapter, Span(start, start + len(words)))


def view(as_of=None):
    first = quote("Anna had a brother named Bela.")
    last = quote("Anna was an only child and told everyone.")
    mentions = (
        EntityMention("anna", EntityKind.CHARACTER, "Anna", 1, first),
        EntityMention("bela", EntityKind.CHARACTER, "Bela", 1, first),
        EntityMention("anna", EntityKind.CHARACTER, "Anna", 3, last),
    )
    kin = Relation("anna", "SIBLING_OF", "bela", Interval(1), 1, (first,))
    return StoryKnowledgeGraph.from_log(StoryLog(mentions=mentions, relations=(kin,))).as_of(Horizon(as_of))


def claim(earlier, later, kind="relation", why="no siblings"):
    return {"earlier": earlier, "later": later, "kind": kind, "why": why}


def answer(*claims):
    return json.dumps({"findings": list(claims)})


GOOD = claim("Anna had a brother named Bela.", "Anna was an only\nchild and told everyone.")


@pytest.fixture
def too_long(monkeypatch):
    """As if the text were so long that not all of it can go along."""
    monkeypatch.setattr("fabula.story.continuity.by_model.critic._MOST_CHARACTERS", 0)


def find(*replies, as_of=None, generator=None):
    generator = generator or ScriptedGenerator(list(replies), name="tiny")
    critic = ModelCritic(generator, [BOOK])
    return list(critic.find(view(as_of))), critic.review, generator


def test_a_finding_with_two_verified_quotes_is_kept_with_its_origin():
    (one,), review, _ = find(answer(), answer(), answer(GOOD))
    assert one.origin == "model:tiny" and one.rule == "model_critic" and one.severity is Severity.WARNING
    assert [each.chapter for each in one.evidence] == [1, 3]
    for each in one.evidence:
        each.verify(TEXT)
    assert one.entities == ("anna", "bela")
    assert "no siblings" in one.message and one.suggestion and one.unless
    assert (review.windows, review.claimed, review.dropped) == (3, 1, ())


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (claim("Anna had a sister named Bela.", GOOD["later"]), "earlier quotes"),
        (claim("Years went by on the river.", GOOD["later"]), "earlier quotes"),  # told, but not shown to it
        (claim(GOOD["earlier"], "Anna was an only daughter."), "later quotes"),
        (claim(GOOD["earlier"], "She ran the ferry."), "later quotes"),  # not of this passage
        (claim(GOOD["earlier"], "the mill"), "too short"),
        (claim("Anna was an only child", GOOD["later"]), "one place"),
        ({"earlier": 3, "later": "x"}, "another form"),
    ],
)
def test_what_is_not_in_the_text_is_dropped_and_counted(bad, reason, too_long):
    found, review, _ = find(answer(), answer(), answer(bad))
    assert found == []
    ((said, count),) = review.dropped
    assert reason in said and count == 1 and review.claimed == 1


def test_the_model_sees_what_was_told_of_those_in_the_passage_and_nothing_later(too_long):
    _, _, generator = find(answer(), answer(), answer())
    first, second, third = (prompt.user for prompt in generator.prompts)
    assert "- Anna had a brother named Bela." in third
    assert "(nothing)" in first and "(nothing)" in second
    _, review, generator = find(answer(), answer(), as_of=2)
    assert review.windows == 2
    assert not any("only child" in prompt.user for prompt in generator.prompts)


def test_refused_windows_are_passed_over_and_its_findings_not_counted():
    found, review, _ = find(ModelRefused("no"), answer(), answer(GOOD))
    assert len(found) == 1 and review.dropped == (("windows that the model refused", 1),)
    with pytest.raises(ModelRefused):
        find(ModelRefused("no"), ModelRefused("no"), ModelRefused("no"))
    model = ModelCritic(ScriptedGenerator([answer(), answer(), answer(GOOD, GOOD)], name="tiny"), [BOOK])
    report = ContinuityCritic([model]).check(view(), words=25)
    assert len(report.violations) == 1 and report.counted == ()
    assert report.consistency is None
    assert model.checkable(view()) == frozenset()


def test_a_long_chapter_is_cut_into_windows_that_fit():
    text = " ".join(f"The ferry crossed the river for the {n}th time that day." for n in range(200))
    long = Document("book", "B", text, (Chapter(1, "1", Span(0, 0), Span(0, len(text))),))
    generator = ScriptedGenerator(lambda _: answer(), context_tokens=2048)
    critic = ModelCritic(generator, [long])
    assert list(critic.find(view())) == []
    assert critic.review.windows > 2
    assert all(generator.count_tokens(p.system + p.user) < 2048 for p in generator.prompts)
    shown = "".join(p.user for p in generator.prompts)
    assert all(f" {n}th time" in shown for n in range(200))


def test_nothing_of_it_is_in_the_default_critic():
    assert "model_critic" not in {rule.name for rule in ContinuityCritic().rules}


def test_all_that_was_told_before_goes_along_where_it_fits():
    seen: list[str] = []

    def look(prompt):
        seen.append(prompt.user)
        return answer()

    find(generator=ScriptedGenerator(look, context_tokens=4096))
    assert "Years went by" not in seen[0] and "Anna had a brother" in seen[1]
    told, draft = seen[2].split("[Draft]")
    assert "- Anna had a brother named Bela. She ran the ferry." in told
    assert "- Years went by on the river. The bell rang." in told
    assert "only child" in draft and "only child" not in told

    seen.clear()
    find(generator=ScriptedGenerator(look, context_tokens=4096), as_of=2)
    assert len(seen) == 2 and not any("only child" in each for each in seen)


def test_a_quote_of_somebody_who_is_named_nowhere_is_found_when_all_goes_along():
    nowhere = claim("Years went by on the river.", "She ran the mill.", "time")
    assert [len(one.evidence) for one in find(answer(), answer(), answer(nowhere))[0]] == [2]
