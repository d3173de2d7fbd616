"""Words that tell a name from a word, and whose name it is: titles, given names, endings of place names."""

from __future__ import annotations

from types import MappingProxyType

__all__ = [
    "DIMINUTIVES",
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
        "emperor earl marquis viscount squire comte marquess abbé friar master don".split(),
        "m",
    )
    | dict.fromkeys(
        "mrs miss ms lady aunt auntie madame mme madam mademoiselle mlle frau fraulein signora senora queen "
        "princess duchess countess baroness empress dame sister marchioness viscountess".split(),
        "f",
    )
    | dict.fromkeys(
        "dr doctor professor prof captain capt colonel col major general gen lieutenant lieut sergeant "
        "sergt inspector judge reverend rev admiral commander corporal private president senator governor "
        "bishop cardinal pope saint st deacon constable detective officer nurse justice chancellor "
        "commodore agent comrade maître cousin grandma grandpa".split(),
        "",
    )
)

PARTICLES = frozenset(
    "de du des la le von van der den di da del della d' of o' mac bin al ap ten ter".split()
)

_FEMALE = """abigail ada adelaide adele agatha agnes alice alicia amanda amelia amy ann anna anne
    annabel annie antonia arabella audrey augusta barbara beatrice bella bertha bess
    bessie beth betsy betty bridget caroline carrie catherine cecilia cecily celia
    charlotte chloe christina clara clarissa claudia constance cora cordelia daisy
    daphne deborah delia diana dinah dolly dora doris dorothea dorothy edith edna effie
    elaine eleanor elena elinor eliza elizabeth ella ellen eloise elsa elsie emilia
    emily emma esmeralda estella esther ethel eugenia eva fanny felicia flora
    florence frances georgiana georgina geraldine gertrude giulia grace greta gretel
    gwen hannah harriet hazel helen helena henrietta hester hilda ida imogen ines irene
    irina isabel isabella isabelle ivy jane janet jemima jennifer jenny jessica jill
    joan joanna josephine judith judy julia juliet julietta kate katharine katherine
    kathleen katie katy kitty laura lavinia leah leila lena leonora lettice letty lily
    lizzie lizzy lois louisa louise lucia lucille lucinda lucy lydia mabel madeleine
    madge maggie maisie mamie margaret margery margot maria marian marianne marie
    marilla marina marjorie martha mary matilda maud maude meg melissa mercedes
    millicent millie mina minnie miranda miriam molly muriel myrtle nancy naomi natalia
    natasha nell nellie nelly nina nora odette olga olivia ophelia pamela patience patty
    paula pauline penelope phoebe phyllis polly priscilla prudence rachel rebecca rhoda
    rosa rosalind rosamond rosanna rosie ruth sally sandra sara sarah selina serena
    sibyl silvia sofia sonia sophia sophie stella susan susanna susie sybil sylvia
    tabitha tatiana tess theodora theresa tilly ursula valeria vanessa vera victoria
    viola violet virginia winifred yvonne zoe""".split()

_MALE = """aaron abel abraham adam adrian alan albert alec alexander alexei alfred algernon ambrose
    andrei andrew angus anselm anthony antonio archibald archie armand arnold arthur
    august augustus barnaby bartholomew basil ben benedict benjamin bernard bertie
    bertram bill billy bob boris brian bruce caleb carl cecil cedric charles charley
    charlie christopher claude clement clifford clive conrad constantine cornelius
    cuthbert cyril daniel david denis dennis dick dmitri dominic donald douglas duncan
    ebenezer edgar edmund edward edwin elias elijah eliot emil enoch erik ernest ethan
    eugene eustace ezra felix ferdinand francisco frank fred freddy frederic frederick
    gabriel gareth gaston geoffrey george gerald gerard gideon gilbert giles giovanni
    godfrey gregor gregory guy hans harold harry harvey hector henri henry herbert
    herman hiram horace horatio howard hubert huck hugh hugo humphrey ian igor isaac
    isaiah ishmael ivan jack jacob jacques jake james jasper jean jeremiah jeremy jerome
    jim jimmy joe joel john johnny jonah jonas jonathan joseph josiah joshua juan jude
    julian julius karl keith kenneth konstantin kostya laurence lawrence leo leon
    leonard leonid leopold lewis lionel louis luca lucas lucien luis luke malcolm marcel
    marco marcus mark martin matthew maurice max maximilian michael miguel miles
    mortimer moses nathan nathaniel ned neil neville nicholas nick nicolas nikolai noah
    noel norman oliver oscar oswald otto owen patrick paul pedro percival percy peter
    phil philip pierre piers quentin ralph ramon raoul raphael raymond reginald rene
    reuben richard rob robert robin roderick rodney rodrigo roger roland ronald rowland
    rudolf rudolph rufus rupert sam samuel saul sebastian seth sergei sidney silas
    simeon simon solomon stanley stefan stephen steven stuart ted terence thaddeus
    theodore thomas tim timothy titus toby tom tommy tristan ulysses valentine victor
    vincent vladimir vronsky walter warren wilfred wilhelm william willie winston
    zachary""".split()

# short forms that stand for one name only, that name behind the sign
_SHORT_FEMALE = """hattie:harriet winnie:winifred dolly:dorothy lottie:charlotte carrie:caroline
    connie:constance cissy:cecilia tess:theresa sukey:susan josie:josephine becky:rebecca
    abby:abigail trudy:gertrude gertie:gertrude florrie:florence tabby:tabitha
    vicky:victoria mandy:amanda libby:elizabeth lizbeth:elizabeth bessie:elizabeth
    bessy:elizabeth betty:elizabeth cathie:catherine peg:margaret madge:margaret
    tilda:matilda tilly:matilda nance:anne
    susy:susan suzy:susan jeannie:jean gwen:gwendolen dorrie:doris
    ellie:eleanor nettie:annette hetty:henrietta essie:esther hettie:henrietta
    emmy:emma lucie:lucy lulu:louisa phemie:euphemia rosie:rose""".split()
_SHORT_MALE = """wilf:wilfred nat:nathaniel nate:nathaniel len:leonard lenny:leonard alf:alfred
    eddie:edward andy:andrew tony:anthony greg:gregory geoff:geoffrey ken:kenneth
    ron:ronald doug:douglas phil:philip pete:peter steve:stephen dave:david davy:david
    danny:daniel benny:benjamin sammy:samuel robbie:robert bobby:robert willy:william
    jamie:james joey:joseph josh:joshua zack:zachary theo:theodore walt:walter
    reg:reginald reggie:reginald gus:augustus barney:barnaby seb:sebastian
    percy:percival ollie:oliver larry:lawrence mick:michael mickey:michael
    paddy:patrick sid:sidney stan:stanley ernie:ernest georgie:george frankie:frank
    freddie:frederick dicky:richard tommie:thomas teddy:edward
    neddy:edward jimmie:james johnnie:john harry:henry hal:henry""".split()

# given names that tell a gender; names given to both are left out
GIVEN: MappingProxyType[str, str] = MappingProxyType(
    dict.fromkeys(_FEMALE, "f")
    | dict.fromkeys(_MALE, "m")
    | {pair.split(":")[0]: "f" for pair in _SHORT_FEMALE}
    | {pair.split(":")[0]: "m" for pair in _SHORT_MALE}
)

# short form → full form; merged only where one known bearer fits
DIMINUTIVES: MappingProxyType[str, str] = MappingProxyType(
    {
        "lizzy": "elizabeth", "lizzie": "elizabeth", "eliza": "elizabeth", "betsy": "elizabeth",
        "beth": "elizabeth", "bess": "elizabeth", "tom": "thomas", "tommy": "thomas", "bill": "william",
        "billy": "william", "will": "william", "willie": "william", "bob": "robert", "rob": "robert",
        "dick": "richard", "ned": "edward", "ted": "edward", "jim": "james", "jimmy": "james",
        "joe": "joseph", "jack": "john", "johnny": "john", "nick": "nicholas", "sam": "samuel",
        "ben": "benjamin", "charley": "charles", "charlie": "charles", "harry": "henry", "fred": "frederick",
        "freddy": "frederick", "kitty": "catherine", "kate": "catherine", "katie": "catherine",
        "cathy": "catherine", "nelly": "ellen", "nell": "ellen", "fanny": "frances", "sally": "sarah",
        "molly": "mary", "polly": "mary", "meg": "margaret", "maggie": "margaret", "peggy": "margaret",
        "sophy": "sophia", "gil": "gilbert", "huck": "huckleberry", "max": "maximilian", "dan": "daniel",
        "mike": "michael", "tim": "timothy", "matt": "matthew", "archie": "archibald", "jenny": "jane",
        "harriette": "harriet", "annie": "anne", "nancy": "anne", "susie": "susan",
        **dict(pair.split(":") for pair in (*_SHORT_FEMALE, *_SHORT_MALE)),
    }
)  # fmt: skip

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

# capitalised words that are no names of anybody in the story
NON_NAMES = frozenset(
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
