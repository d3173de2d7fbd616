"""Somebody told to be far off for the time being: "was in Liverpool all that week", "had gone to London, and
was not to be back until Saturday", "is on board his ship". Whoever then acts here on that very day is in two
places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from ..coreference.pronouns import Reference
from ..patterns.masking import Masked, readings

__all__ = ["AWAY_CUE", "away"]

_SPAN = (
    r"(?:(?:not|n't|never) (?:to )?(?:be )?(?:back|home|here|return\w*|expected|looked for|stir|come "
    r"(?:back|home))|till|until|for (?:the|a|another|two|three|four|five|six|seven|eight|nine|ten|some|"
    r"several|a few|his|her|§\d's) (?:\w+ )?(?:days?|rest of the \w+|week|weeks|month|months|fortnight|"
    r"summer|winter|season|night)|(?:where|and) (?:he|she|§\d) (?:was|were|is|would|means?|meant) (?:to "
    r")?(?:stay|remain|be|spend)|all (?:this|that|the) (?:day|week|month|night|evening)|the whole of "
    r"(?:that|this) \w+|at (?:that|this|the) (?:very |same )?(?:moment|time|hour|minute|instant)|by now|"
    r"(?:is|was|are|were|'s) now|(?:that|this) (?:very |same )?(?:day|night|week|evening|morning|afternoon|"
    r"month)|(?:hundreds?|thousands?|\w+) (?:of )?miles (?:away|off|from)|just then|meanwhile|while "
    r"(?:they|this|these|all|he|she|§\d)|did not return|does not return|could not (?:be moved|get away|"
    r"leave)|(?:day|days|week|weeks|month|months)(?:' | of )(?:ride|march|journey|sail|travel|walk|drive)|"
    r"stuck|stranded|marooned|snowed up|(?:days?|weeks?) from|the (?:far|other) (?:side|end) of|halfway|"
    r"half-way|somewhere (?:off|in|near)|on a cruise|spending (?:the|a)|(?:landed|arrived|left|sailed|"
    r"flown|started) (?:there |for \w+ )?(?:this|that) (?:very )?morning|lay that night|slept)"
)
AWAY_CUE = re.compile(rf"\b{_SPAN}\b|\bon board\b|\bat sea\b|\babroad\b", re.IGNORECASE)
"""What a paragraph must have somewhere that tells of somebody far off for a time."""

_BEING = (
    r"(?:was|is|were|been|'s|lay|lies|slept|stayed|stays|gone|went|left|sailed|sent|staying|took|taken|"
    r"started|set out|set off|drove|driven|travelled|travelling|carried|summoned|called|ordered|posted|away|"
    r"flown|flew|stuck|stranded|marooned|detained|kept|held|working|spending|asleep|stationed|locked up|"
    r"imprisoned|studying|touring|resting|dying|studies|works|living|ill|camped|quartered|encamped|landed|"
    r"off|visiting|sitting|drinking|nursing|lying|waiting|fighting|digging|serving|attending|crossing)"
)
_FAR = (
    r"(?:¤|(?:the )?(?:sea|ocean|atlantic|seaside|continent|colonies|gaol|jail|prison|county gaol|asylum|"
    r"infirmary|hospital|front|trenches|barracks|assizes)|(?:his|her|the|a) (?:ship|steamer|frigate|"
    r"regiment|boat|vessel|yacht)|abroad)"
)
_AWAY = re.compile(
    rf"§(?P<p>\d)\b(?!')(?:[^.;?§]|§\d's){{0,50}}?\b{_BEING}\b(?:[^.;?§]|§\d's){{0,50}}?\b(?:in|at|to|"
    rf"for|aboard|halfway to|half-way to|somewhere off|"
    rf"on board|from|off|with|of|near|by|into|under|up in|down in) {_FAR}(?!\w)"
)
_ABROAD = re.compile(r"§(?P<p>\d)\b(?!')[^.;?§]{0,40}\b(?:was|is|'s|gone|went) (?:\w+ ){0,2}abroad\b")
_THERE = re.compile(r"¤[^.;?§]{0,40}\b(?:and|with|;) §(?P<p>\d) (?:is|was|with|were) (?:there|it|them)\b")
_UNSURE = re.compile(
    r"\b(?:if|whether|might|could|should|must|may|would (?!not|be there|remain|stay)|dream\w*|wish\w*|"
    r"hop(?:e|es|ed|ing)|imagin\w*|suppos\w*|thought|think|thinks|believ\w*|fanc(?:y|ied)|pretend\w*|"
    r"perhaps|ago|years? before|once|used to|often|always|every|remember\w*|letters? from|lied|last "
    r"(?:year|week|month|summer|winter|spring)|returned|came (?:back|home)|come (?:back|home) from|back "
    r"from|arrived|brother|sister|father|mother|son|daughter|uncle|cousin|neither|nor|to go|going to|was "
    r"to|next|to-morrow|tomorrow)\b(?! (?:stay|remain|be|spend))|\?"
)
_RESTORED = re.compile(
    r"(?:at|to|with|for|of) (?:his|her|my|an?|§\d's) (?:\w+ )?(?:brother|sister|father|mother|son|daughter|"
    r"uncle|cousin)(?:'s)?(?! (?:was|is|had|and))|(?:not|n't|never)(?: to)? (?:be |come |have )?(?:back|"
    r"home|here|return\w*|arrived?|come (?:back|home))|was to (?:stay|remain|be|spend)"
)
_LEAST = 0.9


def away(seen: Masked, place: str | None) -> Iterator[tuple[Reference, str]]:
    """(who, where) of a sentence that puts somebody far off for the time being; ``place`` is the one named
    place of the sentence, as it is written. What is thought, asked, planned or long past is left out."""
    name = place.lower().replace("’", "'") if place is not None else None
    told = [words.replace(name, "¤") if name else words for words in readings(seen.words)]
    sure = [
        words for words in told if AWAY_CUE.search(words) and not _UNSURE.search(_RESTORED.sub("", words))
    ]
    for words, pattern in product(sure, (_AWAY, _THERE, _ABROAD)):
        found = pattern.search(words)
        if found is not None:
            person = seen.people[int(found["p"])]
            if person.factor >= _LEAST:
                yield person, (place or "far off").casefold()
            return
