"""Short forms of English given names: which full names a Lizzy, a Jack or a Sissy may have.

Written by hand for fiction of the eighteenth century to now, and read against two lists: C. M. Yonge,
"History of Christian Names" (1884, public domain), and the data of the package ``nicknames`` 1.0.1
(Apache-2.0, https://github.com/carltonnorthern/nicknames), from which pairs of two full names in their own
right (Jane and Jean, Mary and Marie) and pairs of other tongues were left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from .russian_forms import RUSSIAN_FORMS

__all__ = ["SHORT_FORMS", "full_forms"]

_FEMALE = """abigail: abby nabby gail
adelaide: addie ada della
agatha: aggie
agnes: aggie nessa
alexandra: alix sandra sandy lexie
alice: allie ally
amanda: mandy
amelia: millie milly emmy
angelina: angie
ann: annie nan nance nancy nanny nanette
anna: annie nan nancy
anne: annie nan nance nancy nanny nanette
antonia: toni tonia
arabella: bella belle ara
augusta: gussie gusta
barbara: babs barbie babette
beatrice: bea bee trix trixie
beatrix: bea bee trix trixie
bertha: bertie
bridget: biddy bridie
caroline: carrie caro lina
catherine: cathy cassie cathie kate katie katy kitty kit kay kat cat catie
cecilia: cissy cissie sissy cis sis celia cecy
charlotte: lottie lotty lotta charley charlie chatty
christina: chris chrissie chrissy tina christie
christine: chris chrissie chrissy christie
clara: clarry clarrie
clementina: clemmie tina
constance: connie
cordelia: cordy delia
cornelia: nelly nellie corrie
cynthia: cindy
deborah: deb debbie debby
diana: di die
dorothea: dolly dot dora dory thea dorrie
dorothy: dolly dot dottie dora dory doll dorrie
edith: edie
eleanor: nell nelly nellie ellie nora norah lenore
elinor: nell nelly nellie ellie nora
eliza: liza lizzy lizzie
elizabeth: bess bessie bessy beth betsy betsey bet betty eliza elsie libby lib lily
elizabeth: lisa lisbeth liz liza lizbeth lizzie lizzy elspeth tetty
ellen: nell nelly nellie ellie
emily: em emmy emmie milly
emma: em emmy emmie
esther: essie hetty hettie
eugenia: genie
euphemia: effie phemie
evelyn: evie eva
florence: flo florrie flossie floss flossy
frances: fanny fannie fran francie frankie
genevieve: jenny
georgiana: georgie georgy
georgina: georgie georgy
gertrude: gertie gerty trudy
gwendolen: gwen gwennie
hannah: nan nanny
harriet: hattie hatty harry hetty hettie
helen: nell nelly nellie lena nellie
helena: nell nelly lena
henrietta: hetty hettie etta etty harriet henny netta nettie
hester: hetty hettie essie
isabel: bell bella belle ibby tib
isabella: bell bella belle ibby izzy
jane: janie jenny jennie jen janey
janet: jenny jessie nettie
jean: jeannie jeanie
jemima: mima jem
jennifer: jen jenny jennie
jessica: jess jessie
joan: joanie
joanna: jo joan
josephine: jo josie josey josy pheeny
judith: judy jude
julia: julie jule
katharine: kate katie katy kitty kit kat kathy
katherine: kate katie katy kitty kit kat kathy
kathleen: kate katie kitty kathy kay
laura: laurie lolly
leonora: nora lennie
letitia: letty lettie tish titia
lillian: lily lil lilly
louisa: lou loo lulu lou louie
louise: lou lulu louie
lucinda: lucy cindy
lucretia: lucy creesy
lucy: lu lucie luce
lydia: liddy lyddy lyddie
mabel: mab mabs
madeleine: maddy
magdalen: maddy magda
margaret: daisy greta madge mag maggie maggy margery margie marge meg meggie meta peg peggy peggie margot
margery: madge margie
maria: ria
marianne: nan
martha: matty mattie patty patsy marty
mary: mamie may maisie moll molly mollie polly poll minnie mally
matilda: matty mattie maud tilda tilly tillie
mehitabel: hitty
melissa: lissa mel
mildred: millie milly
millicent: millie milly
miranda: mira randy
miriam: mimi
olivia: livy livia ollie
nancy: nance nan
pamela: pam
patience: patty
patricia: pat patty patsy
penelope: pen penny nell
philadelphia: delphy
philippa: pippa pip
phoebe: feeb
priscilla: prissy cilla
prudence: prue pru
rachel: rae ray
rebecca: becky beck becca
rosalind: rosa ros
rosamond: rosa ros rose
rosanna: rose rosie
rose: rosie rosy
ruth: ruthie
sarah: sadie sal sally sallie
sophia: sophy sophie
sophronia: sophy frony
stella: stell
susan: sue sukey suky susie susy suzy
susanna: sue sukey susie susy
susannah: sue sukey susie susy
tabitha: tabby
theodora: dora theo
theresa: tess tessie terry tessa
ursula: ursie
veronica: ronnie vera
victoria: vicky vic
virginia: ginny ginnie virgie
wilhelmina: mina minna minnie willa billie
winifred: winnie freda win"""

_MALE = """abraham: abe abie bram
albert: al bert bertie
alexander: alec aleck alex sandy alick sawney
alfred: alf alfie fred
algernon: algy algie
ambrose: brose
andrew: andy drew
anthony: tony
antony: tony
archibald: archie archy baldie
arthur: art artie
augustus: gus gussy augie
barnabas: barney barny
barnaby: barney
bartholomew: bart bat tolly
benedict: ben
benjamin: ben benny benjie benjy
bernard: bernie barney
bertram: bert bertie
bertrand: bert bertie
charles: charley charlie chas chuck chay
christopher: chris kit kester topher
clarence: clar
clement: clem
cornelius: neil corny nelly
cuthbert: cuddy bertie
daniel: dan danny dannie
david: dave davy davie
dennis: denny
dominic: dom nick
donald: don donnie
douglas: doug
ebenezer: eb eben
edgar: ed ned eddie
edmund: ed ned eddie ted
edward: ed eddie eddy ned neddy ted teddy
edwin: ed eddie ned win
eleazar: lazar
elijah: lige
emmanuel: manny
ephraim: eph
ernest: ernie ern
eugene: gene
eustace: stacy
ezekiel: zeke
ferdinand: ferdy nandy
francis: frank frankie
franklin: frank frankie
frederic: fred freddy freddie fritz
frederick: fred freddy freddie fritz
gabriel: gabe
geoffrey: geoff jeff
george: georgie geordie georgy dod
gerald: gerry jerry
gilbert: gil bert gib
godfrey: jeff
gregory: greg
harold: hal harry
hector: heck
henry: hal harry hank hen
herbert: bert bertie herb
hezekiah: hezzy ki
horatio: horry race
hubert: bert bertie
huckleberry: huck
hugh: hughie huey
humphrey: humph dump numps
isaac: ike ikey zack
jacob: jake jakey
jackson: jack
james: jamie jem jemmy jim jimmy jimmie
jasper: jap
jeffrey: jeff
jeremiah: jerry jeremy
jeremy: jerry
jerome: jerry
john: jack jackie jacky jock johnny johnnie jackey
jonas: joney
jonathan: jon
joseph: joe joey jo jos
joshua: josh
josiah: joe jos si
julius: jule
kenneth: ken kenny
laurence: larry laurie lawrie lorry
lawrence: larry laurie lawrie lorry
leander: lee
leonard: len lenny leo
leopold: leo poldy
lewis: lew lewie
louis: lou louie
luke: lukey
marmaduke: duke
martin: mart marty
matthew: mat matt matty
maurice: morry
maximilian: max
maxwell: max
melchisedec: mel
michael: mick mickey micky mike mikey
montague: monty
mortimer: mort
moses: mose
nathan: nat nate
nathaniel: nat nate nathan
nicholas: nick nicky nic col
nicodemus: nick noddy
obadiah: obed obie
oliver: nol nolly noll ollie olly
oswald: ossy oz
patrick: pat paddy patsy
percival: percy perce
peregrine: perry
peter: pete peterkin
philip: phil pip
ralph: rafe
randolph: randy dolph
raymond: ray
reginald: reg reggie rex
reuben: rube
richard: dick dicky dickie rick ricky rich dickon
robert: bob bobby rob robbie robin bert robby bertie
roderick: rod roddy
rodolphus: dolph
roger: rodge hodge
rowland: rowley
rudolph: dolph rudy
rupert: rupe
samuel: sam sammy sammie
sebastian: seb bastian
septimus: sep
sidney: sid
silas: si
silvester: sil vester
simeon: sim
simon: si sim
solomon: sol solly
stephen: steve stevie steenie
steven: steve stevie
sylvester: syl vester
terence: terry
thaddeus: thad tad
theodore: ted teddy theo dory
theophilus: theo
thomas: tom tommy tommie tam tammy thom
timothy: tim timmy
tobias: toby
valentine: val
victor: vic
vincent: vin vince
walter: wal wally walt wat watty
wilfred: wilf fred
wilfrid: wilf
william: bill billy billie will willie willy wills
winston: win
zachariah: zach zack zachary
zebulon: zeb"""


def _pairs() -> Iterator[tuple[str, str]]:
    for line in f"{_FEMALE}\n{_MALE}".splitlines():
        full, _, shorts = line.partition(":")
        for short in shorts.split():
            yield short, full
    for line in RUSSIAN_FORMS.splitlines():
        fulls, _, shorts = line.partition(":")
        for short in shorts.split():
            yield from ((short, full) for full in fulls.split("|"))


def _table() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for short, full in _pairs():
        found.setdefault(short, set()).add(full)
    return {short: frozenset(fulls) for short, fulls in found.items()}


# short form → the full names it may stand for, lower case
SHORT_FORMS: MappingProxyType[str, frozenset[str]] = MappingProxyType(_table())


def full_forms(name: str) -> frozenset[str]:
    """The full names that ``name`` (lower case) may stand for, itself always among them."""
    return SHORT_FORMS.get(name, frozenset()) | {name}
