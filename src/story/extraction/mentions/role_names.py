"""Characters who are called by what they are: "a Lion ... the Lion", "the Bald Man", "a waggoner".

Fables and fairy tales name few of their people. A common noun stands for a character in a chapter where it is
written with a capital behind an article (the way fables do it) and does things there: "the Lion rushed", "the
Lion's den", "he fawned upon the Lion".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...lexicon.verbs_and_nouns import HUMAN_VERBS, PLACE_NOUNS
from ...lexicon.words import ANIMALS, CALLINGS, CLAUSE_WORDS, ROLE_NOUNS
from ...model.types import EntityKind
from ...names.lexicon import GROUP_WORDS, NON_NAMES, PARTICLES, PLACE_WORDS
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word, Words
from .name_census import Name
from .name_words import is_title

_ANIMATE = ANIMALS | CALLINGS
_THINGS = CLAUSE_WORDS.listed("no_role")
_WILLING = HUMAN_VERBS | CLAUSE_WORDS.listed("willing")
_OPEN = frozenset("the a an".split())
_NOUNS = ("NN", "NNP", "NNS", "NNPS")
_ACTING = ("nsubj", "nsubjpass", "agent")
LEAST = 2  # so often must it stand there, and once be one who acts


@dataclass(slots=True)
class _Votes:
    seen: int = 0
    capital: int = 0
    acts: int = 0
    human: int = 0
    plural: bool = False


@dataclass(slots=True)
class RoleNames:
    """``names`` are the nouns (lower case) that stand for a character; ``fuller`` the one longer name of each
    that has one ("man" → "bald man")."""

    names: dict[str, Name] = field(default_factory=dict)
    fuller: dict[str, str] = field(default_factory=dict)

    def at(self, paragraph: ParsedParagraph, i: int) -> tuple[int, str, Name] | None:
        """(token after it, surface, name) of the role named at token ``i``, its article included or not;
        None where there is none."""
        doc = paragraph.doc
        stop = i
        while stop < len(doc) and stop - i < 3 and _capital(doc[stop]):
            stop += 1
        if stop == i:
            return None
        head = doc[stop - 1]
        name = self.names.get(head.lower_)
        if name is None or not _stands(doc, i, head) or _goes_on(doc, stop):
            return None
        words = " ".join(doc[k].lower_ for k in range(i, stop))
        return stop, "the " + self.fuller.get(words, words), name


def find_role_names(chapter: ParsedChapter) -> RoleNames:
    """Reads the chapter once. Costs a look at each token, more at nouns behind an article."""
    votes: dict[str, _Votes] = {}
    longer: dict[str, set[str]] = {}
    for paragraph in chapter.paragraphs:
        for token in paragraph.words:
            if token.tag_ in _NOUNS and (token.text[:1].isupper() or token.lower_ in _ANIMATE):
                _count(paragraph.doc, token, votes, longer)
    roles = RoleNames()
    sure = any(_is_role(word, found) for word, found in votes.items())
    for word in sorted(votes):
        found = votes[word]
        joins = sure and _animate(word) and 2 * found.capital >= found.seen and word not in _THINGS
        if joins or _is_role(word, found):  # one named but once, where the chapter writes another so
            kind = EntityKind.GROUP if found.plural else EntityKind.CHARACTER
            roles.names[word] = Name(kind, True, ROLE_NOUNS.get(word, ""))
            names = longer.get(word, set())
            if len(names) == 1:
                roles.fuller[word] = next(iter(names))
    return roles


def _count(doc: Words, token: Word, votes: dict[str, _Votes], longer: dict[str, set[str]]) -> None:
    i = token.i
    start = i
    while start > 0 and i - start < 2 and _adds(doc[start - 1]):
        start -= 1
    if not _stands(doc, start, token) or _goes_on(doc, i + 1):
        return
    found = votes.setdefault(token.lower_, _Votes())
    found.seen += 1
    found.capital += _capital(token)
    found.plural = found.plural or token.tag_ in ("NNS", "NNPS") or _many(token)
    if token.dep_ in _ACTING or (token.dep_ == "pobj" and token.head.dep_ == "agent"):
        found.acts += 1
        found.human += token.head.lemma_ in _WILLING
    if start < i:
        longer.setdefault(token.lower_, set()).add(" ".join(doc[k].lower_ for k in range(start, i + 1)))


def _is_role(word: str, votes: _Votes) -> bool:
    """Written with a capital behind an article as a rule: a fable's way of naming its people."""
    if votes.capital < LEAST or 2 * votes.capital < votes.seen:
        return False
    if word in NON_NAMES or word in PLACE_NOUNS or word in PLACE_WORDS or word in _THINGS:
        return False
    return (_animate(word) or votes.human > 0) and (votes.acts > 0 or votes.capital > LEAST)


def _animate(word: str) -> bool:
    return word in _ANIMATE or word.removesuffix("s") in _ANIMATE or word in ROLE_NOUNS


def _adds(token: Word) -> bool:
    """A word of the name before its noun: the "Bald" of "the Bald Man"."""
    return _capital(token) and token.lower_ not in _OPEN and not is_title(token)


def _capital(token: Word) -> bool:
    text = token.text
    return len(text) > 1 and text[0].isupper() and text[1:].islower()


def _stands(doc: Words, i: int, head: Word) -> bool:
    """Behind an article; or within a sentence, animals in the plural: "a troop of Frogs", "wild Horses"."""
    if _behind_article(doc, i):
        return True
    of_a_name = doc[i - 1].lower_ in PARTICLES and doc[i - 1].lower_ != "of"
    return _many(head) and not (doc[i].is_sent_start or of_a_name)


def _many(token: Word) -> bool:
    word = token.lower_
    return word not in ANIMALS and word.endswith("s") and word[:-1] in ANIMALS


def _behind_article(doc: Words, i: int) -> bool:
    """Behind "the" or "a", plain adjectives between: "a little Frog"."""
    for k in range(i - 1, max(-1, i - 4), -1):
        if doc[k].lower_ in _OPEN:
            return True
        if doc[k].tag_ not in ("JJ", "JJR", "JJS", "VBN", "CD"):
            return False
    return False


def _goes_on(doc: Words, i: int) -> bool:
    """Does a capitalised word follow, so that the noun only begins a name ("the Lion Inn")?"""
    if i >= len(doc):
        return False
    token = doc[i]
    if token.lower_ in GROUP_WORDS or token.lower_ in PARTICLES:
        return token.text in PARTICLES
    return token.tag_ in ("NNP", "NNPS") and _capital(token) and not token.is_sent_start
