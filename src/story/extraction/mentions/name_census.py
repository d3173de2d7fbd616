"""Which words are names in this chapter, and of what: votes of the parser, titles and deeds, counted.

spaCy's small model finds about three of four persons of fiction at one place or another; counting its votes
over the chapter and carrying a name so found to every place where it stands raises that to about nine of ten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ...lexicon.verbs_and_nouns import HUMAN_VERBS, KIN, PLACE_NOUNS, VERBS
from ...lexicon.words import CLAUSE_WORDS, listed
from ...model.types import EntityKind
from ...names.lexicon import CALENDAR, CALLINGS, GIVEN, GROUP_WORDS, NON_NAMES, PLACE_WORDS
from ...names.person_record import patronymic_gender
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word, Words
from .name_words import is_name_word, is_particle, is_title, name_text

_SLOTS = frozenset("dobj dative prep:to prep:with".split())
_OF_PLACES = frozenset("KNOWS MEETS LEAVES".split())  # one knows, visits and leaves towns as well
_MET = frozenset(
    (lemma, rule.slot)
    for lemma, rules in VERBS.items()
    for rule in rules
    if rule.target == "person" and rule.slot in _SLOTS and rule.predicate not in _OF_PLACES
) | {(word, "prep:to") for word in ("marry", "married", "engaged")}
_NOBODY = frozenset("NORP LANGUAGE GPE LOC FAC".split())


def is_who(token: Word) -> bool:
    """Like "it was Marcus who rang": only people are "who"."""
    return any(
        child.dep_ == "relcl" and any(c.dep_ == "nsubj" and c.lower_ == "who" for c in child.children)
        for child in token.children
    )


def does_deeds(token: Word) -> bool:
    """Is it the subject of a verb that people are subjects of?"""
    head = token.head
    return (
        token.dep_ == "nsubj" and head.pos_ == "VERB" and (head.lemma_ in HUMAN_VERBS or head.lemma_ in VERBS)
    )


def is_met(token: Word) -> bool:
    """Like "Anna loved Dorian", "was married to Dorian", "Dorian's sister": what verbs do to people, and
    whose kin somebody is."""
    head, slot = token.head, token.dep_
    if token.ent_type_ in _NOBODY:
        return False
    if slot == "poss":
        return head.lower_ in KIN
    if slot == "pobj":
        head, slot = head.head, f"prep:{head.lower_}"
    return (head.lemma_, slot) in _MET


Key = tuple[str, ...]
_PLACE_OPENERS = frozenset("North South East West Great Little Old Upper Lower New".split())
_FUNCTION_TAGS = frozenset("RB RBR IN CC UH WRB WDT DT PDT MD EX".split())
_ARTICLES = frozenset("the a an this that these those two three four no every each another".split())
_PLACE_LABELS = frozenset({"GPE", "LOC", "FAC"})
_MOST_WORDS = 20  # of a name: what is longer is a list, and would be looked for at every word
_SITES = frozenset("in at".split())
_BOUND = frozenset("from to into near toward towards beyond above outside through".split())
_ENDS = frozenset("to from toward towards".split())  # of a journey, or of what is said, given, taken
_REACHED = frozenset("reach enter quit".split())
_WAYS = ("prep:to", "prep:into", "prep:from")
_GOING = frozenset(
    lemma for lemma, rules in VERBS.items() if any(r.target == "place" and r.slot in _WAYS for r in rules)
)
# what is done at or in somebody, and so puts nobody at a place
_AIMED = CLAUSE_WORDS.listed("aimed")
# places look out, rise and lie as well as people do
_STIRS = CLAUSE_WORDS.listed("stirs")
_BEFORE_DAYS = frozenset("on of in before after until till since by from every each last next".split())
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_EPITHETS = frozenset("old young little poor big dear".split())  # before a name
_OPENS = frozenset("mr mrs miss ms messrs".split())  # where another name begins
_GENERATIONS = frozenset("jr sr junior senior".split())  # where a name ends
_CALLED = ("called", "named")
_PEERS = frozenset("lady lord sir madame monsieur".split())
ABSTRACT = re.compile(r"(?:tion|sion|ness|ity|ance|ence|ship|hood|dom|ment)$")
DAYS_MIN = 3  # deeds: so many make a person of Friday


@dataclass(frozen=True, slots=True)
class Name:
    """``strong`` as on a mention; ``gender`` from the given name alone."""

    kind: EntityKind
    strong: bool
    gender: str = ""


@dataclass(slots=True)
class _Votes:
    person: int = 0
    place: int = 0
    group: int = 0
    titled: int = 0
    deeds: int = 0
    stirs: int = 0
    sited: int = 0
    bound: int = 0
    inside: int = 0
    articled: int = 0
    stood_in: int = 0
    met: int = 0
    subject: int = 0
    opened: int = 0
    verbal: int = 0
    thing: int = 0
    spread: bool = False


@dataclass(slots=True)
class NameCensus:
    """``names`` by their words without title; ``lower`` holds the words that also stand in lower case,
    ``surnames`` the last words of people's names, ``also_words`` the names that are words as well (see
    ``Word.is_name``)."""

    names: dict[Key, Name] = field(default_factory=dict)
    lower: set[str] = field(default_factory=set)
    longest: int = 1
    surnames: set[str] = field(default_factory=set)
    also_words: set[str] = field(default_factory=set)


def _opens_name(token: Word) -> bool:
    if not is_name_word(token) or is_title(token):
        return False
    if token.is_name:
        return True
    if token.lower_ in NON_NAMES and token.lower_ not in CALENDAR:
        return False
    return token.tag_ not in _FUNCTION_TAGS or not token.is_sent_start  # "Thus d'Artagnan", "Till Elizabeth"


def name_run(doc: Words, start: int, end: int, *, person: bool = True) -> tuple[int, int]:
    """The first run of name words within ``[start, end)``, particles inside it kept; empty where none.
    A place may begin with a point of the compass or the like ("West Egg"), a person not."""
    while start < end and not _opens_name(doc[start]):
        if not person and doc[start].text in _PLACE_OPENERS and start + 1 < end:
            break
        start += 1
    if start + 1 < end and _day_before(doc, start):
        start += 1
    stop = start
    while stop < end and _goes_on(doc, start, stop):
        stop += 1
    while stop > start and (is_particle(doc, stop - 1) or doc[stop - 1].lower_ in NON_NAMES):
        surname = stop - start > 2 and doc[stop - 2].text != "of" and is_particle(doc, stop - 2)  # "ten Boom"
        if (
            (surname and is_name_word(doc[stop - 1]))
            or doc[stop - 1].is_name
            or (stop - start == 1 and doc[start].lower_ in CALENDAR)
        ):
            break
        stop -= 1
    return start, stop


def _day_before(doc: Words, start: int) -> bool:
    """Like "on Friday Elena came", "on the Saturday Elena came": the day is no part of the name."""
    if doc[start].lower_ not in CALENDAR or start < 1:
        return False
    before = doc[start - 2].lower_ if doc[start - 1].lower_ == "the" and start > 1 else doc[start - 1].lower_
    return before in _BEFORE_DAYS and _opens_name(doc[start + 1])


def _goes_on(doc: Words, start: int, stop: int) -> bool:
    """May the token at ``stop`` belong to the name that begins at ``start``?"""
    token = doc[stop]
    if stop > start and ("--" in doc[stop - 1].text or _begins_another(doc, start, token)):
        return False
    within = stop > start and (_of_place(doc, stop) or _hyphened(doc, start, stop))
    return is_name_word(token) or is_particle(doc, stop) or within


def _hyphened(doc: Words, start: int, stop: int) -> bool:
    """The hyphen or the last part of "Kim Min-jun", of which no space parts it."""
    at = stop if doc[stop].text == "-" else stop - 1
    inside = at - start > 1 and at + 1 < len(doc) and doc[at].text == "-"
    inside = inside and doc[at + 1].lower_ not in NON_NAMES
    return inside and not doc[at - 1].whitespace_ and not doc[at].whitespace_ and doc[at + 1].is_lower


def _begins_another(doc: Words, start: int, token: Word) -> bool:
    """Like the "Lady" of "Console Lady Catherine": a title behind a word that is none."""
    word = token.lower_.rstrip(".")
    return (
        word in _OPENS
        or (
            is_title(token)
            and doc[start].is_sent_start
            and start + 1 == token.i
            and doc[start].lower_ not in GIVEN
        )
        or doc[token.i - 1].lower_.rstrip(".") in _GENERATIONS
        or (word in _PEERS and not is_title(doc[start]) and start + 1 == token.i)
    )


def _of_place(doc: Words, i: int) -> bool:
    """The possessive mark within "Cutler's Cross"."""
    if doc[i].tag_ != "POS" or i + 1 >= len(doc):
        return False
    return is_name_word(doc[i + 1]) and doc[i + 1].lower_ in PLACE_WORDS


def take_census(chapter: ParsedChapter) -> NameCensus:
    """Counts the evidence for every name of the chapter and decides what each one is.

    A titled name, or one that does what people do, weighs three of the parser's votes; a place word at
    its end settles a place. A name that only opens sentences and is also a common word there is none.
    """
    votes: dict[Key, _Votes] = {}
    small: set[str] = set()
    census = NameCensus()
    for paragraph in chapter.paragraphs:
        doc = paragraph.doc
        census.lower.update(token.text for token in doc if token.is_lower)
        small.update(token.text for token in doc if token.is_lower and _opens_clause(token))
        census.also_words.update(token.text for token in doc if token.is_name)
        for key, kind, token in _seen(doc):
            if len(key) > _MOST_WORDS:
                continue
            vote = votes.setdefault(key, _Votes())
            setattr(vote, kind, getattr(vote, kind) + 1)
            if kind == "inside":
                _weigh(vote, paragraph, token, token.i - len(key))
    _share(votes)
    for key, vote in votes.items():
        name = None if _run_together(key, vote, votes, small) else _decide(key, vote, census.lower)
        if name is not None:
            census.names[key] = name
    _longer_too(census.names)
    census.surnames = {key[-1] for key, name in census.names.items() if name.kind is EntityKind.CHARACTER}
    census.longest = max((len(key) for key in census.names), default=1)
    return census


def _weigh(vote: _Votes, paragraph: ParsedParagraph, token: Word, before: int) -> None:
    """What the words around one use of a name say of its kind."""
    doc, head = paragraph.doc, token.head
    vote.articled += (before >= 0 and doc[before].lower_ in _ARTICLES) or any(
        child.dep_ == "det" and child.lower_ in _ARTICLES for child in token.children
    )
    vote.deeds += is_who(token) + any(c.dep_ == "appos" and c.lower_ in KIN for c in token.children)
    vote.person += any(each.ent_type_ == "PERSON" for each in token.conjuncts)  # "Neil Hale and Vikas"
    vote.stood_in += doc[before + 1].is_name
    vote.opened += not _inside(doc, before + 1)
    vote.verbal += _opens_clause(doc[before + 1])
    vote.met += is_met(token)
    aside = paragraph.spoken(token) != paragraph.spoken(head)  # '"Correspondence," said Len'
    acts = token.dep_ in _SUBJECTS and token.tag_ == "NNP" and head.pos_ in ("VERB", "AUX")
    vote.subject += acts and not aside
    vote.deeds += _beside_relative(doc, before + 1, token.i) + _lives(token)
    called = before > 0 and doc[before].lower_ in _CALLED
    vote.subject += paragraph.spoken(token) and _called_out(doc, before + 1, token.i)
    vote.thing += called and doc[before - 1].lower_ in listed("craft")
    if does_deeds(token) and not aside:
        if head.lemma_ in _STIRS:
            vote.stirs += 1
        else:
            vote.deeds += 1
    if token.dep_ == "pobj" and head.head.lemma_ not in _AIMED:
        vote.sited += head.lower_ in _SITES
        vote.bound += head.lower_ in _BOUND and (head.lower_ not in _ENDS or head.head.lemma_ in _GOING)
    vote.bound += token.dep_ == "dobj" and head.lemma_ in _REACHED
    vote.sited += token.dep_ == "compound" and head.is_lower and head.lower_ in PLACE_NOUNS


def _seen(doc: Words) -> Iterator[tuple[Key, str, Any]]:
    """(name, kind of vote, its last token) for each sign of a name in one paragraph."""
    for ent, label in doc.ents:
        if label == "PERSON" or label in _PLACE_LABELS or label == "ORG":
            start, stop = name_run(doc, ent.start, ent.end, person=label == "PERSON")
            if start < stop:
                kind = "person" if label == "PERSON" else "group" if label == "ORG" else "place"
                yield _key(doc, start, stop), kind, doc[stop - 1]
    i, length = 0, len(doc)
    while i < length:
        token = doc[i]
        if not is_name_word(token) and not (is_title(token) and i + 1 < length):
            i += 1
            continue
        titled = is_title(token)
        start, stop = name_run(doc, i, _capital_end(doc, i))
        if start < stop:
            key = _key(doc, start, stop)
            if titled and start == i + 1:
                yield key, "titled", doc[stop - 1]
            if len(key) > 1 or _inside(doc, start) or doc[start].tag_ == "NNP" or _acts_alone(doc[start]):
                yield key, "inside", doc[stop - 1]
        i = max(stop, i + 1)


def _inside(doc: Words, start: int) -> bool:
    """Not at the beginning of a sentence or behind a mark, where any word may be capitalised."""
    return bool(start > 0 and not doc[start].is_sent_start and not doc[start - 1].is_punct)


def _acts_alone(token: Word) -> bool:
    """Like "Strider laughed": a singular without article that does what people do."""
    if token.dep_ in _SUBJECTS and token.tag_ == "NN" and token.lower_ in GIVEN:
        return True
    return token.tag_ == "NN" and does_deeds(token)


def _capital_end(doc: Words, start: int) -> int:
    stop = start + 1
    while stop < len(doc) and stop - start < 6 and _goes_on(doc, start, stop):
        stop += 1
    return stop


def _key(doc: Words, start: int, stop: int) -> Key:
    return tuple(name_text(doc[k]) for k in range(start, stop))


def _beside_relative(doc: Words, start: int, last: int) -> bool:
    """Like "Anna's late father", "her father, Tom,", "a dentist called Tom": whose kin one is, and who."""
    behind = doc[last + 1 : last + 5]
    if behind and behind[0].tag_ == "POS":
        return any(word.lower_ in KIN for word in behind) and doc[last].ent_type_ not in _PLACE_LABELS
    before = doc[start - 1].lower_ if start else ""
    if before == "," and start > 1:
        return doc[start - 2].lower_ in KIN
    return before in KIN or (before in _CALLED and doc[last].dep_ == "oprd")


def _lives(token: Word) -> bool:
    """Like "X was dead", "the body of X", "I am X", "my name is X", "his wife is X"."""
    head = token.head
    if token.dep_ == "nsubj":
        return head.lemma_ == "be" and any(word.lower_ in ("dead", "alive") for word in head.by("acomp"))
    if token.dep_ == "attr":
        subjects = {word.lower_ for word in head.by("nsubj")} if head.lemma_ == "be" else set()
        return bool(subjects & {"i", "name"} or subjects & KIN.keys())
    if token.dep_ == "pobj" and head.lower_ == "to":
        return head.head.lower_ in ("married", "engaged")
    if token.dep_ == "pobj" and head.lower_ == "of":
        return head.head.lower_ in ("body", "corpse", "murder")
    return (token.dep_, head.lemma_) in {("dobj", "bury"), ("dobj", "marry"), ("nsubjpass", "bear")}


def _called_out(doc: Words, start: int, last: int) -> bool:
    """Like "Is it late, Tom?", set off at an end of what is said."""
    before = doc[start - 1].text if start else ""
    after = doc[last + 1].text if last + 1 < len(doc) else ""
    ends = before == "," and after[:1] in (".", "?", "!", ",", "'", "’", "”", '"')
    return ends and doc[last].tag_ == "NNP" and last - start < 2


def _opens_clause(token: Word) -> bool:
    return token.tag_ in _FUNCTION_TAGS or token.tag_[:2] == "VB" or token.dep_ in ("advmod", "aux")


def _run_together(key: Key, vote: _Votes, votes: dict[Key, _Votes], small: set[str]) -> bool:
    """Like "Remembering Hale", where a sentence opens and the chapter knows a Hale; "(said) Ann of Hale"."""
    first = key[0].lower()
    if len(key) < 2 or first in GIVEN or first in _EPITHETS | CALLINGS or vote.stood_in:
        return False
    loose = vote.opened == vote.inside and (vote.verbal or first in small or first.endswith("ing"))
    return bool(loose) and not _is_known(votes, key[:1]) and _is_known(votes, key[1:])


def _is_known(votes: dict[Key, _Votes], key: Key) -> bool:
    """Does the chapter use the words by themselves, as somebody's name, twice or more?"""
    vote = votes.get(key) or votes.get(key[:1]) or _Votes()
    return vote.inside + vote.titled > 1 and vote.person + vote.titled >= vote.place


def _share(votes: dict[Key, _Votes]) -> None:
    """A full name vouches for its first and last word where they stand alone."""
    for key, vote in list(votes.items()):
        if len(key) < 2 or vote.person + 2 * vote.titled <= vote.place + vote.group:
            continue
        for part in (key[0], key[-1]):
            alone = votes.get((part,))
            if alone is not None and part.lower() not in NON_NAMES:
                alone.person += 1
                alone.spread = True


def _longer_too(names: dict[Key, Name]) -> None:
    """Who is called by two names and a surname behind them is nobody else: "Mary Ann" and "Mary Ann Hale";
    and a full name is somebody's if its first word is."""
    for key, name in names.items():
        first = names.get(key[:1])
        person = first is not None and first.strong and first.kind is EntityKind.CHARACTER
        if (
            person
            and name.kind is not EntityKind.LOCATION
            and key[-1].lower() not in PLACE_WORDS | GROUP_WORDS
        ):
            names[key] = replace(name, kind=EntityKind.CHARACTER, strong=True)
        shorter = names.get(key[:-1]) if len(key) > 2 else None
        if shorter is None or shorter.kind is not EntityKind.CHARACTER or name.kind is EntityKind.CHARACTER:
            continue
        if key[-1].lower() not in PLACE_WORDS | GROUP_WORDS:
            names[key] = shorter


def _decide(key: Key, vote: _Votes, lower: set[str]) -> Name | None:  # noqa: PLR0911 (a verdict a line)
    first, last = key[0].lower(), key[-1].lower()
    if len(key) == 1 and first in CALENDAR and vote.deeds >= max(DAYS_MIN, vote.sited + vote.bound):
        return Name(EntityKind.CHARACTER, True)
    if vote.thing:  # "an engine called Clementine"
        return Name(EntityKind.OBJECT, True)
    if len(key) == 1 and first in NON_NAMES and not (vote.titled or vote.stood_in):
        return None
    given = GIVEN.get(first, "") or (patronymic_gender(key[1].lower()) if len(key) > 1 else "")
    if len(key) == 1 and 2 * vote.articled > vote.inside and not (vote.titled or given or vote.place):
        return None  # "the Musketeer" is what somebody is, not what he is called
    met = 0 if vote.place else 2 * vote.met
    acts = vote.deeds + vote.stirs + vote.titled + vote.met
    sited = vote.sited > max(1, acts)  # "in Milton", time and again
    named = 3 if given and not sited and (vote.person or acts or not vote.bound) else 0  # "at Orrin"
    called = 3 if len(key) == 2 and first in _EPITHETS and last not in PLACE_WORDS else 0  # "Old Fergus"
    person = called + vote.person + 3 * vote.titled + 3 * vote.deeds + vote.stirs + met + named
    somewhere = vote.place + vote.sited + vote.bound > 0
    once = vote.opened == vote.inside == 1 and ABSTRACT.search(first)  # "Depression was settling on him"
    acting = 0 if somewhere or vote.articled or once else 2 * vote.subject  # of whom something is told
    person += acting
    sights = vote.sited + vote.bound
    placed = last in PLACE_WORDS and len(key) > 1 and not (given and sights == 0)  # "Peter Lane" is a man
    place = vote.place + (3 + 3 * sited) * vote.sited + vote.bound + (6 if placed else 0)
    told = last in GROUP_WORDS and len(key) > 1
    group = vote.group + 6 if told else 0 if person else vote.group  # ORG is the parser's guess at odd names
    if not (vote.person or vote.group or vote.titled or vote.deeds or met or acting or given or place > 1):
        return None
    common = len(key) == 1 and first in lower and not (vote.titled or vote.stood_in)
    if common and vote.person + vote.deeds < 2:
        return None
    active = vote.deeds >= 2 and vote.deeds > sights and not placed
    if person > 0 and (active or person >= max(place, group)):
        if len(key) > 1 and 2 * vote.articled > vote.inside and not (vote.titled or given or active):
            return Name(EntityKind.GROUP, person + group >= 3)  # "the Bloom Line", "the Weekly Courier"
        known = vote.titled > 0 or person >= 2 or vote.spread or vote.stood_in > 0
        return Name(EntityKind.CHARACTER, known, given)
    if place >= group and place > 0:
        return Name(EntityKind.LOCATION, place >= (2 if vote.place else 4))
    return Name(EntityKind.GROUP, group >= 2)
