"""A trait that one whole sentence tells."""

from __future__ import annotations

from ...model.chapter_reading import Trait
from ...model.types import Modality
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedParagraph, Sentence

__all__ = ["told_trait"]


def told_trait(
    paragraph: ParsedParagraph, sentence: Sentence, who: Reference, aspect: str, value: str, *, sure: float
) -> Trait:
    """``sure`` (0 to 1) is the trait's confidence. What is said, if only in part, is REPORTED."""
    spoken = any(paragraph.spoken(token) for token in paragraph.tokens(sentence))
    modality = Modality.REPORTED if spoken else Modality.FACT
    return Trait(who.mention, aspect, value, (sentence.span,), modality, sure, False, who.genders)
