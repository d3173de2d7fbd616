import json

from tests.story.continuity.by_model.test_critic import GOOD, answer, claim

from fabula.story.continuity.by_model.prompt import contradictions_of


def test_a_reason_cannot_act_on_the_terminal_and_broken_answers_give_what_is_whole():
    (made,), broken = contradictions_of(answer(claim("a", "b", kind="magic", why="\x1b[31mred\n\u202e")))
    assert (made.kind, made.why, broken) == ("other", "[31mred", 0)
    whole, _ = contradictions_of('Sure! {"findings": [' + json.dumps(GOOD) + ', {"earlier": "cut of')
    assert len(whole) == 1
    assert contradictions_of("no JSON at all") == ([], 0)
    assert contradictions_of("[" * 50_000 + "{" * 1000) == ([], 0)
