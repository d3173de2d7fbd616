"""Bare given names of people whom the narration treats as known: "as Ruth had promised", "Ruth's cough"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...model.chapter_reading import Trait
from ...model.trait_values import AS_KNOWN
from ...model.types import EntityKind, Modality
from ...names.lexicon import GIVEN
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

__all__ = ["read_as_known"]


CONFIDENCE = 0.7
_SELDOM = 2  # times in one chapter
_AGAIN = frozenset("again still already always usual ever more before wont".split())
_SENSES = frozenset(
    "hear see watch find catch meet expect await join fetch know remember thank tell ask".split()
)
# of whom people speak who are in no story: Scripture, Rome and Greece, the stage
_TALES = frozenset(
    """noah adam eve saul abraham esau moses samson delilah job solomon goliath jonah cain abel
    lazarus judas magdalen jezebel lucifer achilles hector ulysses venus juno minerva apollo hercules
    atlas homer plato socrates virgil ovid cicero caesar nero brutus cleopatra hamlet ophelia romeo
    othello desdemona iago macbeth lear falstaff shylock dante petrarch faust napoleon cupid psyche
    orpheus eurydice sappho zenobia""".split()
)
_OF = frozenset("o' o’ o".split())
_SAID = frozenset({"again", "before", "met"})  # uses that count in direct speech
_HAD = frozenset("had 'd ’d".split())
_SHORTEST = 4  # tokens of a sentence
_LIKE = frozenset("like than called named by of saint st the a an".split())


def read_as_known(chapter: ParsedChapter) -> Iterator[Trait]:
    """Traits of aspect ``AS_KNOWN``, in order of the text, of single given names that stand twice in the
    chapter at most. Values: ``"again"`` (what is done is done again, or as usual),
    ``"before"`` (had done it before), ``"acts"``, ``"owner"`` ("Harriet's cough"), ``"met"`` (somebody sees,
    hears, asks her) and ``"named"`` for any other place; in direct speech the first, the second and ``"met"``
    alone, as REPORTED. Left out are names in a list, after "like" and "than", with an article or whatever
    else tells who it is, and those of a few figures of Scripture and the stage of whom people speak
    everywhere. Evidence is the sentence."""
    counts = Counter(mention.surface for mention in chapter.mentions)
    for paragraph in chapter.paragraphs:
        for i, number in paragraph.mention_of.items():
            mention, token = chapter.mentions[number], paragraph.words[i]
            if mention.kind is not EntityKind.CHARACTER or counts[mention.surface] > _SELDOM:
                continue
            name = mention.surface.casefold()
            if name not in GIVEN or name in _TALES or _set_apart(token):
                continue
            spoken = paragraph.spoken(token)
            use = _use(paragraph, token)
            if use and not (spoken and (use not in _SAID or _called(token))):
                quote = paragraph.sentence(token).span
                modality = Modality.REPORTED if spoken else Modality.FACT
                yield Trait(number, AS_KNOWN, use, (quote,), modality, CONFIDENCE)


def _set_apart(token: Word) -> bool:  # noqa: PLR0911 (a construction a line)
    """In a list, likened to, or told who it is."""
    if token.dep_ in ("conj", "appos") or token.conjuncts:
        return True
    before = token.nbor(-1).lower_ if token.i else ""
    if token.i and token.nbor(-1).tag_ == "POS":  # a book: "Fielding's Amelia"
        return True
    if before == "by" and token.head.dep_ == "agent":  # "was opened by Ruth"
        before = ""
    if token.i > 1 and token.nbor(-1).lemma_ == "be" and token.nbor(-2).lower_ == "name":
        return True  # "whose name was Ruth"
    if before in _LIKE or (before == "as" and token.dep_ == "pobj"):
        return True
    if token.i + 1 < len(token.doc) and token.nbor(1).text in ("-", "&"):
        return True
    if token.dep_ == "poss" and not token.head.is_lower:  # "Charles's Wain"
        return True
    cleft = token.dep_ == "attr" and any(c.dep_ == "nsubj" and c.lower_ == "it" for c in token.head.children)
    return any(
        c.dep_ == "appos"
        or (c.dep_ == "relcl" and not cleft)
        or (c.dep_ in ("det", "amod", "poss") and c.i < token.i and c.lower_ != "more")
        for c in token.children
    )


def _called(token: Word) -> bool:
    """In speech: is it who is spoken to (", Becky?"), the name alone in quotes, or part of a byword ("Peeping
    Tom", "Nelly of the Dell", "for the love o' Mike")?"""
    before = token.nbor(-1) if token.i else None
    after = token.nbor(1) if token.i + 1 < len(token.doc) else None
    if after is not None and after.lower_ == "of":
        return True
    if before is None:
        return False
    closed = after is None or after.is_punct
    called = (before.text == "," or before.is_quote) and closed
    named = before.text[:1].isupper() and (before.pos_ in ("PROPN", "ADJ", "NOUN") or before.tag_ == "VBG")
    return called or named or before.lower_ in _OF


def _use(paragraph: ParsedParagraph, token: Word) -> str:  # noqa: PLR0911 (a use a line)
    sentence, head = paragraph.tokens(paragraph.sentence(token)), token.head
    if len(sentence) < _SHORTEST:
        return ""  # a signature, a heading
    if token.dep_ == "poss":
        return "owner"
    if token.dep_ in ("dobj", "dative") or head.lemma_ in _SENSES:
        return "met"
    if token.dep_ not in ("nsubj", "nsubjpass", "attr"):
        return "named"
    if any(t.lower_ in _AGAIN for t in sentence):
        return "again"
    if any(c.dep_ in ("aux", "auxpass") and c.lower_ in _HAD for c in head.children):
        return "before"
    return "acts"
