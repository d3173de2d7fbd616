"""Word tables behind query signatures. Small and strict on purpose.

A pair of words stands in one synonym group only where either can take the other's place in a question about
a story without changing its answer; near-synonyms (``like``/``love``, ``want``/``need``) stay apart.
"""

from __future__ import annotations

__all__ = [
    "AGENTS",
    "AUXILIARIES",
    "DATIVES",
    "DETERMINERS",
    "EVENTS",
    "INVERSES",
    "IRREGULAR",
    "NOT_AGENTS",
    "NUMBER_WORDS",
    "ORDINAL_WORDS",
    "PHRASES",
    "PREPOSITIONS",
    "QUANTIFIERS",
    "RELATIONAL",
    "STATES",
    "SUBORDINATORS",
    "SYNONYMS",
    "UNCHANGED",
    "VERBS",
]

AUXILIARIES = {
    **dict.fromkeys(["do", "does"], ("do", "present")),
    "did": ("do", "past"),
    **dict.fromkeys(["is", "are", "am"], ("be", "present")),
    **dict.fromkeys(["was", "were"], ("be", "past")),
    **dict.fromkeys(["has", "have"], ("have", "present")),
    "had": ("have", "past"),
    **{modal: (modal, "") for modal in "can could will would shall should may might must".split()},
}

PREPOSITIONS = frozenset(
    "about above across after against along among around as at before behind below beneath beside "
    "besides between beyond by despite during except for from in inside into like near of off on onto "
    "out outside over past since through throughout till to toward towards under underneath until up "
    "upon via with within without than".split()
)
SUBORDINATORS = frozenset(
    "that who whom whose which when while where why how because if whether unless although though "
    "once".split()
)
DETERMINERS = frozenset(
    "the a an his her its their my your our this these those some any all no every each both many few "
    "several other another such most least more 's of".split()
)

# base: simple past and participle; forms that are also another common word's base are left out
_IRREGULAR = """
arise:arose,arisen bear:bore,borne beat:beaten become:became begin:began,begun bend:bent bind:bound
bite:bit,bitten bleed:bled blow:blew,blown break:broke,broken breed:bred bring:brought build:built
burn:burnt buy:bought catch:caught choose:chose,chosen cling:clung come:came creep:crept deal:dealt
dig:dug do:done draw:drew,drawn dream:dreamt drink:drank,drunk drive:drove,driven eat:ate,eaten
fall:fell,fallen feed:fed feel:felt fight:fought find:found flee:fled fling:flung fly:flew,flown
forbid:forbade,forbidden forget:forgot,forgotten forgive:forgave,forgiven freeze:froze,frozen
get:got,gotten give:gave,given go:went,gone grow:grew,grown hang:hung have:had hear:heard
hide:hid,hidden hold:held keep:kept kneel:knelt know:knew,known lead:led leap:leapt learn:learnt
leave:left lend:lent light:lit lose:lost make:made mean:meant meet:met pay:paid ride:rode,ridden
ring:rang,rung rise:rose,risen run:ran say:said see:saw,seen seek:sought sell:sold send:sent
shake:shook,shaken shine:shone shoot:shot show:shown shrink:shrank,shrunk sing:sang,sung sink:sank,sunk
sit:sat slay:slew,slain sleep:slept slide:slid speak:spoke,spoken spend:spent spin:spun spring:sprang,sprung
stand:stood steal:stole,stolen stick:stuck sting:stung strike:struck,stricken strive:strove
swear:swore,sworn sweep:swept swim:swam,swum swing:swung take:took,taken teach:taught tear:tore,torn
tell:told think:thought throw:threw,thrown understand:understood wake:woke,woken wear:wore,worn
weave:wove,woven weep:wept win:won withdraw:withdrew write:wrote,written mistake:mistook
overhear:overheard foretell:foretold betake:betook forsake:forsook,forsaken overcome:overcame die:died
lie:lied tie:tied
"""
IRREGULAR = {
    form: base
    for base, forms in (pair.split(":") for pair in _IRREGULAR.split())
    for form in forms.split(",")
}
UNCHANGED = frozenset(
    "bet burst cast cost cut hit hurt let put quit read rid set shed shut spit split spread".split()
)

# Happenings: told in the present or in the past tense, the question is the same.
EVENTS = frozenset(
    "abandon accuse adopt arrest arrive attack avenge banish betray bribe burn bury capture choose confess "
    "cure deceive defeat destroy die discover drown enter escape find flee forgive happen inherit injure "
    "kidnap kill leave lose marry meet poison recognise reject release rescue return reveal steal surrender "
    "win wound accompany reach".split()
)
# Conditions: what holds now and what held then may differ.
STATES = frozenset(
    "admire adore be believe belong care consider contain desire deserve despise dislike doubt dread "
    "envy exist expect fear feel hate have hold hope keep know lack like live love mean miss need own "
    "possess prefer regret remain remember resent respect rule seem serve sleep stay suffer suspect "
    "think trust understand want watch wear wish work worry".split()
)
_OTHER_VERBS = (
    "buy catch chase create declare disguise fall forge free give help hide hire invite join lie lock murder "
    "occur disclose conceal assassinate wed construct perish commence detest loathe reside dwell purchase "
    "assault "
    "open build punish sell send sink strike summon swear take tell travel visit write "
    "accept agree answer appear ask become begin bring call carry change climb close come cry dance "
    "decide deny drink eat end explain fail fight finish follow gather get go guard hear hunt hurt "
    "introduce jump laugh learn light listen look make move offer order paint pay plan plant play "
    "pretend promise protect read receive refuse repair ride ring rise run save say search see shout "
    "show sing sit speak stand start stop swim talk teach threaten throw touch train try turn use "
    "wait walk want warn whisper worship share study escape".split()
)
VERBS = EVENTS | STATES | frozenset(_OTHER_VERBS) | frozenset(IRREGULAR.values()) | UNCHANGED

_GROUPS = """
kill murder slay assassinate; die perish; hide conceal; find discover; rescue save; marry wed; begin
start commence; build construct; flee abscond; hate detest loathe despise; child kid; house dwelling;
live reside dwell; steal pilfer; forest woods; beside alongside; buy purchase; happen occur; reveal
disclose; bury inter; attack assault; own possess; repair mend fix; angry furious; summarise summarize;
colour color; grey gray; harbour harbor; neighbour neighbor; honour honor; favourite favorite; jewellery
jewelry; recognise recognize; realise realize; apologise apologize; travel journey; weep cry; scared
afraid frightened; banish exile; imprison jail; purpose aim; occupation profession; error mistake; gift
present; finish complete; permit allow; forbid prohibit; answer reply; close shut; sick ill; mother mum
mom; father dad; quick fast; tale story; accompany escort; ship vessel; doctor physician; lawyer
attorney; road highway; infant baby; sofa couch; rich wealthy; huge enormous gigantic; odd strange; try
attempt; summon beckon; injure wound; abandon forsake; deceive trick; aid assist help; vanish disappear;
robber thief; employ hire; liberate free; receive get; shout yell; talk speak
"""
SYNONYMS: dict[str, str] = {}
for _group in _GROUPS.replace("\n", " ").split(";"):
    _words = _group.split()
    SYNONYMS.update({word: SYNONYMS.get(_words[0], _words[0]) for word in _words})

# Words in a row, as they stand after inflection is undone; the first match from the left, longest first.
PHRASES: dict[tuple[str, ...], tuple[str, ...]] = {
    tuple(left.split()): tuple(right.split())
    for left, right in (
        pair.split("=")
        for pair in (
            "pass away=die,run away=flee,come back=return,go back=return,take place=happen,get to=reach,"
            "go on=last,go with=accompany,look after=care-for,take care of=care-for,next to=beside,"
            "in front of=before-place,because of=because-of,instead of=instead-of,prior to=before,"
            "no one=nobody,any one=anybody,every one=everybody,give birth to=bear,find out=find-out,"
            "give up=give-up,get rid of=get-rid-of,get married to=marry,fall in love with=fall-in-love-with,"
            "afraid of=afraid-of,scared of=afraid-of,frightened of=afraid-of,a few=a-few,a little=a-little,"
            "a lot=a-lot,such a=such-a,depart from=leave,run off=flee,get away=escape,"
            "make up=make-up,wake up=wake,at first=at-first,at last=at-last,at least=at-least,at most=at-most"
        ).split(",")
    )
}

# Nouns whose "the N of X" is "X's N"; a portrait, a fear or a betrayal of X is not.
RELATIONAL = frozenset(
    (
        "father mother parent parents brother brothers sister sisters son sons daughter daughters uncle aunt "
        "cousin nephew niece grandfather grandmother husband wife widow spouse child children friend friends "
        "enemy enemies master servant servants leader ruler owner king queen captain chief lord heir killer "
        "murderer author builder name nickname title age colour color size shape home house hair eyes face "
        "voice occupation profession job death birth birthplace villain hero heroine protagonist narrator "
        "setting theme plot end ending beginning meaning cause purpose capital"
    ).split()
)
# Where one of these stands, "not" keeps its place: "not all" is not "all not".
QUANTIFIERS = frozenset(
    "all any anybody anyone anything always both each either every everybody everyone everything few many "
    "more most much often only some somebody someone something sometimes".split()
)
AGENTS = {"murderer": "kill", "killer": "kill", "owner": "own", "author": "write", "builder": "build"}
DATIVES = frozenset("give tell offer promise send show teach lend sell owe pay bring hand".split())
NOT_AGENTS = frozenset(
    "accident chance candle candlelight chapter daylight dawn day evening fire force foot gate hand "
    "horse horseback law mistake moonlight morning name night nightfall noon land right river road "
    "sea ship shore side starlight sunrise sunset surprise torchlight train tree wall water way well "
    "window".split()
)
INVERSES = {
    "younger": "older",
    "shorter": "taller",
    "smaller": "bigger",
    "poorer": "richer",
    "weaker": "stronger",
    "slower": "faster",
    "later": "earlier",
    "worse": "better",
    "cheaper": "costlier",
}

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORDS = {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
ORDINAL_WORDS = {
    word: n
    for n, word in enumerate(
        (
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
            "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
        ).split(),
        1,
    )
} | {word[:-1] + "ieth": 10 * n for n, word in enumerate(_TENS, 2)}
