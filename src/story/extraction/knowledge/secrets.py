"""Who is kept from knowing what: "told nobody", "hid it from her", "she must never know", "knew nothing of".

Each is a Learning with ``kept``: with modality NEGATED, ``character`` is who does not know; with FACT,
``character`` is who knows and lets nobody know. In direct speech only "must never know" is read, which says
what others mean to do and is kept all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....core.types import Span
from ...model.chapter_reading import Learning
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments, is_passive
from ..clauses.fact_collector import Teller
from ..clauses.modality import modality_of, negated
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from .secret_frames import (
    AWARE,
    apart,
    asked_and_denied,
    in_the_dark,
    nobody,
    only_one,
    passive_subject,
    relative_of,
    says_nothing,
    seen_to,
    silent_about,
    to_oneself,
    unknown_behind,
)

__all__ = ["read_secrets"]

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_NOBODY = frozenset("nobody noone none anybody anyone else".split())
_NO = frozenset({"no", "any", "not", "never"})
_HIDING = frozenset("keep hide conceal withhold".split())
_KNOWING = frozenset("know learn hear discover suspect guess find tell".split())
_IGNORANT = frozenset({"unaware", "ignorant", "unconscious"})
_UNKNOWN = frozenset({"unknown", "unbeknown", "unbeknownst"})
_INKLING = frozenset("idea notion inkling suspicion knowledge".split())
_SUPPOSING = frozenset({"if", "unless", "whether"})
_MUST = frozenset({"must", "shall", "should", "may", "can", "need", "would"})
_VAGUE = frozenset("it this that these those nothing anything what which so them secret truth".split())
_TOLD, _HIDDEN, _FORBIDDEN, _UNKNOWING, _VAGUELY = 0.85, 0.85, 0.8, 0.75, 0.85
_PHRASE = 14
_LEAST, _MOST = 2, 60  # words of what is kept


def read_secrets(chapter: ParsedChapter, arguments: Arguments, teller: Teller) -> Iterator[Learning]:
    """In order of the text. ``content`` is in the text's words: the clause or the thing that is kept, and
    where that is only "it", what the sentence, or the one before, tells first."""
    for paragraph in chapter.paragraphs:
        secret = _Secret(chapter, paragraph, arguments, teller)
        for token in paragraph.words:
            if token.pos_ in ("VERB", "AUX") or token.lower_ in _IGNORANT | _UNKNOWN | AWARE:
                yield from secret.read(token)
            elif token.lower_ in ("knowledge", "back") and not paragraph.spoken(token):
                yield from secret.unknowing(token)


class _Secret:
    def __init__(
        self, chapter: ParsedChapter, paragraph: ParsedParagraph, arguments: Arguments, teller: Teller
    ) -> None:
        self._chapter, self._paragraph, self._arguments = chapter, paragraph, arguments
        self._teller = teller

    def read(self, token: Any) -> Iterator[Learning]:  # noqa: PLR0912 (one frame a branch)
        lemma, spoken = token.lemma_.lower(), self._paragraph.spoken(token)
        if lemma in _KNOWING and _forbidden(token):
            yield from self._all(self._subjects(token), token, _object(token), None, _FORBIDDEN)
            return
        if spoken:
            yield from self._denied(token)
            return
        if lemma == "tell" and is_passive(token):
            if negated(token):
                yield from self._all(self._subjects(token), token, _object(token), None, _TOLD)
        elif lemma == "tell":
            yield from self._told(token)
        elif lemma in ("keep", "leave") and (dark := in_the_dark(token)) is not None:
            kept = self._arguments.slot(self._paragraph, token, "dobj")
            people = self._subjects(token) if is_passive(token) else self._people(kept)
            yield from self._all(people, token, _object(dark) or _object(token), None, _HIDDEN)
        elif (care := seen_to(token)) is not None:
            source = self._one(self._subjects(care))
            content = _object(token)
            if content is None or content.lower_ in _VAGUE:
                content = relative_of(care)
            yield from self._all(self._subjects(token), care, content, source, _HIDDEN)
        elif silent_about(token) and (hearers := self._people(self._hearers(token))):
            yield from self._all(hearers, token, _object(token), self._one(self._subjects(token)), _TOLD)
        elif lemma == "keep" and to_oneself(token):
            yield from self._all(self._subjects(token), token, _object(token), None, _HIDDEN, keeper=True)
        elif lemma in _HIDING and not negated(token) and (kept := self._kept_from(token)):
            content = passive_subject(token) if is_passive(token) else _object(token)
            content = _object(token) if content is not None and content.lower_ in _VAGUE else content
            yield from self._all(kept, token, content, self._one(self._subjects(token)), _HIDDEN)
        elif lemma == "say" and says_nothing(token):
            yield from self._said_nothing(token)
        elif token.lower_ in _UNKNOWN or ((lemma == "know" or token.lower_ in AWARE) and self._alone(token)):
            yield from self._known_to(token)
        elif _knows_nothing(token, lemma):
            yield from self._all(self._subjects(token), token, _object(token), None, _UNKNOWING)

    def unknowing(self, noun: Any) -> Iterator[Learning]:
        """What is done "without his knowledge" or "behind her back"."""
        if (found := unknown_behind(noun)) is not None:
            people = self._people(self._arguments.resolve(self._paragraph, found[0]))
            yield from self._all(people, found[1], found[1], None, _UNKNOWING)

    def _denied(self, know: Any) -> Iterator[Learning]:
        """Like "Does X know?" - "No", in speech."""
        found = list(asked_and_denied(know, self._paragraph.spoken))
        if not found:
            return
        words, beyond = (self._phrase(found[1]), ()) if len(found) > 1 else self._said_before(know)
        names = [c for c in know.children if c.dep_ == "nsubj" and c.pos_ == "PROPN"]
        for person in self._people([r for c in names for r in self._arguments.resolve(self._paragraph, c)]):
            evidence = (
                self._paragraph.sentence(found[-1]).span,
                self._paragraph.sentence(know).span,
                *beyond,
            )
            spans = tuple(dict.fromkeys(evidence))
            sure = round(_UNKNOWING * person.factor, 3)
            if words:
                yield Learning(person.mention, words, None, spans, Modality.NEGATED, sure, kept=True)

    def _hearers(self, verb: Any) -> list[Reference]:
        """Who stands behind "to", on the verb or on what is said."""
        slot = self._arguments.slot
        return next((h for word in verb.subtree if (h := slot(self._paragraph, word, "prep:to"))), [])

    def _told(self, verb: Any) -> Iterator[Learning]:
        """Told nobody at all, or not the one named."""
        tellers = self._subjects(verb)
        if nobody(verb):
            yield from self._all(tellers, verb, _object(verb), None, _TOLD, keeper=True)
            return
        nothing = any(child.dep_ == "dobj" and child.lower_ == "nothing" for child in verb.children)
        if not (negated(verb) or nothing):
            return
        slot = self._arguments.slot
        hearers = slot(self._paragraph, verb, "dative") or slot(self._paragraph, verb, "dobj")
        yield from self._all(self._people(hearers), verb, _object(verb), self._one(tellers), _TOLD)

    def _kept_from(self, verb: Any) -> list[Reference]:
        for word in verb.subtree:
            if word.lower_ == "from" and word.i > verb.i and word.dep_ == "prep":
                found = self._people(self._arguments.slot(self._paragraph, word.head, "prep:from"))
                if found:
                    return found
        return []

    def _said_nothing(self, verb: Any) -> Iterator[Learning]:
        """To those named behind "to", or to nobody."""
        speakers = self._subjects(verb)
        if hearers := self._people(self._hearers(verb)):
            yield from self._all(hearers, verb, _object(verb), self._one(speakers), _TOLD)
        else:
            yield from self._all(speakers, verb, _object(verb), None, _TOLD, keeper=True)

    def _known_to(self, token: Any) -> Iterator[Learning]:
        """Who alone knows, and who does not, of a clause: "only X knew that", "unknown to X, C"."""
        if token.lower_ in _UNKNOWN:
            people = self._people(self._arguments.slot(self._paragraph, token, "prep:to"))
            verb = token.head
            while verb.pos_ not in ("VERB", "AUX") and verb.head.i != verb.i:
                verb = verb.head
            if verb.i > token.i:
                yield from self._all(people, verb, verb, None, _UNKNOWING)
            return
        alone = self._alone(token)
        verb = token.head if token.lower_ in AWARE else token
        yield from self._all(
            alone,
            token,
            _object(token),
            None,
            _UNKNOWING,
            keeper=not any(c.dep_ == "neg" for c in verb.children),
        )

    def _alone(self, verb: Any) -> list[Reference]:
        """Like "nobody but X", "only X", "X alone" as the subject; empty for any other."""
        if (was := only_one(verb)) is not None:
            return self._people(self._arguments.subjects(self._paragraph, was))
        verb = verb.head if verb.lower_ in AWARE else verb
        for child in verb.children:
            if child.dep_ != "nsubj":
                continue
            if (but := apart(child)) is not None:
                rest = [w for w in but.subtree if w.i > but.i] or list(verb.doc[but.i + 1 : but.i + 2])
                named = (self._arguments.single(self._paragraph, w) for w in rest)
                return self._people([r for r in named if r is not None])[:1]
            near = {c.lower_ for c in child.children} | {
                c.lower_ for c in verb.children if c.dep_ == "advmod"
            }
            if near & {"only", "alone"}:
                return self._people(self._arguments.resolve(self._paragraph, child))
        return []

    def _all(
        self,
        people: list[Reference],
        verb: Any,
        content: Any | None,
        source: Reference | None,
        sure: float,
        *,
        keeper: bool = False,
    ) -> Iterator[Learning]:
        if not people or not self._real(verb):
            return
        words, beyond = self._content(verb, content)
        if not words:
            return
        for person in people:
            if source is not None and source.mention == person.mention:
                continue
            evidence = self._arguments.support(self._paragraph, verb, person, source)
            modality = Modality.FACT if keeper else Modality.NEGATED
            factor = person.factor * (source.factor if source else 1.0) * (_VAGUELY if beyond else 1.0)
            yield Learning(
                person.mention,
                words,
                source.mention if source else None,
                (*evidence, *(span for span in beyond if span not in evidence)),
                modality,
                round(sure * factor, 3),
                self._happening(content),
                kept=True,
            )

    def _real(self, verb: Any) -> bool:
        """Not asked, dreamt, wished or told of what might be."""
        if _forbidden(verb):
            return self._chapter.scenes[self._paragraph.prose.scene].dream is False
        if any(child.dep_ == "mark" and child.lower_ in _SUPPOSING for child in verb.children):
            return False
        told = modality_of(self._chapter, self._paragraph, verb if verb.pos_ != "ADJ" else verb.head)
        return told in (Modality.FACT, Modality.NEGATED, Modality.FLASHBACK)

    def _content(self, verb: Any, content: Any | None) -> tuple[str, tuple[Span, ...]]:
        """What is kept, in the text's words, and the sentence that tells it where the verb's does not."""
        if content is not None and content.lower_ not in _VAGUE:
            words = self._phrase(content)
            return words, ()
        return self._said_before(verb)

    def _phrase(self, head: Any) -> str:
        doc, first, last = head.doc, head.left_edge.i, head.right_edge.i
        if head.pos_ in ("NOUN", "PROPN"):
            last = self._phrase_end(head, last)
        if doc[first].lower_ in _UNKNOWN:
            first = next((i for i in range(first, last) if doc[i].lower_ == ","), first)
        while first < last and (doc[first].is_punct or doc[first].lower_ == "that"):
            first += 1
        while last > first and doc[last].is_punct:
            last -= 1
        if not _LEAST <= last - first + 1 <= _MOST or self._paragraph.spoken(
            doc[first]
        ) != self._paragraph.spoken(doc[last]):
            return ""
        return self._paragraph.prose.text[doc[first].idx : doc[last].idx + len(doc[last])]

    def _phrase_end(self, noun: Any, last: int) -> int:
        """Where the phrase of a noun ends: with what follows up to a mark, another clause, or "from" and "
        ""to"
        somebody (from and to whom it is kept or told)."""
        cut = noun.i
        for token in noun.doc[noun.i + 1 : min(noun.sent.end, noun.i + _PHRASE)]:
            if token.lower_ in ("from", "to") and self._leads_to_somebody(token):
                break
            if token.is_punct or (token.i > last and token.pos_ in ("VERB", "AUX", "CCONJ", "SCONJ")):
                break
            cut = token.i
        return int(cut)

    def _leads_to_somebody(self, preposition: Any) -> bool:
        found = (self._arguments.single(self._paragraph, child) for child in preposition.children)
        return bool(self._people([one for one in found if one is not None]))

    def _said_before(self, verb: Any) -> tuple[str, tuple[Span, ...]]:
        """The clause joined to the verb's before it, else the sentence before, of the same voice."""
        sentence, doc, spoken = self._paragraph.sentence(verb), verb.doc, self._paragraph.spoken(verb)
        head = verb.head if verb.dep_ == "conj" and verb.head.pos_ == "VERB" else None
        if head is not None and head.i < verb.i and doc[sentence.start].i <= head.i:
            start, end = (
                doc[sentence.start].idx,
                verb.left_edge.idx if verb.left_edge.i > head.i else verb.idx,
            )
            words = self._paragraph.prose.text[start:end].rstrip(" ,;:—-")
            return (words.removesuffix(" and").removesuffix(" but").rstrip(" ,;"), ())
        before = [one for one in self._paragraph.sentences if one.index == sentence.index - 1]
        if not before or self._paragraph.spoken(doc[before[0].start]) != spoken:
            return "", ()
        words = self._paragraph.tokens(before[0]).text.strip()
        return (words, (before[0].span,)) if _LEAST < len(words.split()) <= _MOST else ("", ())

    def _happening(self, content: Any | None) -> int | None:
        return self._teller.at.get((self._paragraph.number, content.i)) if content is not None else None

    def _subjects(self, token: Any) -> list[Reference]:
        verb = token.head if token.pos_ == "ADJ" else token
        return self._people(self._arguments.subjects(self._paragraph, verb))

    def _people(self, references: list[Reference]) -> list[Reference]:
        return [one for one in references if self._arguments.kind(one) in _PEOPLE]

    @staticmethod
    def _one(references: list[Reference]) -> Reference | None:
        return references[0] if len(references) == 1 else None


def _forbidden(verb: Any) -> bool:
    """Like "she must never know", "he is never to learn"."""
    if any(child.dep_ == "nsubj" and child.lower_ in ("i", "we") for child in verb.children):
        return False
    words = {child.lower_ for child in verb.children if child.dep_ in ("aux", "auxpass", "neg", "advmod")}
    denied = bool(words & {"not", "n't", "n’t"})
    never = "never" in words or (denied and bool(words & {"must", "should", "shall"}))
    return never and bool(words & (_MUST - {"would", "can", "may"})) and not (words & {"have"})


def _object(token: Any) -> Any | None:
    """The head of what is known or kept: a clause with "that" or a question word, what "of" or "about" leads
    to, or the thing itself."""
    things = [c for c in token.children if c.dep_ == "dobj" and c.pos_ in ("NOUN", "PRON", "PROPN")]
    if token.lemma_.lower() in _HIDING and things and things[0].lower_ not in _VAGUE:
        return things[0]
    holders = [
        token,
        *(c for c in token.children if c.dep_ in ("dobj", "acomp", "attr") or c.lower_ == "out"),
    ]
    for holder in holders:
        for child in holder.children:
            finite = child.tag_ in ("VBD", "VBZ", "VBP") or any(
                c.dep_ in ("aux", "auxpass") and c.tag_ != "TO" for c in child.children
            )
            if (
                child.dep_ in ("ccomp", "acl", "relcl")
                and child.i > token.i
                and finite
                and child.pos_ != "NOUN"
            ):
                return child
            if child.dep_ == "prep" and child.lower_ in ("of", "about", "concerning", "regarding"):
                found = next((c for c in child.children if c.dep_ in ("pobj", "pcomp")), None)
                if found is not None:
                    return found
    return None


def _knows_nothing(token: Any, lemma: str) -> bool:
    """Like "knew nothing of", "had no idea that", "did not suspect", "was unaware of"."""
    if token.lower_ in _IGNORANT:
        return token.dep_ == "acomp" and token.head.lemma_ in ("be", "remain") and not negated(token.head)
    for child in token.children:
        if child.dep_ == "dobj" and lemma == "know" and child.lower_ == "nothing":
            return True
        if child.dep_ == "dobj" and lemma == "have" and child.lemma_.lower() in _INKLING:
            return negated(token) or any(c.lower_ in ("no", "not") for c in child.children)
    if lemma == "hear" and _object(token) is None:
        return False
    little = any(
        child.lower_ == "little" and child.dep_ in ("advmod", "npadvmod") for child in token.children
    )
    return lemma in ("know", "suspect", "guess", "hear", "dream") and (little or negated(token))
