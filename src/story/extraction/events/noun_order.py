"""Which of two happenings came first, where nouns name them: "the flood came a year after the sale of the
farm", "two years passed between the fire and the trial", "The flood was not to come till later"."""

from __future__ import annotations

from collections.abc import Iterator

from ...lexicon.inflection import verb_lemma
from ...lexicon.verbs_and_nouns import DEEDS
from ...model.chapter_reading import TimeMark
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..parsing.words import Word
from .order_wordings import order_of, place_behind

__all__ = ["read_noun_orders"]

_COMING = frozenset("come happen take occur fall be follow arrive befall date begin lie stand".split())
_LATER = frozenset({"after", "later", "afterwards", "afterward", "following", "hence", "thereafter"})
_YET = frozenset({"yet", "still"})
_AHEAD = frozenset("come future dream think hear talk speak begin happen know suspect foresee expect".split())
_OVER = frozenset("already over past done long ago forgotten history".split())
_THEN = frozenset({"then", "afterwards", "afterward", "next", "later", "second", "after"})
_TIMES = frozenset({"year", "time", "day", "summer", "winter", "spring", "autumn", "season", "date", "days"})
_NO_EVENT = frozenset(
    """day night morning evening afternoon moment minute hour time year month week way end one other man woman
    boy girl child people thing place side house room door head hand eye face world life word name first last
    former latter diary register record book letter paper table""".split()
)
_PLAIN = (
    (_COMING - {"arrive", "begin", "fall"})
    | _AHEAD
    | frozenset(
        "have do go make get seem become remain pass give let find see leave put stay finish end".split()
    )
)
_ING = 6  # letters of "string" and the like
_TELLING = frozenset({"NOUN", "PROPN", "ADJ", "VERB", "NUM"})
_INSIDE = frozenset({"compound", "amod", "poss", "nmod", "nummod", "pobj", "pcomp", "dobj"})
_CLIMB = 4
_LEAST = 3  # telling words of the two together


def read_noun_orders(chapter: ParsedChapter) -> Iterator[TimeMark]:
    """In order of the text. ``value`` is the two, each as its telling words in alphabetical order, the
    earlier first, with " < " between. What is asked or supposed is left out."""
    for paragraph in chapter.paragraphs:
        before: Sentence | None = None
        for sentence in paragraph.sentences:
            tokens = paragraph.tokens(sentence)
            if "?" not in tokens.text and not {"if", "suppose", "perhaps", "whether"} & {
                t.lower_ for t in tokens
            }:
                for earlier, later in dict.fromkeys(_orders(paragraph, sentence, before)):
                    yield TimeMark("order", f"{earlier} < {later}", sentence.span, sentence=sentence.span)
            before = sentence


def _orders(
    paragraph: ParsedParagraph, sentence: Sentence, before: Sentence | None
) -> Iterator[tuple[str, str]]:
    events = _events(paragraph, sentence)
    yield from _ordered(paragraph, sentence, before, events)
    acted = _acted(paragraph, events)
    if acted != events:
        yield from _ordered(paragraph, sentence, before, acted)


def _acted(paragraph: ParsedParagraph, events: dict[int, str]) -> dict[int, str]:
    """The same, a verb's subject with the verb: "the farm was sold" as "the sale of the farm"."""
    return {
        i: "+".join(sorted({*words.split("+"), *_deed(paragraph.words[i])})) for i, words in events.items()
    }


def _deed(noun: Word) -> Iterator[str]:
    verb = noun.head
    if verb.lemma_ == "be" and any(c.lower_ == "dead" and c.dep_ == "acomp" for c in verb.children):
        yield "die"
    if noun.dep_ not in ("nsubj", "nsubjpass") or verb.pos_ != "VERB":
        return
    passive = noun.dep_ == "nsubjpass"
    lemma = verb.lemma_.lower()
    if lemma not in _PLAIN and (passive or not any(child.dep_ == "dobj" for child in verb.children)):
        yield lemma


def _ordered(
    paragraph: ParsedParagraph, sentence: Sentence, before: Sentence | None, events: dict[int, str]
) -> Iterator[tuple[str, str]]:
    tokens = list(paragraph.tokens(sentence))
    told = order_of(tokens, events)
    for pair in (
        (told,)
        if told is not None
        else (
            *_beside(tokens, events),
            *_between(tokens, events),
            *_told_in_turn(tokens, events),
            *_against_a_time(tokens, events),
            *(_after_the_last(tokens, events, _events(paragraph, before)) if before is not None else ()),
        )
    ):
        one, other = pair
        words, others = one.split("+"), other.split("+")
        if one and other and not set(words) & set(others) and len(words) + len(others) >= _LEAST:
            yield pair


def _events(paragraph: ParsedParagraph, sentence: Sentence) -> dict[int, str]:
    """The particular happenings that nouns of the sentence name, by the noun's place; of one within another
    only the outer."""
    found: dict[int, str] = {}
    inside: set[int] = set()
    for token in paragraph.tokens(sentence):
        if token.pos_ != "NOUN" or token.i in inside or token.dep_ in ("poss", "compound", "nmod"):
            continue
        if token.lemma_.lower() in _TIMES and not _told(token):
            continue
        definite = any(c.dep_ == "poss" or c.lower_ in ("the", "that", "this") for c in token.children)
        if not definite or (token.i in paragraph.mention_of and token.ent_type_ == "PERSON"):
            continue
        place = place_behind(token)
        phrase = [*_phrase(token), *(_phrase(place) if place is not None else ())]
        words = sorted({_base(w) for w in phrase})
        inside.update(w.i for w in phrase)
        if token.lemma_.lower() not in _NO_EVENT or len(words) > 1:
            found[token.i] = "+".join(words)
    return found


def _base(word: Word) -> str:
    """The verb of a noun of deed ("sale", "the building of the bridge"), any other word's lemma."""
    lemma: str = word.lemma_.lower()
    if word.pos_ == "NOUN" and lemma.endswith("ing"):
        base = verb_lemma(lemma, lemma)
        return base.removesuffix("ing") if len(base) > _ING else base
    return DEEDS.get(lemma, lemma) if word.pos_ == "NOUN" else lemma


def _told(token: Word) -> bool:
    return any(c.dep_ in ("compound", "amod") for c in token.children)


def _phrase(noun: Word) -> list[Word]:
    """The telling words of a noun phrase: what stands before it and what "of" leads to."""
    words = [noun]
    for child in noun.children:
        if child.dep_ in _INSIDE and child.pos_ in _TELLING:
            words.extend(_phrase(child))
        elif child.dep_ == "prep" and child.lower_ == "of":
            for thing in child.children:
                if thing.dep_ in _INSIDE and thing.pos_ in _TELLING:
                    words.extend(_phrase(thing))
    return words


def _subject(verb: Word, events: dict[int, str]) -> str:
    node = verb
    for _ in range(_CLIMB):
        for child in node.children:
            if child.dep_ in ("nsubj", "nsubjpass", "attr") and child.i in events and child.i < verb.i + 4:
                return events[child.i]
        if node.dep_ not in ("xcomp", "conj") or node.head.i == node.i:
            return ""
        node = node.head
    return ""


def _verb_over(token: Word) -> Word | None:
    node = token
    for _ in range(_CLIMB):
        node = node.head
        if node.pos_ in ("VERB", "AUX"):
            return node
    return None


def _beside(tokens: list[Word], events: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Like "A came after B", "A preceded B", "A was followed by B"."""
    for token in tokens:
        if token.lower_ in ("after", "before") and token.dep_ in ("prep", "mark"):
            other = next((events[c.i] for c in token.children if c.i in events), "")
            verb = _verb_over(token)
            one = _subject(verb, events) if verb is not None and verb.lemma_.lower() in _COMING else ""
            yield (other, one) if token.lower_ == "after" else (one, other)
        lemma = token.lemma_.lower()
        if lemma in ("follow", "succeed", "precede", "antedate") and token.pos_ == "VERB":
            passive = any(c.dep_ in ("auxpass", "agent") for c in token.children)
            behind = [c for c in token.children if c.dep_ == "dobj"]
            behind += [c for p in token.children if p.dep_ == "agent" for c in p.children]
            other = next((events[c.i] for c in behind if c.i in events), "")
            one = _subject(token, events)
            yield (one, other) if (lemma in ("precede", "antedate")) != passive else (other, one)


def _between(tokens: list[Word], events: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Like "two years passed between A and B", unless B is said to have come first."""
    for token in tokens:
        if token.lower_ != "between":
            continue
        pair = [i for i in sorted(events) if token.i < i][:2]
        if len(pair) == 2 and any(t.lower_ == "and" for t in tokens if pair[0] < t.i < pair[1]):
            turned = any(t.lower_ in ("first", "earlier") for t in tokens if pair[1] < t.i < pair[1] + 5)
            one, other = events[pair[0]], events[pair[1]]
            yield (other, one) if turned else (one, other)


def _told_in_turn(tokens: list[Word], events: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Like "first there had been A, and then B", "A came first, and B afterwards"."""
    first = next((t for t in tokens if t.lower_ == "first" and t.dep_ == "advmod"), None)
    order = sorted(events)
    if first is None or len(order) < 2:
        return
    one, other = order[0], order[1]
    then = any(t.lower_ in _THEN and t.i > max(one, first.i) for t in tokens)
    if then and first.i < other:
        yield events[one], events[other]


def _against_a_time(tokens: list[Word], events: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Like "in the year of A nobody had yet dreamed of B", "by the time of A, B was long over"."""
    order = sorted(events)
    if len(order) != 2 or not tokens or tokens[0].lower_ not in ("in", "at", "by", "during", "when", "on"):
        return
    words = {t.lower_ for t in tokens} | {t.lemma_.lower() for t in tokens}
    one, other = events[order[0]], events[order[1]]
    if words & _YET and words & _AHEAD:
        yield one, other
    elif words & {"already", "long"} and words & _OVER - {"long", "already"}:
        yield other, one


def _after_the_last(
    tokens: list[Word], events: dict[int, str], before: dict[int, str]
) -> Iterator[tuple[str, str]]:
    """Like "… A. B was not to come till the year after", "A. B followed two years later"."""
    if len(events) != 1 or len(before) != 1:
        return
    (place, later), (earlier,) = next(iter(events.items())), before.values()
    verb = _verb_over(tokens[place - tokens[0].i])
    if verb is None or tokens[place - tokens[0].i].dep_ not in ("nsubj", "nsubjpass"):
        return
    comes = {verb.lemma_.lower(), *(c.lemma_.lower() for c in verb.children if c.dep_ == "xcomp")}
    words = {t.lower_ for t in tokens if t.i > verb.i}
    if comes & _COMING and (words & _LATER or ("come" in comes and words & {"yet", "still"})):
        yield earlier, later
