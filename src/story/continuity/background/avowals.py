"""Bonds as the rules weigh them: which are as good as told ("I love you, Anna," said Tom), and which two no
one can bear another at one time."""

from __future__ import annotations

import re

from ....core.types import Evidence, Span
from ...graph_rag.views.story_view import StoryView
from ...model.predicates import PREDICATES, opposed
from ...model.types import Modality, Relation, TraitTold
from .per_view import once

__all__ = ["COLD", "WARM", "at_odds", "says_so", "vouched_between", "vouched_for"]

WARM = frozenset({"LOVES", "FRIEND_OF", "ALLIES_WITH", "TRUSTS"})
COLD = frozenset({"HATES", "ENEMY_OF", "DISTRUSTS"})
_BOTH = frozenset({"LOVES", "DISTRUSTS"})  # one may love and not trust

_COMPANY = re.compile(r"\b(?:companions?|comrades?|schoolfellows?|mates?)\b", re.IGNORECASE)
_FRIENDLY = re.compile(r"\b(?:friend\w*|lov\w*|dear\w*|insepar\w*|devoted|best|fast|close)\b", re.IGNORECASE)
_RIVAL = re.compile(r"\brival", re.IGNORECASE)
_SAYING = re.compile(
    r"\b(?:told|said|owned|confessed|declared|admitted|swore|wrote|announced|avowed|assured)\b[^.;]{0,40}?"
    r"\bthat (?:he|she)\b"
)
_MINE = re.compile(r"\b(?:I|me|my)\b")


def vouched_for(view: StoryView, relation: Relation) -> bool:
    """Is the bond a fact of the narration, or does the one who has it say so of himself? What somebody says
    of others, or others of him, is hearsay."""
    if relation.modality is Modality.FACT:
        return True
    if relation.modality is not Modality.REPORTED or not relation.evidence or _in_company(relation):
        return False
    ends = (relation.subject, relation.object)
    bearers = ends if PREDICATES[relation.predicate].symmetric else ends[:1]
    quote = relation.evidence[0]
    return any(says_so(view, who, quote) for who in bearers) or _owned(view, relation.subject, quote.line)


def _in_company(relation: Relation) -> bool:
    """Does somebody only name companions ("my three companions and I"), who need be no friends?"""
    said = relation.evidence[0].line
    plain = _COMPANY.search(said) is not None and _FRIENDLY.search(said) is None
    return relation.predicate == "FRIEND_OF" and plain


def says_so(view: StoryView, who: str, quote: Evidence) -> bool:
    """Does ``who`` speak of himself where the quote stands?"""
    said = once(_avowed, view).get((who, quote.document_id, quote.chapter), ())
    return any(span.overlaps(quote.span) for span in said)


def vouched_between(view: StoryView, one: TraitTold, other: TraitTold) -> bool:
    """Does the narration tell one of two traits of a person at least, or the person both?"""
    if one.modality.happened or other.modality.happened:
        return True
    return all(says_so(view, each.entity, each.evidence[0]) for each in (one, other))


def _owned(view: StoryView, who: str, sentence: str) -> bool:
    """Like "Tom told the vicar that he had always loathed Anna", of Tom."""
    found = _SAYING.search(sentence)
    entity = view.entity(who)
    if found is None or entity is None:
        return False
    before = sentence[: found.start()]
    return any(name in before for name in (entity.name, *entity.aliases))


def at_odds(one: Relation, other: Relation) -> bool:
    """Is the one bond warm and the other cold, of the same bearer or where either binds both? Whatever
    ``predicates.opposed`` says of the two names: nobody's enemy is whom they love or trust. Rivals may be."""
    pair = {one.predicate, other.predicate}
    mutual = PREDICATES[one.predicate].symmetric or PREDICATES[other.predicate].symmetric
    if not (mutual or one.subject == other.subject) or _compete(one) or _compete(other):
        return False
    return opposed(one.predicate, other.predicate) or (pair != _BOTH and bool(pair & WARM and pair & COLD))


def _compete(bond: Relation) -> bool:
    """Rivals need be no enemies: at a show, for a post, for a hand."""
    return bond.predicate == "ENEMY_OF" and any(_RIVAL.search(piece.line) for piece in bond.evidence[:1])


def _avowed(view: StoryView) -> dict[tuple[str, str, int], list[Span]]:
    """Where each speaks of himself, by document and chapter."""
    found: dict[tuple[str, str, int], list[Span]] = {}
    for told in view.quotations():
        for piece in told.evidence if told.speaker is not None else ():
            if _MINE.search(piece.line) is not None:
                key = (str(told.speaker), piece.document_id, piece.chapter)
                found.setdefault(key, []).append(piece.span)
    return found
