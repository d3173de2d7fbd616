"""Harm told by turns of phrase that no verb's frame holds: "turned the key upon him and left him there",
"told the bailiffs where to find her", "was set upon in the lane by Tom".

Over masked sentences (``masked``); classes of deeds after Levin (1993), 9.5 pour, 10.5 steal, 18 contact by
impact, 33 judgment, 40.8 bodily harm, 42 killing, and Roget's head 907 (malevolence) and 940 (improbity).
"""

from __future__ import annotations

import re
from typing import Any

from ...model.predicates import PREDICATES
from ...model.types import Modality
from ..clauses.arguments import Arguments
from ..clauses.fact_collector import Teller
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..patterns.masking import masked, text_of
from .harmless_contacts import harmless

__all__ = ["grave", "read_deed_gist"]

_SURE = 0.75
_LONGEST = 260
_LEAST = 0.75
_KIN = (
    r"(?:(?:the|his|her|their|poor|old|young|own|cousin|brother|sister|son|daughter|wife|husband|uncle|"
    r"aunt|"
    r"nephew|niece|father|mother|friend|master|mistress|partner|both),? ){0,3}"
)
_T = rf"{_KIN}§(?P<t>\d)(?!'s)"
_OF_T = rf"{_KIN}§(?P<t>\d)'s(?: own)?"
_E = rf"{_KIN}§(?P<e>\d)(?!'s)"
_W = r"(?:[\w’'-]+,? )"
_LAWMEN = (
    r"(?:police|constables?|magistrates?|sheriff|bailiffs?|soldiers|enemy|gendarmes|guards?|warders?|"
    r"hangman|"
    r"authorities|press-?gang|excisemen|revenue men|dragoons|redcoats|justices?|creditors|inspector|bishop|"
    r"newspapers?|papers|court|judge|jury)"
)
_CRIMINAL = (
    r"(?:thief|liar|wanton|murderer|murderess|cheat|forger|drunkard|poisoner|spy|traitor|coward|harlot|"
    r"swindler|"
    r"adulteress|bastard|whore|strumpet|madman|lunatic|robber)"
)
_HARMED = (
    r"(?:struck|beat|beaten|stabbed|shot|knifed|clubbed|felled|flogged|whipped|horsewhipped|thrashed|"
    r"lashed|"
    r"choked|strangled|throttled|smothered|stifled|poisoned|drugged|drowned|wounded|maimed|scalded|burnt|"
    r"burned|"
    r"branded|kicked|trampled|tripped|bludgeoned|battered|assaulted|attacked|mauled|gored|cudgelled|caned|"
    r"slapped|"
    r"cuffed|punched|scratched|bitten|slashed|hacked|speared|garrotted|kidnapped|abducted|imprisoned|"
    r"tortured|"
    r"murdered|killed|knocked down|knocked senseless|struck down|cut down|shot down|run through|ran "
    r"through|"
    r"set upon|fell upon|fallen upon|flew at|sprang at|sprung at|laid into|rode down|ridden down|run down|"
    r"ran down|"
    r"waylaid|ambushed)"
)
_WRONGED = (
    r"(?:betrayed|denounced|slandered|libelled|defamed|traduced|vilified|blackmailed|ruined|disgraced|"
    r"jilted|"
    r"deceived|wronged|framed|perjured (?:himself|herself) against|informed (?:up)?on|informed against|"
    r"swore (?:falsely )?against|sworn (?:falsely )?against|testified against|turned evidence against|"
    r"plotted "
    r"against|conspired against|falsely accused|lied about|sold)"
)
_ROBBED = (
    r"(?:robbed|stole from|stolen from|swindled|cheated|defrauded|fleeced|plundered|despoiled|picked the "
    r"pocket of|"
    r"embezzled from)"
)
_STOLE = (
    r"(?:stole|stolen|pocketed|purloined|filched|pilfered|embezzled|snatched|made off with|went off with|"
    r"gone off with|ran off with|run off with|walked off with|carried off|took|taken|helped (?:himself|"
    r"herself) to|"
    r"emptied|rifled|ransacked|broke open|broken open|forced open|drew out|sold|pawned|gambled away)"
)
_GOODS = (
    r"(?:money|purse|savings|jewels?|jewel-case|pearls|diamonds?|necklace|ring|watch|silver|plate|gold|"
    r"notes?|"
    r"bank-?notes|pounds|sovereigns|guineas|desk|drawer|strong-?box|cash-?box|safe|till|chest|pocket-?book|"
    r"wallet|inheritance|fortune|legacy|rent|wages|horse|mare|cattle|sheep|bonds|shares|deeds|will|papers|"
    r"brooch|"
    r"box|trunk|bank|account|tin)"
)
_BODY = (
    r"(?:face|eyes?|head|throat|neck|breast|chest|back|shoulders?|arms?|hands?|wrists?|fingers?|heart|side|"
    r"ribs|leg|"
    r"knee|temple|mouth|lip|lips|cheek|nose|ears?|skull|brow|jaw|stomach|body|thigh|hair)"
)
_DRINK = (
    r"(?:glass|cup|tea|coffee|wine|food|soup|milk|broth|medicine|drink|tumbler|brandy|chocolate|posset|dish|"
    r"plate)"
)
_FELL = (
    r"(?:into|in|down|off|from|over|out of|under|through|against|overboard|"
    r"to the (?:ground|floor|wolves|dogs))"
)
_CAST = (
    r"(?:push(?:ed)?|thr[eo]wn?|threw|flung|hurled|shoved|pitched|thrust|tipped|heaved|hustled|knocked|"
    r"kicked|sent|"
    r"toppled|rolled|dragged|tumbled)"
)

_RAW: tuple[tuple[str, str], ...] = (
    ("ATTACKS", rf"{_E},? (?:[\w’'-]+,? ){{0,9}}?{_HARMED} {_T}"),
    (
        "ATTACKS",
        rf"{_T},? (?:was|were|had been|lay|been) (?:[\w’'-]+,? ){{0,4}}?{_HARMED}[^.;§]{{0,60}}? by {_E}",
    ),
    ("ATTACKS", rf"{_E},? [^.;]{{0,60}}?\b{_CAST} {_T} (?:[\w’'-]+ ){{0,3}}?{_FELL}\b"),
    ("ATTACKS", rf"{_T},? (?:was|were|had been) {_W}{{0,3}}?{_CAST}[^.;§]{{0,40}}? by {_E}"),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,50}}?\b(?:locked|shut|bolted|walled|chained|tied|bound|penned|barred|nailed|"
        rf"imprisoned) "
        rf"{_T} (?:up|in|into|inside|within|behind|to|out|down|under|fast|all night)\b",
    ),
    ("ATTACKS", rf"{_E},? [^.;]{{0,50}}?\b(?:turned|turn) the key (?:up)?on {_T}"),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,60}}?\b(?:left|leaving) {_T} (?:there )?(?:{_W}){{0,4}}?(?:to (?:die|drown|burn|"
        rf"perish|starve|"
        r"freeze|bleed|rot|sink)|for dead|bleeding|senseless|without food|bound|gagged)",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,50}}?\bheld {_T}(?:'s \w+)? (?:{_W}){{0,2}}?(?:under|down|beneath|over the)\b",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,60}}?\b(?:pillow|cushion|cloak|sack|rope|noose|cord|"
        rf"hands?)\b[^.;]{{0,20}}?(?:over|about|round|around) {_OF_T} (?:face|head|neck|throat|mouth)",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,60}}?\b(?:poured|put|slipped|stirred|dropped|mixed|shook|emptied|tipped) "
        r"(?:the |a |an |some |his |her |§\d's )?(?:(?!sugar|milk|cream|lemon|water|honey|salt|lump|spoon|"
        r"money|coin|tea|"
        r"coffee|wine|brandy|rum|bread|butter|more|little|last|fresh)[\w’'-]+ ){1,8}?"
        rf"(?:in|into|to|with) {_OF_T} {_DRINK}",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,60}}?\b(?:flung|threw|dashed|hurled|tossed|drove|plunged|thrust|stuck|buried|"
        rf"fired|emptied|"
        rf"brought|swung|broke|smashed|crashed|sank|ran|levelled|discharged|spat|"
        rf"struck)\b[^.;]{{0,50}}?\b(?:in|into|at|on|upon|"
        rf"over|across|through|about|between) {_OF_T} {_BODY}\b",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,50}}?\b(?:broke|cut|crushed|slashed|twisted|burned|scalded|wrenched|clawed|bit|"
        rf"put out|knocked out) {_OF_T} {_BODY}\b",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,50}}?\b(?:set|let loose|loosed|unleashed|let|turned|slipped|hounded) (?:his|her|"
        rf"the|§\d's) "
        rf"(?:dogs?|hounds?|mastiffs?|bull|bulldog|men) (?:loose )?(?:up)?(?:on|at) {_T}",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,50}}?\b(?:set fire to|fired|burned|burnt|set light to) (?:down )?{_OF_T} (?:\w+ "
        rf")?(?:house|barn|ricks?|cottage|mill|shop|home|stable|boat|room|bed|manuscript|letters|book|work|"
        rf"papers|harvest|crops?|corn)",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,50}}?\b(?:cut|sawed|loosened|let go) (?:the|§\d's) (?:rope|girth|ladder|cable|"
        rf"line)\b[^.;]{{0,30}}?{_T}",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,50}}?\b(?:fired|shot|let fly|discharged \w+ \w+|aimed a blow|rushed|struck out|"
        rf"lunged|hit out|flew) (?:point-blank )?(?:at|upon) {_T}",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,40}}?\bhad {_T} (?:{_W}){{0,2}}?(?:beaten|flogged|whipped|thrashed|shut up|"
        rf"locked up|seized|carried off|committed to|put away|certified|drugged|dragged)",
    ),
    (
        "ATTACKS",
        rf"{_E},? [^.;]{{0,40}}?\bhad {_T} (?:{_W}){{0,2}}?(?:arrested|imprisoned|turned out|evicted)",
    ),
    ("BETRAYS", rf"{_E},? (?:[\w’'-]+,? ){{0,9}}?{_WRONGED} {_T}"),
    (
        "BETRAYS",
        rf"{_T},? (?:was|were|had been|been) (?:[\w’'-]+,? ){{0,4}}?{_WRONGED}[^.;§]{{0,60}}? by {_E}",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,70}}?\b(?:told|informed|warned|wrote to|sent word to|sent (?:\w+ )?to|led|"
        rf"brought|went to|"
        rf"guided|fetched|swore to|whispered to|tipped off) (?:the "
        rf")?{_LAWMEN}\b[^.;]{{0,60}}?{_KIN}§(?P<t>\d)",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,50}}?\b(?:sold|gave|handed|delivered|surrendered|betrayed|turned|yielded) {_T} "
        rf"(?:{_W}){{0,3}}?to (?:the |his |her )?{_LAWMEN}",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,60}}?\b(?:swore|sworn|perjured|witness|oath|testified|deposed|"
        rf"accused)\b[^.;]{{0,40}}?(?:false(?:ly)?|lie|lied|lying|untrue|innocent)[^.;]{{0,50}}?{_T}",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,60}}?\bfalse(?:ly)? (?:{_W}){{0,4}}?(?:that|against|accused|charged|of) "
        rf"(?:{_W}){{0,3}}?{_T}",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,60}}?\b(?:sold|gave|betrayed|published|printed|read out|made public|revealed|"
        rf"disclosed|showed) {_OF_T} (?:\w+ )?(?:secrets?|letters?|hiding-place|plans?|diary|confession|"
        rf"name|whereabouts)",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,60}}?\b(?:called|named|branded|denounced|proclaimed|accused) {_T} (?:as |of "
        rf"being )?(?:an? )(?:\w+ )?{_CRIMINAL}[^.;]{{0,30}}?\b(?:before|in the face|in front|openly|to "
        rf"the|in open)",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,70}}?\bthat {_T} (?:was|had|is|were) [^.;]{{0,50}}?\b(?:knowing it (?:to be "
        rf")?(?:a lie|false|untrue)|though (?:he|she|§\d) knew|which was a lie|a thing (?:he|she|§\d) "
        rf"knew)",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,60}}?\b(?:spread|put about|set about|invented|circulated|whispered|started|"
        rf"told)\b (?:{_W}){{0,3}}?(?:lies?|slanders?|rumou?rs?|calumn\w+|falsehoods?|scandals?|tales?|"
        rf"stor(?:y|ies)|libels?) [^.;]{{0,20}}?(?:about|of|against|concerning|that) {_T}",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,60}}?\b(?:forged|signed|counterfeited|put) {_OF_T} "
        r"(?:name|signature|mark|hand (?:to|under) (?:the|an?))\b",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,50}}?\b(?:turned|drove|cast|put|thrust|thrown|threw) {_T} "
        rf"(?:{_W}){{0,6}}?(?:out of (?:doors|the house|house|the|his|her|their)|into the (?:street|road|"
        rf"snow|night|rain))",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,50}}?\b(?:stole|carried off|took away|kidnapped|abducted|carried away|made off "
        rf"with|hid) {_OF_T} (?:\w+ )?(?:child|baby|son|daughter|boy|girl|infant|wife)",
    ),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,60}}?\b(?:hid|hidden|placed|planted|put|slipped|dropped)\b[^.;]{{0,40}}?\b(?:in|"
        rf"into|among|under) {_OF_T} (?:trunk|box|pocket|drawer|room|bed|things|bag|desk|basket|"
        rf"portmanteau)",
    ),
    ("BETRAYS", rf"{_E},? [^.;]{{0,60}}?\b(?:set|turned|poisoned)\b[^.;]{{0,40}}?\bagainst {_T}"),
    (
        "BETRAYS",
        rf"{_E},? [^.;]{{0,50}}?\b(?:burned|burnt|destroyed|tore up|torn up|suppressed|hid|altered) "
        rf"{_OF_T} (?:\w+ )?(?:will|letters?|manuscript|papers|deeds?|book|picture|work)",
    ),
    ("STEALS_FROM", rf"{_E},? (?:[\w’'-]+,? ){{0,9}}?{_ROBBED} {_T}"),
    (
        "STEALS_FROM",
        rf"{_T},? (?:was|were|had been|been) (?:[\w’'-]+,? ){{0,4}}?{_ROBBED}[^.;§]{{0,60}}? by {_E}",
    ),
    (
        "STEALS_FROM",
        rf"{_E},? [^.;]{{0,60}}?\b{_STOLE} (?:[\w’'-]+ ){{0,6}}?{_OF_T} (?:\w+ ){{0,3}}?{_GOODS}\b",
    ),
    (
        "STEALS_FROM",
        rf"{_E},? [^.;]{{0,60}}?\b(?:stole|stolen|embezzled|filched|took|snatched|"
        rf"taken)\b[^.;]{{0,50}}?\bfrom {_T}",
    ),
    (
        "STEALS_FROM",
        rf"{_E},? [^.;]{{0,60}}?\b(?:stole|stolen|embezzled|filched)\b[^.;§]{{0,50}}?\bfrom {_OF_T}",
    ),
)
_PATTERNS = tuple((name, re.compile(rf"(?<![\w-]){raw}")) for name, raw in _RAW)
_TRIGGER = re.compile(
    r"\b(?:str[iu]ck|beat|stab|shot|shoot|fired|kni[fv]|club|fell|flog|whip|thrash|lash|chok|strangl|"
    r"throttl|"
    r"smother|stifl|poison|drug|drown|wound|maim|scald|burn|brand|kick|trampl|trip|bludgeon|batter|assault|"
    r"attack|"
    r"maul|cudgel|caned|slap|cuff|punch|scratch|bit|slash|hack|spear|garrot|kidnap|abduct|imprison|tortur|"
    r"murder|"
    r"kill|knock|cut|ran|run|set|flew|sprang|laid|rode|waylaid|ambush|push|thr[eo]w|flung|hurl|shov|pitch|"
    r"thrust|"
    r"tip|heav|lock|shut|bolt|wall|chain|tied|bound|key|left|leaving|held|pillow|rope|noose|cord|pour|put|"
    r"slip|"
    r"stir|drop|mix|dash|drove|plung|stuck|buried|brought|swung|broke|smash|loose|dogs|hounds|betray|"
    r"denounc|"
    r"slander|libel|defam|traduc|blackmail|ruin|disgrac|perjur|inform|swor|testif|plot|conspir|false|lie|"
    r"sold|"
    r"rob|st[oe]l|swindl|cheat|defraud|fleec|plunder|embezzl|pocket|purloin|filch|snatch|made off|off with|"
    r"carried|took|empt|rifl|ransack|told|wrote|gave|handed|deliver|forg|signed|turned|call|spread|rumou?r|"
    r"hid|"
    r"plant|destroy|tore)",
)
_UNSURE = re.compile(
    r"\b(?:if|whether|would|might|may|could|should|shall|will|must|dream\w*|threat\w*|tr(?:y|ied|ying)|"
    r"almost|nearly|"
    r"pretend\w*|as though|as if|never|not|no|nobody|in play|jok\w*|jest\w*|wish\w*|want\w*|going to|like|"
    r"suppos\w*|fanc\w*|imagin\w*|seem\w*|perhaps|lest|fear\w*|afraid|used to|meant|ready|about to|"
    r"glance\w*|"
    r"look\w*|eyes (?:fell|rested|up)|sigh|laugh\w*|tears|kiss\w*|playfully|accidentally|by accident)\b|"
    r"n't|\?"
)


def read_deed_gist(chapter: ParsedChapter, arguments: Arguments, teller: Teller) -> None:
    """Adds to ``teller`` harm done by one person to another (ATTACKS, BETRAYS, STEALS_FROM), one a sentence,
    of narration in which no grave deed was told; of speech where somebody says so of himself ("I have sold
    your secret"), as REPORTED. What is asked, denied, feared, meant or only likened is none. Costs a search
    of a pattern a sentence."""
    told = {each.evidence[0] for each in teller.happenings if each.evidence and grave(each)}
    for paragraph in chapter.paragraphs:
        if not paragraph.mention_of or paragraph.prose.letter or chapter.scenes[paragraph.prose.scene].dream:
            continue
        for sentence in paragraph.sentences:
            span = sentence.span
            if span.end - span.start > _LONGEST or span in told:
                continue
            if _TRIGGER.search(text_of(paragraph, sentence).lower()):
                _tell(chapter, arguments, teller, paragraph, sentence)


def grave(happening: Any) -> bool:
    """Is it a wrong that a story has to account for?"""
    row = PREDICATES[happening.predicate]
    return row.turning and row.sign < 0 and happening.predicate not in ("LEAVES", "INSULTS", "THREATENS")


def _tell(
    chapter: ParsedChapter,
    arguments: Arguments,
    teller: Teller,
    paragraph: ParsedParagraph,
    sentence: Sentence,
) -> None:
    tokens = paragraph.tokens(sentence)
    voices = {paragraph.spoken(word) for word in tokens if not word.is_punct and not word.is_space}
    spoken = voices == {True}
    found = masked(chapter, arguments, paragraph, sentence, spoken=False if len(voices) == 2 else None)
    if len(voices) == 2 and len(found.people) < 2:
        found, spoken = masked(chapter, arguments, paragraph, sentence, spoken=True), True
    if not 2 <= len(found.people) <= 3 or "?" in found.words:
        return
    for predicate, pattern in _PATTERNS:
        match = pattern.search(found.words)
        if match is None or match["e"] == match["t"] or _another(match) or harmless(match.group()):
            continue
        if _UNSURE.search(found.words[: match.end()]):
            return
        verb = _verb(paragraph, sentence, match.group(), teller)
        if verb is None:
            return
        pair = found.people[int(match["e"])], found.people[int(match["t"])]
        if min(each.factor for each in pair) < _LEAST:
            return
        flashback = chapter.scenes[paragraph.prose.scene].flashback
        modality = Modality.FLASHBACK if flashback else Modality.FACT
        if spoken:
            speaker = arguments.dialogue.speech(paragraph).speaker
            who = arguments.pronouns.cast.who
            if speaker is None or who[speaker[0]] != who[pair[0].mention]:
                return  # hearsay
            modality = Modality.REPORTED
        teller.tell(paragraph, verb, predicate, pair, modality, _SURE)
        return


def _another(match: re.Match[str]) -> bool:
    """Does a third person stand between the two?"""
    inside = set(re.findall(r"§(\d)", match.group()))
    return len(inside - {match["e"], match["t"]}) > 0


def _verb(paragraph: ParsedParagraph, sentence: Sentence, said: str, teller: Teller) -> Any | None:
    """A verb of the wording, one that has told nothing yet if there is such."""
    words = set(re.findall(r"[\w’'-]+", said))
    verbs = [word for word in paragraph.tokens(sentence) if word.pos_ == "VERB" and word.lower_ in words]
    fresh = [word for word in verbs if (paragraph.number, word.i) not in teller.at]
    return next(iter(fresh or verbs), None)
