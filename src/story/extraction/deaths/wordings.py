"""Deaths told by a turn of phrase that no one verb holds: "never woke from the operation", "was laid in the
sand", "the dead woman was X", "in the family vault lies X". Read off the sentence with its people numbered.

What is feared, dreamt, asked or only likened to a death is left out. Cannot see a death that takes two
sentences to tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from ...lexicon.object_words import THINGS
from ...model.chapter_reading import Trait
from ...model.trait_values import DEAD, LIFE
from ...model.types import EntityKind
from ..clauses.arguments import Arguments
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..patterns.masking import masked, readings, text_of
from ..patterns.told_trait import told_trait

__all__ = ["read_death_wordings"]

_SURE = 0.85
_LEAST = 0.9
_LONGEST = 300
_P = r"§(?P<p>\d)"
_HIS = r"(?:his|her|§\d's)"
_W = r"(?:[\w'-]+,? )"
_HAD = r"(?:(?:had|has|was|were|is|been|being|'d|'s) )*"
_LAY = (
    r"(?:laid|buried|interred|lowered|put|carried|borne|taken|brought|followed|committed|entombed|consigned)"
)
_GRAVE = (
    r"(?:churchyard|graveyard|cemetery|kirkyard|grave|tomb|vault|crypt|mausoleum|coffin|hearse|earth|clay|"
    r"sand|sod|turf|sods|yews?|yew-tree|burying-ground|burial-ground|deep)"
)
_ILL = (
    r"(?:fever|consumption|cholera|small-?pox|plague|typhus|typhoid|pneumonia|apoplexy|stroke|fit|"
    r"influenza|diphtheria|scarlatina|pleurisy|cancer|dropsy|measles|seizure|heart|lungs?|decline|cold|chill|"
    r"illness|sickness|flu|croup|angina|jaundice|gout|poison|fall|wound|operation|grief)"
)
_PERSON = r"(?:man|woman|girl|boy|lady|gentleman|child|lad|body|victim|passenger|sailor|soldier)"
_ENDED = tuple(
    re.compile(words)
    for words in (
        rf"\b(?:made|put|make) an end (?:of|to) {_P}(?!'|\w)",
        rf"\b(?:was|were|been|proved) the (?:death|end) of {_P}(?!'|\w)",
        rf"\bcost {_P} {_HIS} life\b",
        rf"\b(?:carried|bore|borne|brought|took) {_P} (?:out|away|down)\b"
        r"[^.;?§]{0,20}\bfeet (?:foremost|first)\b",
        rf"{_P},? {_HAD}gone to {_HIS} reward\b",
        rf"\bbreath (?:had |has )?(?:went|gone|passed|left|fled) (?:out of |from )?{_P}(?!'|\w)",
        rf"\bno pulse\b[^.;?§]{{0,20}}\b(?:of|in) {_P}(?!\w)",
        rf"\b(?:sewed|sewn|stitched) {_P}(?: up)? in(?:to)? [^.;?§]{{0,15}}"
        r"(?:sailcloth|canvas|hammock|sheet|shroud)",
        rf"\b(?:left|leave|laid) {_P} under (?:a|the) (?:\w+ )?(?:cairn|cross|mound|heap of stones)\b",
        rf"\b(?:dead|drowned|murdered) face (?:for|as|was) (?:that of )?{_P}(?!'|\w)",
        rf"{_P},? (?:\w+ ){{0,2}}(?:lies|lay|sleeps|'s|is) in \w+ (?:churchyard|graveyard|"
        r"cemetery|kirkyard)\b",
        rf"{_P},? {_W}{{0,3}}(?:did not|didn't|had not|hadn't|would not|never) (?:live|lived) "
        r"(?:through|to see|till|until|out|beyond|past|the night)\b",
        rf"{_P},? (?:who )?{_W}{{0,2}}(?:never|did not|didn't|had not|would never|was never to) "
        r"(?:wake|woke|woken|waked|awoke|awake|awakened|breathe|breathed|stir(?:red)?|rise|rose|come|came|"
        r"open(?:ed)?)\b[^.;?§]{0,30}\b(?:again|more|operation|anaesthetic|chloroform|sleep|ether|"
        r"out of it alive|back alive|from that bed|from it alive)\b",
        rf"{_P},? (?:who )?{_W}{{0,2}}never (?:woke|spoke|moved|breathed)(?: again| more)[.,;!”\"]",
        rf"{_P},? (?:who )?{_HAD}(?:only )?a (?:\w+ )?corpse\b",
        rf"{_P},? (?:who )?(?:was|is) (?:now )?no more(?=[.,;!”\"]| and )",
        rf"{_P},? (?:who )?{_HAD}{_W}{{0,2}}(?:breathed|breathe|drew|drawn|gasped) {_HIS} (?:very )?last\b",
        rf"{_P},? (?:who )?{_HAD}{_W}{{0,2}}(?:gave|given|yielded|rendered) up (?:the ghost|{_HIS} "
        r"(?:life|soul|spirit|breath))",
        rf"{_P},? (?:who )?{_HAD}{_W}{{0,2}}(?:departed this life|quitted this world|left this world|"
        rf"gone to (?:{_HIS} )?(?:rest|maker|account|long home|grave|god|glory|last home)|gone to meet|"
        r"entered into rest|crossed the river|slept away|slipped away in|passed (?:away|over|peacefully)|"
        r"joined the majority|paid the debt of nature|succumbed)\b",
        rf"{_P},? (?:who )?(?:was|were|had been|has been|is|'s been) {_W}{{0,2}}?{_LAY} "
        rf"(?:\w+ ){{0,4}}(?:(?:in|under|beneath|to|into|beside|by|at) )(?:the |a |{_HIS} |that )?"
        rf"(?:\w+ ){{0,3}}{_GRAVE}\b",
        rf"\b{_LAY} {_P},? (?:\w+,? ){{0,5}}(?:(?:in|under|beneath|to|into) )(?:the |a |{_HIS} |that )?"
        rf"(?:\w+ ){{0,3}}{_GRAVE}\b",
        rf"{_P},? (?:who )?(?:was|were|had been|has been|is|'s been) {_W}{{0,2}}?(?:"
        rf"buried(?! (?:in|under|beneath|amid) (?!(?:\w+ ){{0,4}}{_GRAVE}\b))|interred|cremated|"
        r"laid out|laid to rest|laid beside (?:his|her|§\d's) (?:mother|father|wife|husband))\b",
        rf"\b(?:they|we|had|who|men|sexton|people|family|sons) (?:had |have )?(?:{_W}{{0,1}})?(?:buried|"
        rf"interred|cremated) {_P}\b(?!')",
        rf"\b{_ILL} (?:\w+ ){{0,4}}?(?:had |has )?(?:carried|took|taken|killed|carry|swept|finished|did "
        rf"for)(?: off| away)? {_P}(?: off| away)?(?=[.,;!”\"]| in | at | off| on | before| within| the | "
        r"when| last| after| that)",
        rf"{_P},? (?:who )?(?:was|were|had been|has been|is|lay|'s) {_W}{{0,3}}?(?:found|picked up|taken up|"
        r"brought in|brought home|lying|discovered|washed ashore|carried in)(?: \w+){0,2} (?:stone )?"
        r"(?:dead|lifeless|drowned|murdered|strangled|stabbed|frozen)\b(?! (?:drunk|tired|asleep|to|with))",
        rf"\b(?:found|picked up|took up|discovered) {_P} (?:\w+ ){{0,2}}(?:dead|lifeless|drowned|murdered|"
        r"strangled|hanging|frozen|cold)\b(?! (?:drunk|tired|asleep|to|with))",
        rf"{_P}(?:,? who)? ?(?:was|is|'s|had been|lay|has been) (?:\w+ ){{0,2}}?(?:stone |quite |already "
        r")?(?:dead|lifeless)(?=[.,;:!”\"]| and | before | when | in | these | this | at | on | now| by | "
        r"within| beside)",
        rf"{_P}'s (?:body|corpse|remains|ashes|coffin) (?:was|were|had been|lay|is|went|came)\b",
        rf"\bbody of {_P}\b(?!')",
        rf"\b(?:inquest|obituary|(?:stone|tablet|brass|cross|"
        rf"window)\b[^.;?§]{{0,30}}\bto the memory) (?:of|on|for|"
        rf"over) {_P}\b(?!')",
        rf"\b(?:dead|drowned|murdered|lifeless) {_PERSON}\b[^.;?§]{{0,12}} (?:was|is|were) {_P}\b(?!')",
        rf"{_P} (?:was|is) the (?:dead|drowned|murdered) {_PERSON}\b",
        rf"\b(?:saw|seen|watched|see|had|have) {_P} (?:hanged|hung|shot|buried|drowned|killed|die|"
        r"beheaded|executed|laid in|put in the ground|murdered|guillotined)\b",
        rf"\b(?:news|word|tidings|telegram|notice|announcement|"
        rf"letter)\b[^.;?§]{{0,40}}\bdeath of {_P}\b(?!')",
        rf"\b(?:news|word|tidings|telegram|notice|announcement)\b[^.;?§]{{0,40}}{_P}'s death\b",
        rf"\b(?:hanged|shot|killed|murdered|drowned|guillotined|beheaded|executed|poisoned|strangled|slew|"
        rf"stabbed|buried) {_P}(?=[.,;!”\"]| at | on | in | for | with | before | yesterday| last | dead)",
        rf"\b(?:bullet|ball|shot|sword|knife|blade|spear|lance|shell|bayonet|dagger)\b[^.;?§]{{0,40}}"
        rf"\b(?:through|into|pierced|to|in|entered|found) {_P}'s (?:heart|brain|head|lungs?|throat|"
        rf"temple|skull)\b",
        rf"{_P},? (?:had not|hadn't|has not|hasn't|did not|didn't|never) (?:make|made|survive|survived|"
        r"pull|pulled|recover|recovered) ?(?:it|through|from it|from that)?(?=[.!”\"]|, sir|, i'm|, i am)",
        rf"\b(?:last|final) breath (?:had |has )?(?:went|gone|passed|left|fled|came) (?:out of |from )?{_P}\b"
        r"(?!')",
        rf"\b(?:left|leaving|leave) nothing of {_P}\b(?!')",
        rf"\bnothing (?:\w+ )?(?:was |is )?left of {_P}\b(?!')",
        rf"\b(?:drew|pulled|laid) (?:the|a) (?:sheet|blanket|cloth|flag|shroud) (?:\w+ )?(?:over|"
        rf"across) {_P}'s "
        r"(?:dead )?face\b",
        rf"{_P}'s name\b[^.;?§]{{0,40}}\b(?:memorial|gravestone|headstone|tombstone|cenotaph|roll of "
        rf"(?:the dead|"
        rf"honour)|names? of the (?:other )?dead|war-?memorial)\b",
        rf"{_P}'s heart (?:had |has )?(?:stopped|ceased|failed|given out|gave out)\b(?! (?:for|at|when) )",
        rf"{_P} (?:\w+ ){{0,2}}(?:is|was|lies|lay|sleeps|slept|rests|rested|'s) {_W}{{0,3}}?(?:in|under) "
        rf"(?:{_HIS}|the) (?:\w+ ){{0,2}}(?:grave|tomb|coffin|churchyard|graveyard|cemetery|vault|ground|"
        r"turf|sod|kirkyard)\b(?! (?:gate|wall|path))",
        rf"{_P},? {_W}{{0,2}}(?:went|gone|sank|sunk) down with (?:{_HIS}|the|all) (?:\w+ )?(?:ship|boat|"
        rf"vessel|"
        r"schooner|brig|yawl|barque|lugger|steamer|hands|crew)\b",
        r"(?:§(?P<q>\d)|\b(?:they|he|she|nurse|doctor|priest|mother)) (?:had )?closed "
        r"§(?!(?P=q))(?P<p>\d)'s eyes\b",
        rf"{_P},? {_W}{{0,2}}(?:slept|sleeps|sleeping) (?:{_HIS}|the) last sleep\b",
        rf"\b(?:earth|grave|clay|waters?|waves|sea|tomb|turf) (?:had |has |have )?closed over {_P}\b(?!')",
        rf"\b(?:stone|slab|cross|headstone|gravestone|tombstone) (?:\w+ )?(?:bore|bears|had) {_P}'s name\b",
        rf"\bcut {_P} down\b(?= (?:he|she|§\d|they|it)\b|,)",
        rf"{_P},? {_W}{{0,2}}made {_HIS} end\b",
        rf"{_P}'s last words (?:were|was|had been) (?:of|for|a|an|the)\b",
        rf"{_P}'s heart (?:had |has )?(?:stopped|ceased(?: to beat)?|failed) at (?:dawn|noon|midnight|"
        rf"sunrise|"
        r"sunset|last|length|daybreak|\w+ o'clock)\b",
        rf"{_P} (?:had |has )?(?:fell|fallen) (?:at|before) (?!once|last|length|first|her|his|the|night|"
        rf"noon|dusk|"
        r"dawn|sea|full|home|a |an |§)[a-z][\w-]+(?=[.,;!”\"]| in (?:the|1)| leading| fighting)",
        rf"{_P} (?:had |has )?(?:met|found|came to|come to) {_HIS} (?:end|death|doom)\b",
        rf"{_P} (?:had |has )?(?:fallen|fell|was killed|was slain) (?:at|in|before) [^.;?§]{{0,30}}"
        r"\b(?:grave|buried|charge|battle|war|action)\b",
        rf"\b(?:death|end) of {_P},? (?:\w+ )?(?:had|was|came|which|took|left|in|on|at)\b",
        rf"\b(?:since|after|before|with|by|till|until|at|upon|on) {_P}'s death\b",
        rf"\b(?:god|the lord|heaven|death|the sea|the river|the war|the guillotine|the rope) "
        rf"(?:had |has )?(?:took|taken|claimed|swallowed|drowned) {_P}(?:'s life)?(?=[.,;!”\"]| to |"
        rf" in | at | from | from)",
        rf"{_P}(?:'s| is| was| has| had) (?:been )?gone(?=[.,;:!”\"]| and\b).{{0,60}}"
        r"\b(?:eyes|sheet|grave|bury|buried|candles?|heaven|god|rest|pulse|breath|shroud)\b",
        rf"\b(?:eyes|sheet|shroud|pulse|breath)\b.{{0,40}}{_P}(?:'s| is| was| had) (?:been )?gone"
        r"(?=[.,;!”\"]|$)",
        rf"\blast that (?:was|anyone|we|they)[^.;]{{0,30}}{_P}\b[^.;]{{0,40}}\bcoffin\b",
        rf"\b(?:no more|the last) of {_P} in this (?:world|life)\b",
        rf"\b(?:wore|wearing|put on|in) (?:\w+ )?(?:black|mourning|crape|weeds) for {_P}\b(?!')",
        rf"{_P} (?:was|had been|is) (?:hanged|shot dead|guillotined|beheaded|executed|drowned|killed|"
        rf"murdered|"
        r"slain|poisoned|strangled|stabbed to death|burned to death|burnt to death|crushed to death)\b",
    )
)
_BELONGING = re.compile(  # "the flute of Tom was drowned"
    r"\b(?<!body )(?<!remains )(?<!corpse )(?<!ashes )(?:of|to|with|for|from|beside|near|by) $"
)
_OWNED = re.compile(r"\b([\w-]+),? (?:that |which |with which |in which )?$")  # "the flute that Tom"
_TRIGGER = re.compile(
    r"\b(?:dead|death|died|die|perished|expired|corpse|body|grave\w*|tomb\w*|coffin|buried|bury|churchyard|"
    r"cemetery|funeral|widow\w*|lifeless|drowned|hanged|shot|killed|murder\w*|poisoned|woke|waked?|"
    r"breathed?|spoke again|no more|last words|laid|vault|mourning|crape|live[d]? (?:through|to see|till|"
    r"until|out|beyond)|carried|took|taken|swept|finished|gone|heart|succumbed|passed|ghost|inquest|memory "
    r"of|wore black|headstone|gravestone|obituary|memorial|cenotaph|tombstone|breath|nothing|survived?|"
    r"recover(?:ed)?|make it|made it|pull(?:ed)? through|sheet|shroud|stroke|fever|beheaded|executed|"
    r"guillotined|strangled|slain|slew|lowered|earth|closed|stone|slab|slept|sleeps|down with|cut|end|fell|"
    r"fallen)\b"
)
_UNSURE = re.compile(
    r"\b(?:if|whether|would|could|should|might|may|must|shall|will|as though|as if|seem\w*|like|almost|"
    r"nearly|half|dream\w*|dreamt|imagin\w*|fanc(?:y|ied)|pictur\w*|fear\w*|hop(?:e|es|ed|ing)|wish\w*|"
    r"threat\w*|afraid|think|thinks|thought|believ\w*|suppos\w*|pretend\w*|perhaps|rumou?r\w*|report\w*|"
    r"until|till|unless|lest|to die|dying|play(?:ed|ing)?|stage|actor|hero|novel|story|ballad|legend|not "
    r"dead|n't dead|alive|ill|as good as|for dead|spoke of|nor|neither|heart's|ghosts|mock|effigy|name of|"
    r"wait\w* for|before (?:the|his|her) death|not (?:been )?(?:killed|buried|drowned|hanged|shot)|going "
    r"to|want\w*|meant|tried|trying|attempt\w*|plot\w*|(?:tired|asleep|drunk) |ancestor\w*|grand\w+|"
    r"great-\w+|(?:father|mother|brother|sister|son|daughter|uncle|aunt|wife|husband|cousin|child|baby|"
    r"friend|dog|horse)(?:'s)? (?:was|were|had|is|died|lay|who))\b|\?"
)
_ALLOWED = re.compile(
    r"(?:nothing|no one|nobody) (?:\w+ ){0,3}could|could (?:only )?know|did not live (?:till|until)|"
    r"didn't live (?:till|until)|knew (?:it )?would|didn't you hear\?|did you not hear\?|was never to|"
    r"would never|haven't you heard\?|have you not heard\?"
)


def read_death_wordings(
    chapter: ParsedChapter, arguments: Arguments, told: frozenset[int]
) -> Iterator[Trait]:
    """In order of the text, of sentences in which no death was read: ``told`` holds where the quotes of those
    that were begin. What somebody says is REPORTED. Costs one search of a pattern a paragraph."""
    for paragraph in chapter.paragraphs:
        if not paragraph.mention_of or not _TRIGGER.search(paragraph.prose.text.lower()):
            continue
        for sentence in paragraph.sentences:
            if not any(sentence.span.start <= start < sentence.span.end for start in told):
                yield from _death(chapter, arguments, paragraph, sentence)


def _not_himself(before: str) -> bool:
    """Is it of a thing of his, by the words before him, that the sentence tells?"""
    had = _OWNED.search(before)
    return _BELONGING.search(before) is not None or (had is not None and had[1] in THINGS)


def _death(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph, sentence: Sentence
) -> Iterator[Trait]:
    text = text_of(paragraph, sentence).lower()
    if len(text) > _LONGEST or not _TRIGGER.search(text):
        return
    seen = masked(chapter, arguments, paragraph, sentence)
    told = [words for words in readings(seen.words) if not _UNSURE.search(_ALLOWED.sub("", words))]
    for words, pattern in product(told if seen.people else (), _ENDED):
        found = pattern.search(words)
        if found is None or (found.group().startswith("§") and _not_himself(words[: found.start()])):
            continue
        number = next(value for value in found.groups() if value is not None)
        person = seen.people[int(number)]
        kind = chapter.mentions[person.mention].kind
        owned = f"§{number}'s " in found.group(0)  # by a pronoun, perhaps
        unsure = owned and len(seen.people) > 1
        if unsure or person.factor < _LEAST or kind is not EntityKind.CHARACTER:
            return
        yield told_trait(paragraph, sentence, person, LIFE, DEAD, sure=_SURE)
        return
