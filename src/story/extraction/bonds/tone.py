"""Bonds told by words of feeling and their place beside two people, where neither a verb's frame nor a
wording (``bonds.wordings``) has read anything: "how fond Anna always was of Tom", "Tom and Anna had not been
on speaking terms for years"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...model.chapter_reading import Statement
from ...model.types import Modality
from ..clauses.arguments import Arguments
from ..clauses.fact_collector import FactCollector
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..patterns.masking import Masked, masked, text_of
from .passing import passing
from .tone_table import BARE, TONES, Tone

__all__ = ["read_bond_tone"]

_SURE = 0.68
_LONGEST = 260
_BONDS = frozenset("LOVES HATES FRIEND_OF ENEMY_OF TRUSTS DISTRUSTS ALLIES_WITH".split())
_LEAST = 0.5
_TOLD = frozenset({Modality.FACT, Modality.REPORTED})
_TRIGGER = re.compile(
    r"\b(?:lov|ador|worship|cherish|treasur|idol|dot|trust|rel(?:y|ied)|believ|clung|devot|fond|attach|"
    r"dear|affection|tender|friend|all(?:y|ies)|comrad|companion|insepar|sweetheart|chum|cron|confid|"
    r"intima|arm in|hand in|thick|united|together|apart|speaking|speak|spok|hat(?:e|r)|detest|loath|abhor|"
    r"despis|dislik|scorn|resent|mistrust|distrust|curs|shun|avoid|care|bear|abid|endur|stomach|enem|foe|"
    r"adversar|feud|war\b|bitter|hostil|estrang|cold|cruel|harsh|kind|proud|joy|pride|delight|darling|bane|"
    r"plague|torment|persecut|grudge|contempt|disgust|horror|aversion|malice|spite|rage|fury|disdain|"
    r"jealous|cross|quarrel|fire|live|life|heart|treat|th(?:ought|inks)|found|finds|called|consider|knew|"
    r"know|look|good|grateful|mother|father|sister|brother|son |daughter|pals?\b|mates|got on|get on|law\b|"
    r"bow\b|word|fought|fight|wrangl|bicker|cut |best|comfort|differ|envi|ill\b|bull|rude|brut|generous|"
    r"sweet|charm|smitten|captivat|obliged|nothing|stranger|forgiv|miss|long|"
    r"pined|back|odds|like)",
)
_UNSURE = re.compile(
    r"\b(?:if|whether|wonder\w*|pretend\w*|seem\w*|appear\w*|used to|ceased|no longer|might|may|must|"
    r"perhaps|suppos\w*|fanc(?:y|ied)|imagin\w*|hop(?:e|ed|ing)|dream\w*|as though|at first|afraid|feared|"
    r"almost|nearly|affected|should|until|till|unless|would be|could be|would (?:\w+ ){0,2}?(?:hate|love|"
    r"detest|despise|adore|loathe|like|dislike)|would have (?:me|§\d)|could it|would have (?!died|given|"
    r"done|gone|laid|followed)|make|became|become|trying|tried to|wish\w*|learn\w*|begin|began)\b|\?"
)
_NO_TONE = re.compile(r"\bgood names?\b|\b(?:proud|fond|sure) of (?:to|at|by|with|from|in|on)\b")
_SWORN = re.compile(r"\b(?:would|could|shall|will) (?:not |never )?(?:have )?\w+\b")
_NOT = re.compile(r"\b(?:not|never|no|nor|neither|nothing|hardly|scarcely|without|none|nobody)\b|n't")
_NOT_SO = re.compile(
    r"\b(?:not only|nothing but|no one but|nobody but|no\b[^.;]*\b(?:than|as|like|so|but|other)|"
    r"never\b[^.;]*\b(?:but|so|than|like|as)|none\b[^.;]*\b(?:so|as|but|than))\b"
)
_PAIR = re.compile(r"§\d,? (?:and|with|nor) (?:[\w’'-]+,? ){0,3}?§\d(?!'s)")
_MARK = re.compile(r"[;:—]|, (?:and|but|for|while|though|who|which) ")
_OTHERS = re.compile(
    r"\b(?:everybody|everyone|people|men|women|children|others|somebody|strangers|servants|ladies|"
    r"gentlemen|girls|boys|neighbours|they all)\b"
)
_OF = re.compile(
    r"\b(?:said|cried|exclaimed|muttered|remarked|declared|whispered|sighed|replied|returned|answered|"
    r"growled|observed|added|confessed|thought|sneered|laughed|sobbed) §(?P<s>\d),?(?: \w+){0,2}? of "
    r"(?:(?:his|her|the|old|young|cousin|brother|sister|\w+-in-law|uncle|aunt|mother|father|son|daughter) "
    r"){0,3}§(?P<o>\d)"
)
_HIM = re.compile(
    r"\b(?:he|she|him|her|(?:that|the|this) (?:\w+ )?(?:man|woman|girl|boy|fellow|creature|person|lady|"
    r"gentleman|lad|child|hussy|rascal|minx))\b"
)
_ALONE = re.compile(r"(?<=\w )(?:him|her)(?=[,.;:!]|$| and\b| with\b| for\b)")
_WE = re.compile(r"\bwe ")
_WINDOW = 45


def read_bond_tone(
    chapter: ParsedChapter, arguments: Arguments, facts: FactCollector, *, known: Iterable[Statement] = ()
) -> None:
    """Adds to ``facts`` how two people stand to each other, of sentences of which no bond was read by the
    facts or among the ``known``. A feeling that is asked for, supposed or over is none; a sentence that
    sounds both ways tells none. Costs a search of one pattern a sentence, more where it is met with."""
    told = {
        each.evidence[0]
        for each in (*facts.statements, *known)
        if each.predicate in _BONDS and each.confidence >= _LEAST and each.modality in _TOLD
    }
    for paragraph in chapter.paragraphs:
        if not paragraph.mention_of or paragraph.prose.letter:
            continue
        if chapter.scenes[paragraph.prose.scene].dream or not _TRIGGER.search(paragraph.prose.text.lower()):
            continue
        for sentence in paragraph.sentences:
            span = sentence.span
            if span.end - span.start > _LONGEST or span in told:
                continue
            if _TRIGGER.search(text_of(paragraph, sentence).lower()):
                _tell(chapter, arguments, facts, paragraph, sentence)


def _tell(
    chapter: ParsedChapter,
    arguments: Arguments,
    facts: FactCollector,
    paragraph: ParsedParagraph,
    sentence: Sentence,
) -> None:
    tokens = paragraph.tokens(sentence)
    voices = {paragraph.spoken(word) for word in tokens if not word.is_punct and not word.is_space}
    spoken = True in voices
    found = masked(chapter, arguments, paragraph, sentence, spoken=True if len(voices) == 2 else None)
    if len(voices) == 2 and len(found.people) < 2:
        found = _said_of(found, masked(chapter, arguments, paragraph, sentence, spoken=False))
    if len(found.people) < 2 or len(found.people) > 3:
        return
    bond = _bond(found)
    if bond is None:
        return
    predicate, one, other = bond
    flashback = chapter.scenes[paragraph.prose.scene].flashback
    modality = Modality.REPORTED if spoken else Modality.FLASHBACK if flashback else Modality.FACT
    facts.tell(paragraph, paragraph.words[found.opens], predicate, (one, other), modality, _SURE)


def _said_of(said: Masked, beside: Masked) -> Masked:
    """What is said, with the one it is "said of" in the place of its first "he", "her" or "that man"."""
    tag = _OF.search(beside.words)
    if tag is None or tag["s"] == tag["o"]:
        return said
    speaker, meant = beside.people[int(tag["s"])], beside.people[int(tag["o"])]
    words, found = _HIM.subn("§1", said.words, count=1)
    if not found and not _WE.search(words):
        return said
    words = words if found else words.replace("we ", "§0 and §1 ", 1)
    return Masked(f"§0 says {words}", (speaker, meant), said.opens)


def _bond(found: Masked) -> tuple[str, Reference, Reference] | None:
    """The one bond that the sentence tells; None where its tones differ."""
    words = _ALONE.sub("§1", found.words) if len(found.people) == 2 else found.words
    if _UNSURE.search(words) or _NO_TONE.search(words) or passing(words):
        return None
    two = len(found.people) == 2
    signs: list[int] = []
    best: tuple[int, str, str, bool] | None = None
    for tone in TONES:
        for match in tone.pattern.finditer(words):
            one, other = _ends(match, words, len(found.people))
            if one == other or not one:
                continue
            sign = _sign(tone, match, words)
            if sign:
                signs.append(sign)
                best = best or (sign, one, other, tone.mutual)
    if best is None and two and _PAIR.search(words) and not _OTHERS.search(words):
        for tone in BARE:
            bare = tone.pattern.search(words)
            sign = _sign(tone, bare, words) if bare is not None else 0
            if sign:
                signs.append(sign)
                best = best or (sign, "0", "1", True)
    if best is None or len(set(signs)) > 1:
        return None
    sign, one, other, mutual = best
    predicate = ("FRIEND_OF" if mutual else "LOVES") if sign > 0 else ("ENEMY_OF" if mutual else "HATES")
    return predicate, found.people[int(one)], found.people[int(other)]


def _ends(match: re.Match[str], words: str, people: int) -> tuple[str, str]:
    """Whose feeling, for whom: the wording's own two, else of two the other, where its clause has them."""
    named = match.groupdict()
    one, other = named.get("e"), named.get("t")
    if one and other:
        return one, other
    known = one or other or ""
    rest = "1" if known == "0" else "0"
    if people != 2 or f"§{rest}" not in _clause(words, match) + match.group():
        return "", ""
    return (one, rest) if one else (rest, known)


def _clause(words: str, match: re.Match[str]) -> str:
    """What stands before the wording in its clause."""
    before = words[: match.start()]
    cut = [mark.end() for mark in _MARK.finditer(before)]
    return before[cut[-1] if cut else 0 :]


def _sign(tone: Tone, match: re.Match[str], words: str) -> int:
    if _NOT_SO.search(words):
        return tone.sign
    own = bool(_NOT.search(match.group())) and tone.denied != 0
    denied = own or _NOT.search(_clause(words, match)[-_WINDOW:]) is not None
    return tone.denied if denied else tone.sign
