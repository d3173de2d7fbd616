"""Love and hatred told by a turn of phrase that no verb's frame holds: "she would have died for him", "the
very name of Tom was hateful to Anna", "there was no love lost between them"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...model.chapter_reading import Statement
from ...model.types import Modality
from ..clauses.arguments import Arguments
from ..clauses.fact_collector import FactCollector
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..patterns.masking import Masked, masked, text_of
from .passing import passing
from .wording_table import PATTERNS, TURNINGS, Wording

__all__ = ["BONDS", "read_bond_wordings"]

_SURE = 0.75
_WELL, _WELL_MEANT = 0.6, 0.85
_LONGEST = 300
BONDS = frozenset("LOVES HATES FRIEND_OF ENEMY_OF TRUSTS DISTRUSTS ALLIES_WITH".split())
_TRIGGER = re.compile(
    r"\b(?:lov\w+|belov\w+|ador\w+|worship\w*|idol\w*|dear\w*|precious|cherish\w*|hearts?|friend\w*|ally|"
    r"allies|champion|comrades?|companions?|confid\w+|protector|inseparable|thick as|sworn|trust\w*|faith|"
    r"belie\w+|relied|hat(?:e|es|ed|eful|red|ing)|detest\w*|loath\w*|abhor\w*|despis\w*|odious|horror|"
    r"disgust\w*|scorn\w*|bear|abide|endure|stomach|enem\w+|foes?|feud|enmity|grudge|ill-will|aversion|"
    r"dislike\w*|contempt|wish\w*|would (?:\w+ )?(?:have|not|never|die|do|give|go|follow|lay|as soon|sooner|"
    r"rather)|world of|world to|everything|all in all|light of|joy of|apple of|devot\w+|doted?|dotes|"
    r"attach\w*|could not|cannot|can't|refuse|deny|affection\w*|fond\w*|enamou?red|tender\w*|cared?|cares|"
    r"store by|distrust\w*|mistrust\w*|daggers|reveng\w+|vengeance|ruin\w*|curse[ds]?|repugnan\w+|"
    r"without|sight of|name of|thought of|mention of|brother|brothers|sister|liked|happy|happier|missed|"
    r"praises|lived|thought (?:was|there)|nobody|no one|ready to|willing to|follow\w*|forg[ai]\w+|"
    r"reconcil\w*|peace|shook hands|made|"
    r"quarrel\w*|fell out|fallen out|parted|blows|blood|war|shudder\w*|shrank|recoil\w*|sicken\w*|"
    r"rejoic\w+|gloat\w*|exult\w*|triumph\w*|no wrong|hostile|bitter\w*|speaking terms|grave|gallows|"
    r"left the|quitted|each other|one another|soften\w*|melted|thawed|pardon|won over|disarmed|opinion|"
    r"misjudged|wronged|unjust|mistaken|bygones|hatchet|anger|felt|aside|turned)\b",
)
_WARM = frozenset("LOVES FRIEND_OF TRUSTS ALLIES_WITH FORGIVES".split())
_UNSURE = re.compile(
    r"\b(?:if|whether|wonder\w*|pretend\w*|seem\w*|used to|once|ceased|no longer|might|may|must|perhaps|"
    r"suppos\w*|fanc(?:y|ied)|imagin\w*|hoped?|dream\w*|thought (?:that )?§|as though|believed that|at "
    r"first|until|till|unless|afraid|feared|would have (?:me|§\d) |would (?:hate|love|detest|despise|adore|"
    r"loathe)|had she|had he|should|too dear|cost|forgot\w*|almost|nearly)\b|\?"
)
_DENIED = re.compile(r"\b(?:not|never|n't|nor|neither|hardly|scarcely|nothing|nobody|no one|no)\b")
_DENYING = re.compile(
    r"\b(?:not|never|n't|nobody|no one|nothing|none|no) (?:\w+ ){0,3}(?:secret|doubt|conceal\w*|hid\w*|"
    r"mistak\w*|deny|denied|better|other|disguise)\b"
)

_PERSON = re.compile(r"§\d")
_SUBJECT = re.compile(r"^(?:he|she|§\d)\b")
_OBJECT = re.compile(r"(?:\b(?:him|her)|§\d)\b")
_HE_HIM = re.compile(r"(?:he|she|§\d) (?:\w+ ){1,5}?(?:him|her|§\d)\b")
_ALL = (*TURNINGS, *PATTERNS)
_KNOWING = (
    r"(?:knew|saw|perceived|noticed|observed|remembered|understood|discovered|learnt|learned|felt|was aware|"
    r"could see|could not but see|had long known|had always known|needed no telling|had seen)"
)
_ONLOOKER = tuple(
    re.compile(each)
    for each in (
        rf"^[^§]*§(?P<w>\d),? (?:\w+ ){{0,4}}?{_KNOWING}(?: \w+){{0,3}}? (?:that|how) ",
        r"^it was (?:\w+ ){0,2}(?:plain|clear|evident|obvious|known|no secret|no news) (?:enough )?to "
        r"§(?P<w>\d),? that ",
        rf",? (?:as|and) §(?P<w>\d) (?:\w+ )?{_KNOWING}[^§]*$",
    )
)
_FOND_DENYING = re.compile(
    r"\b(?:nobody|no one|none|anyone|anybody|nothing|(?:so|as|more) (?:dear|precious)|never (?:had|so)|"
    r"could not|cannot|can't|no (?:\w+ )?friend|needs no)\b"
)
_SELF_DENYING = re.compile(
    r"\b(?:could not|cannot|could never|can never|can't|couldn't|could hardly|never been able|no love|no "
    r"friend|no \w+ (?:friend|enemy|foe)|no (?:enemy|foe|ally)|nobody (?:but|so|except)|nothing (?:but|"
    r"shake)|no one|nobody|none|anyone|never (?:liked|cared|forgiven|forgave|trust|had|so happy)|no "
    r"(?:further|farther|more)|not trust\w*|(?:so|as|more) (?:dear|precious)|would (?:not|never)|not "
    r"believe|never believe\w*|not on speaking|no good will|never (?:hated|loved|trusted) (?:any|no)\w*|"
    r"never a friend)\b"
)


def read_bond_wordings(
    chapter: ParsedChapter, arguments: Arguments, facts: FactCollector, *, known: Iterable[Statement] = ()
) -> None:
    """Adds to ``facts`` what is said of two people's bond in a sentence of which nothing of the kind was
    read, by verbs or among the ``known``. Costs a search of one pattern a paragraph, more only where
    a trigger stands."""
    told = {
        statement.evidence[0]
        for statement in (*facts.statements, *known)
        if statement.predicate in BONDS
        and statement.modality in (Modality.FACT, Modality.REPORTED)
        and statement.confidence >= _WELL
    }
    for paragraph in chapter.paragraphs:
        if (
            not paragraph.mention_of
            or paragraph.prose.letter
            or not _TRIGGER.search(paragraph.prose.text.lower())
        ):
            continue
        for sentence in paragraph.sentences:
            span = sentence.span
            if span.end - span.start > _LONGEST:
                continue
            if _TRIGGER.search(text_of(paragraph, sentence).lower()):
                patterns = TURNINGS if span in told else _ALL
                _tell(chapter, arguments, facts, (paragraph, sentence), patterns)


def _tell(
    chapter: ParsedChapter,
    arguments: Arguments,
    facts: FactCollector,
    where: tuple[ParsedParagraph, Sentence],
    patterns: Sequence[Wording],
) -> None:
    paragraph, sentence = where
    tokens = paragraph.tokens(sentence)
    voices = {paragraph.spoken(word) for word in tokens if not word.is_punct and not word.is_space}
    spoken = True in voices
    found = masked(chapter, arguments, paragraph, sentence, spoken=True if len(voices) == 2 else None)
    if _UNSURE.search(found.words) or passing(found.words):
        return
    if len(found.people) < 2 and not spoken and _HE_HIM.match(found.words):
        found = _as_before(chapter, arguments, paragraph, sentence, found)
    if len(found.people) == 3 and not spoken:
        found = _without_onlooker(found)
    if len(found.people) < 2 or len(set(_PERSON.findall(found.words))) != 2:
        return
    bond = _bond(found, patterns)
    if bond is None:
        return
    predicate, one, other = bond
    scene = chapter.scenes[paragraph.prose.scene]
    modality = Modality.FLASHBACK if scene.flashback else Modality.FACT
    if scene.dream:
        modality = Modality.IMAGINED
    elif spoken:
        modality = Modality.REPORTED
    facts.tell(paragraph, paragraph.words[found.opens], predicate, (one, other), modality, _SURE)


def _as_before(
    chapter: ParsedChapter,
    arguments: Arguments,
    paragraph: ParsedParagraph,
    sentence: Sentence,
    found: Masked,
) -> Masked:
    """ "Tom looked at Mr. Reed. He loved him": the two of the sentence before, in the same places."""
    before = [each for each in paragraph.sentences if each.index == sentence.index - 1]
    said = masked(chapter, arguments, paragraph, before[0]) if before else None
    if said is None or len(said.people) != 2 or not said.words.startswith("§0"):
        return found
    if any(paragraph.spoken(word) for word in paragraph.tokens(before[0])):
        return found
    words = "§0" + _OBJECT.sub("§1", _SUBJECT.sub("", found.words, count=1), count=1)
    people = tuple(replace(each, factor=min(each.factor, _WELL_MEANT)) for each in said.people)
    return Masked(words, people, found.opens)


def _without_onlooker(found: Masked) -> Masked:
    """Without the one who knows, sees or hears it of the two others: "Tom saw that Anna hated Mr. Reed"."""
    for pattern in _ONLOOKER:
        match = pattern.search(found.words)
        if match is not None:
            rest = found.words[: match.start()] + " " + found.words[match.end() :]
            if f"§{match['w']}" not in rest:
                return Masked(rest.strip(), found.people, found.opens)
    return found


def _bond(found: Masked, patterns: Sequence[Wording]) -> tuple[str, Reference, Reference] | None:
    """The first wording that fits, in the order of the table; None where one of the other sign fits too."""
    fits: list[tuple[str, Reference, Reference]] = []
    for each in patterns:
        if fits and (each.predicate in _WARM) == (fits[0][0] in _WARM):
            continue
        match = each.pattern.search(found.words)
        if match is None or match["e"] == match["t"]:
            continue
        inside = _DENYING.sub("", found.words[: match.start()])
        if _DENIED.search(inside) and not _SELF_DENYING.search(match.group()):
            continue
        denials = len(_DENIED.findall(match.group()))
        excused = _FOND_DENYING if each.predicate in _WARM else _SELF_DENYING
        if denials > (1 if each.denies else 0) and not excused.search(match.group()):
            continue
        fits.append((each.predicate, found.people[int(match["e"])], found.people[int(match["t"])]))
        if each in TURNINGS:
            break
    return fits[0] if len(fits) == 1 else None
