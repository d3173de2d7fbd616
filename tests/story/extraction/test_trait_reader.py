"""What characters are like: how a trait is vouched for, and how it reaches the view with its quote."""

from tests.stories.reading import OPENING, document, reading, told

from fabula.core.types import Horizon
from fabula.story.model.types import Modality


def traits(text, aspect):
    found = reading(f"{OPENING}\n\n{text}")
    return [each for each in found.traits if each.aspect == aspect]


def test_a_pronoun_with_two_before_it_is_less_sure():
    clear = traits("Elena sat down by the fire. Her eyes were blue.", "eyes")
    vague = traits("Elena met Mrs. Reed by the fire. Her eyes were blue.", "eyes")
    assert clear[-1].confidence > 0.8
    assert all(each.confidence < 0.62 for each in vague)


def test_the_text_may_tell_a_change_and_speech_reports():
    dyed = traits("Elena had dyed her hair black.", "hair")
    assert ("black", Modality.FACT, True) in {(each.value, each.modality, each.change) for each in dyed}
    turned, *_ = traits("Marcus's hair had turned white.", "hair")
    assert (turned.value, turned.modality, turned.change) == ("grey", Modality.FLASHBACK, True)
    (said,) = traits("“I have two sisters,” said Elena.", "count:sister")
    assert (said.value, said.modality) == ("2", Modality.REPORTED)


def test_a_trait_reaches_the_view_with_its_quote():
    tale = document(f"{OPENING} Elena's eyes were grey.", "Elena had black hair. Mr. Reed agreed.")
    view = told(tale)
    kept = [each for each in view.traits("elena-voss") if each.aspect in ("eyes", "hair")]
    assert [(each.aspect, each.value, each.told) for each in kept] == [
        ("eyes", "grey", 1),
        ("hair", "black", 2),
    ]
    for each in kept:
        for quote in each.evidence:
            assert quote.span.of(tale.text) == quote.quote
    assert all(each.told == 1 for each in view.as_of(Horizon(1)).traits())
