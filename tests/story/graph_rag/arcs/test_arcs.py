import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import values

from fabula.core.types import Evidence, Span
from fabula.story.graph_rag.arcs.affinity import Affinities
from fabula.story.graph_rag.arcs.moves import (
    curve,
    direction,
    greatest_change,
    kind_of,
    magnitude,
    mean_change,
    next_phase,
    shape_of,
)
from fabula.story.model.types import CharacterState, EntityKind, EntityMention, Modality, QuotationTold

ILL = "Bert is a cruel, hateful liar. The weather is fine."

WELL = "Bert is a good, kind, wonderful friend. I hate the rain."


def cast():
    return StoryBuilder().mention("Anna").mention("Bert").mention("Cora")


def speaks(story, text, *, to=("cora",)):
    """Anna says ``text``, in which Bert is named."""
    said = story.say(text)
    at = said.span.start + text.index("Bert")
    named = Evidence(said.document_id, said.chapter, Span(at, at + 4), "Bert")
    story._log["mentions"].append(EntityMention("bert", EntityKind.CHARACTER, "Bert", said.chapter, named))
    story._log["quotations"].append(QuotationTold("anna", to, said.chapter, (said,), 1, "explicit", 0.9))
    return story


@pytest.mark.parametrize(("text", "sign"), [(ILL, -1), (WELL, 1)])
def test_the_sentence_that_names_somebody_gives_the_sign_and_is_the_quote(text, sign):
    story = speaks(cast(), text)
    asked = Affinities(story.view())
    found = asked.towards("anna", "bert")
    assert found.sign == sign
    (quote,) = found.evidence
    assert quote.quote == text[: text.index(".") + 1]
    quote.verify(story.text().text)
    assert [signal.kind for signal in asked.signals("anna", "bert")] == ["talk"]


def test_who_speaks_shows_more_than_who_is_spoken_of_and_nothing_is_told_of_the_hearer_and_him():
    asked = Affinities(speaks(cast(), ILL).view())
    assert asked.towards("anna", "bert").strength < asked.towards("bert", "anna").strength < 0
    assert asked.towards("bert", "cora").strength == asked.towards("cora", "bert").strength == 0


def test_what_is_said_to_the_face_is_speech_and_no_talk():
    asked = Affinities(speaks(cast(), ILL, to=("bert",)).view())
    assert {signal.kind for signal in asked.signals("anna", "bert")} == {"speech"}
    both = Affinities(speaks(cast(), ILL, to=("bert", "cora")).view())
    assert not list(both.signals("anna", "bert"))


def test_ill_words_weigh_against_how_the_story_talks_as_a_rule():
    once = Affinities(speaks(cast(), ILL).view()).towards("anna", "bert").strength
    story = speaks(cast(), ILL)
    story.mention("Dora")
    sombre = "Dora is a wicked, miserable thief. "
    for _ in range(30):
        said = story.say(sombre.strip())
        named = Evidence(said.document_id, said.chapter, Span(said.span.start, said.span.start + 4), "Dora")
        story._log["mentions"].append(EntityMention("dora", EntityKind.CHARACTER, "Dora", 1, named))
        story._log["quotations"].append(QuotationTold("cora", ("anna",), 1, (said,), 1, "explicit", 0.9))
    assert once < Affinities(story.view()).towards("anna", "bert").strength < 0


def test_standings_are_told_both_ways_with_names_and_quotes():
    view = speaks(cast(), ILL).view()
    asked = Affinities(view)
    first, back = asked.standings("anna", "bert")
    assert (first.one, first.other, back.one, back.other) == ("anna", "bert", "bert", "anna")
    assert first.strength == asked.towards("anna", "bert").strength
    assert first.sentence(view).startswith(f"Anna is cold to Bert (strength {first.strength:+.2f}, ")
    assert first.evidence and back.evidence
    assert asked.standings("bert", "cora") == ()


def test_talk_after_the_horizon_does_not_count():
    story = speaks(cast(), WELL)
    early = Affinities(story.view(1)).towards("anna", "bert")
    speaks(story.chapter(2), ILL)
    assert Affinities(story.view(1)).towards("anna", "bert") == early
    assert Affinities(story.view()).towards("anna", "bert").strength < early.strength


def test_what_is_told_between_them_gives_the_sign():
    story = StoryBuilder().bond("Anna", "LOVES", "Bert").bond("Cora", "HATES", "Anna")
    story.bond("Bert", "KNOWS", "Cora")
    view = story.view()
    assert [
        Affinities(view).towards(*pair).sign
        for pair in (("anna", "bert"), ("cora", "anna"), ("bert", "cora"))
    ] == [1, -1, 0]
    loved = Affinities(view).towards("anna", "bert")
    assert 0 < loved.strength <= 1 and 0 < loved.confidence <= 1
    assert [quote.quote for quote in loved.evidence] == ["Anna LOVES Bert."]


def test_love_deeds_and_what_never_happened():
    asked = Affinities(StoryBuilder().bond("Anna", "LOVES", "Bert").view())
    assert asked.towards("anna", "bert").strength > asked.towards("bert", "anna").strength > 0
    assert asked.between("anna", "bert") == asked.between("bert", "anna")
    asked = Affinities(StoryBuilder().event("ATTACKS", "Anna", "Bert").event("HELPS", "Cora", "Anna").view())
    assert asked.towards("anna", "bert").sign == -1
    assert asked.towards("cora", "anna").sign == 1
    nothing = asked.towards("bert", "cora")
    assert (nothing.sign, nothing.strength, nothing.confidence, nothing.evidence) == (0, 0.0, 0.0, ())
    view = StoryBuilder().bond("Anna", "ENEMY_OF", "Bert", modality=Modality.NEGATED).view()
    assert Affinities(view).towards("anna", "bert").sign == 0


def test_direction_by_the_sum_of_the_parts():
    assert direction(0.5, valence=0.8, goals=-0.5, relations=0) == "rise"  # 0.4 - 0.3
    assert direction(0.5, valence=0.05, goals=-0.5, relations=0) == "fall"  # 0.025 - 0.3
    assert direction(0.5, valence=0.6, goals=-0.5, relations=0) == "steady"  # 0.3 - 0.3
    assert direction(0.05, valence=0.1, goals=0, relations=0.5) == "steady"


def test_kinds_by_the_greatest_part():
    assert kind_of("rise", 0.05, valence=2, goals=0, bond=0, deeds=0) == "steady"
    assert kind_of("rise", 0.5, valence=0.8, goals=0, bond=0.5, deeds=0) == "rise"  # 0.4 to 0.2
    assert kind_of("rise", 0.5, valence=0.2, goals=0, bond=-0.5, deeds=0) == "break"  # 0.1 to 0.2
    assert kind_of("fall", 0.5, valence=0.2, goals=0, bond=0.5, deeds=0.5) == "growth"
    assert greatest_change({"a": 0.5}, {"a": 0.4, "b": -0.6}) == pytest.approx(-0.05)  # b was no bond
    assert greatest_change({"a": 0.2}, {"a": -0.4, "b": 0.5}) == pytest.approx(-0.3)
    assert greatest_change({}, {}) == 0
    assert mean_change({"a": 0.5}, {"a": -0.5, "b": 1.0}) == (-1.0 + 1.0) / 4
    assert mean_change({"a": 0.5}, {}) == -0.5 / 2 and mean_change({}, {}) == 0
    assert next_phase("setup", valence=-0.2, extent=0.5, kind="fall") == "crisis"  # even from a height
    assert magnitude(valence=0, arousal=0, goals=0, relations=0, deeds=-0.5) == pytest.approx(0.2)


def arc(*valences, step=1):
    return tuple(
        CharacterState("tom", 1 + i * step, "", valence, 0.5, (), (), None, "setup")
        for i, valence in enumerate(valences)
    )


def test_a_curve_is_linear_between_chapters_and_smoothed():
    values = curve(arc(0.0, 1.0), points=5)
    # 0, 1/4, 1/2, 3/4, 1; each the mean of those within two
    assert values == pytest.approx(
        (
            (0 + 0.25 + 0.5) / 3,
            (0 + 0.25 + 0.5 + 0.75) / 4,
            (0 + 0.25 + 0.5 + 0.75 + 1) / 5,
            (0.25 + 0.5 + 0.75 + 1) / 4,
            (0.5 + 0.75 + 1) / 3,
        )
    )
    assert curve(()) == ()
    assert curve(arc(0.5)) == (0.5,) * 20


def test_the_six_shapes_and_none():
    for valences, name in values(__file__, "the_six_shapes.tsv"):
        shape = shape_of(arc(*valences))
        assert shape.name == name, (valences, name)
        assert shape.fit > 0.8, (valences, name)
    assert shape_of(arc(0.3, 0.3, 0.3)).name == ""
    assert shape_of(arc(-0.5, 0.5)).name == ""
    assert shape_of(()).fit == 0
