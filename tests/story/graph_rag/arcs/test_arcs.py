import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import values

from fabula.core.types import Evidence, Span
from fabula.story.graph_rag.arcs.affinity import Affinities
from fabula.story.graph_rag.arcs.moves import curve, shape_of
from fabula.story.model.types import CharacterState, EntityKind, EntityMention, QuotationTold

ILL = "Bert is a cruel, hateful liar. The weather is fine."
WELL = "Bert is a good, kind, wonderful friend. I hate the rain."


def speaks(text, *, to=("cora",), story=None, of="Bert"):
    """Anna says ``text``, in which Bert is named."""
    story = story or StoryBuilder.of("Anna; Bert; Cora; Dora")
    said = story.say(text)
    at = said.span.start + text.index(of)
    named = Evidence(said.document_id, said.chapter, Span(at, at + 4), of)
    story._log["mentions"].append(EntityMention(of.lower(), EntityKind.CHARACTER, of, said.chapter, named))
    story._log["quotations"].append(QuotationTold("anna", to, said.chapter, (said,), 1, "explicit", 0.9))
    return story


def asked(story, chapter=None):
    return Affinities((StoryBuilder.of(story) if isinstance(story, str) else story).view(chapter))


@pytest.mark.parametrize(("text", "sign"), [(ILL, -1), (WELL, 1)])
def test_the_sentence_that_names_somebody_gives_the_sign_and_is_the_quote(text, sign):
    story = speaks(text)
    found = asked(story).towards("anna", "bert")
    assert found.sign == sign
    (quote,) = found.evidence
    assert quote.quote == text[: text.index(".") + 1]
    quote.verify(story.text().text)
    assert [signal.kind for signal in asked(story).signals("anna", "bert")] == ["talk"]


def test_who_speaks_shows_more_than_who_is_spoken_of_and_nothing_is_told_of_the_hearer_and_him():
    told = asked(speaks(ILL))
    assert told.towards("anna", "bert").strength < told.towards("bert", "anna").strength < 0
    assert told.towards("bert", "cora").strength == told.towards("cora", "bert").strength == 0


def test_what_is_said_to_the_face_is_speech_and_no_talk():
    assert {s.kind for s in asked(speaks(ILL, to=("bert",))).signals("anna", "bert")} == {"speech"}
    assert not list(asked(speaks(ILL, to=("bert", "cora"))).signals("anna", "bert"))


def test_ill_words_weigh_against_how_the_story_talks_as_a_rule():
    story = speaks(ILL)
    once = asked(story).towards("anna", "bert").strength
    for _ in range(30):
        speaks("Dora is a wicked, miserable thief.", story=story, of="Dora")
    assert once < asked(story).towards("anna", "bert").strength < 0


def test_standings_are_told_both_ways_with_names_and_quotes():
    story = speaks(ILL)
    first, back = asked(story).standings("anna", "bert")
    assert (first.one, first.other, back.one, back.other) == ("anna", "bert", "bert", "anna")
    assert first.strength == asked(story).towards("anna", "bert").strength
    told = f"Anna is cold to Bert (strength {first.strength:+.2f}, "
    assert first.sentence(story.view()).startswith(told)
    assert first.evidence and back.evidence
    assert asked(story).standings("bert", "cora") == ()


def test_talk_after_the_horizon_does_not_count():
    story = speaks(WELL)
    early = asked(story, 1).towards("anna", "bert")
    speaks(ILL, story=story.chapter(2))
    assert asked(story, 1).towards("anna", "bert") == early
    assert asked(story).towards("anna", "bert").strength < early.strength


@pytest.mark.parametrize(("story", "sign"), values(__file__, "what_is_told_between_them_gives.tsv"))
def test_what_is_told_between_them_gives_the_sign(story, sign):
    found = asked(story).towards("anna", "bert")
    assert (found.sign, bool(found.strength), bool(found.evidence)) == (sign, bool(sign), bool(sign))
    assert found.sign * found.strength >= 0 and 0 <= found.confidence <= 1


def test_who_loves_shows_more_than_who_is_loved():
    told = asked("Anna LOVES Bert")
    assert told.towards("anna", "bert").strength > told.towards("bert", "anna").strength > 0
    assert told.between("anna", "bert") == told.between("bert", "anna")


def arc(*valences):
    told = enumerate(valences, 1)
    return tuple(CharacterState("tom", n, "", valence, 0.5, (), (), None, "setup") for n, valence in told)


def test_a_curve_is_linear_between_chapters_and_smoothed():
    # 0, 1/4, 1/2, 3/4, 1; each the mean of those within two
    smoothed = (0.75 / 3, 1.5 / 4, 2.5 / 5, 2.5 / 4, 2.25 / 3)
    assert curve(arc(0.0, 1.0), points=5) == pytest.approx(smoothed)
    assert curve(()) == ()
    assert curve(arc(0.5)) == (0.5,) * 20


def test_the_six_shapes_and_none():
    for valences, name in values(__file__, "the_six_shapes.tsv"):
        shape = shape_of(arc(*valences))
        assert shape.name == name, (valences, name)
        assert shape.fit > 0.8, (valences, name)
    assert shape_of(arc(0.3, 0.3, 0.3)).name == shape_of(arc(-0.5, 0.5)).name == ""
    assert shape_of(()).fit == 0
