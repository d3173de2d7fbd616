"""Where somebody is at an hour that the text pins down, at a place that has no name of its own: "at nine on
the Friday X was at the theatre". Values are those of ``sightings``: a moment and ``"the theatre"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from ...lexicon.kinds_of_place import KINDS_OF_PLACE
from ...time.amounts import NUMBER, number_of
from ..coreference.pronouns import Reference
from ..patterns.masking import Masked

__all__ = ["HOUR", "places_at_hours"]

HOUR = re.compile(
    r"\b(?:noon|noonday|midday|midnight|daybreak|sunrise|sunset|dawn|dusk|nightfall|o['’]clock|struck|"
    r"strik\w+|"
    r"(?:hour|moment|minute|night|morning|evening|afternoon|day|time|height) of|at (?:half|a quarter|one|two|"
    r"three|four|five|six|seven|eight|nine|ten|eleven|twelve)|was (?:one|two|three|four|five|six|seven|"
    r"eight|nine|ten|eleven|twelve)|at \d)\b",
    re.IGNORECASE,
)
"""What a sentence must have that tells an hour."""

_CLOCK = re.compile(
    rf"\b(?:at|by|struck|strikes|striking|was|past|to|clocks?|nearly) (?:just |exactly |precisely )?"
    rf"(?P<part>half[- ]past |(?:a )?quarter (?:past|to) |(?:five|ten|twenty|"
    rf"twenty-five)(?: minutes)? (?:past|to) )?(?P<hour>{NUMBER})\b(?! (?:miles|yards|men|years|"
    r"days|feet|hundred|weeks|months|times|of|pounds))"
)
_NAMED_HOUR = re.compile(
    r"\b(?P<hour>noon|noonday|midday|midnight|daybreak|sunrise|sunset|dawn|dusk|nightfall)\b"
)
_SAME = {"noon": "12", "noonday": "12", "midday": "12", "daybreak": "dawn", "nightfall": "dusk"}
_PART = re.compile(
    r"\b(?:(morning|forenoon|a\.m|am)|(evening|night|afternoon|p\.m|pm|midnight|dusk|sunset))\b"
)
_DAY = re.compile(
    r"\b(?P<day>monday|tuesday|wednesday|thursday|friday|saturday|sunday|christmas|easter|michaelmas|new "
    r"year|the king's birthday|the queen's birthday|midsummer|(?:first|second|third|fourth|fifth|sixth|"
    r"seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|"
    r"eighteenth|nineteenth|twentieth|twenty-\w+|thirtieth|\d+(?:st|nd|rd|th)))\b"
)
_EVENT = re.compile(
    r"\b(?P<of>hour|moment|minute|night|morning|evening|afternoon|day|time|height) (?:that |when )?of "
    r"(?:the|that|his|her|§\d's) (?:\w+ )?(?P<event>murder|crime|robbery|fire|wedding|ball|storm|fair|race|"
    r"races|burglary|theft|funeral|shooting|explosion|accident|dance|election|eclipse|flood|party|dinner|"
    r"concert|feast|riot|raid|attack|duel|escape|killing|wreck|regatta|hunt|fete|trial|play|crash|"
    r"old year|battle|quarrel|bombing|air-raid|blackout|break-in|stabbing|opening|banquet|match|service)\b|"
    r"\bthe (?P<event2>wedding|election|race|funeral|fair) (?:morning|day|night|evening)\b|"
    r"\bwhen the (?P<event3>eclipse|fire|storm|play|explosion|bomb|guns?|shot|alarm|bells?)\b"
)
_PRECISE = frozenset("hour moment minute time height".split())
_AT = re.compile(
    r"\b(?:in|at|on|upon|aboard|inside|into|by|under|through|along|across|off|over) (?P<the>(?:the|his|her|"
    r"my|our|a|an|§\d's|their|that|this|one) )?(?:(?!(?:in|at|on|of|and|with|to|from|when|"
    r"as)\b)[\w’'-]+ ){0,2}?"
    rf"(?P<place>{'|'.join(sorted(KINDS_OF_PLACE, key=len, reverse=True))})\b"
)
_TAG = re.compile(
    r"\b(?:said|cried|asked|answered|replied|declared|swore|told|testified|remarked|observed|laughed|sobbed|"
    r"whispered|insisted|protested|added|exclaimed|repeated|returned|stated|shouted|muttered) §\d\b(?!')|"
    r"§\d (?:said|cried|asked|answered|replied|declared|swore|testified|remarked|insisted|protested|added|"
    r"exclaimed)\b"
)
_UNSURE = re.compile(
    r"\b(?:if|whether|would|should|might|may|must|will|shall|not|never|nor|neither|n't|dream\w*|dreamt|"
    r"imagin\w*|suppos\w*|wish\w*|hop(?:e|es|ed|ing)|fanc(?:y|ied)|pretend\w*|perhaps|every|always|often|"
    r"usually|each|generally|until|till|since|from|after|before|next|tomorrow|to-morrow|ago|"
    r"used to|about|lied|lie|claim\w*)\b|n't\b|\?"
)
_BEING = re.compile(
    r"\b(?:was|were|is|am|been|being|stood|sat|lay|slept|knelt|walked|spent|passed|stayed|dined|supped|"
    r"danced|preached|met|saw|seen|sold|heard|had|played|drank|ate|waited|worked|rode|sailed|landed|came|"
    r"got|let|took|gave|signed|spoke|talked|sang|watched|\w+ing|\w+ed)\b"
)
_SURE = 0.8


def places_at_hours(seen: Masked) -> Iterator[tuple[Reference, str, str]]:
    """(who, moment, place) of a sentence that names one hour of one day and one such place."""
    words = " ".join(seen.words.split())
    moments = _moments(words)
    if not moments or not seen.people or not _BEING.search(words):
        return
    untimed = re.sub(r"\b(?:half|quarter)[- ](?:past|to)\b", "", words)
    if _UNSURE.search(untimed):
        return
    places = {match["place"] for match in _AT.finditer(words)}
    who = _present(words)
    if not places or len({KINDS_OF_PLACE[place] for place in places}) != 1:
        return
    place = min(places)
    for number, moment in product(who, moments):
        person = seen.people[number]
        if person.factor >= _SURE:
            yield person, moment, f"the {place}"


def _present(words: str) -> list[int]:
    """Who is there: everybody named but the speaker of a tag and those whose only something is."""
    plain = _TAG.sub(" ", words)
    return sorted({int(number) for number in re.findall(r"§(\d)\b(?!')", plain)})[:2]


def _moments(words: str) -> list[str]:
    """Hour and day as keys; a sentence that leaves open which half of the day may mean either."""
    named, clock = _NAMED_HOUR.search(words), None
    if named is None:
        clock = next((m for m in _CLOCK.finditer(words) if 1 <= (number_of(m["hour"]) or 0) <= 12), None)
    hour = ""
    if named is not None:
        hour = _SAME.get(named["hour"], named["hour"])
    elif clock is not None:
        part = (clock["part"] or "").replace("-", " ").removeprefix("a ")
        hour = f"{part}{number_of(clock['hour'])}"
    event = _EVENT.search(words)
    anchors = [found["day"] for found in _DAY.finditer(words)]
    if event is not None:
        anchors.append(event["event"] or event["event2"] or event["event3"])
        if not hour and (event["of"] in _PRECISE or event["event3"]):
            hour = "at"
    if not hour or not anchors:
        return []
    part_of_day = _PART.search(words)
    halves = ["am", "pm"] if clock is not None else [""]
    if part_of_day is not None and clock is not None:
        halves = ["am" if part_of_day[1] else "pm"]
    return [" ".join(filter(None, (hour, half, anchor))) for half in halves for anchor in anchors]
