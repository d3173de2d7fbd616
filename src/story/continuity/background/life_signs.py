"""What only the living do: acts and words of somebody who is named in the very sentence that tells them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ....core.types import Evidence
from ...graph_rag.views.story_view import Place, StoryView
from ...model.types import EntityKind, EntityMention, EventTold, Modality, QuotationTold
from ...names.lexicon import GIVEN, TITLES
from ...names.person_name import PersonName
from .per_view import once

__all__ = ["LifeSign", "Namings", "life_signs"]

_SURE = 0.7
_SAID = 0.8
# bodily acts, chosen by hand by Levin's classes (1993): motion and posture (47.6, 50, 51), gesture and
# expression (40), talk (37), perception (30), contact, holding and handling (9, 15, 18, 20), eating (39)
_BODILY = frozenset(
    """walk run come go enter arrive return step stride stroll hurry rush climb ride drive march wander cross
    follow approach advance retreat leap jump dance swim crawl creep limp stumble dash depart
    descend ascend sit stand rise kneel lean bow turn stoop crouch stretch settle seat
    nod smile grin laugh frown shrug sigh weep sob cry wink blush shudder tremble shiver yawn gasp cough
    whistle sing hum snort chuckle beckon wave gesture salute shake clap
    say speak talk ask answer reply tell whisper murmur mutter shout exclaim call explain announce declare
    remark observe insist suggest promise warn order command agree protest retort inform greet thank
    look gaze stare glance peer watch listen see hear notice examine inspect
    take pick lift raise carry hold grasp seize grip catch throw toss fling drop set put place push pull
    drag draw open close shut lock unlock knock ring pour fill hand give pass offer fetch bring gather fold
    unfold tear cut tie button wipe brush rub scratch stroke pat touch tap kiss embrace hug strike hit slap
    punch kick grab snatch light blow stir sharpen saddle mount dismount load fire aim
    eat drink sip swallow chew dine breakfast sup taste smoke
    write read sign play paint sew knit cook wash dress undress shave comb buy sell pay count
    meet join accompany escort help visit wait begin start stop pause hesitate continue lead show point
    interrupt argue quarrel fight attack chase attend decide accept refuse stay
    leave stand pace trot gallop hasten hurry wade row paddle swing skip hop slip steal creep sneak stamp
    lie recline lounge loll squat perch nestle sprawl awake wake yawn doze sleep snore
    rap tap drum strum strike play sing whistle hum toast propose applaud preside welcome
    peel chop slice stir butter bake roast carve fry boil spread season scour scrub sweep dust polish rinse
    dig rake hoe prune water mow plough sow reap pluck pick feed milk groom harness unharness saddle
    knit darn hem stitch thread iron starch pin unpin hook unhook lace unlace buckle unbuckle strap don doff
    tuck smooth straighten adjust button unbutton wrap unwrap pack unpack roll unroll
    puff relight extinguish snuff trim kindle poke rake bank
    scribble scrawl copy seal post address dictate turn leaf spell add reckon
    deal shuffle bet stake gamble wager bowl bat serve pitch kick dribble skate ski cycle pedal steer
    unlock bolt unbolt unlatch bar latch slam ring pull tug haul hoist heave lug trundle wheel
    catch board alight hail pay tip hire order ring telephone wire telegraph ring
    chat gossip grumble growl snap bark mumble stammer stutter drawl lisp remonstrate confess admit deny
    assure beg entreat implore bid tease joke chaff scold reprove rebuke praise compliment congratulate
    wonder inquire enquire demand prompt read recite sing hum quote translate
    sniff sneeze cough hiccup swallow gulp munch nibble lick bite blow suck spit
    wink blink squint scowl glare glower beam simper smirk giggle titter roar howl scream shriek yell
    bend straighten stiffen start flinch wince recoil shrink cower duck dodge sway reel totter
    nurse bandage soothe rock cradle dandle hug cuddle squeeze clasp clutch grope fumble finger fiddle twirl
    load unload aim fire reload hunt fish angle cast shoot""".split()
)
# what is done only to the living
_FACED = frozenset(
    "meet greet join ask inform invite accompany overtake interview marry shake hand thank".split()
)
_SPOKEN_TO = frozenset(
    """say speak talk whisper call cry nod bow wave beckon smile shout remark answer reply murmur observe
    curtsey curtsy hand give""".split()
)
# what one does with one's own hands where one is, and leaves no work behind that outlasts one
_IN_PERSON = frozenset(
    """bring open close shut lock unlock fetch carry lead hand show wait ring knock meet greet accompany
    escort join interrupt pour light drive serve lift take attend""".split()
)
# what moves a scene out of the story's present, or the dead out of the grave
_ASIDE = re.compile(
    r"\b(?:remember\w*|recall\w*|recollect\w*|memor\w+|dream\w*|dreamt|vision\w*|ghost\w*|spirits?|spectre|"
    r"phantom|apparition|haunt\w*|imagin\w+|fanc(?:y|ied)|once|used to|years? (?:ago|before|earlier)|long "
    r"ago|in those days|in (?:his|her) (?:life|lifetime|youth)|as if|as though|if|always|often|never|every|"
    r"sometimes|alive|dead|death|died|dying|risen|resurrect\w*|heaven|paradise|portrait|picture|photograph|"
    r"statue|(?:in|by|from|with|of) (?:the|his|her|a|this|that) letter|(?:his|her|['’]s) letters?|letters? "
    r"(?:from|of|by|in which|says?|said|told|tells)|diary|will|tomb|grave(?:yard)?|"
    r"churchyard|cemetery|funeral|laid|coffin|corpse|body|buried|late|thought of|ancestor\w*)\b",
    re.IGNORECASE,
)
_RIVAL = 20  # so many times as often named as another, and a name is one's own
_FEW = 3  # who is named less often is no rival at all
_WHICH = r"(?i:young|old|elder|younger|older|little|another|other)"  # "young Hale" is not Hale
_WIDE = 400  # characters of a sentence that still says one thing


@dataclass(frozen=True, slots=True)
class LifeSign:
    """An act or a word of somebody, told as happening in the story's present."""

    entity: str
    place: Place
    told: int
    evidence: Evidence
    record: EventTold | QuotationTold
    surface: str


class Namings:
    """Who is named where, by what words; and which names are only one person's."""

    def __init__(self, view: StoryView) -> None:
        self._view = view
        self._at: dict[tuple[str, int], list[EntityMention]] = {}
        self._names: dict[str, dict[frozenset[str], None]] = {}
        for mention in view.log.mentions:
            quote = mention.evidence
            self._at.setdefault((quote.document_id, quote.span.start // _WIDE), []).append(mention)
            if mention.kind is EntityKind.CHARACTER:
                words = _name_words(mention.surface)
                self._names.setdefault(view.resolve(mention.entity), {})[words] = None

    def within(self, entity: str, quote: Evidence) -> str:
        """By what words the sentence names the entity: empty for none, and where
        a word before it tells its bearer from a namesake ("young Hale")."""
        first, last = quote.span.start // _WIDE, quote.span.end // _WIDE
        found = [
            mention.surface
            for part in range(first, last + 1)
            for mention in self._at.get((quote.document_id, part), ())
            if quote.span.contains(mention.evidence.span) and self._view.resolve(mention.entity) == entity
        ]
        surface = " ".join(max(found, key=lambda surface: (len(surface), surface), default="").split())
        told_apart = surface and re.search(rf"\b{_WHICH} {re.escape(surface)}\b", quote.line)
        return "" if told_apart else surface

    def alone(self, entity: str, surface: str) -> bool:
        """Can nobody else be meant by these words? A calling ("the captain") is nobody's own; a title tells
        man from woman. One who is named far more seldom is no rival."""
        words, known = _name_words(surface), self._view.entity(entity)
        least = max(_FEW, known.mentions / _RIVAL) if known is not None else 0
        return bool(words) and not any(
            who != entity and any(words <= name for name in names) and self._may_be(who, surface, least)
            for who, names in self._names.items()
        )

    def _may_be(self, who: str, surface: str, least: float) -> bool:
        name, known = PersonName.parse(surface), self._view.entity(who)
        told = TITLES.get(name.title) or GIVEN.get(name.given) or name.gender
        return known is not None and known.mentions >= least and (not told or known.gender in ("", told))


def life_signs(
    view: StoryView,
    people: Mapping[str, Place],
    namings: Namings,
    *,
    least: float = _SURE,
    document: str | None = None,
) -> Iterator[LifeSign]:
    """Signs of life of these people told after the place given for each, by name and told as fact: bodily
    acts, and direct speech that the narration gives to them; with ``document``, only those told in it."""
    for event in view.events(untyped=True):
        if document is not None and event.evidence[0].document_id != document:
            continue
        if event.modality is not Modality.FACT or event.confidence < least or len(event.evidence) != 1:
            continue
        for role, who in event.participants:
            acts = event.verb in (_BODILY if role == "agent" else _FACED if role == "patient" else ())
            faced = role == "patient" and event.verb in _SPOKEN_TO
            if (acts or faced) and who in people and view.place(event) > people[who]:
                yield from _sign(view, event, who, event.evidence[0], namings, faced=faced and not acts)
    back = once(_ToldBack, view)
    for quotation in view.quotations():
        if document is not None and quotation.evidence[0].document_id != document:
            continue
        speaker = quotation.speaker
        if back.holds(quotation):
            continue
        yield from _spoken_to(view, quotation, people, namings)
        if speaker is None or speaker not in people:
            continue
        if quotation.kind == "explicit" and quotation.confidence >= _SAID:
            tag = quotation.evidence[quotation.pieces :]
            if tag and view.place(quotation) > people[speaker]:
                yield from _sign(view, quotation, speaker, tag[0], namings)


class _ToldBack:
    """Where the narration steps back in time, or out of it: a quotation has no modality of its own."""

    def __init__(self, view: StoryView) -> None:
        self._view = view
        told = [event for event in view.events(untyped=True) if event.modality.happened and event.evidence]
        marks = sorted((view.place(event), event.modality is Modality.FLASHBACK) for event in told)
        self._places, self._back = [place for place, _ in marks], [back for _, back in marks]

    def holds(self, quotation: QuotationTold) -> bool:
        """Is the event told next before it, or next after it in its chapter, one of those?"""
        place = self._view.place(quotation)
        at = bisect_left(self._places, place)
        near = [i for i in (at - 1, at) if 0 <= i < len(self._places)]
        return any(self._back[i] and self._places[i][:2] == place[:2] for i in near)


def _spoken_to(
    view: StoryView, quotation: QuotationTold, people: Mapping[str, Place], namings: Namings
) -> Iterator[LifeSign]:
    """Like "said X to Marcus", where the narration says so."""
    tag = quotation.evidence[quotation.pieces :]
    if not tag or quotation.kind != "explicit":
        return
    for who in quotation.hearers:
        if who in people and view.place(quotation) > people[who]:
            yield from _sign(view, quotation, who, tag[0], namings, faced=True)


def _sign(
    view: StoryView,
    record: EventTold | QuotationTold,
    who: str,
    quote: Evidence,
    namings: Namings,
    *,
    faced: bool = False,
) -> Iterator[LifeSign]:
    surface = namings.within(who, quote)
    if not surface or not namings.alone(who, surface) or _ASIDE.search(quote.line):
        return
    known = view.entity(who)
    words = quote.line
    if faced and f" to {surface}" not in words and f" at {surface}" not in words:
        return
    in_person = isinstance(record, EventTold) and record.verb in _IN_PERSON
    if _by_name(surface, words, known.gender if known is not None else "", by=in_person):
        yield LifeSign(who, view.place(record), record.told, quote, record, surface)


def _by_name(surface: str, words: str, gender: str, *, by: bool) -> bool:
    """Does the name itself stand there as one who acts: not as an owner ("Elena's hand"), nor behind "by"
    (unless ``by``), nor behind a pronoun that may have been taken for it?"""
    behind = "" if by else r"(?<!\bby )"
    named = re.search(rf"{behind}{re.escape(surface)}(?!\w|['’]s?\b)", words)
    if named is None:
        return False
    pronouns = {"m": r"\bhe\b", "f": r"\bshe\b"}.get(gender, r"\bs?he\b")
    return re.search(pronouns, words[: named.start()], re.IGNORECASE) is None


@lru_cache(maxsize=20_000)
def _name_words(surface: str) -> frozenset[str]:
    """Words of a name that can tell its bearer from others: no titles, nothing in lower case."""
    return frozenset(
        word.casefold()
        for word in re.findall(r"[\w'’-]+", surface)
        if word[:1].isupper() and word.casefold() not in TITLES and len(word) > 1
    )
