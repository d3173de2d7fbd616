"""Wordings by which ``bonds.wordings`` knows a bond of two people, over masked sentences
(``masked.wording``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType

from ..patterns.masking import wording
from .turning_table import TURNS

__all__ = ["PATTERNS", "TURNINGS", "Wording"]

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
_FRIENDS = (
    r"(?:friends?|ally|allies|champions?|comrades?|companions?|confidante?|protectors?|defenders?|"
    r"supporters?|brother|sister)"
)
_ENEMIES = r"(?:enem(?:y|ies)|foes?|adversar(?:y|ies)|antagonists?|persecutors?)"
_VERMIN = (
    r"(?:vipers?|serpents?|snakes?|adders?|toads?|reptiles?|vermin|rats?|devils?|fiends?|monsters?|villains?|"
    r"scoundrels?|wretch(?:es)?|curs?|pests?|plagues?|curses?|abominations?|traitors?)"
)
_ANGELS = (
    r"(?:angels?|saints?|treasures?|idols?|god(?:dess)?(?:es)?|darlings?|blessings?|jewels?|"
    r"hero(?:es|ines?)?)"
)
_NO_ONE = r"(?:nobody|no one|none|no man|no woman|not a soul|not a creature)"
_MOST = (
    r"(?:best|dearest|truest|closest|oldest|firmest|warmest|greatest|only|one|staunchest|kindest|bitterest|"
    r"worst|deadliest|sworn|mortal|deadly|cruell?est|most \w+)"
)
_HOLDING = (
    r"(?:regard(?:ed|s)?|consider(?:ed|s)?|count(?:ed|s)?|reckon(?:ed|s)?|call(?:ed|s)?|thought|held|hold|"
    r"look(?:ed|s)? (?:up)?on|number(?:ed|s)?|rank(?:ed|s)?|spoke of|thought of|saw in|found in|knew)"
)
_PLAIN = r"(?:[\w-]+,? ){0,8}?"  # words none of which is anybody's
_DOOM = (
    r"(?:dead|ruin(?:ed)?|hanged|destroyed|crushed|humbled|humiliated|disgraced|damned|drowned|buried|"
    r"never been born|at the bottom|in (?:his|her|the|§\d's) grave|on the gallows|in the gutter|"
    r"suffer|beg|brought low)"
)

_WORDINGS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "LOVES": (
            r"E would ~(?:have )?~(?:die|died|give|given|gone?|followed?|lay|laid|cut|fought|"
            r"fight|done|do) "
            r"~(?:[\w']+ )?(?:for|to save|to serve|to please|anywhere with) T",
            r"E (?:would|could) (?:have )?follow(?:ed)? T (?:to|anywhere|barefoot|into|through)",
            r"E ~(?:thought|thinks|made) (?:the world|everything|all the world|an idol|much) of T",
            r"E ~(?:worshipp?ed|kissed|loved) the (?:very )?ground (?:that |on which |which )?T",
            r"E ~look(?:ed|s) (?:up)?on T as (?:on )?(?:an? )?~(?:brother|sister|father|"
            r"mother|son|daughter|"
            r"friend|own)",
            rf"E's ~heart ~(?:was|is|belonged|went|beat|warmed|leapt|leaped|had ~gone) ~(?:{_FONDNESS} )?"
            r"(?:for|to|with|towards?|out to|at the sight of) T",
            r"E's (?:whole |very )?heart (?:and soul )?(?:was|is|were) T's",
            r"E (?:was|is) (?:wholly|entirely|all|heart and soul) T's",
            r"E ~(?:gave|given|lost|pledged) E's (?:whole )?heart to T",
            r"T ~(?:had|held|possessed|owned|won) (?:the whole of )?E's (?:whole )?heart",
            r"E ~(?:cared?|lived|cares) (?:for|only for) (?:nobody|no one|nothing|none) (?:\w+ )?"
            r"(?:but|except|save|so much as|as E did for) (?:for )?T",
            r"E ~(?:came|come|grown|grew|learnt|learned|begun) to (?:be (?:very )?fond of|"
            r"love|adore|cherish|"
            r"worship|like|trust|be devoted to) T",
            rf"E (?:~(?:felt|feels|bore|bears|had|has|cherished|nursed) )(?:for T )~{_FONDNESS}",
            rf"E (?:~(?:felt|feels|bore|bears|had|has|cherished|nursed) )~{_FONDNESS} ~(?:for|"
            r"to|towards?) T",
            rf"E's ~{_FONDNESS} (?:for|to|towards?) T",
            r"E ~could not (?:live|be happy|rest|exist|do|eat or sleep) ~(?:without|apart "
            r"from|away from) T",
            r"loving T as E (?:did|does)",
            r"loving T as (?:she|he) (?:did|does),? E",
            r"to E,? T (?:was|is) ~(?:the dearest|everything|all the world|more than|the one|"
            r"like an? (?:brother|sister))",
            r"E ~h(?:eld|olds) T (?:dear|dearer|dearest|above|in the (?:warmest|deepest) "
            r"(?:love|affection))",
            r"T ~(?:dear|dearer|dearest|precious) to E",
            r"(?:so|as|more) (?:dear|precious) to E (?:as|than) T",
            rf"T ~(?:whom|that|who) E ~{_WARMLY}",
            rf"E ~(?:looked|gazed|glanced|smiled) ~(?:at|on|upon) T with ~(?:{_FONDNESS})",
            rf"{_WARMLY} ~(?:nobody|no one|none|anyone|anybody|nothing) ~as E (?:~{_WARMLY}|did) T",
            r"E ~(?:love[sd]?|adored?|adores|worshipp?ed|cherished|idoli[sz]ed|treasured) T",
            r"E was never so happy as (?:when ~)?(?:with T|T was|T sat|beside T|in T's)",
            r"E ~the apple of T's eye",
            rf"T (?:\w+,? ){{1,8}}?E who {_WARMLY} (?:him|her)\b",
            rf"E ~{_HOLDING} T (?:as|for|to be) ~{_ANGELS}",
            rf"E ~{_HOLDING} T (?:as |for |to be )?the (?:dearest|noblest|best|kindest|truest|sweetest|"
            r"finest|loveliest) (?:creature|man|woman|person|being|soul|heart|girl|fellow)",
            r"E would ~(?:have )?(?:give|given|share|shared) ~last \w+ (?:to|with) T",
            r"all the love (?:that )?E (?:had|possessed) was for T",
            r"T (?:was|is|were|been|became|become|grown) ~(?:all in all|everything|all the "
            r"world|the whole world|life itself|the idol|"
            r"the delight|the one thing|dear|dearer|precious) (?:\w+ ){0,3}?(?:to|of) E",
            r"T (?:was|is|been) the (?:light|joy|apple|delight|pride|sun|idol|hope|treasure|"
            r"darling) of E(?:'s)?",
            r"E ~dot(?:ed|es) (?:up)?on T",
            r"E ~sets? (?:great|no small) store (?:by|on) T",
            r"E ~care[ds]? (?:more|so much|deeply|greatly|a great deal|very much|dearly) (?:for|about) T",
            r"E ~(?:been|was|is|grown|become|grew|became) (?:\w+ )?(?:fond|enamou?red) of T",
            r"E ~(?:been|was|is|grown|become|grew|became) (?:\w+ )?(?:attached|devoted) to T",
            r"E (?:had )?lived? (?:only |but |wholly |solely )for T",
            r"E ~(?:ready|willing|glad|content|prepared) to (?:die|lay down|give|go|follow|suffer) ~for T",
            r"E would ~do (?:anything|everything|whatever) ~for T",
            r"E could (?:refuse|deny) T nothing",
            r"in E's (?:eyes|opinion|judgment|sight),? T could do no wrong",
            r"T could do no wrong in E's",
            rf"E ~(?:thought|believed|held) ~{_NO_ONE} ~like T",
            r"E ~never (?:so |half so )?happ(?:y|ier) ~(?:than|as|but|unless|except|away) ~T",
            r"E ~happy only (?:when|with|beside|near) ~T",
            r"E ~missed T (?:every|sorely|more|bitterly|dreadfully|terribly)",
            r"E's (?:one|only|whole|first|every|constant) (?:thought|care|wish|joy|delight|"
            r"happiness) ~(?:was|lay|were) ~(?:happiness|"
            r"good|welfare|comfort|sake|safety) of T",
            r"E ~(?:warm|tender|soft) (?:place|corner|spot) ~for T",
            r"E's (?:whole )?(?:face|eyes?|heart|countenance) (?:\w+ )?(?:lit|lighted|"
            r"brightened|leapt|leaped|sang|glowed|bounded) ~T",
            r"E ~(?:singing|sang|sounded|sounding) (?:the )?~praises of T",
            rf"{_NO_ONE} ~E ~(?:love[sd]?|likes?|liked|cared for)(?: so (?:well|much|dearly)| "
            r"more| better)? (?:as|than) ~T",
            rf"{_NO_ONE} ~(?:love[sd]|so dear) ~(?:by|to) E ~(?:as|than) T",
            r"T (?:was|is|been) ~(?:beloved|loved|adored|idoli[sz]ed|cherished|worshipped) (?:by|of) E",
            r"to be (?:near|with|beside) T was (?:all|everything) ~E",
            r"(?:with|in) E ~was T ~(?:first|last|always|above)",
            rf"E {_PLAIN}{_FONDNESS} (?:\w+ )?(?:for|towards?) T",
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
            rf"T ~{_MOST} (?:\w+ )?{_FRIENDS} (?:that |whom )?E (?:ever |had|has|have|could|possessed)",
            r"E (?:could|can)(?: not|n't|not) (?:have )?(?:wish|wished|ask|asked|want|"
            rf"desire)~ {_FRIENDS} than T",
            r"(?:no|never an?|not a) (?:truer|better|kinder|warmer|dearer|closer|firmer|more "
            rf"\w+) {_FRIENDS} (?:\w+ ){{0,4}}?(?:than|like) T ~E",
            rf"E ~{_HOLDING} T ~{_FRIENDS}",
            rf"E ~(?:found|had|has|have|knew|possessed|saw) ~in T ~{_FRIENDS}",
            rf"in T E (?:had|has|found|possessed|knew) ~{_FRIENDS}",
            r"E and T (?:were|had been|are|had always been|was) ~(?:as thick as thieves|never "
            r"~apart|never parted|hand in glove|sworn (?:friends|brothers)|"
            r"devoted to (?:each other|one another)|all in all to)",
            r"(?:no|never|not|two) ~(?:friends|comrades|companions) ~(?:than|like|as) E and T",
            r"(?:no|never were|never was) ~(?:friendship|friends|attachment) ~(?:than|like|"
            r"as) ~E (?:and|with|for) T",
        ),
        "TRUSTS": (
            r"E ~(?:would|could) (?:have )?~(?:trust|trusted|believe|believed) T (?:with "
            r"~life|with anything|"
            r"against|before|beyond|to the|in anything)",
            r"(?:nothing|nobody|no one) ~shake E's (?:faith|trust|confidence|belief) in T",
            r"E ~(?:put|placed|reposed|had) ~(?:trust|faith|confidence) in T",
            r"E ~(?:trusted|believed in|relied on|relied upon|leaned on) T (?:as|with|more|like|above|"
            r"completely)",
            r"T was the (?:one|only) ~(?:whom|that) E ~(?:trusted|could trust)",
            r"T ~(?<!last )(?:person|man|woman|one|creature|friend|being) ~(?:whom |that )?E "
            r"~(?:trusted|trusts|confided|relied)",
            rf"{_NO_ONE} ~E ~(?:trust(?:s|ed)?|relied (?:up)?on|believed in)(?: so (?:much|"
            r"well|fully|entirely|completely)| more| better| further| farther)? (?:as|than) ~T",
            r"E ~(?:leaned|leant|relied|depended|counted|built|looked) (?:up)?(?:on|to) T "
            r"(?:in|for) (?:everything|all)",
            r"E ~confide[ds] (?:everything|all|every|all E's) ~(?:to|in) T",
            r"T ~(?:had|possessed|enjoyed|owned|held) E's ~(?:trust|confidence|faith)",
        ),
        "HATES": (
            rf"E ~{_CANNOT} (?:bear|abide|endure|stand|stomach|suffer|tolerate|look at|sit|breathe|hear|"
            r"speak|be|stay)(?: to (?:be|sit|stay|look|hear|speak|think))?(?: in| at| on)?(?: the (?:very "
            r")?| one | a )?(?:sight|name|thought|presence|company|voice|room|table|house|air|sound)?(?: "
            r"of| with| as|"
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
            r"E ~(?:regarded|eyed|watched|looked|stared|glanced|gazed|glared|turned|"
            rf"viewed) ~T with ~{_HATRED}",
            rf"E (?:~(?:felt|feels|bore|bears|had|has|nursed|conceived|harboured) )(?:for T |T )~{_HATRED}",
            rf"E (?:~(?:felt|feels|bore|bears|had|has|nursed|conceived|harboured) )~{_HATRED} ~"
            r"(?:for|of|to|towards?|against) T",
            rf"E ~{_COLDLY} the (?:very )?(?:name|sight|sound|thought|touch) of "
            r"T's (?:voice|name|face|step|hand)",
            rf"E ~{_COLDLY} (?:the (?:very )?(?:name|sight|sound|ground|thought|look|air) ~)(?:of )?T",
            rf"E ~{_COLDLY} T",
            rf"{_COLDLY} ~(?:nobody|no one|none|anyone|anybody|nothing) ~as E (?:~{_COLDLY}|did) T",
            r"E ~(?:sworn|vowed|swore|promised herself|promised himself|lived only|meant) to "
            r"(?:ruin|destroy|"
            r"crush|be revenged (?:up)?on|have ~revenge on|see ~ruin of|hurt) T",
            r"E ~b(?:ore|ears|orne) T ~(?:grudge|ill[- ]will|hatred|malice|no love|no good will)",
            r"E ~(?:shuddered|sickened|turned sick|shrank) at the (?:sight|name|thought|touch) of T",
            r"E ~(?:shrank|shrunk|recoiled|turned) from T (?:as|with|in)",
            rf"E ~{_HOLDING} T (?:as |for |to be )?the (?:falsest|worst|vilest|basest|meanest|wickedest|"
            r"cruell?est|blackest|most (?:wicked|hateful|odious|detestable|false|treacherous|contemptible))",
            r"E ~never (?:liked|cared for|forgiven|forgave|been able to like) T",
            r"hating T as E (?:did|does)",
            rf"T (?:\w+,? ){{1,8}}?E who {_COLDLY} (?:(?:the )?(?:very )?(?:sight|sound|name) of )?"
            r"(?:him|her)\b",
            r"hating T as (?:she|he) (?:did|does),? E",
            r"E ~crossed? the (?:street|road) ~(?:to avoid|rather than ~meet|sooner than ~meet) T",
            rf"E ~(?:held?|holds) T in ~{_HATRED}",
            rf"E {_PLAIN}{_HATRED} (?:\w+ ){{0,2}}?(?:for|to|towards?|against) T",
            rf"E {_PLAIN}(?:with|of|in|a) (?:\w+ )?(?:{_HATRED}|horror) of T",
            r"E never (?:\w+ )?(?:spoke|thought|heard) (?:of )?T (?:but with|without|save "
            rf"with|except with) ~(?:{_HATRED}|sneer|shudder|curse|oath|bitterness|loathing)",
            r"E ~(?:shudder\w*|shrank|shrink\w*|sicken\w*|recoil\w*) (?:when|whenever|if) T "
            r"(?:touched|came near|came close|approached|brushed)",
            rf"T ~(?:inspired|filled|fills|inspires) E with ~(?:{_HATRED}|horror)",
            rf"T (?:was|is|been|became|become) ~(?:object|subject) of ~{_HATRED} (?:\w+ )?to E",
            r"(?:thought|sight|name|voice|memory|presence|sound) of T(?:'s \w+)? ~(?:made|"
            rf"turned|filled|moved|drove) E ~(?:sick|white|cold|with|ill) ~(?:{_HATRED}|rage|"
            r"fury|horror)",
            r"at the (?:\w+ )?(?:name|sight|thought|voice|sound|mention) of T,? E "
            rf"~(?:{_HATRED}|rage|fury|sick|shudder\w*)",
            r"E would (?:not|never) (?:have )?(?:\w+ )?(?:give|given|lift|lifted|stir|stirred|"
            r"raise|raised|cross|crossed|put|hold|held|walk|walked) ~"
            r"(?:finger|hand|step|street|road|yard|inch) ~T",
            r"E would (?:not|never) (?:have )?(?:\w+ )?(?:give|given|lend|lent|spare|spared|"
            r"throw|thrown) T (?:\w+ ){0,3}?(?:cup|crust|drop|penny|farthing|glass|rope|bone)",
            r"E (?:would|could|will|can)(?: not|not| never)(?: longer)? (?:\w+ )?(?:sit|stay|"
            r"eat|dine|sup|drink|breathe|remain|live|stand|ride|be|sleep) ~"
            r"(?:same|one|any) (?:table|room|house|roof|air|carriage|street|town|bench) ~(?:with|as) T",
            r"E would (?:not|never) (?:stay|remain|be|sit|eat|dine) (?:at|in|under) ~(?:room|"
            r"house|table|company|roof) (?:with|as|of) T",
            r"E would (?:not|never) ~(?:speak|hear) ~(?:to|of) T,? (?:nor|or) ",
            r"E (?:always |invariably )?(?:left|leaves|quitted) (?:the|any|every) (?:room|"
            r"house|table) (?:whenever|as soon as|the moment|if|directly) T",
            r"E ~(?:rejoiced|gloated|exulted|triumphed) (?:in|over|at) ~(?:misfortunes?|ruin|"
            r"fall|failures?|disgrace|sufferings?|downfall|troubles?|losses) ~T",
            r"E ~(?:thirst\w*|burn\w*|hunger\w*|panted|longed|longs|ached|prayed|lived?|vowed|"
            r"vows|sworn|swore|swears|meant|means|plotted|sought) ~"
            r"(?:revenged?|vengeance|avenged) ~(?:on|upon|of|against) T",
            r"E ~curse[ds]? (?:the |every )?(?:day |hour |name |very \w+ |moment |whole \w+ )?~T",
            r"E(?:'s)? ~(?:wish\w*|hope[ds]?|want(?:s|ed)?|long(?:s|ed)|pray(?:s|ed)|glad|"
            r"asked nothing|give[ns]? (?:much|anything|a great deal|E's \w+)|"
            r"thought|aim|object|desire) ~(?:that |to see |to hear of |see |hear )?"
            rf"~T (?:\w+ ){{0,3}}?{_DOOM}",
            r"E's (?:one|only|chief|dearest|whole) (?:wish|thought|hope|aim|desire|object|"
            r"care) ~(?:ruin|destroy|crush|revenge|vengeance|downfall|hurt|injure) ~T",
            rf"E ~{_COLDLY} (?:nobody|no one|none|nothing) (?:but|except|save|so much as|as "
            r"much as|more than) T",
            rf"{_NO_ONE} ~E ~{_COLDLY}(?: so (?:much|bitterly|deeply|heartily)| more| worse)? "
            r"(?:as|than) ~T",
            r"E ~(?:been|was|is|grown|become) ~(?:hostile|bitterly opposed) to T",
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
            rf"T ~{_MOST} (?:\w+ )?{_ENEMIES} (?:that |whom )?E (?:ever |had|has|have|could)",
            rf"E ~{_HOLDING} T ~{_ENEMIES}",
            rf"E ~{_HOLDING} T (?:as|for|to be|nothing but|no better than|up)? ?~{_VERMIN}",
            rf"E ~(?:made|makes|found|had|has|have) (?:an? |the )?(?:\w+ )?{_ENEMIES} (?:of|in) T",
            r"(?:no|never an?) (?:worse|bitterer|deadlier|crueller|greater|more \w+) "
            rf"{_ENEMIES} (?:\w+ ){{0,4}}?(?:than|like) T ~E",
            rf"E and T (?:\w+ )?{_COLDLY} (?:each other|one another)",
            r"E and T (?:were|had been|are|have been) ~(?:not on speaking terms|no friends|"
            r"the worst of enemies|bitter against)",
            r"E and T (?:had|have) not ~(?:exchanged|spoken|said) ~(?:hatred|enmity|hated|quarrel|feud)",
            r"E and T (?:could|can|never)(?: not| never)? (?:be|sit|meet|met|live|stay|remain|"
            r"pass) ~(?:without|but) ~(?:quarrel\w*|blows|fighting|insults?|fight)",
            rf"(?:{_HATRED}|grudge|feud|bad blood|war|ill[- ]will|ill blood) (?:\w+ "
            rf"){{0,3}}?between E and T",
            r"E and T ~(?:at war|in open war|at feud|sworn enemies|at enmity)",
        ),
        "DISTRUSTS": (
            r"E ~(?:trusted|believed) T (?:no (?:further|farther|more)|as little|about as)",
            r"E would ~(?:not|never|as soon) (?:have )?(?:trust|trusted|believe|believed) T",
            r"E ~(?:not|never|n't) (?:believe|believed|trust|trusted) (?:a|one|any|a single) (?:word|"
            r"syllable) "
            r"~T",
            r"E ~(?:had|has|put|placed|felt|reposed) (?:no|not the \w+|little|as little) (?:\w+ )?"
            r"(?:trust|faith|confidence|belief|reliance) (?:\w+ ){0,2}?(?:in|on|upon) T",
            r"E ~(?:believe[sd]?|credit(?:ed|s)?) (?:nothing|no word|not a word|little) "
            r"(?:that |which )?(?:of )?T",
            r"E ~(?:doubt(?:ed|s)?|question(?:ed|s)?) ~T's (?:honesty|word|faith|truth|good faith|honour)",
            r"E ~(?:distrust(?:ed|s)?|mistrust(?:ed|s)?|suspected) T",
            r"E ~(?:did|does|had|could|has) (?:not|never) trust(?:ed)? T",
            rf"{_NO_ONE} ~E ~(?:trust(?:s|ed)?|liked?|believed) (?:less|so little) (?:than|as) T",
            r"E ~(?:trust(?:s|ed)?|believe[sd]) T (?:no (?:more|further|farther|better) than|"
            r"less than|about as|as little|as far as|not at all)",
            r"E would (?:as soon|sooner|rather) (?:have )?(?:trust(?:ed)?|believed?|confided? "
            r"in) ~(?:than|as) T",
            r"T ~last (?:man|woman|person|creature|being) ~(?:whom |that |to whom )?E "
            r"(?:would|could) ~(?:trust(?:ed)?|believed?|confided?|turn(?:ed)?)",
        ),
    }
)
_NEGATION = re.compile(r"\b(?:not|never|no|nobody|none|nothing|as soon|sooner|rather)\b|n't")


@dataclass(frozen=True, slots=True)
class Wording:
    """``denies``: the wording has a negation of its own, so that one in what it fits denies nothing."""

    predicate: str
    pattern: re.Pattern[str]
    denies: bool


def _made(table: MappingProxyType[str, tuple[str, ...]]) -> tuple[Wording, ...]:
    return tuple(
        Wording(name, wording(each), _NEGATION.search(each) is not None)
        for name, rows in table.items()
        for each in rows
    )


TURNINGS = _made(TURNS)
PATTERNS = _made(_WORDINGS)
