"""Love and hatred told by a turn of phrase that no verb's frame holds: "she would have died for him", "the
very name of Tom was hateful to Anna", "there was no love lost between them"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import MappingProxyType

from ..reading import Statement
from ..types import Modality
from .arguments import Arguments
from .masked import Masked, masked, text_of, wording
from .parsed import ParsedChapter, ParsedParagraph, Sentence
from .pronouns import Reference
from .teller import Teller

__all__ = ["read_bond_gist"]

_SURE = 0.75
_LONGEST = 300
_BONDS = frozenset("LOVES HATES FRIEND_OF ENEMY_OF TRUSTS DISTRUSTS ALLIES_WITH".split())
_WARMLY = (
    r"(?:love[sd]?|lov(?:e|es|ed|ing)|adored?|adores|worshipp?ed|cherished|idolised|idolized|"
    r"dear|dearer|dearest|treasured)"
)
_COLDLY = r"(?:hate[sd]?|hating|detest(?:s|ed)?|loathe[sd]?|abhor(?:s|red)?|despise[sd]?|execrated)"
_FONDNESS = r"(?:love|affection|tenderness|devotion|fondness|adoration|friendship|attachment|warmth)"
_HATRED = (
    r"(?:hatred|hate|loathing|detestation|dislike|aversion|contempt|abhorrence|animosity|enmity|hostility|"
    r"antipathy|repugnance|disgust|malice|venom|scorn|rancour|rancor)"
)
_ODIOUS = (
    r"(?:hateful|odious|repugnant|repulsive|loathsome|detestable|abhorrent|insupportable|intolerable|"
    r"unbearable|poison|gall|wormwood|an abomination|the enemy)"
)
_BOTH = r"(?:E and T|E with T)"
_CANNOT = r"(?:could not|couldn't|cannot|can't|could never|can never|could hardly|had never been able to)"

_WORDINGS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "LOVES": (
            r"E would ~(?:have )?~(?:die|died|give|given|gone?|followed?|lay|laid|cut|fought|fight|done|do) "
            r"~(?:[\w']+ )?(?:for|to save|to serve|to please|anywhere with) T",
            r"E (?:would|could) (?:have )?follow(?:ed)? T (?:to|anywhere|barefoot|into|through)",
            r"E ~(?:thought|thinks|made) (?:the world|everything|all the world|an idol|much) of T",
            r"E ~(?:worshipp?ed|kissed|loved) the (?:very )?ground (?:that |on which |which )?T",
            r"E ~look(?:ed|s) (?:up)?on T as (?:on )?(?:an? )?~(?:brother|sister|father|mother|son|daughter|"
            r"friend|own)",
            rf"E's ~heart ~(?:was|is|belonged|went|beat|warmed|leapt|leaped|had ~gone) ~(?:{_FONDNESS} )?"
            r"(?:for|to|with|towards?|out to|at the sight of) T",
            r"E ~(?:gave|given|lost|pledged) E's (?:whole )?heart to T",
            r"T ~(?:had|held|possessed|owned|won) (?:the whole of )?E's (?:whole )?heart",
            r"E ~(?:cared?|lived|cares) (?:for|only for) (?:nobody|no one|nothing|none) (?:\w+ )?"
            r"(?:but|except|save|so much as|as E did for) (?:for )?T",
            r"E ~(?:came|come|grown|grew|learnt|learned|begun) to (?:be (?:very )?fond of|love|adore|cherish|"
            r"worship|like|trust|be devoted to) T",
            rf"E (?:~(?:felt|feels|bore|bears|had|has|cherished|nursed) )(?:for T )~{_FONDNESS}",
            rf"E (?:~(?:felt|feels|bore|bears|had|has|cherished|nursed) )~{_FONDNESS} ~(?:for|to|towards?) T",
            rf"E's ~{_FONDNESS} (?:for|to|towards?) T",
            r"E ~could not (?:live|be happy|rest|exist|do|eat or sleep) ~(?:without|apart from|away from) T",
            r"loving T as E (?:did|does)",
            r"to E,? T (?:was|is) ~(?:the dearest|everything|all the world|more than|the one|"
            r"like an? (?:brother|sister))",
            r"E ~h(?:eld|olds) T (?:dear|dearer|dearest|above|in the (?:warmest|deepest) (?:love|affection))",
            r"T ~(?:dear|dearer|dearest|precious) to E",
            r"(?:so|as|more) (?:dear|precious) to E (?:as|than) T",
            rf"T ~(?:whom|that|who) E ~{_WARMLY}",
            rf"E ~(?:looked|gazed|glanced|smiled) ~(?:at|on|upon) T with ~(?:{_FONDNESS})",
            rf"{_WARMLY} ~(?:nobody|no one|none|anyone|anybody|nothing) ~as E (?:~{_WARMLY}|did) T",
            r"E ~(?:love[sd]?|adored?|adores|worshipp?ed|cherished|idoli[sz]ed|treasured) T",
            r"E was never so happy as (?:when ~)?(?:with T|T was|T sat|beside T|in T's)",
            r"E ~the apple of T's eye",
            r"all the love (?:that )?E (?:had|possessed) was for T",
        ),
        "FRIEND_OF": (
            rf"{_BOTH} (?:were|had been|had ~become|had always been|remained|are) ~(?:friends|comrades|"
            r"inseparable|devoted|companions|like (?:brothers|sisters|brother and sister)|sworn brothers|"
            r"fast friends|allies|chums)",
            rf"{_FONDNESS} ~(?:united|bound|joined|knit|linked|between|of) E and T",
            r"E ~(?:counted|numbered|reckoned|ranked|called|considered) T ~(?:among|as|amongst) ~"
            r"(?:friends?|dearest|own)",
            r"E had (?:never had|no) ~(?:friend|ally|comrade|champion) (?:like|than|but|such as|"
            r"so true as) T",
            r"E ~(?:found|had) (?:in T )?~(?:friend|ally|champion) ~in T",
            r"E ~(?:friend|ally|champion|defender) (?:of|to) T",
            r"E ~(?:was|is|been|proved|remained) ~T's ~(?:friend|ally|champion|comrade)",
        ),
        "TRUSTS": (
            r"E ~(?:would|could) (?:have )?~(?:trust|trusted|believe|believed) T (?:with ~life|with anything|"
            r"against|before|beyond|to the|in anything)",
            r"(?:nothing|nobody|no one) ~shake E's (?:faith|trust|confidence|belief) in T",
            r"E ~(?:put|placed|reposed|had) ~(?:trust|faith|confidence) in T",
            r"E ~(?:trusted|believed in|relied on|relied upon|leaned on) T (?:as|with|more|like|above|"
            r"completely)",
            r"T was the (?:one|only) ~(?:whom|that) E ~(?:trusted|could trust)",
        ),
        "HATES": (
            rf"E ~{_CANNOT} (?:bear|abide|endure|stand|stomach|suffer|tolerate|look at|sit|breathe|hear|"
            rf"speak|"
            r"be|stay)(?: to (?:be|sit|stay|look|hear|speak|think))?(?: in| at| on)?(?: the (?:very )?|"
            r" one | a )?"
            r"(?:sight|name|thought|presence|company|voice|room|table|house|air|sound)?(?: of| with| as|"
            r" at| to)? ?T",
            rf"(?:sight|name|voice|thought|sound|touch|presence|face) of T ~{_ODIOUS} to E",
            rf"T's (?:very )?(?:sight|name|voice|face|step|touch|presence) ~{_ODIOUS} to E",
            rf"T ~{_ODIOUS} to E",
            rf"E ~f(?:ound|inds) T ~{_ODIOUS}",
            r"E (?:only )?(?:wish|wished|wishes|wanted|longed to see|hoped to see|prayed to see|"
            r"had ~wished) T "
            r"~(?:were |was )?(?:dead|ill|hanged|at the bottom|in ~grave|at the devil|out of the world|"
            r"under the)",
            r"E would ~(?:have )?(?:see|seen|watch|watched|dance|danced) ~T(?:'s)? ~(?:hanged|hang|drown|"
            r"dead|"
            r"burn|grave|starve|die|ruined)",
            rf"T ~(?:whom|that|who) E ~{_COLDLY}",
            rf"E's ~{_HATRED} (?:for|of|to|towards?|against) T",
            rf"E ~(?:regarded|eyed|watched|looked|stared|glanced|gazed|glared|turned|"
            rf"viewed) ~T with ~{_HATRED}",
            rf"E (?:~(?:felt|feels|bore|bears|had|has|nursed|conceived|harboured) )(?:for T |T )~{_HATRED}",
            rf"E (?:~(?:felt|feels|bore|bears|had|has|nursed|conceived|harboured) )~{_HATRED} ~"
            r"(?:for|of|to|towards?|against) T",
            rf"E ~{_COLDLY} (?:the (?:very )?(?:name|sight|sound|ground|thought|look|air) ~)(?:of )?T",
            rf"E ~{_COLDLY} T",
            rf"{_COLDLY} ~(?:nobody|no one|none|anyone|anybody|nothing) ~as E (?:~{_COLDLY}|did) T",
            r"E ~(?:sworn|vowed|swore|promised herself|promised himself|lived only|meant) to (?:ruin|destroy|"
            r"crush|be revenged (?:up)?on|have ~revenge on|see ~ruin of|hurt) T",
            r"E ~b(?:ore|ears|orne) T ~(?:grudge|ill[- ]will|hatred|malice|no love|no good will)",
            r"E ~(?:shuddered|sickened|turned sick|shrank) at the (?:sight|name|thought|touch) of T",
            r"E ~never (?:liked|cared for|forgiven|forgave|been able to like) T",
            r"hating T as E (?:did|does)",
            r"E ~crossed? the (?:street|road) ~(?:to avoid|rather than ~meet|sooner than ~meet) T",
        ),
        "ENEMY_OF": (
            rf"{_BOTH} (?:were|had been|had ~become|had always been|remained|are) ~(?:enemies|foes|"
            r"at daggers drawn|at war|at feud|not on speaking terms|like cat and dog)",
            rf"(?:{_HATRED}|feud|quarrel|vendetta|bad blood|war) ~(?:divided|parted|separated|between|of|"
            r"lay between) E and T",
            r"no love (?:was )?lost between E and T",
            r"between E and T ~(?:hatred|enmity|war|feud|bad blood|hostility|quarrel)",
            r"E had ~(?:an? )?~enemy in T",
            r"to E,? T (?:was|is|had always been|would always be) ~(?:enemy|foe|adversary)",
            r"E had (?:never had|no) ~(?:enemy|foe) (?:like|than|but|such as|so \w+ as) T",
            r"E ~(?:enemy|foe) (?:of|to) T",
            r"E ~(?:was|is|been|proved|remained) ~T's ~(?:enemy|foe)",
        ),
        "DISTRUSTS": (
            r"E ~(?:trusted|believed) T (?:no (?:further|farther|more)|as little|about as)",
            r"E would ~(?:not|never|as soon) (?:have )?(?:trust|trusted|believe|believed) T",
            r"E ~(?:not|never|n't) (?:believe|believed|trust|trusted) (?:a|one|any|a single) (?:word|"
            r"syllable) "
            r"~T",
            r"E ~(?:distrust(?:ed|s)?|mistrust(?:ed|s)?|suspected) T",
            r"E ~(?:did|does|had|could|has) (?:not|never) trust(?:ed)? T",
        ),
    }
)
_TURNS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "FORGIVES": (
            r"E and T ~(?:made (?:it |matters |their quarrel )?up|(?:were|was) reconciled|shook hands|made "
            r"(?:their )?peace|friends again|buried the|forgave each other|became friends|good friends now|"
            r"embraced|understood each other)",
            r"E ~(?:forgave|forgiven|forgives|was reconciled (?:to|with)|made it up with|made E's peace with|"
            r"begged E's pardon of|asked pardon of|held out E's hand to|owed E's life to|was saved by) T",
            r"(?:quarrel|enmity|feud|coldness|hatred|misunderstanding|coolness|difference) between E and T "
            r"~(?:over|ended|forgotten|healed|made up|died|at an end|dead)",
            r"(?:peace|all forgiven|all was forgiven|friendship was restored|"
            r"reconciliation) ~between E and T",
            r"(?:reconciled|peace) ~E (?:and|with|to) T",
        ),
        "QUARRELS_WITH": (
            r"E and T ~(?:quarrell?ed|fell out|fallen out|broke(?:n)? (?:off|with)|came to blows|had words|"
            r"parted in anger|parted as enemies)",
            r"E ~(?:quarrell?ed|fell out|fallen out|broke|broken|had done) with T",
        ),
    }
)
_TURNINGS = tuple((name, wording(each)) for name, rows in _TURNS.items() for each in rows)
_PATTERNS = tuple((name, wording(each)) for name, rows in _WORDINGS.items() for each in rows)
_TRIGGER = re.compile(
    r"\b(?:lov\w+|ador\w+|worship\w*|dear\w*|heart|friend\w*|ally|allies|champion|comrades|inseparable|"
    r"trust\w*|"
    r"faith|confidence|believed?|relied|hat(?:e|es|ed|eful|red)|detest\w*|loath\w*|abhor\w*|despis\w*|odious|"
    r"bear|abide|endure|stomach|enem\w+|foes?|feud|enmity|grudge|ill-will|aversion|dislike\w*|contempt|"
    r"wished|"
    r"would have|would gladly|ground|world of|devot\w+|could not|cannot|can't|affection\w*|fond\w*|"
    r"tender\w*|cared?|distrust\w*|"
    r"mistrust\w*|daggers|revenged?|ruin|repugnan\w+|without|sight of|name of|brother|brothers|liked|"
    r"follow\w*|forg[ai]\w+|reconcil\w*|peace|shook hands|made|quarrel\w*|fell out|fallen out|loving|"
    r"hating|parted|blows)\b",
)
_UNSURE = re.compile(
    r"\b(?:if|whether|wonder\w*|pretend\w*|seem\w*|used to|once|ceased|no longer|might|may|must|perhaps|"
    r"suppos\w*|"
    r"fanc(?:y|ied)|imagin\w*|hoped?|dream\w*|thought (?:that )?§|as though|believed that|at first|until|"
    r"till|"
    r"unless|had she|had he|should|too dear|cost|dearly|forgot\w*|almost|nearly)\b|\?"
)
_DENIED = re.compile(r"\b(?:not|never|n't|nor|neither|hardly|scarcely|nothing|nobody|no one|no)\b")
_DENYING = re.compile(
    r"\b(?:not|never|n't|nobody|no one|nothing|none|no) (?:\w+ ){0,3}(?:secret|doubt|conceal\w*|hid\w*|"
    r"mistak\w*|"
    r"deny|denied|better|other|disguise)\b"
)

_SELF_DENYING = re.compile(
    r"\b(?:could not|cannot|could never|can never|can't|couldn't|could hardly|never been able|no love|"
    r"no friend|"
    r"no \w+ (?:friend|enemy|foe)|no (?:enemy|foe|ally)|nobody (?:but|so|except)|nothing (?:but|shake)|"
    r"no one|nobody|none|"
    r"anyone|never (?:liked|cared|forgiven|forgave|trust|had|so happy)|no (?:further|farther|more)|"
    r"not trust\w*|"
    r"(?:so|as|more) (?:dear|precious)|would (?:not|never)|not believe|never believe\w*|not on speaking|"
    r"no good will|never (?:hated|loved|trusted) (?:any|no)\w*|"
    r"never a friend)\b"
)


def read_bond_gist(
    chapter: ParsedChapter, arguments: Arguments, teller: Teller, *, known: Iterable[Statement] = ()
) -> None:
    """Adds to ``teller`` what is said of two people's bond in a sentence of which nothing of the kind was
    read, by the teller or among the ``known``. Costs a search of one pattern a paragraph, more only where
    a trigger stands."""
    told = {
        statement.evidence[0]
        for statement in (*teller.statements, *known)
        if statement.predicate in _BONDS and statement.modality in (Modality.FACT, Modality.REPORTED)
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
                patterns = _TURNINGS if span in told else (*_TURNINGS, *_PATTERNS)
                _tell(chapter, arguments, teller, (paragraph, sentence), patterns)


def _tell(
    chapter: ParsedChapter,
    arguments: Arguments,
    teller: Teller,
    where: tuple[ParsedParagraph, Sentence],
    patterns: Sequence[tuple[str, re.Pattern[str]]],
) -> None:
    paragraph, sentence = where
    found = masked(chapter, arguments, paragraph, sentence)
    if len(found.people) != 2 or _UNSURE.search(found.words):
        return
    bond = _bond(found, patterns)
    if bond is None:
        return
    predicate, one, other = bond
    scene = chapter.scenes[paragraph.prose.scene]
    modality = Modality.FLASHBACK if scene.flashback else Modality.FACT
    if scene.dream:
        modality = Modality.IMAGINED
    elif any(paragraph.spoken(word) for word in paragraph.tokens(sentence)):
        modality = Modality.REPORTED
    teller.tell(paragraph, paragraph.doc[found.opens], predicate, (one, other), modality, _SURE)


def _bond(
    found: Masked, patterns: Sequence[tuple[str, re.Pattern[str]]]
) -> tuple[str, Reference, Reference] | None:
    """The first wording that fits, in the order of the table;"""
    for predicate, pattern in patterns:
        match = pattern.search(found.words)
        if match is None or match["e"] == match["t"]:
            continue
        inside = _DENYING.sub("", found.words[: match.start()])
        if _DENIED.search(inside) and not _SELF_DENYING.search(match.group()):
            continue
        if _DENIED.search(match.group()) and not _SELF_DENYING.search(match.group()):
            continue
        return predicate, found.people[int(match["e"])], found.people[int(match["t"])]
    return None
