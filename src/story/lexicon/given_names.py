"""Given names that tell a gender; names given to men and women alike are left out.

From the first names of the 1990 census of the United States (Census Bureau, public domain; as packaged in
``names`` 0.3.0, MIT) of which at least one bearer in eight thousand persons of a sex has it, eight times as
many of one sex as of the other, and that are more often a given name than a surname; without names that are
first of all places, months, titles or common words. By hand: names of the Bible, of older English usage and
of French, German, Italian, Spanish and Russian fiction in translation.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["GIVEN_NAMES"]

_FEMALE = """abby abigail ada addie adela adelaide adele adelina adeline adriana adrienne agafya agatha agnes
    aida aileen aimee alana alberta alejandra alexandra alexandria alice alicia alisa alisha alison
    allie allison allyson alma alta althea alyssa amanda amelia amie amy ana anastasia andrea angela
    angelia angelica angelina angeline angie anita ann anna annabel annabelle anne annette annie
    antoinette antonia antonina arabella araminta ariadne arlene ashlee audra audrey augusta aurelia
    ava avdotya avis barbara beatrice beatriz becky belinda bella benita berenice bernadette
    bernadine bernice bertha bess bessie bessy beth bethany betsy bette bettie betty bettye beulah
    beverly bianca blanche bobbi bonnie brandi brenda brianna bridget bridgette brittany brittney
    brunhilde caitlin callie camille candace candice cara carla carlene carlotta carmela carmella
    carmen carol carole caroline carolyn carrie cassandra cassie catalina catharine catherine cathie
    cathleen cathy cecelia cecile cecilia cecily celeste celestine celia chandra charlene charlotte
    cheri cherie cheryl chiara chloe christa christi christie christina christine christy cindy
    cissy claire clara clare clarice clarissa claudette claudia clementina clotilde colleen concha
    connie constance consuelo cora cordelia corinne cornelia corrine cristina cynthia daisy danielle
    daphne darla darlene darya dasha deana deanna debbie debora deborah debra delia della delores
    deloris delphine dena denise desdemona desiree diana diane dianna dianne dina dinah dolly
    dolores dona donna dora dorcas doreen doris dorothea dorothy dorrie drusilla dulcinea earline
    edith edna edwina effie eglantine eileen ekaterina elaine eleanor elena elfrida elinor elinore
    elisa elisabeth elise eliza elizabeth ella ellen ellie elma elnora eloise elsa elsie elva elvira
    emilia emily emma emmy erica ericka erika erin erma ernestine esmeralda esperanza essie estela
    estella estelle ester esther ethel etta eudora eugenia eula eunice euphemia eva evelina fannie
    fanny fatima fay faye felicia fleur flora florence florrie flossie frances francesca francine
    francisca freda frederica frieda gabriela gabrielle gail geneva genevieve georgette georgiana
    georgina geraldine gertie gertrude gina ginevra giulia gladys glenda glenna gloria grace gracie
    graciela greta gretchen gretel griselda guinevere gwen gwendolen gwendoline gwendolyn hannah
    harriet harriett hattie hazel heather heidi helen helena helene henrietta hermia hermione hester
    hettie hetty hilda hillary honoria hortense hypatia ida ila imogen imogene ina ines inez
    ingeborg ingrid irene irina iris irma isabel isabella isabelle isobel isolde iva ivy jaclyn
    jacqueline jacquelyn jami jana jane janelle janet janette janice janie janine janis jayne
    jeanette jeanie jeanine jeanne jeannette jeannie jeannine jemima jenifer jenna jennie jennifer
    jenny jeri jerri jessica jessie jill jillian joan joann joanna joanne jocelyn jodi jodie johanna
    jolene joni josefina josephine josie joyce juana juanita judith judy julia juliana julianne
    julie juliet julietta justine kara karen kari karin karina karla kate katerina katharine
    katherine kathleen kathryn kathy katie katrina katy katya kay kayla keisha kelli kellie kendra
    keri kerri keziah kimberley kimberly kirsten kitty krista kristen kristi kristie kristin
    kristina kristine kristy ladonna lana latasha latisha latonya latoya laura laurel lauren laurie
    lavinia lea leah leann leanne leila lela lena lenora lenore leocadia leola leona leonora letha
    leticia letitia lettice letty libby lidia liesl lila lilia lillian lillie lilly lily linda lisa
    liza lizaveta lizbeth lizzie lizzy lois lola lora loraine lorena lorene loretta lori lorie lorna
    lorrie lottie louisa louise lucasta lucia lucie lucile lucille lucinda lucretia lucrezia lucy
    ludmila ludmilla luella luisa lula lulu luz lydia lynda lynette lynne mabel mable madeleine
    madeline madge mae magdalen magdalena magdalene maggie maisie malinda mamie mandy manuela
    marcella marcia marcie marcy marfa margaret margarethe margarita margery margie margo margot
    margret marguerite maria marian marianne maribel marie marietta marilla marilyn marina marisa
    marisol marissa maritza marjorie marjory marla marlene marsha marta martha martina mary maryann
    marylou masha matilda mattie maud maude maureen mavis maxine mayra meagan meg megan meghan
    mehitabel melanie melba melinda melisa melissa mercedes mette mia michele michelle mildred
    millicent millie mina mindy minerva minna minnie miranda miriam mollie molly mona monica monique
    muriel myra myrna myrtle nadine nance nancy nannie naomi nastasya natalia natalie natasha
    nathalie nelda nell nellie nelly nerissa nettie neva nichole nicole nicolette nikki nina nita
    noemi nola nora norah noreen norma octavia odette ofelia olenka olga olivia opal ophelia ottilie
    pam pamela pansy parthenia patience patrica patrice patricia patsy patti patty paula paulette
    pauline pearlie peg peggy penelope perdita persis petra petronella petunia phemie philippa
    philomena phoebe phyllis pilar polly portia praskovya priscilla prudence rachael rachel rachelle
    rae ramona randi raquel reba rebecca rebekah rena renee rhoda rhonda rita roberta robyn rochelle
    ronda rosa rosaleen rosalie rosalind rosalinda rosaline rosalyn rosamond rosanna rose rosemarie
    rosemary rosetta rosie rowena roxanne ruby ruth ruthie sabina sabrina sadie sallie sally
    samantha sandra sapphira sara sarah saundra selena selina selma semiramis serena shana shanna
    shari sharon sharron shauna shawna sheena sheila shelia shelly sheri sherri sherrie sheryl
    shirley sibyl sigrid sigrun silvia simone sofia sofya sondra sonia sonja sonya sophia sophie
    sophronia staci stacie stefanie stella stephanie sukey susan susana susanna susannah susanne
    susie susy suzanne suzy svetlana sybil sylvia sylvie tabatha tabby tabitha tamara tameka tami
    tamika tammie tammy tania tanisha tanya tara tasha tatiana tatyana teresa teri terri terrie tess
    thea thelma theodora theresa therese thomasina tia tilda tilly tina titania toni tonia tonya
    tracey traci tracie tricia trina trisha trudy tryphena ursula ursuline valarie valeria valerie
    vanessa varvara velma venetia vera verena verna veronica vicki vickie vicky victoria viola
    violet virgie virginia vivien wanda wendy wilhelmina willa wilma winifred winnie yolanda yolande
    yvette yvonne zelma zenobia zoe zuleika""".split()

_MALE = """aaron abel abraham achille adam adolf adolfo adolphus adrian agustin ahmed alan alaric alasdair
    alastair alban albert alberto aldous alec alejandro alessandro alex alexander alexei alexey alf
    alfonso alfred alfredo algernon ali alistair allan alonso alonzo aloysius alphonse alured alvaro
    alvin alyosha ambrose amos anatole andre andrei andres andrew andrey andy angelo angus anselm
    anthony antoine anton antonio apollos archibald archie ariel aristide armand armando arnold
    arthur arturo aubrey august auguste augustin augustus aurelius balthasar baptiste barnabas
    barnaby barney barry bartholomew bartolomeo basil ben benedict benito benjamin benny bernard
    bert bertie bertram bevis bill billy blaine bob bobby boniface boris bors brad brandon brendan
    brent bret brett brian bruce bryan bryce bryon caleb calvin carl carlo carlos caspar casper
    cassius cecil cedric charles charley charlie chester chris christopher chrysostom clarence
    claude clement clifford clifton clint clive clyde colin conrad constantine corey cornelius cory
    cosmo crispin curtis cuthbert cyril cyrus damian damien damon dan daniel danny darin darius
    darnell darrel darrell darren darrin darryl daryl dave david davy delbert demetrius denis dennis
    derek dermot derrick desmond dewayne dick dicky diego dietrich dmitri domingo dominic dominick
    don donald donnie doug douglas duane duncan dustin dwayne dwight dylan earnest ebenezer eddie
    edgar edmond edmund eduardo edward edwin efrain egbert elbert eldon eleazar eli elias elijah
    eliot elliot elmer elvin elwood emanuel emil emile emilio emmanuel emmett enoch enrique ephraim
    erasmus eric erick erik ernest ernesto ernie erwin esau esteban ethan etienne eugene eustace
    evan evander everard everett ezekiel ezra fabian fabrice felipe felix ferdinand ferdinando
    fergus fernando fitzroy floyd forrest francis francisco francois frank frankie franklin fred
    freddie freddy frederic frederick frederik fredrick friedrich fritz fyodor gabriel galahad
    gareth garry gary gaston geoff geoffrey george georgie gerald gerard gerardo gervase giacomo
    gideon gilbert gilberto giles giovanni giuseppe glenn godfrey godwin gordon gottfried greg gregg
    gregor gregorio gregory grigory grover guido guillaume guillermo gus gustav gustave gustavo guy
    hal hamish hans harold harry harvey hassan hector heinrich henri henry herbert herman hermann
    hernando hezekiah hippolyte hiram horace horatio howard hubert huck hugh hugo humberto humphrey
    ian ibrahim ichabod ignacio ignatius igor ilya inigo ira isaac isaiah ishmael ismael ivan ivor
    jabez jack jacob jacques jake jamal james jamie jared jarrod jason jasper javier jean-jacques
    jeff jeffery jeffrey jeffry jerald jeremiah jeremias jeremy jermaine jerome jerry jess jesse jim
    jimmie jimmy joachim joaquin joe joel joey johann john johnathan johnnie johnny jon jonah jonas
    jonathan jonathon jorge jose josef joseph josh joshua josiah juan jude julian julien julio
    julius justin karl karl-heinz kaspar keith kelvin ken kenelm kenneth kenny kevin killian kirk
    klaus kolya konstantin kostya kristopher kurt kuzma kyle lamont lance lancelot larry laurence
    laurent lawrence leander lemuel len lenny leo leon leonard leonardo leonid leonidas leopold
    leroy lester levi lewis linus lionel lonnie lorenzo lothar lothario louie louis luca lucas
    lucien ludovic ludwig luigi luis luke luther lyle lysander magnus malcolm manfred manuel marc
    marcel marco marcos marcus mario mark marlin marmaduke martin mathew matt matteo matthew matvey
    maurice max maximilian melchior mercutio micah michael micheal mick mickey miguel mike mikhail
    miles mitya mohammed moises monty mordecai mortimer moses myron nat nate nathan nathaniel ned
    neddy nehemiah neil neville niccolo nicholas nick nicodemus nicolas nigel nikita nikolai nikolay
    noah noel norbert norman obadiah octavius olaf oliver ollie omar orlando orville osbert oscar
    osmond oswald otis ottavio otto owen pablo paddy paolo patrick patroclus paul pavel pedro
    percival percy peregrine pete peter petya phil philip philippe phillip phineas pierre piers
    pietro porfiry pyotr quentin quinton quintus rafael ralph ramiro ramon randal randolph randy
    raoul raphael raul raymond redmond reg reggie reginald reinhold remy rene reuben reynaldo
    reynard ricardo richard ricky rinaldo rob robbie robert roberto robin roderick rodger rodion
    rodney rodolfo rodolphe rodrigo rogelio roger roland rolando romeo ron ronald ronnie rowan
    rowland roy ruben rudolf rudolph rudy rufus rupert russel ryan salvatore sam sammy samuel sancho
    saul scotty sean seb sebastian semyon septimus sergei sergey sergio seth shadrach shane shaun
    shawn sid sidney siegfried sigismund sigmund silas silvester simeon simon solomon stan stanley
    stefan stepan stephan stephen steve steven stuart sven swithin sylvester tancred ted teddy
    terence terrance terrence thaddeus theo theodore theophile thomas tim timmy timofey timothy
    titus tobias toby todd tom tomas tommie tommy tony travis trevor tristan tristram tyrone ulrich
    ulysses umberto uriah valentine vanya vasily vasya vernon vicente victor vincent vincenzo
    vladimir vladislav walt walter warren wesley wilbert wilbur wilf wilfred wilfredo wilfrid
    wilhelm william willie willy winston wolfgang yakov yegor yusuf yves zachariah zachary zack
    zebedee zebulon zephaniah""".split()

# lower case → "f" or "m"
GIVEN_NAMES: MappingProxyType[str, str] = MappingProxyType(
    dict.fromkeys(_FEMALE, "f") | dict.fromkeys(_MALE, "m")
)
