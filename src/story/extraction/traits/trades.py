"""What trade somebody follows."""

from __future__ import annotations

from collections.abc import Iterator

from ...lexicon.trait_words import FIELDS
from ...model.types import EntityKind, Modality
from ..clauses.modality import modality_of, negated
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word
from .looks import TraitClaim, look_of
from .nearby_owner import about
from .owners import Owner, Owners

__all__ = ["TRADE_WORDS", "read_trade"]

_BECOMING = frozenset("become appoint ordain promote apprentice".split())
_NOT_A_TRADE = frozenset(
    """no any like former old late good bad great famous excellent poor better best fair pretty perfect born
    capital first little only quite much such rather""".split()
)
_DENYING = frozenset("neither nor just merely".split())
_PRACTICE = frozenset("work serve practise practice earn labour labor toil make get start begin".split())
_BY = frozenset({"trade", "profession", "calling", "occupation"})
_CALLINGS = frozenset("trade profession calling occupation business craft living".split())
_PREMISES = frozenset(
    """house shop door window forge workshop cottage premises office sign counter yard apron bench brass plate
    tools cart""".split()
)
_KEEPING = frozenset("keep have own run wear carry".split())
_TRAINED = frozenset("breed train bring apprentice raise".split())
_LASTING = frozenset("since still these".split())
_APPEARING = frozenset("look come open appear stand lean peer put sit answer let wave greet bow nod".split())
_CALLED = frozenset("name call".split())
_COPULAS = frozenset({"be", "become", "remain"})
_SUBJECTS = ("nsubj", "nsubjpass")

_PRACTISED = {
    "law": "law",
    "medicine": "medicine",
    "physic": "medicine",
    "surgery": "medicine",
    "dentistry": "teeth",
}
_PRACTISING = frozenset("practise practice follow exercise profess".split())

TRADE_WORDS = frozenset(FIELDS) | frozenset(_PRACTISED)


def read_trade(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "was a baker", "Tom Hale, the baker,", "a baker by trade", "for a baker he rises late"."""
    if token.tag_ not in ("NN", "NNP") or token.i in paragraph.mention_of:
        return
    if token.lower_ in _PRACTISED:
        if token.dep_ == "dobj" and token.head.lemma_ in _PRACTISING and not negated(token.head):
            owner = owners.subject(paragraph, token.head, 0.85)
            owner = owners.granted(paragraph, token, owner) if _goes_on(token.head) else owner
            yield from look_of(owner, "profession", _PRACTISED[token.lower_])
        return
    before = token.doc[max(token.sent.start, token.i - 5) : token.i]
    if any(word.lower_ in _DENYING for word in before):
        return
    field, head = FIELDS[token.lower_], token.head
    if token.dep_ == "poss":
        yield from look_of(_of_premises(owners, paragraph, token), "profession", field)
        return
    if any(child.dep_ == "poss" or child.lower_ in _NOT_A_TRADE for child in token.children):
        return  # "his baker" bakes for him, "a good sailor" is not seasick
    if head.lemma_ in _BECOMING and token.dep_ in ("oprd", "dobj", "pobj", "attr"):
        modality = modality_of(owners.chapter, paragraph, head)
        if modality is not None and modality.happened and (token.dep_ != "attr" or _of_kind(token)):
            sure = 0.9 if token.dep_ == "attr" else 0.8
            yield from look_of(owners.subject(paragraph, head, sure), "profession", field, change=True)
        return
    owner = _named_so(owners, paragraph, token) or _practising(owners, paragraph, token)
    yield from look_of(owner, "profession", field)


def _named_so(  # noqa: PLR0911 (a construction a branch)
    owners: Owners, paragraph: ParsedParagraph, token: Word
) -> Owner | None:
    """Who is called a baker: by a clause, by a name set beside, by "like Tom" and "called Tom"."""
    head = token.head
    if token.dep_ == "attr" and head.lemma_ in _COPULAS:
        found = _said_to_be(owners, paragraph, token) if _of_kind(token) else None
        return found or _called(owners, paragraph, token)
    for child in token.children:
        if child.dep_ == "relcl" and child.lemma_ == "be" and not negated(child):
            own = next((c for c in child.children if c.dep_ in _SUBJECTS), None)
            if own is not None and own.lower_ not in ("who", "that", "which"):  # "the baker that he was"
                return owners.granted(paragraph, token, owners.subject(paragraph, child, 0.85))
        if child.dep_ == "appos" and child.i > token.i and _person_at(owners, paragraph, child):
            return Owner(Reference(paragraph.mention_of[child.i]), owners.where_told(paragraph, token), 0.85)
    beside = _right_behind(owners, paragraph, token) or _like(owners, paragraph, token)
    if beside is not None:
        return beside
    if token.dep_ == "appos":
        if _others_between(paragraph, token):
            return None
        noun = head if head.dep_ == "appos" else token  # "the village blacksmith"
        return owners.described(paragraph, noun, 0.85)
    return _called(owners, paragraph, token)


def _called(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    """Like "a baker named Tom"."""
    for child in token.subtree:
        if child.dep_ == "acl" and child.lemma_ in _CALLED:
            for name in child.children:
                if name.i > child.i and _person_at(owners, paragraph, name):
                    told = owners.where_told(paragraph, token)
                    return Owner(Reference(paragraph.mention_of[name.i]), told, 0.9)
    return None


def _right_behind(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    """Like "Tom the baker", wherever the parser hangs the two."""
    if token.i < 2 or token.doc[token.i - 1].lower_ != "the":
        return None
    name = token.doc[token.i - 2]
    if not _person_at(owners, paragraph, name) or paragraph.spoken(name) != paragraph.spoken(token):
        return None
    told = owners.where_told(paragraph, token)
    return Owner(Reference(paragraph.mention_of[name.i]), told, 0.85)


def _like(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    """Like "a solicitor like Tom"."""
    doc, i = token.doc, token.i + 2
    if i >= len(doc) or doc[token.i + 1].lower_ != "like" or i not in paragraph.mention_of:
        return None
    number = paragraph.mention_of[i]
    if owners.chapter.mentions[number].kind is not EntityKind.CHARACTER:
        return None
    return Owner(Reference(number), owners.where_told(paragraph, token), 0.8)


def _person_at(owners: Owners, paragraph: ParsedParagraph, token: Word) -> bool:
    number = paragraph.mention_of.get(token.i)
    return number is not None and owners.chapter.mentions[number].kind is EntityKind.CHARACTER


def _said_to_be(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    """The subject of "was a baker"; "had been a baker for thirty years" and "being a baker" are so still."""
    verb = token.head
    owner = owners.subject(paragraph, verb, 0.9)
    if owner is None and verb.tag_ == "VBG" and not paragraph.spoken(verb):
        owner = about(owners, paragraph, token, before=False)
    if owner is None:
        return None
    participle = verb.tag_ in ("VBG", "VBN") and verb.dep_ in ("advcl", "csubj") and not negated(verb)
    if owner.modality is Modality.FLASHBACK and _goes_on(verb):
        return owners.granted(paragraph, token, owner)
    return owners.granted(paragraph, token, owner) if participle else owner


def _goes_on(verb: Word) -> bool:
    """Told as lasting: "for thirty years", "all his life", "since", "these ten years"."""
    for child in verb.children:
        if child.lower_ in ("for", "since", "all", "always", "long") and child.i > verb.i:
            return True
        if child.dep_ == "advcl" and any(c.dep_ == "mark" and c.lower_ == "since" for c in child.children):
            return True
        if child.dep_ in ("npadvmod", "advmod") and any(
            w.lower_ in ("all", "these", "always") for w in child.subtree
        ):
            return True
        if child.dep_ == "attr" and any(
            c.dep_ == "prep" and c.lower_ in ("for", "since") for c in child.children
        ):
            return True
    return False


def _practising(  # noqa: PLR0911 (a construction a branch)
    owners: Owners, paragraph: ParsedParagraph, token: Word
) -> Owner | None:
    """Who works as a baker, is bred a baker, keeps strange hours for a baker, or lives in a baker's house."""
    head = token.head
    if token.dep_ in ("oprd", "dobj", "attr") and head.lemma_ in _TRAINED and _of_kind(token):
        return owners.granted(paragraph, token, owners.subject(paragraph, head, 0.8))
    if (
        token.dep_ == "nsubj"
        and head.dep_ == "advcl"
        and any(c.dep_ == "mark" and c.lower_ == "as" for c in head.children)
    ):
        if all(c.dep_ in ("nsubj", "mark", "aux", "advmod", "punct") for c in head.children):
            above = head.head  # "spoke slowly, as a solicitor will"
            return owners.granted(paragraph, token, owners.subject(paragraph, above, 0.75))
        return None
    if token.dep_ != "pobj":
        return None
    above = head.head
    if head.lower_ == "like" and above.lemma_ == "be" and _definite(token):
        own = next((c for c in above.children if c.dep_ in _SUBJECTS), None)
        if own is not None and own.i > token.i:  # "like the solicitor he was"
            return owners.granted(paragraph, token, _he_was(owners, paragraph, above))
    if head.lower_ == "as" and head.is_sent_start:
        return owners.granted(paragraph, token, owners.subject(paragraph, above, 0.8))
    if head.lower_ == "as" and above.lemma_ in _PRACTICE and above.pos_ == "VERB":
        owner = owners.subject(paragraph, above, 0.85)
        if any(word.lower_ in _LASTING for word in above.subtree):
            return owners.granted(paragraph, token, owner)  # "had worked as a baker these ten years"
        return owner
    if head.lower_ == "for" and head.i <= above.i and above.pos_ in ("VERB", "AUX") and _of_kind(token):
        opens = head.is_sent_start or head.nbor(-1).is_punct or head.nbor(-1).is_quote
        return owners.granted(paragraph, token, owners.subject(paragraph, above, 0.85)) if opens else None
    if head.lower_ == "of" and above.lower_ in ("that", *_CALLINGS):
        return _of_calling(owners, paragraph, above)
    if head.lower_ == "of" and above.lower_ in _PREMISES:
        return _at_home(owners, paragraph, token) if _definite(token) else None
    return None


def _at_home(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    """Like "they passed the house of the baker, and Mr. Hale looked out": who then shows there."""
    found = about(owners, paragraph, token, before=False)
    if found is None:
        return None
    for verb in token.sent:
        if verb.i > token.i and verb.pos_ == "VERB" and verb.lemma_ in _APPEARING:
            people = owners.arguments.subjects(paragraph, verb)
            own = next((c for c in verb.children if c.dep_ in _SUBJECTS), None)
            if (
                own is not None
                and own.i > token.i
                and [p.mention for p in people] == [found.reference.mention]
            ):
                return found
    return None


def _definite(noun: Word) -> bool:
    return any(child.lower_ == "the" for child in noun.children)


def _he_was(owners: Owners, paragraph: ParsedParagraph, verb: Word) -> Owner | None:
    found = about(owners, paragraph, verb, before=False)
    return found if found is not None else owners.subject(paragraph, verb, 0.8)


def _of_calling(owners: Owners, paragraph: ParsedParagraph, noun: Word) -> Owner | None:
    """Like "his trade was that of a baker", "followed the trade of a baker"."""
    head = noun.head
    if noun.dep_ == "attr" and head.lemma_ == "be":
        owned = [c for c in head.children if c.dep_ == "nsubj" and c.lower_ in _CALLINGS]
        return owners.of_part(paragraph, owned[0]) if owned else None
    if noun.dep_ == "dobj" and head.lemma_ in ("follow", "ply", "practise", "practice", "exercise", "have"):
        return owners.subject(paragraph, head, 0.85)
    return owners.of_part(paragraph, noun) if noun.dep_ == "appos" else None


def _of_premises(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    """Like "wiped his hands on his baker's apron", "kept a baker's shop"."""
    noun = token.head
    if noun.lower_ not in _PREMISES:
        return None
    for child in token.children:
        if child.dep_ == "poss" and (meant := owners.meant(paragraph, child)) is not None:
            return Owner(meant, owners.where_told(paragraph, token), round(0.85 * meant.factor, 3))
    a = any(child.lower_ in ("a", "an") for child in token.children)
    if a and noun.dep_ == "dobj" and noun.head.lemma_ in _KEEPING:
        return owners.subject(paragraph, noun.head, 0.85)
    return None


def _others_between(paragraph: ParsedParagraph, token: Word) -> bool:
    """Does another name stand between the name and the trade, which is then likelier of that one?"""
    own = paragraph.mention_of.get(token.head.i)
    return any(
        paragraph.mention_of.get(i) not in (None, own)
        or (paragraph.words[i].tag_ == "NNP" and i > token.head.i + 2)
        for i in range(min(token.head.i, token.i) + 1, max(token.head.i, token.i))
    )


def _of_kind(noun: Word) -> bool:
    """With "a" or "the", or "by trade" behind it."""
    by = any(c.lower_ == "by" and any(d.lower_ in _BY for d in c.children) for c in noun.children)
    return by or any(child.lower_ in ("a", "an", "the") for child in noun.children)
