"""Wordings by which ``objects.wordings`` knows what becomes of a thing, masked as "¤", people as "§"."""

from __future__ import annotations

import re

__all__ = ["GONE", "HOLDERS", "KEPT", "SHOWN"]

_BITS = (
    r"(?:pieces|fragments?|splinters|shards|atoms|bits|ash(?:es)?|cinders|shreds|ruins?|halves|dust|"
    r"tatters|ribbons|rags|smithereens|matchwood|powder|pulp|remnants?|wreck(?:age)?|embers|slag|scrap)"
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
                       r"made an end of|destroyed|left nothing of|finished) ¤|\bperished with ¤|¤ (?:had |"
                       r"has )?(?:\w+ )?(?:perished|been consumed|"
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
                       r"rust|damp|mould|fire|flames|bomb|shell|explosion|lightning|pulse) (?:had |has |"
                       r"have )?(?:eaten|ate|devoured|chewed|gnawed|burned|burnt|destroyed|ruined|"
                       r"shattered|smashed|melted|burst|swallowed|rotted|spoil(?:ed|t))(?: up| out| away| "
                       r"through| to pieces)? (?:every one of |"
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
                 r"knocked|blown|jerked|dropped)\b[^.;]{0,40}\b(?:overboard|over the (?:side|rail|cliff|"
                 r"edge|bulwarks?|gunwale|parapet)|down the (?:well|shaft|drain)|under the ice|(?:in|into|"
                 r"beneath|under) the (?:\w+ )?(?:sea|river|lake|water|waves|bog|marsh|well|torrent|stream|"
                 r"canal|harbour|"
                 r"ditch|swamp|chasm|ravine|crevasse|gorge|ocean|pond|current|surf))\b"),
    (_LOST, 0.8, r"\b(?:never|not)(?: \w+){0,3}? (?:saw|seen|see|sees|find|found|recover|recovered|"
                 r"regain\w*|get|got|had|have|(?:set|lay|laid|clap|clapped) eyes (?:up)?on|look(?:ed)? "
                 r"(?:up)?on|hold|held|touch(?:ed)?|hear of|heard of|wear|worn|play(?:ed)?|handle[d]?|"
                 r"possess(?:ed)?|own(?:ed)?)[^.;]{0,25}? ¤[^.;]{0,20}? (?:again|any ?more|more|back|"
                 r"since)\b|"
                 r"\b(?:nobody|no one|no man|no search)\b[^.;]{0,25}? (?:found|find|recovered) ¤"),
    (_LOST, 0.8, r"¤[^.!?“”\"]{0,40} (?:was|were|is|had|has) (?:never|not)(?: \w+)? (?:\w+ )?(?:seen|"
                 r"found|recovered|heard of|"
                 r"traced|returned|restored|turned up|come back|came back)\b|¤[^.!?“”\"]{0,60}\bno (?:\w+ "
                 r")?(?:search|trace|sign)\b"),
    (_LOST, 0.8, r"¤ (?:was|were|is|had|has|[’']s)(?: [\w-]+){0,2}? (?:gone|lost|vanished|disappeared|"
                 r"missing) (?:to (?:him|her|me|them) )?(?:(?:and |now )?(?:for ever|forever|for good|for "
                 r"always|past recall|beyond recall|beyond (?:all )?(?:hope|recovery)|irrecoverably|"
                 r"irretrievably|down|with the|in the (?:wreck|fire|flood)|"
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
    (_LOST, 0.75, r"¤ (?:had |was |were )?(?:slipped|fell|fallen|dropped|slid|worked loose|gone)\b"
                  r"[^.!?]{0,40}\b(?:through|out of|from) (?:a|the|his|her|my|its|"
                  r"§[’']s) (?:\w+ )?(?:hole|pocket|"
                  r"lining|bag|fingers|saddle|cart|belt|chain)\b[^.!?]*\b(?:somewhere|road|moor|way|heath|never|"
                  r"lost|snow|crowd|street|dark)\b"),
    (_LOST, 0.75, r"\b(?:came|come|went|returned|got) (?:home|back)(?: \w+){0,3}? without ¤|"
                  r"¤ (?:was|were) (?:not|n't|nowhere) (?:there\b|to be (?:found|seen)|in its)|¤ (?:was |"
                  r"were |had been |had )?(?:swept|washed|borne|carried|blown|whirled) away\b|¤ (?:had "
                  r")?(?:went|gone|was taken|was lost|sank|sunk|drowned) with (?:the (?:rest|others|ship|"
                  r"boat|house|trunk|wreck)|everything|it|them|all)\b"),
    (_LOST, 0.75, r"\b(?:hurled|flung|threw|thrown|tossed|pitched|cast|sent|dropped|"
                  r"let fall) ¤ (?:\w+ ){0,2}?(?:from|over|off|out of|into|down) (?:the|a) (?:\w+ "
                  r")?(?:cliffs?|bridge|rail|parapet|side|"
                  r"deck|carriage|coach|train|precipice|rocks|tower|quay|pier|bluff|gorge|shaft)\b"),
    ("destroys", 0.75, r"\b(?:stamped|trampled|trod|crushed|beat|hammered|pounded|smashed|squeezed|"
                       r"pressed) ¤ (?:quite |all )?(?:flat|underfoot|shapeless|out of shape)\b|\bnot an? "
                       r"(?:splinter|scrap|shred|thread|bit|piece|rag|page|trace|stick|fragment|leaf|"
                       r"string|link) (?:\w+ )?(?:left|remained|remains|survived)? ?of ¤|"
                       r"\bof ¤ not an? \w+ (?:\w+ )?(?:left|remained|survived)\b"),
    # sold and pledged
    ("sells", 0.75, r"¤ (?:had |has )?(?:gone|went|go) (?:to (?:pay|settle|meet|buy)|in payment|"
                    r"to the lawyers?|for (?:rent|bread|debts?|drink|food|taxes))\b|\b(?:took|taken|"
                    r"accepted|seized|distrained) "
                    r"¤ (?:\w+ )?(?:in payment|for (?:the |a )?(?:debt|rent)|as security|in lieu)\b"),
    ("sells", 0.8, r"¤,?[^.!?“”\"]{0,45} (?:pawned|in pawn|in pledge|pawn-?(?:shop|broker|ticket)\w*|up "
                   r"the spout|under the hammer|to the (?:auction\w*|highest bidder|melting[- ]pot|"
                   r"second-hand|money-?lender\w*|dealers?|jews?)|by auction|at auction|at the auction|"
                   r"found (?:a|another|its) (?:buyer|purchaser|customer|owner|master))\b"),
    ("sells", 0.8, r"\b(?:pawned|pledged|hocked|bartered|swapped|swopped|trucked|auctioned|traded|cashed|"
                   r"disposed of) ¤|\bexchanged ¤ for (?!an? \w+ one|another|his|her|the|one|those)|"
                   r"\bpawn-?(?:shop|broker|ticket)[^.;]{0,40} ¤|\b(?:let|letting) ¤ go\b(?: for| to| at|"
                   r"[.,;])|\b(?:buyer|purchaser|customer) for ¤|¤ (?:had |has )?fetched (?:a|but|only|"
                   r"some|more|nothing|\w+ \w+)\b|\bturn(?:ed|ing) ¤ into (?:money|cash|bread|gold)|"
                   r"\b(?:got|had|given|received|paid|pocketed) [\w -]{0,25}(?:pounds?|guineas?|shillings?|"
                   r"dollars?|francs|pence|crowns?|sovereigns?|money|price|sum)(?: \w+){0,2} for ¤|\bthe "
                   r"(?:sale|selling|pawning|auction) of ¤|\b(?:price|money|proceeds|pounds|guineas|"
                   r"shillings|dollars|sum)\b[^.;]{0,30} (?:for|"
                   r"of) ¤"),
    # given away and staked
    ("gives", 0.75, r"\b(?:sent|gave|handed|posted|carried|brought) ¤ to (?:§|the \w+|his \w+|"
                    r"her \w+)(?! [’'])[^.;]{0,20}\b(?:as|for|by way of) (?:an? |the )?(?:\w+ )?(?:gift|"
                    r"present|keepsake|token|remembrance|legacy)\b|¤ (?:had )?(?:went|gone|passed|fell|"
                    r"descended|came) to (?:§|his \w+|her \w+|the \w+)(?![’']s) (?:under|by|in|with) "
                    r"(?:the|his|her) (?:\w+ )?(?:will|testament|deed|law|inheritance)\b|\b§ who (?:had|"
                    r"owned|wore|kept|has) ¤ now\b|"
                    r"¤ (?:had |has )?changed (?:hands|owners?|masters?)\b"),
    ("gives", 0.75, r"\b(?:bestow(?:ed|ing)|conferr(?:ed|ing)|bequeath(?:ed|ing)|relinquish(?:ed|ing)|"
                    r"renounced|resigned|yielded(?: up)?|made over|signed over|settled|willed|gambled away|"
                    r"diced away|played away|wagered away|frittered away|parted(?: company)? (?:with|from)|"
                    r"part with) ¤|\b(?:present|gift|offering|sacrifice) of ¤|\b(?:gambled|diced|drunk|"
                    r"drank|gamed) ¤ "
                    r"away\b"),
    ("gives", 0.75, r"¤ (?:\w+ ){0,3}(?:passed|went|gone|fallen|come|came) (?:\w+ ){0,2}(?:out of|from|"
                    r"into|to) (?:[\w§’']+ ){0,2}(?:hands|keeping|possession|family)\b|¤ (?:belong\w*|was|"
                    r"is)(?: now)?(?: to)? (?:another(?: man| woman|[’']s)|somebody else(?:[’']s)?|someone "
                    r"else(?:[’']s)?|a stranger(?:[’']s)?|other people)\b|\b(?:bade|told|begged|bidding|"
                    r"telling|begging) (?:him|her|them|§|the \w+) (?:to )?keep ¤|\b(?:pressed|put|thrust|"
                    r"slipped|laid) ¤ (?:\w+ ){0,2}into [^.;]{0,40}\b(?:to keep|"
                    r"for (?:his|her|their) own|for good)\b"),
    ("gives", 0.75, r"\b(?:staked|wagered|bet|ventured|risked) ¤[^.!?“”\"]{0,40}\blost\b|\b(?:won|"
                    r"cheated) ¤ (?:from|of)\b"),
    ("steals", 0.75, r"\b(?:somebody|someone|an unknown hand|some hand|some thief|a stranger) (?:had |"
                     r"has )?(?:\w+ )?"
                     r"(?:taken|took|carried off|removed|lifted|stolen|stole|made off with) ¤"),
    ("steals", 0.75, r"\b(?:robbed|relieved|deprived|stripped|despoiled|plundered|cheated|swindled) of ¤|"
                     r"\bthe (?:theft|robbery|stealing) of ¤|\b(?:made|making|run|ran|gone|got|went) "
                     r"(?:away|off|clear) with ¤|\b(?:thie(?:f|ves)|burglars?|robbers?|pickpockets?|"
                     r"highwaymen|highwayman|looters?|bandits?|pirates?|muggers?|"
                     r"footpads?)\b[^.;?!“”]{0,60}\b(?:took|taken|stole|stolen|carried off|"
                     r"lifted|pinched|nicked|had|cleared out|emptied) (?:away )?¤(?! back)"),
)  # fmt: skip
GONE = tuple((act, sure, re.compile(words)) for act, sure, words in _WORDINGS)
_STILL = r"(?:still|always|yet|ever|never failed to)"
KEPT = tuple(
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
        r"squeak|ticking|tick|notes?|tones?|strains|music|flash|point|edge|butt|barrel|lid|strings|back|"
        r"light|beam|weight|touch|feel|pages?|clasp|hilt|handle|end|cord|chain|face|dial|"
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
        r"\b(?:snapped|clicked|shut|closed|opened|folded|unfolded|spread|flicked|waved|"
        r"shook) ¤(?: \w+)? (?:shut|"
        r"open|to|out|up|wide|again)\b|\b(?:is|was|were|went|seen) never (?:\w+ )?without ¤",
        r"\b(?:hid|hidden|laughed|smiled|yawned|blushed|whispered|peeped|looked|gazed|sat|stood|wept|coughed|bent|"
        r"leaned|leant|bowed|stared|glanced|frowned) (?:[\w’']+ ){0,3}?(?:behind|over|above|under|"
        r"beneath|through|"
        r"into|at) ¤",
        r"\b(?:showed|shown|showing|shows) (?:§ |him |her |me |them )¤|¤ (?:hung|stood|lay|leaned|leant|"
        r"rested|was|ticked) (?:\w+ )?(?:on|in|against|at|upon|over|from) its (?:\w+ )?(?:nail|peg|hook|"
        r"chain|ribbon|case|"
        r"place|stand|shelf|cord|corner|cushion|rack|box)\b",
        r"\b(?:picked up|put by|put away|put back|tidied away|moved|handed (?:him|her|me|up)|passed "
        r"(?:him|her|me)) ¤(?: that| which)?",
    )
)  # fmt: skip
SHOWN = re.compile(
    r"\b(?:here|there)(?: is|[’']s| are| was) ¤|\bi(?: have|[’']ve)(?: got| still)? ¤ (?:here|with me|"
    r"about me|on me|in (?:my|this)|round my|at my)|\bthis is ¤|\btake ¤ from|\blook at ¤|\bi (?:still |"
    r"always )?(?:wear|carry|keep|use|play) ¤|\b(?:mind|careful (?:of|with)|don't touch|hold|listen to) ¤"
)
