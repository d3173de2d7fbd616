"""What a sentence tells of what people are like."""

from __future__ import annotations

from collections.abc import Iterator

from tests.stories.reading import OPENING, reading

PEOPLE = f"{OPENING} Anna Crane laughed. The train from Leeds was late."
SURE = 0.62  # what the rules ask for
ASPECTS = frozenset(
    "eyes hair height build hand sight hearing gait age born birthplace profession".split()
)  # and counts of kin, limbs and scars
OTHERS = ("count:", "lame ", "scar ")


def traits_of(sentence: str) -> Iterator[str]:
    """Who is what by the sentence, with a question mark where no rule would rely on it."""
    found = reading(f"{PEOPLE}\n\n{sentence}")
    for trait in found.traits:
        if trait.evidence[0].start > len(PEOPLE) and (
            trait.aspect in ASPECTS or trait.aspect.startswith(OTHERS)
        ):
            who = found.mentions[trait.character].surface
            yield f"{who} {trait.aspect}={trait.value}{'' if trait.confidence >= SURE else ' ?'}"
