"""Who speaks of what, remembers it, or acts as one who knows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...model.chapter_reading import Learning
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments, is_passive
from ..clauses.modality import modality_of, negated
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from .learnings import words_of

__all__ = ["read_shown"]

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
# factive of a clause with "that" (Karttunen 1971; Hooper, "On assertive predicates", 1975)
_FACTIVE = frozenset("know remember recollect recall mention forget regret resent deplore reflect".split())
# the matter stands behind one of these, with whom it concerns between or not
_SPEAKING = {
    "speak": "of about", "talk": "of about", "think": "of", "know": "of about", "hint": "at",
    "allude": "to", "refer": "to", "touch": "on upon", "dwell": "on upon", "harp": "on upon",
    "remind": "of", "accuse": "of", "reproach": "with for", "taunt": "with about", "twit": "with about",
    "tease": "about with", "thank": "for", "blame": "for", "forgive": "for", "pity": "for",
    "congratulate": "on upon", "tax": "with", "charge": "with", "threaten": "with",
    "upbraid": "with for", "console": "for", "commiserate": "on with", "joke": "about", "jest": "about",
    "laugh": "about at over", "grieve": "over for about", "brood": "over on", "confront": "with",
    "scold": "for about", "sneer": "at", "boast": "of", "complain": "of", "quarrel": "about",
}  # fmt: skip
# of a clause with "that" too: whoever says it speaks as one who knows
_SAYING = frozenset("write hint whisper repeat remark observe announce reveal disclose blurt add let".split())
_ASKING = frozenset("ask inquire enquire".split())
_TAKEN = frozenset("how why when where".split())  # what such a question takes for granted
_JESTING = frozenset("jest joke allusion reference remark hint jeer story".split())
_NAMING = frozenset(
    """mention remember recall recollect know forgive betray reveal disclose describe relate recount narrate
    discuss quote retell rehearse divulge expose resent regret deplore lament bewail ponder""".split()
)
_STORIES = frozenset("story tale history truth particulars circumstances whole".split())
_CAST = frozenset("throw cast fling hurl bring let cite blurt drop turn mull".split())
_THROWN = frozenset({"up", "face", "teeth", "out", "slip", "fall", "over"})
_AWARE = frozenset({"aware", "conscious", "mindful", "sensible"})
_VAGUE = frozenset(
    "it this that these those nothing anything something everything what which him her".split()
)
_TRUE = (Modality.FACT, Modality.FLASHBACK)
_FAR = 6
_SURE = 0.75


def read_shown(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Learning]:
    """In order of the text, out of narration and only of what happened. ``content`` is the clause or phrase
    in the text's words. What direct speech shows its speaker to know is in the quotations."""
    for paragraph in chapter.paragraphs:
        for token in paragraph.words:
            verbal = token.pos_ in ("VERB", "AUX")
            if not (verbal or token.lower_ in _AWARE) or paragraph.spoken(token):
                continue
            content = _matter(token)
            if content is not None:
                yield from _shown(chapter, paragraph, arguments, token, content)


def _shown(
    chapter: ParsedChapter, paragraph: ParsedParagraph, arguments: Arguments, token: Any, content: Any
) -> Iterator[Learning]:
    verb = token.head if token.lower_ in _AWARE and token.head.pos_ in ("VERB", "AUX") else token
    unforgotten = verb.lemma_.lower() == "forget" and negated(verb)
    if is_passive(verb) or negated(verb) != unforgotten or _asked_to(verb) or _nothing(verb):
        return
    words = words_of(paragraph, content)
    over = content.head if content.is_ancestor(verb) else verb  # "knowing as she did that", taken apart
    aside = verb.tag_ == "VBG" and verb.dep_ == "advcl" and over.tag_ in ("VBD", "VBG")
    if not words or not (aside or unforgotten or modality_of(chapter, paragraph, verb) in _TRUE):
        return
    for person in _cleft(paragraph, arguments, over) or arguments.subjects(paragraph, over):
        if arguments.kind(person) in _PEOPLE:
            evidence = arguments.support(paragraph, verb, person)
            sure = round(_SURE * person.factor, 3)
            yield Learning(person.mention, words, None, evidence, Modality.FACT, sure, shown=True)


def _cleft(paragraph: ParsedParagraph, arguments: Arguments, verb: Any) -> list[Reference]:
    """Like "it was X who spoke of it", where the parser takes the clause for a complement."""
    who = any(c.dep_ == "nsubj" and c.lower_ in ("who", "that") for c in verb.children)
    if not who or verb.head.lemma_ != "be" or verb.head.i == verb.i:
        return []
    named = next((c for c in verb.head.children if c.dep_ == "attr"), None)
    return arguments.resolve(paragraph, named) if named is not None else []


def _nothing(verb: Any) -> bool:
    """Like "knew nothing of it"."""
    return any(child.dep_ == "dobj" and child.lower_ in ("nothing", "little") for child in verb.children)


def _asked_to(verb: Any) -> bool:
    """Like "wanted to know": nothing is known yet."""
    return any(child.tag_ == "TO" for child in verb.children)


def _matter(  # noqa: PLR0911 (a construction a branch)
    token: Any,
) -> Any | None:
    """The head of the clause or phrase that tells what is known."""
    lemma = token.lemma_.lower()
    if lemma in _ASKING:
        return next((c for c in token.children if c.dep_ == "ccomp" and _takes_for_granted(c)), None)
    if lemma == "make":
        things = [c for c in token.children if c.dep_ == "dobj" and c.lower_ in _JESTING]
        return _behind(things[0], frozenset({"of", "about", "to"})) if things else None
    if lemma in _FACTIVE or lemma in _SAYING or token.lower_ in _AWARE:
        clause = _that_clause(token) or _what_clause(token)
        if clause is not None:
            return clause
    if token.lower_ in _AWARE:
        return _behind(token, frozenset({"of"}))
    if lemma in _SPEAKING:
        return _behind(token, frozenset(_SPEAKING[lemma].split()))
    if lemma not in _CAST and lemma not in _NAMING and lemma != "tell":  # children take long to list
        return None
    thing = next((c for c in token.children if c.dep_ == "dobj" and c.i > token.i), None)
    if lemma == "tell" and thing is not None:
        return _behind(thing, frozenset({"of", "about"})) if thing.lower_ in _STORIES else None
    if lemma == "tell":
        return None
    if thing is None or (lemma in _CAST and not _thrown(token, thing)):
        return None
    return _named(thing)


def _thrown(token: Any, thing: Any) -> bool:
    """Like "threw it up to her", "let it fall that"."""
    return any(
        word.lower_ in _THROWN and word.head.i != thing.i for word in token.doc[token.i + 1 : token.sent.end]
    )


def _takes_for_granted(clause: Any) -> bool:
    """Like "how long he had been", of what has been: not "how to", not "where he would"."""
    words = {word.lower_ for word in clause.subtree if word.i < clause.i}
    return not words.isdisjoint(_TAKEN) and not words.isdisjoint(("had", "was", "were", "did"))


def _that_clause(token: Any) -> Any | None:
    """The clause with "that", on the verb itself or on what is set between ("knowing as he did that")."""
    holders = [token, *(c for c in token.children if c.dep_ in ("advcl", "prep") and c.i - token.i < _FAR)]
    for holder in holders:
        for child in holder.children:
            linked = any(c.lower_ == "that" and c.dep_ == "mark" for c in child.children)
            if linked and child.dep_ in ("ccomp", "advcl", "acl") and child.i > token.i:
                return child
    if token.tag_ == "VBG":
        for word in token.doc[token.i + 1 : min(token.sent.end, token.i + _FAR)]:
            if word.lower_ == "that" and word.dep_ == "mark" and word.head.is_ancestor(token):
                return word.head
    return None


def _what_clause(token: Any) -> Any | None:
    """Like "repeated what she had written"."""
    for child in token.children:
        opens = child.left_edge
        if child.dep_ == "ccomp" and child.i > token.i and opens.lower_ == "what" and opens.i == token.i + 1:
            return child
    return None


def _behind(token: Any, prepositions: frozenset[str]) -> Any | None:
    things = [c for c in token.children if c.dep_ in ("dobj", "dative")]
    for holder in (token, *things):
        for child in holder.children:
            if child.dep_ == "prep" and child.lower_ in prepositions and child.i > token.i:
                for thing in child.children:
                    if thing.dep_ == "pobj":
                        return _named(thing)
                    if thing.dep_ == "pcomp" and thing.pos_ == "VERB":
                        return thing
    return None


def _named(thing: Any) -> Any | None:
    """A particular thing told in words, not a pronoun nor somebody's mere name."""
    if thing.pos_ != "NOUN" or thing.lower_ in _VAGUE:
        return None
    return (
        thing if any(c.dep_ in ("det", "poss", "prep", "amod", "compound") for c in thing.children) else None
    )
