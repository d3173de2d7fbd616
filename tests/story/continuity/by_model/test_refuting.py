import json

import pytest
from tests.story.continuity.by_model.test_critic import BOOK, TEXT, claim, quote, view

from fabula.core.documents import document_from_text
from fabula.core.types import Evidence, Span
from fabula.errors import ModelRefused
from fabula.llm.scripted import ScriptedGenerator
from fabula.story.continuity.by_model.critic import ModelCritic
from fabula.story.continuity.by_model.refuting import Refuter
from fabula.story.model.findings import Severity, Violation

EARLIER, LATER = "Anna had a brother named Bela.", "Anna was an only child and told everyone."
FINDING = Violation("model_critic", Severity.WARNING, "m", ("anna",), (quote(EARLIER), quote(LATER)))


def _reason(name):
    return json.dumps({"reason": name, "why": "so it is told"})


def test_it_is_asked_in_either_order_with_the_text_between():
    model = ScriptedGenerator([_reason("none"), _reason("change told")])
    assert Refuter(model, [BOOK]).reasons(FINDING) == ("none", "change told")
    one, other = (call.prompt.user for call in model.calls)
    assert "Years went by on the river." in one and f"A: {EARLIER}" in one and f"A: {LATER}" in other
    assert "refute/1" in model.calls[0].prompt.version


@pytest.mark.parametrize("answer", ["no JSON", "[" * 9000, '{"reason": "because"}', "{}", ModelRefused("no")])
def test_an_answer_in_another_form_refutes_nothing(answer):
    assert Refuter(ScriptedGenerator([answer] * 2), [BOOK]).reasons(FINDING) == ("none", "none")


@pytest.mark.parametrize(
    ("second", "third", "kept", "agreed"),
    [("none", "none", 1, 1), ("none", "another time", 0, 0), ("change told", "another time", 0, 1)],
)
def test_the_critic_keeps_what_neither_call_refutes(second, third, kept, agreed):
    first = json.dumps({"findings": [claim(EARLIER, LATER)]})
    nothing = json.dumps({"findings": []})
    model = ScriptedGenerator([nothing, nothing, first, _reason(second), _reason(third)])
    critic = ModelCritic(model, [BOOK])
    assert len(list(critic.find(view()))) == kept
    assert (critic.review.refutable, critic.review.agreed) == (1, agreed)
    dropped = dict(critic.review.dropped)
    assert dropped.get("findings that it refuted when asked again", 0) == 1 - kept


def test_the_plan_counts_what_the_windows_cost():
    model = ScriptedGenerator([])
    plan = ModelCritic(model, [BOOK]).plan(view())
    assert plan.requests == 3 and plan.prompt_tokens > 300 and not model.calls


def test_of_a_long_story_both_sides_are_shown_and_what_is_told_of_the_same_people_between():
    filler = " ".join(f"The river rose by {n} inches and nobody spoke." for n in range(700))
    text = f"## 1\n\n{EARLIER}\n\n{filler}\n\nBela drowned, Anna heard. {filler}\n\n{LATER}\n"
    book = document_from_text(text, id="long", title="Long")
    sides = tuple(
        Evidence.of(book, 1, Span(text.index(said), text.index(said) + len(said)))
        for said in (EARLIER, LATER)
    )
    model = ScriptedGenerator([_reason("none")] * 2, context_tokens=2048)
    Refuter(model, [book]).reasons(Violation("r", Severity.WARNING, "m", (), sides))
    asked = model.calls[0].prompt.user
    assert "Bela drowned, Anna heard." in asked and "[…]" in asked
    assert model.count_tokens(asked) < 2048 and TEXT not in asked
