"""Words that tell how one person stands to another, in classes by what they are built with: over masked
sentences (``masked.masked``), where people are "§0" and "§1". Nouns and adjectives of feeling after Levin
(1993), 31.1 to 31.3, and Roget's heads 887 to 898 (friendship, enmity, love, hate, endearment)."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["BARE", "TONES", "Tone"]

_KIN = (
    r"(?:(?:the|his|her|their|my|your|our|old|young|own|poor|dear|that|this|only|little|late|elder|younger|"
    r"§\d's|cousins?|brothers?|sisters?|sons?|daughters?|wife|husband|uncle|aunt|nephew|niece|father|"
    r"mother|friend|master|mistress|captain|partner|neighbou?r|guardian|ward|employer|servant|teacher|"
    r"pupil|child|step[\w-]+|[\w]+-in-law|and|both),? ){0,4}"
)
_T = rf"{_KIN}§(?P<t>\d)(?!'s)"
_OWN = rf"{_KIN}§(?P<t>\d)(?!'s (?!name|voice|face|company|presence|very|step|touch|name))"
_E = rf"{_KIN}§(?P<e>\d)(?!'s)"
_GAP = r"(?:[\w’'-]+,? ){0,3}?"
_WARM_NOUN = (
    r"(?:love|affection|tenderness|devotion|fondness|adoration|friendship|attachment|warmth|kindness|"
    r"gratitude|regard|esteem|trust|confidence|faith|reverence|passion|goodwill|good-will|loyalty|liking|"
    r"delight|joy|pride|comfort|soft spot|soft corner|warm place|worship|sympathy)"
)
_COLD_NOUN = (
    r"(?:hatred|hate|loathing|detestation|dislike|aversion|contempt|abhorrence|animosity|enmity|hostility|"
    r"antipathy|repugnance|disgust|malice|venom|scorn|rancour|rancor|spite|bitterness|resentment|disdain|"
    r"distrust|mistrust|ill[- ]will|ill[- ]feeling|grudge|rage|fury|horror|revulsion|bad blood|feud|war|"
    r"abomination|coldness|vengeance|jealousy)"
)
_WARM_ADJ = (
    r"(?:fond|devoted|attached|kind|devotedly attached|considerate|sweet|generous|smitten|kindness itself|"
    r"good|gentle|tender|proud|enamou?red|in love|affectionate|loyal|faithful|partial|grateful|wrapped up|"
    r"happy|happiest|happier|drawn|intimate|friendly)"
)
_COLD_ADJ = (
    r"(?:hostile|cruel|harsh|cold|brutal|rude|insolent|savage|merciless|set|prejudiced|embittered|civil "
    r"enough|bitter|unkind|indifferent|spiteful|jealous|suspicious|envious|contemptuous|scornful|distant|"
    r"estranged|implacable|vindictive|unforgiving|barely civil|hardly civil|at odds|at war|at enmity|at "
    r"feud|at daggers drawn|on bad terms|on ill terms)"
)
_DEAR = r"(?:dear|dearer|dearest|precious|beloved|everything|all the world|all in all|sacred)"
_ODIOUS = (
    r"(?:hateful|odious|repugnant|repulsive|loathsome|detestable|abhorrent|insupportable|intolerable|"
    r"unbearable|poison|gall|wormwood|an abomination|obnoxious|offensive|disgusting|distasteful|a horror|a "
    r"torment|a terror)"
)
_HOLD = r"(?:thought|found|considered|believed|called|calls|deemed|held|voted|thinks|finds|considers|knew)"
_GOOD = (
    r"(?:(?:kindest|sweetest|dearest|best|noblest|finest|truest|cleverest|most (?:delightful|charming|"
    r"admirable|amiable|generous|lovable))\b|(?:angel|saint|treasure|darling|brick|trump|jewel|blessing|"
    r"hero|heroine|friend)\b)"
)
_BAD = (
    r"(?:scoundrel|villain|liar|hypocrite|rogue|knave|fiend|monster|viper|wretch|cheat|brute|bore|snake|"
    r"beast|bully|tyrant|nuisance|prig|devil|cad|upstart|serpent|toad|reptile|hussy|minx|shrew|vixen|fraud|"
    r"humbug|rascal|blackguard|cur|hound|pest|traitor|coward)\b"
)
_WAS = r"(?:was|is|were|are|been|be|became|become|remained|proved|grew|grown|felt|feels|seemed)"
_DOTED = (
    r"(?:love[sd]?|adore[sd]?|worship(?:s|ped|ed)?|cherishe[sd]|treasure[sd]?|idoli[sz]e[sd]?|"
    r"venerate[sd]?|revere[sd]?|doted? (?:up)?on|trust(?:s|ed)?|relied (?:up)?on|believed in|clung to|"
    r"stood by|looked up to|took to|taken to|made much of|thought (?:the world|highly|everything|all the "
    r"world) of|(?:could|would) (?:not|never) (?:live|do|be happy|exist|bear to live|bear to be) (?:a \w+ "
    r")?(?:without|apart from|away from)|would (?:have )?(?:die|died|go through fire(?: and water)?|gone "
    r"through fire(?: and water)?|lay down (?:his|her|my|§\d's) life|laid down (?:his|her|my|§\d's) life|"
    r"given? (?:his|her|my|§\d's) (?:life|right hand|last \w+)|do anything|done anything|shed (?:his|her|"
    r"my|§\d's) (?:last )?blood) for|(?:had|has|have|lived|living) no (?:joy|happiness|pleasure|comfort|"
    r"thought|eyes|friend|companion|life|wish) (?:but (?:in|for)?|except(?: in)?|like|save)|live[sd]? "
    r"(?:only )?for|counted the (?:hours|days) (?:until|till|to)|missed|longed for|pined for|ached for|"
    r"confide[sd]? (?:everything |all )?in|took (?:up )?the part of|care[sd]? (?:deeply|dearly|more|so "
    r"much|greatly|very much|a great deal) for)"
)
_SPURNED = (
    r"(?:hate[sd]?|detest(?:s|ed)?|loathe[sd]?|abhor(?:s|red)?|despise[sd]?|execrate[sd]?|dislike[sd]?|"
    r"scorn(?:s|ed)?|resent(?:s|ed)?|distrust(?:s|ed)?|mistrust(?:s|ed)?|curse[sd]?|shunned|avoid(?:s|ed)|"
    r"persecuted|tormented|bullied|snubbed|care[sd]? (?:nothing|not a \w+|not two \w+|little|not at all) "
    r"(?:for|about)|(?:could|can|would|will)(?: not|not|n't| never| hardly| scarcely) (?:abide|bear|endure|"
    r"stand|stomach|suffer|tolerate|forgive)(?: to (?:look at|be near|be with|sit with|sit by|be in the "
    r"same room with))?(?: the (?:very )?(?:sight|name|thought|presence|company|sound|voice) of)?|(?:has|"
    r"had|have|wanted|wants|want|would have|will have) (?:nothing(?: more)? to (?:do|say) (?:with|to)|no "
    r"use for|no love for|no liking for|no patience with|no affection for|no trust in|no faith in)|"
    r"(?:would|could|will)(?: not|n't| never) (?:sit|stay|eat|dine|speak|be|remain|live) (?:in the same "
    r"room |at the same table |under the same roof |at table |a word )?(?:with|to|near)|washed (?:his|her|"
    r"my|§\d's) hands of|turned (?:his|her|my|§\d's) back (?:up)?on|spat (?:at|upon|on)|looked down "
    r"(?:up)?on|turned (?:his|her|my|§\d's) nose up at|kept out of the way of|kept away from|never "
    r"(?:liked|loved|trusted|forgave|forgiven|cared for|cared about|spoke to|spoke a kind word to)|(?:did|"
    r"do|does)(?: not|n't) (?:trust|care for|care about)|forb(?:ade|id|idden)|wished? (?:nothing but "
    r")?(?:ill|evil|harm) to|owed? a grudge to|bore a grudge against)"
)
_BEST = (
    r"(?:darling|idol|treasure|delight|joy|pride|favou?rite|pet|love|sweetheart|lover|beloved|angel|hero|"
    r"heroine|friend|champion|comrade|confidante?|ally|protector|companion|benefactor|crony|chum|hope|"
    r"comfort|stay|apple|light|right hand|whole world|all)"
)
_WORST = (
    r"(?:enemy|foe|tormentor|persecutor|oppressor|bane|curse|plague|torment|scourge|adversary|antagonist|"
    r"detestation|abomination|bugbear|aversion|terror|ruin|thorn|nightmare)"
)
_LIKED = (
    r"(?:friends?|allies|comrades?|pals|mates|friendship|got on (?:famously|well|admirably|capitally)|get "
    r"on (?:famously|well)|happy together|happy in (?:each other|one another)|close|bosom friends|like "
    r"sisters|understood (?:each other|one another) perfectly|never (?:been )?(?:parted|apart|separated)|"
    r"could not bear to be parted|lived for (?:each other|one another)|went everywhere together|shared "
    r"everything|had no secrets|companions?|inseparable|lovers|sweethearts|chums|cronies|confidantes?|"
    r"confidants|intimates?|intimate|devoted|attached|fond|like (?:twin )?(?:brothers|sisters|brother and "
    r"sister|mother and (?:son|daughter)|father and (?:son|daughter)|lovers|one)|as one|of one mind|two "
    r"halves|one heart|one soul|one purse|hand in glove|arm in arm|hand in hand|thick as thieves|great "
    r"friends|in love|tenderest|happier in|happiest of couples|drawn to|dear to|everything to|all in all "
    r"to|loved|adored|love|close|always together|never apart|sworn brothers|on the best of terms|on "
    r"excellent terms|on the (?:friendliest|kindest|warmest) (?:of )?(?:terms|footing)|united|at one|"
    r"share[sd]? (?:every|all|one)|told (?:each other|one another) everything)"
)
_ODDS = (
    r"(?:enemies|foes|adversaries|fought|fighting|quarrelled|quarrels|bickered|wrangled|went to law|gone "
    r"to law|cut (?:each other|one another)|passed (?:each other|one another)|without a (?:bow|word|nod)|"
    r"would not (?:sit|speak|meet|dine|stay)|never (?:to )?(?:exchange|exchanged|speak|spoken|spoke)|"
    r"glared|sworn never|antagonists|rivals in hate|strangers|hated?|hate|detest(?:ed)?|loathed?|despised?|"
    r"abhorred|at (?:feud|war|odds|enmity|variance|daggers drawn|strife|loggerheads)|cold|bitter|hostile|"
    r"estranged|like cat and dog|as cat and dog|jealous|implacable|not (?:\w+ )?speaking|not (?:\w+ )?on "
    r"speaking terms|never spoke|had not spoken|did not speak|would not speak|no speech|aversion|"
    r"quarrell?ed (?:every|whenever|daily|always|as)|always quarrell?ing|bad blood|no love lost|could not "
    r"(?:meet|sit|be in|abide|bear|endure)|nothing (?:left )?(?:for each other )?but (?:bitterness|hatred|"
    r"scorn)|war|feud|never friends|no friends|shunned|avoided)"
)
_NO_CROSS = (
    r"(?:cross word|wry word|differences?|jar|coolness|angry word|hard word|harsh word|unkind word|bitter "
    r"word|quarrel|difference|shadow|jealous thought|unkindness|coldness|misunderstanding|secrets?|cloud|"
    r"dispute|sharp word|disagreement|ill word|evil word|word of anger|dissension)"
)
_EACH = r"(?:each other|one another|they|them|the two|the pair|both|neither|together|themselves)"
_PAIR = rf"(?:between )?{_KIN}§(?P<e>\d),? (?:and|with|nor|or) {_KIN}§(?P<t>\d)(?!'s)"
_CON = r"[^.;:?!§]{0,70}?"
_ACTING = (
    r"(?:treat(?:s|ed)|regard(?:s|ed)|look(?:s|ed)|gaz(?:es|ed)|spoke|speaks|answer(?:s|ed)|greet(?:s|ed)|"
    r"receiv(?:es|ed)|eye[sd]|watche[sd]|turn(?:s|ed)|thought|thinks|rested|smil(?:es|ed)|viewed|met|"
    r"contemplated|beheld|listened|bent|filled|inspired|shuddered|drew|shrank|stared|glared|kissed|"
    r"embraced|heard)"
)


@dataclass(frozen=True, slots=True)
class Tone:
    """``sign`` 1 warm, -1 cold; ``denied`` what it is with a "not" (0: nothing). Groups ``t`` and, where the
    wording names both, ``e``; ``mutual``: of both alike."""

    pattern: re.Pattern[str]
    sign: int
    denied: int
    mutual: bool = False


def _tone(pattern: str, sign: int, denied: int, *, mutual: bool = False) -> Tone:
    return Tone(re.compile(rf"(?<![\w-]){pattern}"), sign, denied, mutual)


TONES: tuple[Tone, ...] = (
    # feeling + preposition + the other
    _tone(rf"{_WARM_NOUN} (?:[\w’'-]+,? ){{0,4}}?(?:for|to|towards?) {_T}", 1, -1),
    _tone(rf"(?:faith|trust|confidence|joy|pride|delight) in {_T}", 1, -1),
    _tone(rf"{_COLD_NOUN} (?:[\w’'-]+,? ){{0,4}}?(?:for|to|towards?|of|against) {_T}", -1, 0),
    _tone(rf"{_WARM_ADJ}(?:,? [\w’'-]+){{0,3}}?,? (?:of|to|towards?|in|with|by) {_T}", 1, -1),
    _tone(rf"{_WARM_ADJ} §\d {_WAS}[^.;§]{{0,40}}? (?:of|to|towards?) {_T}", 1, -1),
    _tone(rf"{_COLD_ADJ}(?:,? [\w’'-]+){{0,3}}?,? (?:of|to|towards?|with|against) {_T}", -1, 0),
    _tone(rf"{_WAS} (?:[\w-]+ ){{0,3}}?{_DEAR} to {_E}", 1, -1),
    _tone(rf"{_WAS} (?:[\w-]+ ){{0,3}}?{_ODIOUS} to {_E}", -1, 0),
    # what one does to the other
    _tone(rf"{_DOTED} (?:the (?:very )?\w+ of )?{_OWN}", 1, -1),
    _tone(rf"{_SPURNED} (?:the (?:very )?\w+ of )?{_OWN}", -1, 0),
    _tone(rf"{_ACTING} {_GAP}{_OWN}(?:'s)?,? {_GAP}with (?:[\w-]+,? ){{0,3}}?{_COLD_NOUN}", -1, 0),
    _tone(rf"{_ACTING} {_GAP}{_OWN}(?:'s)?,? {_GAP}with (?:[\w-]+,? ){{0,3}}?{_WARM_NOUN}", 1, 0),
    _tone(
        rf"treat(?:s|ed) {_T} (?:like|as) (?:\w+ ){{0,3}}?(?:dog|dirt|servant|slave|stranger|enemy|cur|"
        rf"thief)",
        -1,
        0,
    ),
    _tone(
        rf"(?:treat(?:s|ed)|loved|looked (?:up)?on|regarded|cherished) {_T} (?:like|as) (?:[\w§']+ "
        rf"){{0,4}}?"
        r"(?:son|daughter|child|brother|sister|friend|equal|queen|father|mother|own)\b",
        1,
        0,
    ),
    # what the other is to one
    _tone(rf"{_T} {_WAS} (?:[\w’'-]+ ){{0,4}}?{_BEST} (?:\w+ )?(?:of|to) {_E}", 1, -1),
    _tone(rf"{_T} {_WAS} (?:[\w’'-]+ ){{0,4}}?{_WORST} (?:\w+ )?(?:of|to) {_E}", -1, 0),
    _tone(rf"{_T},? [^.;§]{{0,40}}?{_WAS} (?:[\w’'-]+ ){{0,4}}?{_BEST} of {_E}", 1, -1),
    _tone(rf"{_T} {_WAS} (?:\w+ ){{0,2}}?§(?P<e>\d)'s (?:\w+ ){{0,2}}?{_BEST}\b", 1, -1),
    _tone(rf"{_T} {_WAS} (?:\w+ ){{0,2}}?§(?P<e>\d)'s (?:\w+ ){{0,2}}?{_WORST}\b", -1, 0),
    _tone(rf"(?:§(?P<e>\d)'s) (?:\w+ ){{0,2}}?{_WORST},? {_T}", -1, 0),
    _tone(rf"(?:§(?P<e>\d)'s) (?:best|truest|closest|bosom|oldest|firmest|dearest) friend,? {_T}", 1, 0),
    _tone(
        rf"{_T} {_WAS} (?:[\w’'-]+ ){{0,3}}?(?:the )?(?:dearest|truest|best|kindest|noblest) (?:\w+ "
        rf"){{1,3}}?"
        r"(?:that )?§(?P<e>\d) (?:had|has|have|knew|owned|possessed)",
        1,
        -1,
    ),
    _tone(
        rf"{_HOLD} {_T} (?:to be |as |for |quite )?(?:an? |the |his |her |my )(?:[\w-]+ ){{0,2}}?{_GOOD}",
        1,
        -1,
    ),
    _tone(
        rf"{_HOLD} {_T} (?:to be |as |for |little better than |no better than )?(?:an? |the )(?:[\w-]+ "
        rf"){{0,2}}?{_BAD}",
        -1,
        0,
    ),
    _tone(
        rf"{_T}(?:'s| is| was| has been| had been)(?: always been)? (?:an? |the |nothing but an? "
        rf")(?:[\w-]+ ){{0,2}}?{_BAD}",
        -1,
        0,
    ),
    _tone(
        rf"{_T}(?:'s| is| was| has been| had been)(?: always been)? (?:like |as |more than )?(?:an? |his |"
        rf"her |my |the )?"
        rf"(?:second |own |true |real |dear )*(?:mother|father|son|daughter|brother|sister|friend|own) to "
        rf"{_E}",
        1,
        -1,
    ),
    _tone(
        rf"nothing (?:that )?§(?P<e>\d) would not (?:have )?(?:do|done|give|given|risk|risked|bear|borne) "
        rf"for {_T}",
        1,
        1,
    ),
    _tone(rf"(?:so|as) (?:true|good|dear|kind|staunch|loyal) a friend as {_T}", 1, 1),
    _tone(rf"no (?:\w+ )?(?:friend|companion|comrade) (?:like|than|but|so \w+ as) {_T}", 1, 1),
    _tone(rf"(?:friendship|intimacy|attachment) (?:of|with|for) {_T}", 1, -1),
    _tone(rf"(?:hatred|dislike|enmity|loathing|abhorrence) of {_T}", -1, 0),
    _tone(
        rf"(?:laid|leaned|leant|rested|pressed) §\d's (?:cheek|head|face|hand) (?:lovingly |fondly "
        rf")?(?:against|on|upon|to) {_KIN}§(?P<t>\d)'s",
        1,
        0,
    ),
    # both of each other
    _tone(rf"{_PAIR}{_CON}\b{_LIKED}\b", 1, -1, mutual=True),
    _tone(rf"{_PAIR}{_CON}\b{_ODDS}\b", -1, 0, mutual=True),
    _tone(rf"\b(?:{_WARM_NOUN}|{_LIKED})(?: [\w’'-]+,?){{0,5}}? between {_PAIR}", 1, -1, mutual=True),
    _tone(rf"\b{_COLD_NOUN}(?: [\w’'-]+,?){{0,5}}? between {_PAIR}", -1, 0, mutual=True),
    _tone(rf"between {_PAIR}{_CON}\b{_WARM_NOUN}\b", 1, -1, mutual=True),
    _tone(rf"between {_PAIR}{_CON}\b{_COLD_NOUN}\b", -1, 0, mutual=True),
    _tone(rf"\b{_NO_CROSS}(?: [\w’'-]+,?){{0,6}}? between {_PAIR}", 0, 1, mutual=True),
    _tone(rf"{_PAIR}{_CON}\b{_NO_CROSS}\b", 0, 1, mutual=True),
)

BARE: tuple[Tone, ...] = (
    Tone(
        re.compile(rf"\b{_LIKED} (?:\w+ ){{0,3}}?{_EACH}\b|\b{_EACH} (?:[\w’']+,? ){{0,4}}?{_LIKED}\b"),
        1,
        -1,
        mutual=True,
    ),
    Tone(
        re.compile(rf"\b{_ODDS} (?:\w+ ){{0,3}}?{_EACH}\b|\b{_EACH} (?:[\w’']+,? ){{0,4}}?{_ODDS}\b"),
        -1,
        0,
        mutual=True,
    ),
    Tone(
        re.compile(
            r"\b(?:old|tried|true|fast|firm|good|great|sworn|bosom|dear|dearest|best|close) (?:\w+ "
            r")?(?:friends|comrades|companions)\b|\barm in arm\b"
        ),
        1,
        -1,
        mutual=True,
    ),
    Tone(
        re.compile(
            r"\b(?:bitter|sworn|mortal|deadly|old|open|declared) (?:\w+ )?(?:enemies|foes)\b|\bnot (?:\w+ "
            r")?on speaking terms\b"
        ),
        -1,
        0,
        mutual=True,
    ),
)
"""Of two people who are named and nobody else, wherever they stand in the sentence."""
