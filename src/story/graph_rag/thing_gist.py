"""What a sentence comes to about a thing, where no construction of grammar tells it: "lay at the bottom of
the sea", "found its way to the pawnbroker's", "his hand closed on it". The thing is masked, so that a wording
is looked for whatever the thing is called."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

from ..types import EntityKind, Modality
from .modality import modality_of
from .parsed import ParsedChapter, ParsedParagraph
from .thing_returns import RETURNED, SURE

__all__ = ["HOLDERS", "Turn", "gist_of"]

_LONGEST = 400  # characters of a sentence that is still about one thing
_IN_POINTING = frozenset({"det", "poss", "amod", "compound", "nmod", "nummod"})
_BITS = (
    r"(?:pieces|fragments?|splinters|shards|atoms|bits|ash(?:es)?|cinders|shreds|ruins?|halves|dust|"
    r"tatters|"
    r"ribbons|rags|smithereens|matchwood|powder|pulp|remnants?|wreck(?:age)?|embers|slag|scrap)"
)
_BE = r"(?:was|were|is|are|lay|lies|had been|has been|have been|being)"
_FILL = r"(?: [\w’'-]+){0,3}?"
_SOME = r"(?: (?!(?:its|his|her|their|among|amid|with|of)\b)[\w’'-]+){0,3}?"
_GAP = r"[^.;:!?“”\"]{0,45}?"
_OWN = r"(?:his|her|my|the|their|§(?:[’']s)?|[\w’']+[’']s?)"
HOLDERS = frozenset(
    """hand hands finger fingers fist palm palms arm arms lap knee knees neck throat breast bosom heart waist
    belt girdle wrist shoulder shoulders side hip ear ears hair head lips nose pocket pockets waistcoat coat
    sleeve purse bag reticule pillow elbow desk drawer chair bed bedside saddle feet person cheek mouth apron
    dress gown cloak bodice collar room""".split()
)
"""Parts of somebody, of his dress and of his place by which he has a thing at hand."""

_HOLDS = f"(?:{'|'.join(sorted(HOLDERS))})"
_TOUCH = (
    r"(?:in|on|upon|at|about|round|around|under|across|over|beside|against|between|by|from|to|"
    r"beneath|inside|out of)"
)
_LOST = "loses"
_IN_DOORS = (
    r"(?:\w+ )?(?:drawer|box|trunk|bag|chest|basket|sack|pocket|purse|cupboard|stairs|bed|case|crate|press|"
    r"garden|page|cup|bowl|hamper)"
)
_WORDINGS: tuple[tuple[str, float, str], ...] = (
    # destroyed
    ("destroys", 0.8, rf"¤,?{_GAP} (?:{_BE}|fell|fallen|went|gone|flew|came|come|broke|reduced|turned|"
                      r"burnt|"
                      rf"burned|ground|blown|shaken|torn|hacked|trampled|trodden){_FILL} (?:in|to|"
                      rf"into){_SOME} {_BITS}\b"),
    ("destroys", 0.8, rf"(?:to|into){_FILL} {_BITS}\b[^.;]{{0,20}}\b¤|\b(?:ground|crushed|hacked|stamped|"
                      r"beat|"
                      rf"dashed|tore|chewed|hammered|trampled|chopped|smashed|pounded|broke) ¤{_GAP} "
                      rf"{_BITS}\b"),
    ("destroys", 0.75, rf"\b(?:nothing|little|naught|nought|no more|not a (?:scrap|shred|thread|bit|trace))"
                       rf"\b{_GAP} of ¤|\ball that (?:was|is|were) left of ¤|\ball that (?:remained|"
                       r"remains|"
                       rf"survived) of ¤|\bnothing of ¤{_FILL} (?:left|remain\w*|surviv\w*)"),
    ("destroys", 0.75, r"\bof ¤,? (?:\w+ ){0,2}?(?:remained|survived|was left|were left|was saved) (?:\w+ )?"
                       r"(?:but|only|"
                       r"nothing|no more|little)\b"),
    ("destroys", 0.75, rf"\b{_BITS} of (?:what (?:was|had been) )?¤"),
    ("destroys", 0.75, rf"¤{_GAP} (?:past|beyond)(?: all| any)? (?:mending|repair|saving|use|help|"
                       r"recognition)\b"),
    ("destroys", 0.8, rf"\b(?:fed|gave|given|committed|consigned|cast|threw|flung|dropped|laid) ¤{_GAP} "
                      r"(?:to|on|upon|into|in) the (?:\w+ )?(?:flames?|fire|blaze|grate|stove|furnace|"
                      r"coals|pyre)\b"),
    ("destroys", 0.75, r"\b(?:watched|watching|saw|seen) ¤ (?:\w+ )?(?:burn\w*|blaze|melt\w*|blacken|"
                       r"shrivel|"
                       r"curl|smash\w*|shatter\w*|crumble|consumed)\b"),
    ("destroys", 0.75, r"\b(?:fire|flames|blaze) (?:had )?(?:\w+ )?(?:consumed|eaten|taken|devoured|had|"
                       r"made an end of|destroyed|left "
                       r"nothing of|finished) ¤|\bperished with ¤|¤ (?:had |has )?(?:\w+ )?(?:perished|"
                       r"been consumed|"
                       r"been reduced|ceased to (?:exist|be))\b"),
    ("destroys", 0.75, r"\b(?:broke|broken|snapped|sawed|sawn|split) ¤ (?:\w+ )?(?:across|over|upon|on|in "
                       r"two|asunder)\b"),
    ("destroys", 0.7, r"\b(?:wheels?|hoofs|hooves|cart|dray|waggon|wagon|train|carriage|coach|heel|boot) "
                      r"(?:\w+ ){0,6}?(?:over|upon|on) ¤"),
    ("destroys", 0.75, r"\bthe (?:destruction|ruin|wreck|breaking|burning|smashing|melting(?: down)?) of "
                       r"¤"),
    ("destroys", 0.75, r"¤ (?:had )?(?:served|gone|went|was used|did) (?:\w+ )?(?:for|as|to feed) (?:the "
                       r")?(?:firewood|kindling|fuel|stove|fire)\b"),
    ("destroys", 0.75, r"\b(?:moths?|rats?|mice|mouse|worms?|ants|termites|dogs?|puppy|goats?|cows?|acid|"
                       r"rust|damp|mould|fire|flames|bomb|shell|explosion|lightning|pulse) (?:had |has |have "
                       r")?(?:eaten|"
                       r"ate|devoured|chewed|gnawed|burned|burnt|destroyed|ruined|shattered|smashed|"
                       r"melted|burst|"
                       r"swallowed|rotted|spoil(?:ed|t))(?: up| out| away| through| to pieces)? "
                       r"(?:every one of |"
                       r"all (?:of )?)?¤"),
    ("destroys", 0.75, r"¤ (?:was|were|had been|got|is|has been) (?:\w+ )?(?:crushed|flattened|smashed|"
                       r"squashed|run over|trodden|trampled|eaten|chewed|gnawed|mangled|pulped) (?:\w+ "
                       r")?(?:under|beneath|"
                       r"by|flat|against|beyond|in the (?:crash|accident|fall|press))\b"),
    ("destroys", 0.75, r"¤[^.!?“”\"]{0,40}\b(?:there was|was) no mending\b|¤[^.!?“”\"]{0,50}\b(?:never|not|"
                       r"n't) (?:\w+ )?(?:to )?be (?:mended|repaired|put together|saved|fixed)\b"),
    # sunk and lost
    (_LOST, 0.8, r"¤ (?:had |was |were |has )?(?:been )?(?:blew|blown|whirled|carried|swept|washed|went|gone|"
                 r"flew|drifted|floated) (?:\w+ )?(?:out to sea|overboard|over the (?:side|cliff|edge|rail|"
                 r"parapet|falls)|down ?stream|down (?:with|off|in a (?:gale|storm|squall))|to the "
                 r"bottom|away (?:over|"
                 r"across|down|into|on) the)\b"),
    (_LOST, 0.85, rf"¤[^.!?“”\"]{{0,60}}\b(?:at|to|on|for|towards?) the (?:very |muddy |sandy )?"
                  rf"(?:bottom(?! of {_OWN} {_IN_DOORS})|"
                  r"sea-?bed|depths)\b|"
                  rf"\bthe (?:bottom|depths|bed) of the (?!{_IN_DOORS})[\w-]+[^.!?]{{0,30}}¤"),
    (_LOST, 0.8, r"\b(?:watched|saw|seen|heard) ¤ (?:\w+ ){0,2}(?:sink\w*|drown|go(?:ing)? (?:down|over|"
                 r"under)|vanish\w*|"
                 r"slide|slip|drift|float|carried|swept|borne)\b"),
    (_LOST, 0.8, r"\bthe (?:sea|river|lake|water|waves|tide|bog|marsh|flood|deep|stream|current|"
                 r"quicksands?|torrent) "
                 r"(?:had |has |have )?(?:\w+ )?(?:had|has|got|took|taken|swallowed|closed over|keeps|"
                 r"kept|carried|swept|claimed) ¤"),
    (_LOST, 0.8, r"¤ (?:had |was |were )?(?:slipped|slid|fell|fallen|gone|went|swept|washed|carried|"
                 r"knocked|blown|jerked|dropped)\b"
                 r"[^.;]{0,40}\b(?:overboard|over the (?:side|rail|cliff|edge|bulwarks?|gunwale|parapet)|"
                 r"down the (?:well|shaft|drain)|under the ice|"
                 r"(?:in|into|beneath|under) the (?:\w+ )?(?:sea|river|lake|water|waves|bog|marsh|well|"
                 r"torrent|stream|canal|harbour|"
                 r"ditch|swamp|chasm|ravine|crevasse|gorge|ocean|pond|current|surf))\b"),
    (_LOST, 0.8, r"\b(?:never|not)(?: \w+){0,3}? (?:saw|seen|see|sees|find|found|recover|recovered|"
                 r"regain\w*|get|got|had|"
                 r"have|(?:set|lay|laid|clap|clapped) eyes (?:up)?on|look(?:ed)? (?:up)?on|hold|held|"
                 r"touch(?:ed)?|hear of|heard of|wear|worn|play(?:ed)?|"
                 r"handle[d]?|possess(?:ed)?|own(?:ed)?)[^.;]{0,25}? ¤[^.;]{0,20}? (?:again|any ?more|"
                 r"more|back|since)\b|"
                 r"\b(?:nobody|no one|no man|no search)\b[^.;]{0,25}? (?:found|find|recovered) ¤"),
    (_LOST, 0.8, r"¤[^.!?“”\"]{0,40} (?:was|were|is|had|has) (?:never|not)(?: \w+)? (?:\w+ )?(?:seen|"
                 r"found|recovered|heard of|"
                 r"traced|returned|restored|turned up|come back|came back)\b|¤[^.!?“”\"]{0,60}\bno (?:\w+ "
                 r")?(?:search|trace|sign)\b"),
    (_LOST, 0.8, r"¤ (?:was|were|is|had|has|[’']s)(?: [\w-]+){0,2}? (?:gone|lost|vanished|disappeared|"
                 r"missing) "
                 r"(?:to (?:him|her|me|them) )?(?:(?:and |now )?(?:for ever|forever|for good|for always|"
                 r"past recall|beyond recall|"
                 r"beyond (?:all )?(?:hope|recovery)|irrecoverably|irretrievably|down|with the|in the "
                 r"(?:wreck|fire|flood)|"
                 r"past (?:all )?(?:hope|finding)|without (?:a )?trace|out of (?:his|her|my))|never)\b"),
    (_LOST, 0.75, r"\b(?:no trace|no sign|not a trace) of ¤|\bthe (?:loss|disappearance|sinking) of ¤|"
                  r"¤[’']s loss\b"),
    (_LOST, 0.75, r"\bleft ¤ (?:behind |lying )?(?:in|on|under) (?:a|the) (?:cab|train|tram|omnibus|"
                  r"hackney|railway|inn|hotel|"
                  r"coach|carriage|bench|seat|waiting)[^.!?]*\b(?:never|no)\b|\blost (?:sight|track) of ¤ "
                  r"for\b"),
    (_LOST, 0.75, r"¤ (?:was|is|[’']s) (?:now )?no (?:more|longer (?:his|hers|mine|in (?:his|her|my|the) "
                  r"(?:hands|possession|keeping|house)))\b|"
                  r"\b(?:had|has|have|owned|possessed|wore|carried) no longer ¤|\bno longer (?:had|has|"
                  r"have|owned|possessed|wore|carried) ¤"),
    # sold and pledged
    ("sells", 0.8, r"¤,?[^.!?“”\"]{0,45} (?:pawned|in pawn|in pledge|pawn-?(?:shop|broker|ticket)\w*|up "
                   r"the spout|under the hammer|"
                   r"to the (?:auction\w*|highest bidder|melting[- ]pot|second-hand|money-?lender\w*|"
                   r"dealers?|jews?)|by auction|at auction|at the auction|"
                   r"found (?:a|another|its) (?:buyer|purchaser|customer|owner|master))\b"),
    ("sells", 0.8, r"\b(?:pawned|pledged|hocked|bartered|swapped|swopped|trucked|auctioned|traded|cashed|"
                   r"disposed of) ¤|\bexchanged ¤ for (?!an? \w+ one|another|his|her|the|one|those)|"
                   r"\bpawn-?(?:shop|broker|ticket)[^.;]{0,40} ¤|\b(?:let|letting) ¤ go\b(?: for| to| at|"
                   r"[.,;])|"
                   r"\b(?:buyer|purchaser|customer) for ¤|¤ (?:had |has )?fetched (?:a|but|only|some|more|"
                   r"nothing|\w+ \w+)\b|\bturn(?:ed|ing) ¤ into (?:money|cash|bread|gold)|"
                   r"\b(?:got|had|given|received|paid|pocketed) [\w -]{0,25}(?:pounds?|guineas?|"
                   r"shillings?|dollars?|francs|pence|crowns?|sovereigns?|money|price|sum)(?: \w+){0,2} "
                   r"for ¤|\bthe (?:sale|selling|pawning|auction) of ¤|"
                   r"\b(?:price|money|proceeds|pounds|guineas|shillings|dollars|sum)\b[^.;]{0,30} (?:for|"
                   r"of) ¤"),
    # given away and staked
    ("gives", 0.75, r"\b(?:bestow(?:ed|ing)|conferr(?:ed|ing)|bequeath(?:ed|ing)|relinquish(?:ed|ing)|"
                    r"renounced|resigned|"
                    r"yielded(?: up)?|made over|signed over|settled|willed|gambled away|diced away|played "
                    r"away|wagered away|"
                    r"frittered away|parted(?: company)? (?:with|from)|part with) ¤|"
                    r"\b(?:present|gift|offering|sacrifice) of ¤|\b(?:gambled|diced|drunk|drank|gamed) ¤ "
                    r"away\b"),
    ("gives", 0.75, r"¤ (?:\w+ ){0,3}(?:passed|went|gone|fallen|come|came) (?:\w+ ){0,2}(?:out of|from|"
                    r"into|to) (?:[\w§’']+ ){0,2}"
                    r"(?:hands|keeping|possession|family)\b|¤ (?:belong\w*|was|is)(?: now)?(?: to)? "
                    r"(?:another(?: man| woman|[’']s)|"
                    r"somebody else(?:[’']s)?|someone else(?:[’']s)?|a stranger(?:[’']s)?|other people)\b|"
                    r"\b(?:bade|told|begged|bidding|telling|begging) (?:him|her|them|§|the \w+) (?:to "
                    r")?keep ¤|"
                    r"\b(?:pressed|put|thrust|slipped|laid) ¤ (?:\w+ ){0,2}into [^.;]{0,40}\b(?:to keep|"
                    r"for (?:his|her|their) own|for good)\b"),
    ("gives", 0.75, r"\b(?:staked|wagered|bet|ventured|risked) ¤[^.!?“”\"]{0,40}\blost\b|\b(?:won|"
                    r"cheated) ¤ (?:from|of)\b"),
    ("steals", 0.75, r"\b(?:robbed|relieved|deprived|stripped|despoiled|plundered|cheated|swindled) of ¤|"
                     r"\bthe (?:theft|robbery|stealing) of ¤|"
                     r"\b(?:made|making|run|ran|gone|got|went) (?:away|off|clear) with ¤|"
                     r"\b(?:thie(?:f|ves)|burglars?|robbers?|pickpockets?|highwaymen|highwayman|"
                     r"looters?|bandits?|"
                     r"pirates?|muggers?|footpads?)\b[^.;?!“”]{0,60}\b(?:took|taken|stole|stolen|carried off|"
                     r"lifted|pinched|nicked|had|cleared out|emptied) (?:away )?¤(?! back)"),
)  # fmt: skip
_GONE = tuple((act, sure, re.compile(words)) for act, sure, words in _WORDINGS)
_STILL = r"(?:still|always|yet|ever|never failed to)"
_KEPT = tuple(
    re.compile(words)
    for words in (
        rf"¤,?{_FILL} (?:\w+ ){{0,2}}{_TOUCH} {_OWN} (?:\w+ ){{0,2}}{_HOLDS}\b(?! (?:for|to) (?:ever|good|"
        r"keep))",
        r"¤ (?:lay|stood|hung|rested|was|leaned|leant|dangled)(?: \w+){0,3} (?:beside|before|near|by|with|"
        r"within reach of|next to|next|behind) (?:him|her|me|them|§)(?![’']s)|\b(?:lay|stood|hung) ¤ "
        r"(?:beside|before|near|by) (?:him|her|me|§)",
        r"\b(?:hands?|fingers?|fist|palm|grip|grasp|arms?|eyes?) (?:\w+ ){0,2}(?:closed|tightened|"
        r"rested|strayed|went|crept|"
        r"stole|lay|were|was|played|flew|shut|met|felt|groped|dropped|folded|clasped) (?:\w+ "
        r"){0,2}(?:on|upon|round|around|about|over|to|with|for) ¤",
        r"\b(?:never|not)\b[^.;]{0,30} (?:seen|stirred?|moved?|went|gone|go|left|slept|travel\w*|out|"
        r"appear\w*|abroad|ride|walk\w*) (?:\w+ ){0,3}without ¤",
        rf"\b{_STILL} (?:\w+ )?(?:had|kept|keeps|has|owned|possessed|carried|wore|used|bore|held|guarded|"
        r"treasured|hung|clung to|lay) ¤|"
        rf"\b(?:had|has|kept|carried|wore) ¤ {_STILL}\b|¤ {_STILL} (?:hung|lay|stood|was|ticked|went|"
        r"served|kept|worked|shone)\b",
        r"\b(?:by (?:the )?(?:aid|means|help|light)|the (?:sound|hum|click|whirr?|clatter|clack|rattle|"
        r"squeak|ticking|tick|notes?|tones?|strains|music|"
        r"flash|point|edge|butt|barrel|lid|"
        r"strings|back|light|beam|weight|touch|feel|pages?|clasp|hilt|handle|end|cord|chain|face|dial|"
        r"case)) of ¤",
        r"¤ (?:sounded|ticked|rang|struck|chimed|flashed|glittered|gleamed|shone|sparkled|cracked|barked|"
        r"peeped|poked|stuck|bumped|jingled|"
        r"clinked|banged|knocked|tapped|pointed to|told (?:him|her|me)|said|showed|marked|swung)\b",
        r"\b(?:felt|feeling|fumbled|fumbling|groped|reached|reaching|hunted|dived) (?:\w+ ){0,4}(?:for|"
        r"after) ¤",
        r"\b(?:fetched|brought|unhooked|unlocked|unwrapped|took down|got out|pulled out|drew out|"
        r"produced) ¤",
        r"\b(?:light|sun|fire|moon|lamp|firelight|sunlight|candlelight)\b[^.;]{0,30} (?:caught|fell on|"
        r"touched|struck|glinted on|played on|shone on|"
        r"gleamed on|flashed on|winked on) ¤",
        r"¤ in (?:his |her |my |one |either )?(?:hand|lap|arms)\b|\bwas (?:it|only)? ?(?:up)?on ¤ that\b|"
        r"\b(?:borrowed|begged the loan of|had the loan of|asked leave to (?:see|try|use)) ¤ (?:from|of)\b",
        r"\b(?:sat|seated|sitting|sits)(?: down)?(?: again)? (?:at|to) ¤|\bunder ¤,? (?:§|he\b|she\b)",
        r"\b(?:picked up|put by|put away|put back|tidied away|moved|handed (?:him|her|me|up)|passed "
        r"(?:him|her|me)) ¤(?: that| which)?",
    )
)  # fmt: skip
_SHOWN = re.compile(
    r"\b(?:here|there)(?: is|[’']s| are| was) ¤|\bi(?: have|[’']ve)(?: got| still)? ¤ (?:here|with me|"
    r"about me|on me|in (?:my|this)|round my|at my)|\bthis is ¤|\btake ¤ from|\blook at ¤|\bi (?:still |"
    r"always )?"
    r"(?:wear|carry|keep|use|play) ¤"
)
_UNTOLD = re.compile(
    r"\b(?:if|unless|whether|almost|nearly|well-nigh|as though|dream\w*|imagin\w*|fanc(?:y|ied)|suppos\w+|"
    r"wish\w*|hop(?:e|ed|ing)|"
    r"fear\w*|afraid|dread\w*|might|could|would|should|may|must|will|shall|perhaps|refus\w+|threat\w+|"
    r"rather than|lest|like|"
    r"pretend\w*|seem\w*|thought of|think of|meant to|mean to|intend\w*|going to|wanted|offered to|about "
    r"to|tried|try|"
    r"before|until|till|in those days|used to|once|remember\w*|instead of|all but|save|except|"
    r"except(?:ing)?|but for)\b|\?"
)
_IT = frozenset({"it", "them"})
_MANY = re.compile(r"§(?: §)+")
_NOT = re.compile(r"\b(?:not|never|nor|neither|hardly|scarcely|no|without|missed|wanted|longed)\b|n[’']t\b")
_MET = frozenset({None, Modality.PLANNED, Modality.IMAGINED})
_FREE = frozenset({Modality.FACT, Modality.FLASHBACK, Modality.REPORTED})


class Turn(StrEnum):
    """What a sentence may come to about a thing: its use ends, it comes back, or somebody has it."""

    GONE = "gone"
    BACK = "back"
    KEPT = "kept"


def gist_of(
    chapter: ParsedChapter, paragraph: ParsedParagraph, noun: Any, turn: Turn
) -> tuple[str, float, Any, Modality] | None:
    """(act, how surely, the clause's verb, how the text vouches for it) for the thing at ``noun``. None where
    nothing of the kind is told, or it is denied, thought or wished. Costs a search of each pattern in one
    sentence."""
    text, before = _masked(chapter, paragraph, noun)
    if not text:
        return None
    if turn is Turn.KEPT:
        found = _has(text, spoken=paragraph.spoken(noun))
    else:
        found = _gone(text) if turn is Turn.GONE else _back(text)
    if found is None:
        return None
    act, sure, (start, end) = found
    rest = text[:start] + " " + text[end:]
    if noun.lower_ in _IT and " of ¤" in text[start:end]:
        return None
    if _UNTOLD.search(rest) or (_NOT.search(text[max(0, start - before) : start])):
        return None
    verb = _verb(noun)
    told = modality_of(chapter, paragraph, verb) if verb is not None else Modality.FACT
    if told is Modality.PLANNED and "never" in text[start:end]:
        told = Modality.REPORTED if paragraph.spoken(noun) else Modality.FACT
    if told is Modality.NEGATED or (told is None and paragraph.spoken(noun)):
        told = Modality.REPORTED if paragraph.spoken(noun) else Modality.FACT
    return (act, sure, verb if verb is not None else noun, told) if told in _FREE else None


def _gone(text: str) -> tuple[str, float, tuple[int, int]] | None:
    for act, sure, words in _GONE:
        if (found := words.search(text)) is not None:
            return act, sure, found.span()
    return None


def _back(text: str) -> tuple[str, float, tuple[int, int]] | None:
    for words in RETURNED if _gone(text) is None else RETURNED[:SURE]:
        if (found := words.search(text)) is not None:
            return "regains", 0.75, found.span()
    return None


def _has(text: str, *, spoken: bool) -> tuple[str, float, tuple[int, int]] | None:
    if spoken:
        found = _SHOWN.search(text)
        return ("uses", 0.75, found.span()) if found is not None else None
    for words in _KEPT:
        if (found := words.search(text)) is not None:
            return "uses", 0.75, found.span()
    return None


def _masked(
    chapter: ParsedChapter, paragraph: ParsedParagraph, noun: Any, *, around: int = 30
) -> tuple[str, int]:
    """The sentence in lower case with the thing as "¤", and how many characters before a match may deny it;
    empty where the sentence is too long."""
    doc = noun.doc
    sentence = paragraph.sentence(noun)
    first = noun
    for child in noun.children:
        if child.dep_ in _IN_POINTING and child.i < first.i and child.left_edge.i >= sentence.start:
            first = child.left_edge
    words: list[str] = []
    for token in doc[sentence.start : sentence.end]:
        if first.i <= token.i < noun.i:
            continue
        number = paragraph.mention_of.get(token.i)
        named = number is not None and chapter.mentions[number].kind is EntityKind.CHARACTER
        if named and token.i != noun.i and token.tag_ != "POS":
            words.append("§" + (" " if token.whitespace_ or token.is_space else ""))
            continue
        words.append(
            ("¤" if token.i == noun.i else token.lower_)
            + (" " if token.whitespace_ or token.is_space else "")
        )
    text = _MANY.sub("§", " ".join("".join(words).split()))
    return (text, around) if len(text) <= _LONGEST else ("", 0)


def _verb(noun: Any) -> Any | None:
    node = noun
    while node.pos_ not in ("VERB", "AUX"):
        if node.head.i == node.i:
            return None
        node = node.head
    return node
