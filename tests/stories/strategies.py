"""Whatever a story may tell, as hypothesis draws it."""

from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder

from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import EntityKind, Modality

PEOPLE = ["Tom", "Anna", "Bert", "Cora", "@London"]


@st.composite
def stories(draw):
    story = StoryBuilder()
    bonds = [name for name, row in sorted(PREDICATES.items()) if row.lasting]
    happenings = [name for name, row in sorted(PREDICATES.items()) if not row.lasting]
    who = st.sampled_from(PEOPLE)
    told = 1
    for _ in range(draw(st.integers(0, 25))):
        told += draw(st.sampled_from([0, 0, 1, 2]))
        story.chapter(told)
        match draw(st.sampled_from(["bond", "event", "feel", "goal", "at", "mention", "merge", "flashback"])):
            case "bond":
                modality = draw(st.sampled_from(list(Modality)))
                story.bond(draw(who), draw(st.sampled_from(bonds)), draw(who), modality=modality)
            case "flashback":
                story.flashback(draw(who), draw(st.sampled_from(bonds)), draw(who))
            case "event":
                story.event(draw(st.sampled_from(happenings)), draw(who), draw(who))
            case "feel":
                story.feel(draw(who), draw(st.sampled_from(["joy", "anger", "hope"])), draw(st.floats(-1, 1)))
            case "goal":
                story.goal(
                    draw(who), draw(st.sampled_from(["win", "flee"])), draw(st.sampled_from([1, -1, 2]))
                )
            case "at":
                story.at(draw(who), "@London")
            case "mention":
                one = draw(who)
                kind = draw(st.sampled_from(list(EntityKind)))
                gender = draw(st.sampled_from(["", "f", "m"]))
                surface = draw(st.sampled_from([one, f"{one} Smith", "Mr. Smith"]))
                story.mention(surface, as_=story.id(one), kind=kind, gender=gender)
            case "merge":
                story.merge(draw(who), draw(who))
    return story
