"""Words that tell a name from a word, and whose name it is: titles, given names, endings of place names."""

from __future__ import annotations

from types import MappingProxyType

from ..lexicon.given_names import GIVEN_NAMES

__all__ = [
    "CALENDAR",
    "CRIES",
    "GIVEN",
    "GROUP_WORDS",
    "NON_NAMES",
    "PARTICLES",
    "PLACE_WORDS",
    "TITLES",
]

# title, lower case and without its full stop → gender it tells ("" where it tells none)
TITLES: MappingProxyType[str, str] = MappingProxyType(
    dict.fromkeys(
        "mr mister sir lord uncle monsieur m herr signor senor father brother king prince duke count baron "
        "emperor earl marquis viscount squire comte marquess abbé abbe friar master don signore señor duc "
        "vicomte chevalier monseigneur père padre fra conte marchese graf".split(),
        "m",
    )
    | dict.fromkeys(
        "mrs miss ms lady aunt auntie madame mme madam mademoiselle mlle frau fraulein signora senora queen "
        "princess duchess countess baroness empress dame sister marchioness viscountess marquise comtesse "
        "vicomtesse baronne duchesse donna doña señora señorita senorita signorina fräulein contessa "
        "marchesa gräfin mère widow aunty".split(),
        "f",
    )
    | dict.fromkeys(
        "dr doctor professor prof captain capt colonel col major general gen lieutenant lieut sergeant "
        "sergt inspector judge reverend rev admiral commander corporal private president senator governor "
        "bishop cardinal pope saint st deacon constable detective officer nurse justice chancellor "
        "honourable honorable hon commodore agent comrade maître cousin grandma grandpa".split(),
        "",
    )
)

PARTICLES = frozenset(
    "de du des la le von van der den di da del della d' of o' mac bin al ap ten ter".split()
)

# given names that tell a gender, short forms included
GIVEN: MappingProxyType[str, str] = GIVEN_NAMES

# last words that make a capitalised phrase a place
PLACE_WORDS = frozenset(
    """abbey alley avenue bay beach bridge castle cathedral chapel church city coast
    college common corner court cottage county creek cross district estate farm field fields forest
    gate gardens garden green hall halt harbor harbour heath heights hill hills hospital
    hotel house hut inn island isle lake lane lodge manor market mill moor mount
    mountain mountains ocean palace parish park parsonage pass place plaza point pond
    port prison province quarter range rectory ridge river road row school sea shire
    square station steps street terrace tower town university vale valley village ward wharf
    wood woods works""".split()
)

GROUP_WORDS = frozenset(
    """army association brotherhood brothers club committee company council court crew family
    fellowship gang guard guild house league legion ministry navy order party police
    regiment sisters society tribe""".split()
)

# no names, unless somebody so called does what people do: Friday, Thursday
CALENDAR = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december""".split()
)

# what people cry, swear and call out; words that are somebody's name as well ("Faith", "Dash") are left out
CRIES = frozenset(
    """ach adieu adzooks ah aha ahem ahoy alack alas allons amen avast ay-ay aye-aye bacco bah basta
    bedad begad begorra begorrah behold blast bless blimey bonjour bonsoir boom bosh bother
    botheration bow-wow brava bravissimo bravo caramba carrajo carramba ciel confound corbleu corpo
    crikey cripes damme dammit dammy diable dieu ditto donnerwetter drat ecco egad eh encore er
    evviva farewell faugh fiddle fiddlededee fiddlesticks fie forsooth gad gads gadzooks gee gee-up
    geewhiz giddap golly good-by good-bye good-morning good-night goodbye goodness goodnight gosh
    gott gracious h'm ha ha-ha haha hallo halloa halloo hang hark he-he heave-ho heigh heigh-ho
    hello hey heyday hi himmel hip hist hm hmm ho ho-ho hola holla hollo holloa hoorah hooray hoy
    hsh hullo hulloa humbug hump humph hurrah hurray hush huzza huzzah hélas ja jawohl jingo
    lackaday lawk lawks lo lor lud miaow mon morbleu mordieu nay nein nonsense nope oh oho ooh ouch
    ow pah parbleu pardieu pardon peste phew phoo pish please poof pooh prithee psha pshah pshaw
    rubbish sacrebleu sapristi shh sorry ssh stuff ta-ta tally-ho tcha tchah tchk tchut thank-you
    thanks tiens tra-la tush tut tuts ugh um umph upon ventrebleu verily vive voilà voyons welladay
    whew whist whoa wo yah yeah yep yes yo-ho yoho yoicks zounds""".split()
)

# capitalised words that are no names of anybody in the story
NON_NAMES = CRIES | frozenset(
    """i god lord lords heaven heavens providence christ jesus almighty devil satan fate nature
    death time fortune monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december
    christmas easter michaelmas spring summer autumn winter english french german
    italian spanish russian american british irish scotch scottish welsh latin greek
    roman jewish christian catholic protestant european indian chinese dutch turkish
    englishman frenchman german americans germans jews christians english sir madam
    ma'am mamma mama papa mother father mum mom dad daddy mummy grandmother grandfather
    grandma grandpa aunt uncle sister brother miss mister mr mrs lady gentleman
    gentlemen ladies doctor captain colonel king queen prince princess duke duchess
    majesty highness honour honor grace lordship ladyship excellency master oh ah alas
    hush bravo hurrah hullo hallo hello hey ha aha well yes no nay aye ay indeed pray
    dear good please thank thanks farewell goodbye amen damn what why how where when who
    which whose that this these those there here then now so but and or nor for yet if
    though although because since while as at by in of on to from with the a an it he
    she they we you his her their its our your my me him them us one two three four five
    ten twelve hundred thousand first second third chapter book volume part preface
    contents letter note scene act illustration page bible gospel testament saviour
    north south east west northern southern eastern western parliament state government
    church mass sabbath o once never not only after before all every each both some such
    perhaps even still just however meanwhile moreover therefore again always suddenly
    soon next later finally come go look see let stop wait tell take give get do did is
    are was were be been have had has shall can could would should may might must
    suppose say ask think dearest darling remember leave keep bring send
    try believe hold hurry mind thou thy hi goodness boys girls very
    too more most another any many much poor old young little great fine right left up
    down out over under off away back true nothing something everything nobody somebody
    everybody anyone someone everyone none""".split()
)
