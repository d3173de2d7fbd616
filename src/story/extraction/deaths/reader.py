"""Who is told to be dead, and who to be alive after all: traits of the aspect ``life``.

Wider than the events KILLS and DIES: a death is told as often by what is left of somebody ("his widow", "the
late X", "X's grave") or by how he is found ("lay dead"). What only sounds like a death is left out: "dead
tired", "died of shame", "as good as dead". The verbs are those of Levin (1993), classes 42 and 48.2, with set
phrases put together by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...lexicon.death_words import (
    AFTER,
    ALMOST,
    BODY,
    DEAD_AS,
    DONE_TO_BODIES,
    DYING,
    END_NOUNS,
    ENDING,
    FEELINGS,
    FIGURES,
    GRAVES,
    KILLING,
    LEFT,
    LIVING,
    NAMED,
    NOT_QUITE,
    ONLY_LIKE,
    OWN,
    SEEN,
    SO,
    TO_DEATH,
    VOUCHED,
)
from ...lexicon.stage_words import SPEAKING
from ...model.chapter_reading import Trait
from ...model.trait_values import ALIVE, DEAD, LIFE
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments, is_passive
from ..clauses.modality import modality_of_death
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from .set_phrases import ends_by_denial, foreseen, told_otherwise
from .wordings import read_death_wordings

__all__ = ["ALIVE", "DEAD", "LIFE", "dies_by", "read_deaths"]

_PEOPLE = frozenset({EntityKind.CHARACTER})
_CLAUSES = ("VERB", "AUX")
_DEPTH = 4
_OTHERWISE = 0.85
_READ = 0.8
_SAID = frozenset({Modality.FACT, Modality.REPORTED, Modality.NEGATED})
_Told = tuple[list[Reference], float, bool]


def read_deaths(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Trait]:
    """In order of the text. ``value`` is ``DEAD`` or ``ALIVE``; ``change`` where a dying or killing is told
    and not a being dead. Direct speech counts as REPORTED; who is denied to be dead is ALIVE. What no verb
    or noun tells of itself follows (``deaths.wordings``)."""
    found = tuple(_by_grammar(chapter, arguments))
    yield from found
    told = (
        trait
        for trait in found
        if trait.modality is Modality.PLANNED or (trait.confidence >= _READ and trait.modality in _SAID)
    )
    yield from read_death_wordings(
        chapter, arguments, frozenset(quote.start for trait in told for quote in trait.evidence[:1])
    )


def dies_by(paragraph: ParsedParagraph, word: Any, arguments: Arguments) -> bool:
    """Does this word tell anybody's death by grammar, no figure of speech and no near miss? Whatever else
    reads a verb or adjective of dying as a happening asks here, so that events and traits agree."""
    told, _ = _told(paragraph, word, arguments)
    return bool(told[0]) and word.lower_ not in LIVING


def _by_grammar(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Trait]:
    for paragraph in chapter.paragraphs:
        for token in paragraph.words:
            told, clause = _told(paragraph, token, arguments)
            if not told[0] or clause is None:
                continue
            modality = modality_of_death(chapter, paragraph, clause)
            if modality is Modality.NEGATED and ends_by_denial(token):
                modality = Modality.FACT
            if modality is not None and modality.happened and _said_only(clause):
                modality = Modality.REPORTED
            if modality is not None:
                yield from _traits(paragraph, token, told, modality, arguments)
            elif paragraph.spoken(clause) and _denied(clause):
                yield from _traits(paragraph, token, told, Modality.NEGATED, arguments)


def _traits(
    paragraph: ParsedParagraph, token: Any, told: _Told, modality: Modality, arguments: Arguments
) -> Iterator[Trait]:
    value = ALIVE if token.lower_ in LIVING else DEAD
    if modality is Modality.NEGATED:
        value = DEAD if value == ALIVE else ALIVE
        modality = Modality.REPORTED if paragraph.spoken(token) else Modality.FACT
    references, sure, change = told
    for one in references:
        yield Trait(
            one.mention,
            LIFE,
            value,
            arguments.support(paragraph, token, one),
            modality,
            round(sure * one.factor, 3),
            change,
            one.genders,
        )


def _told(  # noqa: PLR0911 (a kind of word a line)
    paragraph: ParsedParagraph, token: Any, arguments: Arguments
) -> tuple[_Told, Any | None]:
    """Who is told to be dead (or alive) by this word, how surely, whether it is a dying; and the verb whose
    modality it has."""
    word, lemma = token.lower_, token.lemma_.lower()
    ended, clause = told_otherwise(paragraph, token, arguments)
    if ended:
        return (_persons(arguments, ended), _OTHERWISE, False), clause
    if token.pos_ == "VERB":
        return _by_verb(paragraph, token, lemma, arguments), token
    if word in ("dead", "murdered", "slain") or word in LIVING:
        return _by_adjective(paragraph, token, arguments)
    if word in LEFT and token.pos_ == "NOUN":
        return (_owner(paragraph, token, arguments), _left(token), False), _clause_over(token)
    if word in BODY and _lifeless(token):
        return (_owner(paragraph, token, arguments), 0.85, False), _clause_over(token)
    if word in NAMED and token.i + 1 < len(paragraph.doc):
        before = paragraph.words[token.i - 1].lower_ if token.i else ""
        behind = _named_behind(paragraph, token, arguments) if before in ("the", "his", "her", "my") else []
        return (behind, NAMED[word], False), _clause_over(token)
    return ([], 0.0, False), None


# --- verbs ---------------------------------------------------------------------------------------------


def _by_verb(  # noqa: PLR0911 (a frame a line)
    paragraph: ParsedParagraph, verb: Any, lemma: str, arguments: Arguments
) -> _Told:
    if any(child.lower_ in ALMOST for child in verb.children):
        return [], 0.0, False
    ended = _own_end(paragraph, verb, lemma, arguments)
    if ended[0]:
        return ended
    passive = is_passive(verb)
    if _dies(verb, lemma) and not passive:
        who = arguments.subjects(paragraph, verb) or _right_before(paragraph, verb)
        return _persons(arguments, who), _dying(verb, lemma), True
    sure = KILLING.get(lemma, 0.0)
    if verb.lower_ == "hanged":
        sure = 0.85
    if lemma in TO_DEATH and (_prepared(verb, "to", "death") or _dead_of_it(verb)):
        sure = 0.9
        if not passive and not _objects(verb):
            return _persons(arguments, arguments.subjects(paragraph, verb)), sure, True
    if not sure or any(child.dep_ == "prt" for child in verb.children):
        return [], 0.0, False
    if passive:
        whom = arguments.subjects(paragraph, verb)
        return ([], 0.0, False) if _in_part(verb) else (_persons(arguments, whom), sure, True)
    if _oneself(verb):
        whom = arguments.subjects(paragraph, verb) if lemma in ENDING else []
    else:
        whom = arguments.slot(paragraph, verb, "dobj")
    return _persons(arguments, whom), sure, True


def _dies(verb: Any, lemma: str) -> bool:  # noqa: PLR0911 (a figure of speech a line)
    if _of_something(verb) or foreseen(verb):
        return False
    if lemma == "pass":
        away = any(child.lower_ == "away" for child in verb.children)
        return away and not _objects(verb) and verb.tag_ in ("VBD", "VBN")
    if lemma not in DYING or (lemma == "drown" and _objects(verb)):
        return False
    if verb.tag_ not in ("VBD", "VBN", "VBZ"):
        return False
    for child in verb.children:
        if child.dep_ == "xcomp" or child.lower_ == "for":  # "died to hear it"
            return False
        if child.dep_ == "prep" and any(noun.lower_ in FIGURES for noun in child.children):
            return False
        if child.dep_ in ("advmod", "prt") and child.lower_ in ("away", "out", "down", "back"):
            return False  # "the talk died down"
    return True


def _of_something(verb: Any) -> bool:
    """Like "as three days passed away, he hoped", where the parser has not seen the subject."""
    bare = not any(child.dep_ in ("nsubj", "nsubjpass") for child in verb.children)
    return bare and verb.dep_ == "advcl" and verb.i > 0 and verb.nbor(-1).pos_ in ("NOUN", "NUM")


def _right_before(paragraph: ParsedParagraph, verb: Any) -> list[Reference]:
    """Whoever is named right before the verb, where the parser has not seen the subject."""
    number = paragraph.mention_of.get(verb.i - 1)
    if number is None or any(child.dep_ in ("nsubj", "nsubjpass") for child in verb.children):
        return []
    first = verb.i - 1
    while paragraph.mention_of.get(first - 1) == number:
        first -= 1
    belongs = first > 0 and paragraph.words[first - 1].pos_ == "ADP"  # "the bowl of Mrs. Hale perished"
    return [] if belongs else [Reference(number)]


def _dead_of_it(verb: Any) -> bool:
    """Like "shot him dead"."""
    return any(child.lower_ == "dead" and child.i > verb.i for child in verb.children)


def _dying(verb: Any, lemma: str) -> float:
    sure = DYING.get(lemma, 0.85)  # "passed away"
    return sure if verb.tag_ != "VBZ" else 0.6


def _in_part(verb: Any) -> bool:
    """Like "was buried in thought", "was killed with kindness", "was crushed by the news"."""
    lemma = verb.lemma_.lower()
    for child in verb.children:
        if child.dep_ not in ("prep", "agent"):
            continue
        behind = [noun for noun in child.children if noun.dep_ == "pobj"]
        if lemma == "bury" and child.lower_ in ("in", "under", "beneath", "amid") and behind:
            return not any(noun.lower_ in GRAVES for noun in behind)
        felt = any(noun.lower_ in FEELINGS for noun in behind)
        if felt and lemma in ("kill", "drown", "murder", "slay") and child.lower_ in ("with", "in", "by"):
            return True
    return False


def _own_end(paragraph: ParsedParagraph, verb: Any, lemma: str, arguments: Arguments) -> _Told:
    """Like "lost his life", "breathed her last", "took Elena's life"."""
    for child in verb.children:
        sure = END_NOUNS.get((lemma, child.lower_), 0.0)
        if child.dep_ not in ("dobj", "attr") or not sure:
            continue
        words = {each.lower_ for each in child.children}
        if lemma in ("draw", "breathe") and child.lower_ == "breath" and not words & {"last", "final"}:
            continue
        if lemma == "give" and not any(each.lower_ == "up" for each in verb.children):
            continue
        if lemma == "take":
            owners = _owner(paragraph, child, arguments)
            return owners, 0.85, True
        if words & OWN or child.lower_ in ("ghost", "suicide"):
            return _persons(arguments, arguments.subjects(paragraph, verb)), sure, True
    return [], 0.0, False


def _oneself(verb: Any) -> bool:
    return any(child.dep_ == "dobj" and child.lower_.endswith(("self", "selves")) for child in verb.children)


def _objects(verb: Any) -> bool:
    return any(child.dep_ == "dobj" for child in verb.children)


def _prepared(verb: Any, preposition: str, noun: str) -> bool:
    return any(
        child.dep_ == "prep" and child.lower_ == preposition and any(c.lower_ == noun for c in child.children)
        for child in verb.children
    )


# --- what is said of him, and what is left of him --------------------------------------------------------


def _by_adjective(paragraph: ParsedParagraph, token: Any, arguments: Arguments) -> tuple[_Told, Any | None]:
    """Like "was dead", "lay dead", "found him dead"; none of "dead tired", "as good as dead"."""
    verb, dep = token.head, token.dep_
    nothing: _Told = ([], 0.0, False)
    if token.lower_ in ("murdered", "slain") and token.pos_ == "VERB":
        return nothing, None
    if dep == "amod" or verb.pos_ not in _CLAUSES or dep not in ("acomp", "oprd", "advcl", "ccomp", "attr"):
        return nothing, None
    if any(child.lower_ in NOT_QUITE | ALMOST for child in token.children) or any(
        child.lower_ in ONLY_LIKE for child in token.children if child.i > token.i
    ):
        return nothing, None
    if token.i and paragraph.words[token.i - 1].lower_ in NOT_QUITE:
        return nothing, None
    lemma = verb.lemma_.lower()
    if lemma not in DEAD_AS or (token.i + 1 < len(paragraph.doc) and _goes_on(paragraph.words[token.i + 1])):
        return nothing, None
    own = [child for child in token.children if child.dep_ == "nsubj"]  # "found Marcus dead"
    if own:
        whom = arguments.resolve(paragraph, own[0])
    elif lemma in DEAD_AS - {"be", "lie", "fall", "drop", "sink"} and not is_passive(verb):
        whom = arguments.slot(paragraph, verb, "dobj")
    else:
        whom = arguments.subjects(paragraph, verb)
    sure = 0.9 if lemma != "sink" else 0.7
    return (_persons(arguments, whom), sure, lemma in ("fall", "drop", "shoot", "strike")), verb


def _goes_on(token: Any) -> bool:
    """Like "dead tired", "dead against it", "dead to the world"."""
    return token.lower_ in ONLY_LIKE


def _owner(paragraph: ParsedParagraph, noun: Any, arguments: Arguments) -> list[Reference]:
    """Whose it is: "Marcus's grave", "the funeral of Marcus"."""
    if noun.lower_ == "death" and not _has_been(noun):
        return []
    for child in noun.children:
        if child.dep_ == "poss":
            return _persons(arguments, arguments.resolve(paragraph, child))
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ == "of":
            return _persons(
                arguments,
                [r for c in child.children if c.dep_ == "pobj" for r in arguments.resolve(paragraph, c)],
            )
    return []


def _has_been(noun: Any) -> bool:
    """Of deaths, only "after X's death" and "X's death had": one that is still feared is none."""
    if noun.dep_ == "pobj":
        return noun.head.lower_ in AFTER
    return bool(noun.dep_ == "nsubj" and noun.head.tag_ in ("VBD", "VBN"))


def _lifeless(body: Any) -> bool:
    """Like "his dead body", "carried Elena's body"."""
    if any(child.lower_ in ("dead", "lifeless") for child in body.children):
        return True
    done_to = body.dep_ in ("dobj", "nsubjpass") and body.head.lemma_.lower() in DONE_TO_BODIES
    return bool(done_to and body.tag_ == "NN")


def _left(noun: Any) -> float:
    return LEFT[noun.lower_]


def _named_behind(paragraph: ParsedParagraph, token: Any, arguments: Arguments) -> list[Reference]:
    """The name of "the late Mr. Hale", "the late Professor"."""
    for i in range(token.i + 1, min(len(paragraph.doc), token.i + 3)):
        number = paragraph.mention_of.get(i)
        if number is not None:
            head = paragraph.words[i]
            if head.dep_ == "compound":
                head = head.head
            says = head.dep_ == "nsubj" and head.head.lemma_.lower() in SPEAKING
            return [] if says else _persons(arguments, [Reference(number)])  # a jest, if he speaks
    return []


def _clause_over(token: Any) -> Any | None:
    node = token
    for _ in range(_DEPTH):
        if node.pos_ in _CLAUSES:
            return node
        if node.head is node:
            return None
        node = node.head
    return node if node.pos_ in _CLAUSES else None


def _said_only(clause: Any) -> bool:
    """Does the clause stand under one that does not vouch for it: "the conjecture that", "had they told him
    that", "if he had known that"?"""
    node = clause
    for _ in range(2 * _DEPTH):
        head = node.head
        if head is node:
            return False
        if node.dep_ == "ccomp" and node.i > head.i and head.lemma_.lower() not in SEEN | SO:
            return True
        if node.dep_ in ("acl", "relcl") and head.pos_ == "NOUN" and _content(node):
            return head.lower_ not in VOUCHED
        if node.dep_ == "advcl" and any(child.lower_ in ("if", "lest", "unless") for child in node.children):
            return True
        node = head
    return False


def _content(clause: Any) -> bool:
    """Like "the conjecture that he was drowned", against "the man that was drowned"."""
    objects = ("mark", "dobj") if is_passive(clause) else ("mark",)
    return any(child.lower_ == "that" and child.dep_ in objects for child in clause.children)


def _denied(verb: Any) -> bool:
    return any(child.dep_ == "neg" for child in verb.children)


def _persons(arguments: Arguments, references: list[Reference]) -> list[Reference]:
    return [one for one in references if arguments.kind(one) in _PEOPLE]
