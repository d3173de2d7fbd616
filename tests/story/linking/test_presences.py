from hypothesis import given, settings
from hypothesis import strategies as st
from tests.stories.reading import linked, with_headings
from tests.stories.staging import CAST

from fabula.story.linking.records import ON_STAGE


def test_the_quotes_of_presence_and_place_stand_in_the_text():
    tale = with_headings(CAST, "They stayed in London.\n\nMarcus smiled at Elena.")
    presences = linked(tale).presences
    carried = [p for p in presences if p.place is not None]
    assert carried
    for presence in presences:
        assert presence.evidence.span.of(tale.text) == presence.evidence.quote
    assert {p.where.quote for p in carried if p.where} == {"They stayed in London."}


SENTENCES = (
    "Elena arrived in London.",
    "Marcus smiled at Elena.",
    '"Come, Anna," said Mr. Reed.',
    '"Come, Anna, said Mr. Reed',
    "* * *",
    "The next day Anna left London.",
    "They entered the library.",
    "I saw Marcus at the church.",
)


@settings(max_examples=20)
@given(st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5), min_size=1, max_size=3))
def test_the_presences_of_a_prefix_are_a_prefix(chapters):
    bodies = ["\n\n".join(sentences) for sentences in chapters]
    tale = with_headings(*bodies)
    presences = linked(tale).presences
    if len(bodies) > 1:
        shorter = linked(with_headings(*bodies[:-1])).presences
        assert [_bare(p) for p in presences if p.told < len(bodies)] == [_bare(p) for p in shorter]
    for presence in presences:
        assert ON_STAGE <= presence.confidence <= 1.0
        assert presence.evidence.span.of(tale.text) == presence.evidence.quote
        assert presence.where is None or presence.where.span.of(tale.text) == presence.where.quote
    order = [(p.told, p.scene) for p in presences]
    assert order == sorted(order)


def _bare(presence):
    return presence.entity, presence.scene, presence.place, presence.told, presence.evidence.quote
