"""The words by which scene types and tones are told, with their weights.

Lists made by hand from how English fiction is written; an entry stands for all words of its Porter 2 stem
(``grab`` is also ``grabbed``), so irregular forms are listed by themselves. ``word:0.5`` counts a half.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from Stemmer import Stemmer

__all__ = ["DEEDS", "PLAIN_WORDS", "SIGHTS", "THOUGHTS", "TONE_WORDS", "Weights", "stem", "weights"]

Weights = Mapping[str, float]

PLAIN_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
"""One word, with what an apostrophe joins to it."""

DEEDS = """
clash blow:0.6 scuffle explosion:0.7 flight:0.5 pursuit:0.8 cutlass:0.4 sword:0.5 bayonet:0.6 outran
overtook pounce lunge recoil ran run running runner rush dash sprint gallop leap leapt jump sprang
spring dive dove plunge climb clamber scramble crawl creep crept stumble stagger trip fell fall tumble
slide slid slip vault hurdle dodge duck swerve turn:0.3 spin spun whirl swung swing chase pursue flee
fled escape follow:0.4 cross:0.4 stride strode march:0.6 hurry hasten bolt race charge grab grip:0.7
seize snatch clutch catch:0.7 caught throw threw thrown hurl fling flung toss drop:0.7 lift raise:0.5
haul drag dragged pull push shove heave tug wrench strike struck hit kick punch slap beat:0.5 smash
crash break:0.5 broke tear:0.5 tore rip burst stab slash thrust thrusted parry fire:0.4 fired:0.7 shot
shoot aim load:0.5 draw:0.4 drew fight fought wrestle grapple knock knocked:0.7 slam bang:0.6 wave:0.3
carry:0.6 carried bring:0.4 brought took:0.5 put:0.3 set:0.3 swept sweep hang:0.2 knelt kneel bow:0.5
stoop bent:0.4 rose:0.4 sat:0.2 walk:0.5 step:0.5 enter:0.5 reach:0.5 open:0.3 shut:0.4 close:0.2
lock:0.4 unlock:0.5 wash:0.5 count:0.2 hung:0.2 dug dig shovel wrap unstrap:0.8 strap:0.6 ride:0.6 rode
row:0.4 swim swam paddle steer pedal wheel:0.3 sail:0.4 dance:0.7 stamp stopped:0.4 halt:0.5 pass:0.3
pour:0.4 hand:0.1 handed:0.7 gave:0.3 tied tie unfasten loose:0.2 scatter:0.6 sprawl collapse explode
land:0.2 splash shout:0.4 scream:0.6 yell:0.6 shriek:0.5 kill attack struggle press:0.4 clung cling
wrung spur mount:0.5 dismount sprung back:0.1 away:0.3 off:0.2 across:0.4 toward:0.3 towards:0.3
down:0.1 up:0.1 after:0.1 suddenly:0.5
"""

THOUGHTS = """
think thought thinks wonder suppose supposed consider reflect ponder muse meditate believe believed
doubt know:0.5 knew known:0.3 feel:0.6 felt:0.6 feeling:0.7 wish:0.8 hope:0.6 fear:0.4 imagine fancy
fancied guess realise realize understand:0.6 understood:0.6 remember:0.4 recollect:0.4 forget:0.4
forgot:0.4 seem:0.7 appear:0.3 conscious consciousness aware awareness conscience mind:0.8 soul:0.6
heart:0.3 idea:0.8 notion opinion sense:0.5 sensation reason:0.5 resolve:0.7 decide:0.7 determine:0.5
dread:0.5 regret:0.6 longed long:0 certain:0.6 sure:0.6 perhaps:0.8 maybe:0.8 possibly:0.6 presumably
might:0.5 must:0.4 ought:0.6 should:0.4 could:0.2 would:0.2 himself:0.4 herself:0.4 myself:0.4
themselves:0.2 oneself why:0.6 whether:0.7 if:0.2 inclined ashamed:0.6 proud:0.4 grateful:0.4 glad:0.3
sorry:0.3 happy:0.4 happiness:0.5 unhappy:0.4 miserable:0.4 lonely:0.4 love:0.3 loved:0.3 hate:0.5
hated:0.6 resent despise:0.6 expect:0.4 mean:0.3 meant:0.3 question:0.4 memory:0.4 dream:0.5 suspect:0.6
suspicion:0.6 trust:0.4 worry:0.5 anxiety:0.5 temptation despair:0.4 foolish:0.4 fool:0.3 absurd:0.4
conviction impression instinct intuition self:0.5 life:0.3 anything:0.3 nothing:0.2 somehow:0.5
something:0.3 knowledge:0.4 pity:0.4 dared:0.4 judgment:0.4 judgement:0.4 truth:0.3
"""

SIGHTS = """
stand:0.4 stood:0.6 stands:0.8 lie:0.5 lay:0.8 lies:0.6 hang:0.6 hung:0.8 stretch:0.7 rise:0.4 rose:0.3
loom slope:0.8 wind:0.3 surround overlook:0.9 adorn line:0.4 lined:0.7 dot:0.6 cover:0.5 fill:0.3
built:0.7 consist contain:0.6 house:0.5 hall:0.5 room:0.6 wall:0.7 window:0.7 door:0.4 roof:0.9
floor:0.7 ceiling:0.9 chimney:0.9 street:0.7 road:0.5 lane:0.6 path:0.6 square:0.5 town:0.7 village:0.7
city:0.6 church:0.6 tower:0.7 bridge:0.5 castle:0.7 cottage:0.6 garden:0.7 tree:0.7 forest:0.7 wood:0.6
field:0.7 meadow:0.9 grass:0.8 flower:0.8 leaf:0.7 leaves:0.5 branch:0.6 hedge:0.7 hill:0.7 valley:0.9
mountain:0.7 cliff:0.7 rock:0.6 stone:0.7 sand:0.6 shore:0.7 beach:0.6 sea:0.6 river:0.7 stream:0.6
brook:0.7 lake:0.7 water:0.5 wave:0.4 sky:0.8 cloud:0.8 sun:0.6 sunlight:0.8 sunshine:0.7 moon:0.7
moonlight:0.8 star:0.6 light:0.4 shadow:0.5 dark:0.4 darkness:0.4 mist:0.7 fog:0.7 rain:0.5 snow:0.5
air:0.4 smoke:0.5 dust:0.5 smell:0.6 scent:0.8 odour odor perfume:0.6 sound:0.3 colour:0.9 color:0.9
red:0.7 white:0.7 black:0.7 green:0.8 blue:0.8 yellow:0.8 brown:0.8 grey:0.8 gray:0.8 golden:0.7
silver:0.6 purple:0.8 pink:0.8 pale:0.5 bright:0.6 broad:0.6 narrow:0.7 wide:0.6 tall:0.7 low:0.5
high:0.5 long:0.3 short:0.3 thick:0.6 thin:0.6 large:0.5 huge:0.5 small:0.4 little:0.2 old:0.2
beautiful:0.4 hair:0.5 face:0.3 eyes:0.2 forehead:0.6 nose:0.5 chin:0.5 beard:0.6 complexion dressed:0.6
wore:0.6 worn:0.4 coat:0.4 hat:0.3 gown:0.5 dress:0.4 table:0.5 chair:0.5 shelf shelves desk:0.4 bed:0.4
lamp:0.4 carpet:0.7 curtain:0.7 picture:0.5 furniture north:0.7 south:0.7 east:0.7 west:0.7 left:0.2
bank:0.4 middle:0.5 side:0.5 edge:0.6 top:0.4 bottom:0.4 corner:0.4 row:0.6 feet:0.3 mile:0.5 yard:0.4
inch:0.4 beyond:0.6 above:0.6 below:0.6 beneath:0.6 under:0.5 over:0.3 between:0.5 beside:0.5 around:0.3
along:0.3 against:0.2 near:0.4 behind:0.3 front:0.4 here:0.1 there:0.5 everywhere:0.5 is:0.3 are:0.3
was:0.2 were:0.3 has:0.2 each:0.3 every:0.3 carved:0.7 painted:0.7 polished:0.6 faded:0.6 gleam:0.7
glitter:0.7 glimmer:0.7 glow:0.6 shone:0.7 shine:0.6 sparkle:0.7 drip:0.4 creak:0.3 murmur:0.3
silent:0.2 quiet:0.3 empty:0.4 crowd:0.3 bare:0.6
"""

TONE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "tense": """
        must:0.1 flee:0.8 sneak:0.6 crouch:0.7 cower:0.8 stare:0.3 stranger:0.2 voice:0.1 steal:0.2
        handcuff arrest:0.6 police:0.3 hunt:0.6 hunted:0.8 snap:0.3 cornered:0.7 ambush bomb:0.8
        explode:0.6 fuse:0.4 deadly:0.7 poison:0.6 weapon:0.7 armed:0.6 hostage afraid fear fearful
        fright frighten terrify terror dread alarm panic scare horror horrify horrible:0.7 danger
        dangerous peril threat threaten menace gun pistol rifle:0.7 musket:0.5 revolver knife dagger
        blade sword:0.4 hide:0.5 hid:0.7 hidden:0.4 creep crept:0.7 lurk stalk footstep footsteps hush
        whisper:0.5 scream:0.7 shriek:0.6 blood:0.6 bloody:0.5 chase:0.8 pursue:0.7 pursuit:0.8
        escape:0.8 fled:0.8 trap trapped tremble shudder shiver:0.6 breath:0.5 breathe:0.5 breathless
        sweat:0.8 suddenly:0.5 sudden:0.3 silence:0.3 enemy:0.5 shot:0.6 shoot:0.7 slip:0.3 edge:0.3
        cliff:0.4 locked:0.6 lock:0.4 search:0.3 desperate:0.7 urgent anxious anxiety nervous uneasy
        worried:0.6 worry:0.5 apprehensive suspense strain:0.5 frozen:0.4 rigid flinch attack:0.7
        kill:0.7 murder:0.8 murderer:0.8 villain:0.2 prisoner:0.5 captive:0.6 guard:0.4 dark:0.4
        darkness:0.5 black:0.2 dead:0.2 wound:0.6 burst:0.3 crash:0.4 crack:0.4 grip:0.5 clutch:0.5
        gasp:0.7 pale:0.3 quick:0.4 quickly:0.3 hurry:0.4 cautious:0.6 risk:0.7 warn:0.6 beware mutiny
        mutineer storm:0.3 wreck:0.5 drown:0.7 scratch:0.4 drag:0.4 creak:0.5 lurch:0.5 torch:0.3
        dogs:0.3 wait:0.3 listen:0.4 watch:0.2 cold:0.2 stiff:0.3 jerk:0.5 startle:0.7 rang:0.2
        alone:0.2 spy:0.6
        """,
        "sad": """
        gloomily mourned bereft orphaned deathbed:0.8 sobbing stillborn grieved perish:0.7 corpse:0.6
        body:0.1 forgotten:0.4 leave:0.1 lifeless:0.7 sorrowing helpless:0.5 unloved deserted:0.5
        cold:0.1 tragic tragedy:0.8 misfortune:0.7 wistful yearn:0.4 ashes:0.4 winter:0.1 sad sadness
        sorrow sorrowful grief grieve mourn mourner mournful melancholy gloom:0.7 gloomy:0.7 dejected
        weep wept tear:0.4 tears sob lonely loneliness alone:0.6 unhappy unhappiness regret remorse
        ashamed:0.6 disappoint:0.7 miserable misery wretched despair hopeless heartbroken broken:0.5
        forlorn dead:0.6 death:0.7 die:0.7 died:0.9 dying:0.8 grave:0.8 graves funeral coffin bury:0.8
        buried:0.8 burial tomb:0.6 wreath churchyard:0.7 widow:0.6 widowed orphan:0.6 lost:0.6 loss:0.7
        gone:0.4 sorry:0.7 pity:0.6 pitiful poor:0.3 farewell goodbye bye:0.3 sigh:0.6 rain:0.3 drip:0.3
        grey:0.3 gray:0.3 empty:0.5 tired:0.3 weary:0.6 faded:0.5 hurt:0.5 ill:0.4 illness:0.7 sick:0.4
        sickness:0.5 hospital:0.6 fever:0.4 suffer:0.7 suffering ache:0.6 pain:0.5 nobody:0.3 never:0.2
        mourning cemetery bereaved lament homesick tearful parting:0.6 last:0.2 anguish cry:0.3
        crying:0.6 silent:0.2 spoke:0.1 old:0.1 unable:0.1 mother:0.1 apron:0.1 forsaken desolate
        abandoned:0.6 faint:0.2 ruin:0.4 wither:0.6 comfort:0.3 console:0.6 dismal dreary:0.7 bleak:0.7
        hunger:0.4 starve:0.5
        """,
        "happy": """
        joked playful:0.7 marvellous:0.7 marvelous:0.7 glorious:0.7 grateful:0.5 thankful:0.5 relief:0.4
        relieved:0.4 success:0.5 victory:0.6 cheers kinder:0.4 hope:0.2 hopeful:0.5 comfortable:0.4
        cosy:0.6 cozy:0.6 warm:0.2 treat:0.4 gift:0.4 present:0.1 toast:0.3 carnival:0.6 nice:0.3 happy
        happiness happily joy joyful joyous joyously delight delightful glad gladly merry merriment
        cheer cheerful cheery laugh laughing laughter smile:0.6 grin:0.7 chuckle chuckled giggle jolly
        jollity gay gaily gaiety rejoice celebrate celebration festival feast:0.7 festive party:0.4
        picnic holiday:0.7 birthday:0.6 hurrah hooray hurray bravo wonderful:0.7 splendid:0.7 fun
        amuse:0.7 amusing pleasant:0.6 pleasure:0.6 pleased:0.7 triumph:0.6 triumphant:0.6 won:0.6
        win:0.5 prize:0.7 sing:0.5 sang:0.6 singing:0.6 song:0.5 dance:0.5 danced:0.6 dancing:0.6
        fiddle:0.5 music:0.3 sunshine:0.6 sunny:0.6 bright:0.4 brightly:0.4 golden:0.3 ribbon:0.3
        cake:0.4 beam:0.5 radiant blessed:0.5 bless:0.4 lucky:0.6 luck:0.4 fortunate:0.5 content:0.4
        contented welcome:0.4 play:0.3 hug:0.6 pretty:0.3 charming:0.4 lively:0.6 sparkle:0.4
        flourish:0.3 joke:0.7 humour:0.5 humor:0.5 comical glee gleeful blissful bliss ecstasy elated
        overjoyed thrilled exult jubilant enjoy:0.7 enjoyment friend:0.1 kindly:0.2 wedding:0.4
        bridal:0.3 sweet:0.2 good:0.1 excellent:0.3
        """,
        "angry": """
        snapped:0.6 bellow:0.7 thunder:0.2 retort:0.5 demand:0.3 enemy:0.1 argue:0.6 argument:0.5
        scold:0.6 reproach:0.5 cruel:0.5 cruelty:0.6 foul:0.4 loathe detest hateful infuriate seethe
        beast:0.4 devil:0.4 hell:0.3 blast:0.3 fool:0.4 idiot:0.6 coward:0.6 swine:0.7 ungrateful:0.5
        swindle:0.6 anger angry angrily fury furious rage raging wrath wrathful indignant indignation
        resent resentment bitter:0.7 bitterly:0.7 hate:0.8 hated:0.8 hatred annoy:0.6 irritate:0.7
        exasperate outrage vexed contempt contemptuous scorn scornful disgust:0.7 shout:0.6 shouting:0.7
        roar:0.6 curse:0.8 swore:0.6 swear:0.4 swearing:0.8 damn damned fist:0.8 slam:0.8 scoundrel
        villain:0.8 liar lie:0.1 thief:0.7 cheat:0.8 insolent insolence dare:0.5 dared:0.6 snarl
        growl:0.6 spit:0.5 spat:0.7 hurl:0.5 fling:0.3 flung:0.4 strike:0.3 struck:0.4 hit:0.5 kick:0.6
        glare glower scowl temper:0.6 quarrel:0.8 insult revenge vengeance traitor hypocrite brute:0.7
        savage:0.6 rogue:0.5 rascal:0.5 wretch:0.4 impudent impudence defy:0.5 defiant:0.5 defiance:0.5
        sneer:0.7 choke:0.3 storm:0.2 stormed:0.8 stamp:0.3 throttle:0.7 whip:0.5 blow:0.2 fierce:0.5
        fiercely:0.6 hot:0.2 red:0.1 crimson:0.2 violent:0.4 violence:0.4 passion:0.2 protest:0.4
        accuse:0.5 blame:0.4 betray:0.5 filthy:0.5 dirty:0.2 injustice:0.6 unjust:0.6 offend:0.5
        offended:0.7 jealous:0.5 jealousy:0.5 strangle:0.6 yell:0.6 murdering:0.7 rob:0.4 despise:0.8
        spite:0.3 spiteful malice:0.7 hoarse:0.3 mob:0.5 smash:0.4 tore:0.2 abuse:0.6
        """,
        "mysterious": """
        suspected:0.4 dreamlike unfamiliar:0.5 forbidden:0.6 cryptic stealthy:0.4 occult mystic mystical
        silhouette:0.5 twilight:0.3 deserted:0.2 conceal:0.5 concealed:0.6 whisperings half:0.1
        faintly:0.3 dim:0.4 dimly:0.4 gloom:0.3 hollow:0.4 distant:0.2 unaware:0.1 origin:0.2
        wondering:0.4 strange strangely mystery mysterious unknown:0.8 secret:0.5 secretly:0.5
        shadow:0.6 shadowy ghost ghostly phantom spirit:0.4 spectre vanish disappear:0.8 fog:0.5
        mist:0.6 misty:0.6 dream:0.4 eerie weird uncanny riddle puzzle:0.8 puzzling curious:0.6
        curiously:0.6 sign:0.3 symbol:0.7 rune whisper:0.3 hooded cloak:0.4 cloaked veil:0.5
        stranger:0.6 magic spell:0.7 enchant enchanted haunt haunted omen prophecy inexplicable
        inexplicably inscrutable impossible:0.5 invisible echo:0.4 unseen ancient:0.5 midnight:0.5
        hidden:0.6 wonder:0.4 somehow:0.6 something:0.5 nowhere:0.6 peculiar:0.7 odd:0.5 oddly:0.6
        queer:0.6 unaccountable supernatural ghastly:0.3 reflection:0.4 glimmer:0.4 flicker:0.5
        candle:0.3 moonless labyrinth cipher code:0.3 clue detective:0.4 unexplained enigma enigmatic
        trace:0.3 witch wizard sorcerer demon devil:0.2 unearthly unnatural vision:0.5 apparition
        print:0.2 tomb:0.4 crypt vault:0.4 legend:0.5 rumour:0.4 rumor:0.4 nameless:0.6 faceless
        mask:0.6 disguise:0.5 obscure:0.5 silent:0.2 silence:0.3 voice:0.1 dark:0.2 darkness:0.3
        passage:0.3 door:0.2 light:0.1 grave:0.1 suspect:0.4 suspicion:0.4 suspicious:0.5 behind:0.1
        wall:0.1 nobody:0.2 never:0.1
        """,
        "romantic": """
        beautiful:0.3 loveliness:0.5 sigh:0.2 tenderest yearning:0.6 breathless:0.2 wooing heartbeat:0.6
        intoxicate:0.5 seduce:0.6 mistress:0.3 betroth fiancé:0.6 fiance:0.6 fiancée:0.6 wife:0.1
        husband:0.1 adored murmur:0.3 whisper:0.2 touch:0.3 held:0.1 glove:0.2 hair:0.2 love loving
        lovingly beloved lover lovers darling dearest sweetheart kiss embrace caress tender tenderly
        tenderness adore adoring adoration passion:0.7 passionate:0.8 ardent ardour heart:0.5 hearts:0.6
        blush:0.6 betrothed engagement:0.6 engaged:0.4 marry:0.6 married:0.3 marriage:0.5 wedding:0.6
        bride:0.6 bridegroom courtship court:0.1 suitor woo wooed lips:0.7 cheek:0.4 longing:0.7
        longed:0.6 desire:0.5 gaze:0.3 moonlight:0.6 moonlit:0.6 moon:0.3 nightingale roses:0.5 rose:0.2
        jasmine:0.6 honeysuckle:0.5 perfume:0.3 waltz:0.6 bosom:0.4 affection:0.7 affectionate:0.6
        devotion:0.6 devoted:0.5 fond:0.5 fondness:0.6 romance romantic rapture:0.6 hand:0.1 waist:0.5
        arms:0.3 soft:0.2 softly:0.2 sweet:0.4 sweetness:0.5 warm:0.2 eyes:0.1 proposal:0.4 propose:0.4
        dear:0.3 honeymoon attract:0.4 charm:0.3 beauty:0.3 lovely:0.2 violet:0.4 blossom:0.3 summer:0.2
        stars:0.3 flirt:0.6 infatuate elope entwine smile:0.2 lovesick
        """,
    }
)


def weights(words: str) -> dict[str, float]:
    """Stem to weight; of two words with one stem the later counts."""
    found: dict[str, float] = {}
    for entry in words.split():
        word, _, weight = entry.partition(":")
        found[stem(word)] = float(weight) if weight else 1.0
    return found


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The Porter 2 stem of a word in small letters."""
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer:
    from Stemmer import Stemmer

    return Stemmer("english")
