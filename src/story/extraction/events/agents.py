"""Who did a wrong that is told without saying so in its own clause: "Anna was beaten that night on Tom's
orders", "she was stabbed, and the hand that held the knife was Tom's"."""

from __future__ import annotations

import re
from dataclasses import replace

from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..clauses.fact_collector import FactCollector
from ..coreference.pronouns import Reference
from ..learned.sentence_facts import WRONGS
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..patterns.masking import masked, readings

__all__ = ["name_agents"]

_LEAST = 0.75  # of a pronoun's factor
_MEANT = 0.85  # how surely he is who did it
_BOTH = 2
_NO_OTHER = r"(?:(?:nobody|none|no one|no) (?:else|other) (?:than|but) |none but )?"
_WORDS = (
    r"§E's (?:\w+ ){0,2}(?:hands?|fists?|sticks?|work|doing|orders?|bidding|command|instigation|knife|dagger|"
    r"sword|whip|pistol|gun|rifle|blow|stroke|boots?|heel|cane|cudgel|axe|hammer|bullet|shot|dogs?|hirelings|"
    r"ruffians|treachery|contriv\w+|means|spite|malice|crime|deed|fault|poison|rope|scarf|stone)\b|"
    r"\b(?:it|that|this|he|she|one|man|woman|hand|person|culprit|author|assailant|villain|hers|his|doer|other|"
    rf"\w+er) (?:was|had been|is|were|proved to be) {_NO_OTHER}§E(?!\w)|"
    rf"\b(?:was|were|had been) {_NO_OTHER}§E(?:'s)?(?=[.,;!]|$)|"
    r"§E(?!'|\w),? (?:\w+ ){0,2}(?:had done|did|has done) it\b|§E(?!'|\w),? (?:still )?(?:holding|wielding|"
    r"aiming|standing over|plying|swinging|with (?:a|the|his|her))\b|§E(?!'|\w),? (?:was|had been|is) the "
    r"(?:\w+ )?(?:man|woman|one|hand|person|culprit|author|cause|doer|\w+er)\b|\b(?:by|under|beneath|"
    r"hands? of|thanks to|orders of|because of|fault of|doing of|work of) §E(?!'|\w)|§E(?!'|\w),? (?:who "
    r")?(?:\w+ )?(?:struck|fired|threw|dealt|drove|aimed|swung|ordered|arranged|planned|paid|hired|"
    r"contrived)\b"
)
_DONE = tuple(re.compile(_WORDS.replace("§E", f"§{number}")) for number in range(_BOTH))
_UNSURE = re.compile(
    r"\b(?:if|whether|would|might|may|could|should|perhaps|as though|as if|suspect\w*|accus\w*|not|never|"
    r"thought|believ\w*|suppos\w*|fear\w*|seem\w*)\b|n't|\?"
)


def name_agents(chapter: ParsedChapter, arguments: Arguments, facts: FactCollector) -> None:
    """Gives the wrongs of ``facts`` that have a sufferer and no doer the only other person whom the sentence
    names, where its words make him the doer. Narration alone."""
    paragraphs = {paragraph.number: paragraph for paragraph in chapter.paragraphs}
    for (number, token), index in facts.at.items():
        told = facts.happenings[index]
        if told.modality is not Modality.FACT or told.agent is not None or told.patient is None:
            continue
        if told.predicate in WRONGS:
            paragraph = paragraphs[number]
            sentence = paragraph.sentence(paragraph.words[token])
            doer = _doer(chapter, arguments, paragraph, sentence, told.patient)
            if doer is not None:
                sure = round(told.confidence * _MEANT * doer.factor, 3)
                genders = (*told.genders, *doer.genders)
                facts.happenings[index] = replace(told, agent=doer.mention, confidence=sure, genders=genders)


def _doer(
    chapter: ParsedChapter,
    arguments: Arguments,
    paragraph: ParsedParagraph,
    sentence: Sentence,
    sufferer: int,
) -> Reference | None:
    if any(paragraph.spoken(token) for token in paragraph.tokens(sentence)):
        return None
    seen, who = masked(chapter, arguments, paragraph, sentence), arguments.pronouns.cast.who
    if len(seen.people) != _BOTH or _UNSURE.search(seen.words):
        return None
    other = [i for i, each in enumerate(seen.people) if who[each.mention] != who[sufferer]]
    if len(other) != 1:
        return None
    doer = seen.people[other[0]]
    person = chapter.mentions[doer.mention].kind is EntityKind.CHARACTER and doer.factor >= _LEAST
    done = any(_DONE[other[0]].search(words) for words in readings(seen.words))
    return doer if person and done else None
