"""How long a stretch of somebody's life lasted, where it is no stay at a place: an illness, a marriage, a
term, a voyage, an engagement. Values are those of ``presence.stays``: the days and what it was.

Only what is told as over or as a whole counts: "has been ill for a week" grows with the days.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...time.amounts import NUMBER, number_of
from ..coreference.pronouns import Reference
from ..patterns.masking import Masked

__all__ = ["LENGTH", "days_of", "stretches"]

_UNITS = {
    "century": 36525.0, "decade": 3652.5, "year": 365.25, "twelvemonth": 365.25, "winter": 365.25,
    "month": 30.4, "fortnight": 14.0, "week": 7.0, "day": 1.0, "night": 1.0, "hour": 1 / 24,
    "minute": 1 / 1440,
}  # fmt: skip
LENGTH = re.compile(
    rf"\b(?:(?P<part>half|a quarter of|three quarters of|the better part of|the best part of) )?"
    rf"(?P<n>{NUMBER}|an?|the)(?: (?:whole|full|long|entire|good|happy|weary|hard|quiet|single|short|mortal|"
    r"solid|bare|miserable|wretched|brief|dreary|terrible|little|blessed|endless|half))? "
    r"(?P<unit>century|decade|year|month|week|twelvemonth|fortnight|day|night|hour|minute)s?\b(?!['’-])"
)
"""A counted length of time."""

# what a stretch of life is, by the words that tell it
_TOPICS = tuple(
    (topic, re.compile(rf"\b(?:{words})\b"))
    for topic, words in {
        "mourning": r"mourning|widow's weeds|crape|wore black",
        "illness": r"illness|sickness|fever|ill|bedridden|(?:kept|keep|leave|left|took to) (?:his|her|"
        r"§\d's) bed|"
        r"in bed|sick|laid up|invalid|convalescen\w+|lain ill|lay ill|delirious|unconscious",
        "blindness": r"blind|blindness|(?:his|her|§\d's) sight",
        "engagement": r"engaged|engagement|betroth\w+|courtship|courted",
        "marriage": r"married|marriage|husband and wife|man and wife|'s wife|'s husband|wedded|"
        r"with (?:his|her|"
        r"§\d's) (?:wife|husband)|honeymoon",
        "imprisonment": r"prison\w*|imprison\w*|gaol|jail|captiv\w+|sentence|penal servitude|behind bars|"
        r"convict|dungeon|hands of|kept by|cell",
        "partnership": r"partners?|partnership",
        "voyage": r"voyage|passage|crossing|at sea|sailed|journey",
        "trial": r"trial|tried",
        "strike": r"strike|lock-out|lockout",
        "service": r"in (?:his|her|the|§\d's) service|served|service|apprentice\w*",
        "teaching": r"schoolmaster|schoolmistress|taught|teaching|(?:the|a) school",
        "governess": r"governess|nursemaid|companion to",
        "exile": r"exile|banish\w+|abroad",
        "quarrel": r"did not speak|not spoken|quarrel|feud|estrange\w+",
        "search": r"search\w*|looked for|hunt for",
        "absence": r"absence|was away|were away|been away|was gone|were gone|was missing|were missing|"
        r"lost (?:up)?on",
        "frost": r"frost|snowed (?:in|up)|drought",
        "visit": r"visit|stayed with|guest",
        "rule": r"mayor|governor|member for|in parliament|reigned|reign|in office|bishop",
        "building": r"was building|to build|built|building of",
        "writing": r"to write|writing of|wrote (?:the|his|her) (?:book|novel|play|opera)",
        "party": r"feast|party|festivities|celebrations",
        "widowhood": r"widow(?:er|hood)?",
        "nursing": r"nursed|nursing",
        "keeping": r"(?:kept|keeping|keeper of) (?:the|an?|that) (?:inn|shop|mill|farm|lodge|toll|"
        r"post-office|"
        r"public-house|school|store|lighthouse)",
        "neighbourhood": r"neighbours?",
        "hospital": r"hospital|infirmary|asylum|sanatorium",
        "run": r"(?:play|piece|show|opera) (?:had )?(?:run|ran)|run of",
        "waiting": r"waited|waiting",
        "siege": r"siege|besieged|beleaguered",
        "friendship": r"friends|friendship|known each other|known one another",
        "army": r"army|navy|regiment|soldier|sailor|legion",
    }.items()
)

_WHOLE = re.compile(
    r"\b(?:lasted|lasting|took|taken|went on|dragged on|ran|continued|kept up|was over|were over|over in|"
    r"at an end|came to an end|ended|in all|altogether|no (?:more|longer|less)|only|but|just|exactly|whole|"
    r"full|was|were|spent|passed|served|lived|kept|held|waited|wore|stayed|lay|did not|had been|had lain|had "
    r"lived|had kept|had lasted|had served|had waited|had held|had taken|cost|lost|gave|after|never|occupied|"
    r"remained|taught|left off|been made|neither more nor less|for)\b|"
    rf"'s (?:\w+ )?{NUMBER} (?:\w+ )?(?:years|months|weeks|days)\b"
)
_LOOSE = re.compile(
    r"\b(?:ago|since|hence|later|old|of age|aged(?! (?:him|her|them|§))|heard|letters?|till|until|if|would|"
    r"should|could|might|may|shall|will|hop(?:e|es|ed|ing)|expect\w*|intend\w*|every|wish\w*|meant|to be|"
    r"was to|is to|were to|another|second|third|next|last (?:year|week|month|night)|this time|already|now|"
    r"still|yet|nearly|almost|about|some|scarcely|hardly|perhaps|thought|believed|odd|has|have|'ve|'s been|"
    r"one of|reign of|once a|times|per|a year for|pounds|shillings|o'clock|within|promis\w*|ask\w*|"
    r"propos\w*|decided|resolved|feels?|felt|seem\w*|like)\b|\?"
)
_FIRM = re.compile(
    r"\b(?:neither more nor less|no more and no less|and no more|no longer|not more than|"
    r"(?:and )?not an? (?:day|hour|week|month|minute) (?:more|less|longer)|not seem\w*|(?:to )?the day)\b"
)
_SURE = 0.8
_COUPLE = 2
_LEAST = 1 / 1440


def stretches(seen: Masked) -> Iterator[tuple[Reference, float, str]]:
    """(whose, days, what it was) of a sentence that tells one length of time and one such stretch, for each
    of the one or two people in it."""
    words = " ".join(seen.words.split())
    plain = _FIRM.sub("", words)
    lengths = list(LENGTH.finditer(plain))
    if len(lengths) != 1 or not 1 <= len(seen.people) <= _COUPLE:
        return
    if _LOOSE.search(plain) or not _WHOLE.search(words):
        return
    topic = next((topic for topic, pattern in _TOPICS if pattern.search(words)), None)
    days = days_of(lengths[0])
    if topic is None or days is None or days < _LEAST:
        return
    for person in seen.people:
        if person.factor >= _SURE:
            yield person, days, topic


def days_of(length: re.Match[str]) -> float | None:
    """The days of a match of ``LENGTH``; None for what counts nothing ("the years")."""
    part = {"half": 0.5, "a quarter of": 0.25, "three quarters of": 0.75}.get(length["part"] or "", 1.0)
    if length["n"] == "the":
        return None
    number = 1 if length["n"] in ("a", "an") else number_of(length["n"])
    return number * part * _UNITS[length["unit"]] if number is not None else None
