"""Wordings by which ``traits.wordings`` knows a trait without its grammar, and those that speak against
one."""

from __future__ import annotations

import re

from ...lexicon.trait_words import FIELDS, HAIR_NOUNS
from ...time.amounts import NUMBER
from .handedness import HAND_TRIGGER

__all__ = [
    "AGED", "ALLOWED", "BETTER", "BORN", "CALLED", "COLOURLESS", "FEET", "LONG_SINCE", "MAIMED",
    "NEVER_THE_BETTER",
    "PLACES", "TRIGGER", "UNTOLD", "WORSE",
]  # fmt: skip

_TRADE = "|".join(sorted(FIELDS, key=lambda word: (-len(word), word)))
_LOCKS = "|".join(sorted(HAIR_NOUNS))


def _word(pattern: str, *, case: bool = False) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE if not case else 0)


_SKILLED = (
    r"wr(?:ote|ite|iting|ites|itten)|sign(?:ed|s|ing)?|fenc(?:ed|es|ing)|draw(?:s|ing)?|drew|sew(?:ed|s|"
    r"ing)?|stitch(?:ed|es|ing)?|paint(?:ed|s|ing)?|threw|throws?|throwing|bowl(?:ed|s)?|dealt|deals?|"
    r"prefer\w*|favou?r\w*|trust\w*|use[sd]?|using|does|did|do|done|doing|everything|better|stronger|"
    r"cleverer|nature|preference|habit|way|always|pen|pencil|quill|brush|needle"
)
_HABIT = (
    r"always|ever|habit\w*|custom\w*|wont|invariably|usually|generally|naturally|by nature|all (?:his|her|"
    r"my) life|from (?:a|his|her|my) (?:boy|girl|child|birth|cradle)\w*|the (?:only )?(?:one|hand) (?:that )?"
    r"(?:he|she|I)\b|(?:with|in) which (?:he|she|I)|as (?:he|she|I) (?:did|does|do|held|used|wrote|would)"
)
_MASTER = (
    r"better|best|stronger|good|master|cleverer|cleverest|readier|handier|surer|ready|working|sword|pen|"
    r"skilful"
)
_LIMB = r"(?:ear|eye|foot|leg|arm|side|shoulder|knee)"
_CLUMSY = r"nothing|little|clumsy|useless|awkward|helpless"
BETTER = (
    _word(r"(left|right)[- ]hander"),
    _word(rf"(left|right) hand\b[^.;]{{0,60}}?\b(?:{_HABIT})"),
    _word(rf"(?:{_HABIT})\b[^.;]{{0,60}}?\bwith (?:the|his|her|my|your) (left|right)(?: hand)?"),
    _word(rf"(left|right)(?: hand)?,? (?:was|is|being|which was|that was) (?:always )?(?:the|his|her|my) "
          rf"(?:{_MASTER})"),
    _word(r"(?:clever\w*|deft\w*|quick\w*|skilful|handy|handier|readier|strong\w*|at home) with "
          r"(?:the|his|her|my|your) (left|right)"),
    _word(r"(left|right)[- ]hand(?:ed|er|edness)"),
    _word(rf"(left|right)(?: hand| one)?\b[^.;]{{0,40}}?\b(?:{_SKILLED})"),
    _word(rf"(?:{_SKILLED})\b[^.;]{{0,40}}?\b(?:the|his|her|my|your) (left|"
          rf"right)(?: hand)?(?= *[.,;:!?”\"]| and| so| as)"),
)  # fmt: skip
"""Which hand is the better one; the first group is the side."""

WORSE = (
    _word(rf"(left|right) hand (?:was|is|had (?:always |never )?been) (?:\w+ )?(?:of |any )*"
          rf"(?:no|little|{_CLUMSY})"),
    _word(rf"(?:{_CLUMSY}) (?:\w+ ){{0,6}}?with (?:the|his|her|my|your) (left|right)(?: hand)?"
          rf"(?! \w*{_LIMB})"),
    _word(rf"with (?:the|his|her|my|your) (left|right) hand[^.;]{{0,40}} (?:{_CLUMSY})"),
    _word(r"(?:teach|taught|make|made|train|trained|force|forced|beaten|beat|learnt?|learned) (?:\w+ ){0,6}?"
          r"(?:to|into) us(?:e|ing) (?:the|his|her|my|your) (left|right)(?: hand)?"),
    _word(r"(left|right)(?: hand)? was (?:never|not) (?:any|much|of)"),
    _word(r"never (?:\w+ )?(?:learnt?|learned|taught) to (?:\w+ ){0,3}?with (?:the|his|her|my) (left|right)"),
)  # fmt: skip
"""Which hand is the worse one."""
MAIMED = _word(
    r"wound\w*|hurt|broken?|bandage\w*|sling|sprain\w*|lost|disabled|injur\w+|cramped?|burn\w*|numb\w*|"
    r"shot|swollen|cut|stiff\w*|palsied|withered|paraly\w+|if|should|might|even"
)
NEVER_THE_BETTER = _word(
    r"wound\w*|hurt|broken?|bandage\w*|sling|useless|sprain\w*|lost|disabled|for once|this time|injur\w+|"
    r"clumsy|cramped?|even|as well as|both|not|never|nor|turn(?:ed|ing)? (?:to|left|right)|road|street|"
    r"door|window|side|corner|path|bank|all right|right(?:ly)? (?:to|that|when|away|there|here|enough|man|"
    r"thing|word|and wrong)|(?:a|the) right|had left|has left|have left|was left|were left|been left|left "
    r"(?:the|him|her|them|it)|if|should|might|would|eye|ear|foot|leg|shoulder|cheek|on (?:his|her|my|the) "
    r"(?:left|right)"
)
COLOURLESS = _word(
    r"lamplight|firelight|moonlight|candlelight|dusk|weeping|rage|anger|fury|glass(?:es)?|spectacles|"
    r"dye[ds]?|dyeing|wigs?|powder\w*|others?|another|one eye|once|used to|doll\w*|dog\w*|cat\w*|horse\w*|"
    r"an? (?:\w+ )*face|figure|portrait|picture|black eyes?|flash\w*"
)
CALLED = tuple(
    _word(pattern)
    for pattern in (
        rf"(?:only|village|town|country|parish|local|family|cheapest|busiest) ({_TRADE})",
        rf"no (?:better|other|worse|cleverer|honester|finer) ({_TRADE}) (?:than|but|in)",
        rf"of (?:all )?the ({_TRADE})s",
        rf"(?:by (?:profession|trade|calling),?|sign of|being|like any) an? ({_TRADE})",
        rf"like (?:the|every|any|all|a true) ({_TRADE})s?(?: that)? (?:he|she) (?:was|is)",
        rf"({_TRADE})[’']s (?:trade|apron|sign|tools|business|craft|hands|life|board|bench)",
        rf"an? ({_TRADE}),? (?:and )?(?:by (?:trade|profession|calling)|for (?:\w+ ){{1,3}}years)",
        rf"trade of (?:an? )?({_TRADE})",
        rf"apprenticed to an? ({_TRADE}),? .*\bone (?:him|her)self",
        rf"(?:known|served|acted|set up|settled) (?:\w+ )?as (?:an?|the) ({_TRADE})",
        rf"the ({_TRADE})[’']s name was",
    )
)
BORN = _word(
    r"(?:was|were|been|be|is) born|born (?:and bred|in|at)|(?:man|woman) by birth|gave birth to|given "
    r"birth to|birthplace|native (?:town|city|village|soil|air)|(?:brought|came|come|entered) into th(?:e|"
    r"is) world|(?:saw|seen|see) the (?:light|day)|first (?:saw|seen) (?:light|day)|first breath|cradle|"
    r"christened|baptised|baptized|by birth|of (?:his|her|my) birth|(?:his|her|my) birth|the birth of|"
    r"opened (?:his|her|my) eyes in|birth of"
)
PLACES = (
    re.compile(r"\b[Aa]n? ([A-Z][a-z]+?)(?:er|ian|ite|ese)\b,? (?:by birth|born)\b"),
    re.compile(r"\b[Aa]n? ([A-Z][\w-]+) (?:man|woman|girl|boy|lad) (?:by birth|born)\b"),
    re.compile(r"^\W*(?:It was (?:in |at )?)?([A-Z][\w-]+)(?= was| is| had| that| in| where|[’']s|"
               r", (?:the|his|her|where))"),
    re.compile(r"\b(?:[Ii]n|[Aa]t|[Oo]f|[Nn]ear|[Oo]utside|[Bb]eside|[Ww]ithin)"
               r"(?: the (?:town|city|village|parish) of)? ([A-Z][\w’-]+)"),
)  # fmt: skip
_BUT = (
    r"(?! ?(?:pounds|miles|pages|times|shillings|o.clock|paces|yards|guineas|minutes|men|people|per |feet|"
    r"foot|inches|stone))"
)
FEET = re.compile(
    rf"\b(?:stood|stands|standing|measured|man of|woman of|height of|was|is|being|rose to|at) "
    rf"((?:four|five|six|seven) (?:feet|foot)(?:,? (?:and )?(?:{NUMBER})\b)?)"
    r"(?! (?:away|from|off|of|deep|wide|long|apart|below|above|thick|further|farther|nearer|high wall))",
    re.IGNORECASE,
)
AGED = (
    _word(rf"(?:the age of|aged|owned to|confessed to|admitted to|turned of|being"
        rf"(?: only| but| just| already| now)?) ({NUMBER}){_BUT}"),
    _word(rf"(?:is|was|were|am|be|been) (?:but|only|just|now|barely|already|then) ({NUMBER}){_BUT}"),
    _word(rf"({NUMBER})[- ]years?[- ](?:old|of age)"),
    _word(
        rf"({NUMBER}) (?:years|summers|winters|springs) (?:had not|had scarcely|had bent|had left|had "
        rf"whitened|in the world|of life|upon (?:his|her)|on (?:his|her)|behind|lightly)"
    ),
    _word(rf"(?:is|was|were|am) ({NUMBER})(?: now| then)? if (?:he|she|I) (?:is|was|were) a day"),
    _word(rf"at ({NUMBER})(?=,? (?:[\w.]+ )?(?:[A-Z]\w+ )?(?:was|is|knew|could|had (?:never|still|no|not|"
          rf"already)|still|has)\b)"),
    _word(rf"at ({NUMBER}),? (?:[A-Z][\w.]* ){{1,2}}(?:thought|felt|reflected|considered|believed)"),
    _word(rf"(?:all|no more than|set down (?:\w+ )*as|passport made \w+) (?:of )?({NUMBER}){_BUT}"
          r"(?= *[,.;!?”\"]| and)"),
    _word(rf"({NUMBER}) candles"),
    _word(rf"been ({NUMBER}) (?:since|in) [A-Z]"),
)  # fmt: skip
LONG_SINCE = _word(
    r"ago|when|then|before|once|until|till|by then|used to|would be|remember\w*|ran away|married|went|"
    r"began|died|left|"
    r"first|o.clock|at that time|in those days|about|nearly|almost|perhaps|hardly|scarcely a|over|under|past|"
    r"not yet|between|more than|less than|look\w*|seem\w*|a man of|a woman of|a boy of|a girl of"
)
UNTOLD = re.compile(
    r"\b(?:not|never|nor|neither|nobody|none|if|whether|might|could|may|should|would|seem\w*|appear\w*|"
    r"as though|suppose\w*|fanc(?:y|ied)|imagin\w*|wish\w*|pretend\w*|almost|nearly|dream\w*|perhaps|become|"
    r"became|becoming|turned (?!of|away|to|round)|hated?|prefer\w*|lov(?:e|es|ed)|likes|admired?|"
    r"used to be)\b|"
    r"n[’']t\b|(?<!ships)\?",
    re.IGNORECASE,
)
ALLOWED = re.compile(
    r"could not (?:look|help|meet|see)|if (?:he|she|i) (?:is|was|were) a day|impossible|\bat [\w-]+,? "
    r"(?:\w+ )*?could|nobody (?:else|could|would|who)|never (?:saw|seen|mention\w*|forg\w+|left|had never|"
    r"been)|not forgotten|had not (?:faded|bent|left|taught)|would have known|could have (?:told|known)|no "
    r"better|"
    r"had never|one could|may be seen|not a (?:thread|grey|gray)",
    re.IGNORECASE,
)
TRIGGER = re.compile(
    rf"\b(?:{HAND_TRIGGER}|eyes?|{_LOCKS}|head|feet|foot|left|right|birth|born|native|world|birthplace|light|breath|cradle|christened|"
    rf"age|aged|passport|confessed to|admitted to|"
    rf"years?|summers|winters|candles|at (?:{NUMBER})|a day|owned to|turned of|"
    rf"(?:but|only|just|now|being|been) (?:{NUMBER})|(?:{_TRADE})(?:[’']?s)?)\b",
)
