"""Ages told by years that somebody has, by birthdays, and by "at forty"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...time.amounts import NUMBER, number_of
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word
from .looks import TraitClaim
from .nearby_owner import about
from .owners import Owner, Owners

__all__ = ["read_years"]

_LEAST, _OLDEST = 13, 110  # "his three years" are of something else
_AT = re.compile(rf"\bat ({NUMBER})\b(?=,| [a-z]+| [A-Z])", re.IGNORECASE)
_YEARS = re.compile(rf"\b({NUMBER})[- ](years|summers|winters|springs)\b", re.IGNORECASE)
_ORDINAL = re.compile(r"\b([a-z]+(?:-[a-z]+)?) (year|birthday)\b", re.IGNORECASE)
_NUMBERED = re.compile(
    rf"\bage(?:, which|, that)? (?:is|was|as|at|being) ({NUMBER})\b(?! ?(?:o.clock|years ago))", re.IGNORECASE
)
_WILL_BE = re.compile(
    rf"\b(?:will|shall|would|should|['’]ll|['’]d) be ({NUMBER})(?: years old)? "
    r"(?:next|in|on|come|at|before|this|when|if)\b",
    re.IGNORECASE,
)
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
}  # fmt: skip
_HERE = frozenset("still yet already now".split())
_STATES = frozenset("be have keep retain remain look seem".split())
_AGEING = frozenset("year years summer summers winter winters age old spring springs".split())
_OF_LIFE = frozenset("age life".split())
_LIVED = frozenset("see live carry count wear number bear".split())
_BEHIND = frozenset("behind on upon over".split())
_KEPT = frozenset("keep celebrate have be".split())
_SUBJECTS = ("nsubj", "nsubjpass")
_CLAUSES = ("VERB", "AUX")
_DEPTH = 5


def read_years(owners: Owners, paragraph: ParsedParagraph) -> Iterator[tuple[Word, TraitClaim]]:
    """(token, look) for each age told by "at forty she was still", "her forty years", "in his fortieth year",
    "kept her fortieth birthday"."""
    text = paragraph.prose.text
    readers = (
        (_AT, 1, _at),
        (_YEARS, 1, _of_years),
        (_NUMBERED, 1, _given),
        (_WILL_BE, 1, _will_be),
    )
    for pattern, group, reader in readers:
        for found in pattern.finditer(text):
            value = number_of(found.group(group))
            if value is None or not _LEAST <= value <= _OLDEST:
                continue
            token = _token(paragraph, found.end(group) - 1)
            owner = reader(owners, paragraph, token) if token is not None else None
            if token is not None and owner is not None:
                yield token, TraitClaim("age", str(value - (reader is _will_be)), owner)
    for found in _ORDINAL.finditer(text):
        value = _ordinal(found.group(1))
        token = _token(paragraph, found.end() - 1)
        if value is None or token is None or not _LEAST <= value <= _OLDEST:
            continue
        birthday = found.group(2).lower() == "birthday"
        owner = _nth(owners, paragraph, token, birthday=birthday)
        if owner is not None:
            yield token, TraitClaim("age", str(value if birthday else value - 1), owner)


def _token(paragraph: ParsedParagraph, offset: int) -> Word | None:
    span = paragraph.doc.covering(offset, offset + 1)
    return span[0] if span is not None else None


def _ordinal(word: str) -> int | None:
    head, _, last = word.lower().rpartition("-")
    tens = number_of(head) if head else 0
    if tens is None:
        return None
    if last in _ORDINALS:
        return tens + _ORDINALS[last]
    stem = last.removesuffix("ieth") + "y" if last.endswith("ieth") else last.removesuffix("th")
    value = number_of(stem) if last.endswith("th") else None
    return tens + value if value is not None else None


def _clause(token: Word) -> Word | None:
    node = token
    for _ in range(_DEPTH):
        if node.pos_ in _CLAUSES:
            return node
        node = node.head
    return None


def _at(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    """Like "at forty-three Tom had still the trick of it"; not "at sixteen he ran away to sea", which was
    long ago."""
    after = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    if after is None or token.ent_type_ in ("TIME", "MONEY", "QUANTITY"):
        return None
    verb = _clause(token)
    if verb is None or verb.tag_ == "VBN" or any(c.dep_ == "nummod" for c in token.head.children):
        return None
    if after.pos_ in ("NOUN", "ADJ", "ADP", "SYM") and token.head.i == after.i:
        return None  # "at twenty paces"
    here = any(word.lower_ in _HERE for word in (*verb.children, *token.sent[: verb.i - token.sent.start]))
    here = here or any(word.lower_ in _HERE for c in verb.children for word in c.children)
    if verb.lemma_ not in _STATES or not here:
        return None
    return owners.granted(paragraph, token, owners.subject(paragraph, verb, 0.85))


def _of_years(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    """Like "her nineteen years had not taught her", "with forty years behind him", "had seen forty
    summers"."""
    years = token.doc[token.i + 1] if token.lower_ not in _AGEING else token
    if years.lower_ not in _AGEING:
        years = token.head
    if years.lower_ not in _AGEING:
        return None
    of = [c for c in years.children if c.dep_ == "prep"]
    spent = [c for c in of if not any(d.lower_ in _OF_LIFE for d in c.children) and c.lower_ not in _BEHIND]
    if any(child.dep_ == "poss" for child in years.children):
        return None if spent else owners.of_part(paragraph, years)
    number = next((w for w in reversed(token.doc[: years.i]) if w.dep_ != "nummod" and not w.is_punct), None)
    if number is not None and number.tag_ == "POS" and number.i > 0:  # the parser may lose the owner
        meant = owners.meant(paragraph, token.doc[number.i - 1])
        if meant is not None and not spent:
            return Owner(meant, owners.where_told(paragraph, token), round(0.9 * meant.factor, 3))
    verb = years.head
    if years.dep_ == "dobj" and verb.lemma_ in _LIVED and years.lower_ not in ("years", "year"):
        return owners.granted(paragraph, token, owners.subject(paragraph, verb, 0.85))
    after = {word.lower_ for word in token.doc[years.i + 1 : years.i + 3]}
    if after & _BEHIND and after & {"him", "her", "his", "me", "my", "them"}:
        return about(owners, paragraph, token, before=False)
    return None


def _given(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    """Like "gave his age as forty", "Tom's age was forty"."""
    age = next((w for w in reversed(token.doc[: token.i]) if w.lower_ == "age"), None)
    return owners.of_part(paragraph, age) if age is not None else None


def _will_be(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    """Like "Tom would be forty in March"."""
    verb = _clause(token)
    if verb is None or verb.lemma_ != "be":
        return None
    people = owners.arguments.subjects(paragraph, verb)
    if len(people) != 1:
        return None
    own = next((c for c in verb.children if c.dep_ in _SUBJECTS), None)
    meant = owners.meant(paragraph, own) if own is not None else None
    if meant is None:
        return None
    return Owner(meant, owners.where_told(paragraph, token), round(0.8 * meant.factor, 3))


def _nth(owners: Owners, paragraph: ParsedParagraph, noun: Word, *, birthday: bool) -> Owner | None:
    """Like "in his fortieth year", "it was her fortieth birthday", "kept his fortieth birthday"."""
    if not any(child.dep_ == "poss" for child in noun.children):
        return None
    verb = _clause(noun)
    if verb is not None and any(
        c.lower_ in ("had", "'d", "before", "until", "till", "since") for c in verb.children
    ):
        return None
    if birthday and (noun.dep_ not in ("dobj", "attr", "nsubj") or noun.head.lemma_ not in _KEPT):
        return None
    if not birthday and not (noun.dep_ == "pobj" and noun.head.lower_ in ("in", "into", "on", "upon")):
        return None
    return owners.of_part(paragraph, noun)
