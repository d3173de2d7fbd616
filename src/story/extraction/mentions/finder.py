"""Finding the named (and the definite nameless) in a parsed chapter: every mention, in order of the text;
and what pronouns tell of a gender where grammar alone binds them: "Sissy dropped her eyes"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....core.types import Span
from ...lexicon.verbs_and_nouns import ARTEFACTS, BODILY, COMPOUND_PLACES, DISTINCT, KIN, PLACE_NOUNS
from ...lexicon.words import CLAUSE_WORDS, ROLE_NOUNS, SHORT_FORMS
from ...model.chapter_reading import Mention
from ...model.types import EntityKind
from ...names.lexicon import CALENDAR, GIVEN, NON_NAMES, PARTICLES, TITLES
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word, Words
from .name_census import Key, Name, NameCensus, take_census
from .name_words import KIN_NAMES, bare_kin, find_kin_names, is_name_word, is_particle, is_title, name_text
from .role_names import RoleNames, find_role_names

_PLAINLY = frozenset("mr mr. mrs mrs. miss ms ms.".split())  # what follows is a name: Mr. Young, Miss King
_NO_SURNAME = frozenset({"of", "ten"})  # particles that are words as well
_GENERATIONS = frozenset("Jr Sr Junior Senior".split())
_BEHIND_THE = frozenset("Elder Younger First Second Third Fourth Fifth".split())
ROLE_MIN = 2  # a role noun is a character where it is the subject of so many clauses of the chapter


def find_mentions(chapter: ParsedChapter) -> None:
    """Fills ``chapter.mentions`` and each paragraph's ``mention_of``."""
    census = take_census(chapter)
    roles, called, kin = _roles(chapter), find_role_names(chapter), find_kin_names(chapter)
    for paragraph in chapter.paragraphs:
        doc, i = paragraph.doc, 0
        while i < len(doc):
            i = (
                _called(chapter, paragraph, called, i)
                or _named(chapter, paragraph, census, i)
                or _kin(chapter, paragraph, kin, i)
                or _nameless(chapter, paragraph, roles, i)
                or i + 1
            )
    find_gender_hints(chapter)


def _called(chapter: ParsedChapter, paragraph: ParsedParagraph, roles: RoleNames, i: int) -> int:
    """Records "the Lion", who is called by what he is; returns the token after it, 0 where there is none."""
    found = roles.at(paragraph, i) if roles.names else None
    if found is None:
        return 0
    stop, surface, name = found
    _record(chapter, paragraph, (i, stop), surface, name)
    return stop


def _named(chapter: ParsedChapter, paragraph: ParsedParagraph, census: NameCensus, i: int) -> int:
    """Records the name that starts at token ``i`` and returns the token after it; 0 where none does."""
    doc = paragraph.doc
    start = _behind_titles(doc, i)
    if start > i:
        pair = _couple(chapter, paragraph, census, i, start)
        if pair:
            return pair
    if not is_name_word(doc[start]):
        return 0
    found = _match(doc, start, census)
    plainly = start > i and (doc[start - 1].lower_ in _PLAINLY or doc[start].lower_ not in NON_NAMES)
    if found is None and plainly:
        found = start + 1, Name(EntityKind.CHARACTER, True)
    if found is None:
        return _family(chapter, paragraph, census, start)
    stop, name = found
    if start == i and stop == i + 1 and not _stands_as_name(doc[i], name, census):
        return 0
    if start > i:
        behind = start - 2 if doc[start - 1].text in PARTICLES else start - 1
        title = doc[behind].text.rstrip(".").lower()
        name = Name(EntityKind.CHARACTER, True, TITLES[title] or GIVEN.get(doc[start].lower_, ""))
    elif name.kind is EntityKind.CHARACTER and _plural(doc, i, stop, census):
        name = Name(EntityKind.GROUP, True)
    elif stop == i + 1 and name.kind is EntityKind.CHARACTER and (gender := _kin_before(doc, i)):
        name = Name(name.kind, True, gender)
    if name.kind is EntityKind.CHARACTER:
        i -= _particles_before(doc, i) if start == i else 0
        stop = _behind_generation(doc, stop)
    _record(chapter, paragraph, (i, stop), _surface(doc, i, stop), name)
    return stop


def _particles_before(doc: Words, i: int) -> int:
    """How many words before token ``i`` belong to a surname there: the "van der" of "van der Berg"."""
    start = i
    if GIVEN.get(doc[i].lower_) == "f" or doc[i].lower_ in SHORT_FORMS:  # "à propos de Varenka"
        return 0
    while start and is_particle(doc, start - 1) and doc[start - 1].text not in _NO_SURNAME:
        start -= 1
    return i - start if not start or doc[start - 1].tag_ not in ("DT", "PRP$", "JJ") else 0


def _behind_generation(doc: Words, stop: int) -> int:
    """The token after the "Jr.", ", Sr.", "the Elder" or "the Second" that stands behind a name, where one
    does."""
    words = [token.text.rstrip(".") for token in doc[stop : stop + 2]]
    if words[:1] and words[0] in _GENERATIONS:
        return stop + 1
    two = len(words) > 1 and (
        (words[0] == "," and words[1] in _GENERATIONS) or (words[0] == "the" and words[1] in _BEHIND_THE)
    )
    return stop + 2 if two else stop


def _kin_before(doc: Words, i: int) -> str:
    """The gender that "aunt Vane", "his sister Vane" tells of a name at token ``i``; else ``""``."""
    word = doc[i - 1] if i else None
    if word is None or word.lower_ not in KIN or not (word.is_lower and word.whitespace_):
        return ""
    return KIN[word.lower_][1]


def _behind_titles(doc: Words, i: int) -> int:
    """The token after the titles at ``i``, at most two; the last one of "Miss King" is a surname."""
    start = i
    while start < len(doc) - 1 and start - i < 2 and is_title(doc[start]):
        start += 1
    if start > i and doc[start].text in PARTICLES and start + 1 < len(doc) and is_name_word(doc[start + 1]):
        return start + 1  # "Professor de Worms"
    return start - 1 if start - i == 2 and not is_name_word(doc[start]) else start


def _family(chapter: ParsedChapter, paragraph: ParsedParagraph, census: NameCensus, i: int) -> int:
    """Records "the Bennets", known only as the plural of a name."""
    if not _plural(paragraph.doc, i, i + 1, census):
        return 0
    _record(chapter, paragraph, (i, i + 1), paragraph.words[i].text, Name(EntityKind.GROUP, True))
    return i + 1


def _couple(
    chapter: ParsedChapter, paragraph: ParsedParagraph, census: NameCensus, i: int, start: int
) -> int:
    """Like "Mr. and Mrs. Bennet": two people of one surname, the first mention spanning the whole phrase."""
    doc = paragraph.doc
    if start + 2 >= len(doc) or doc[start].lower_ != "and" or not is_title(doc[start + 1]):
        return 0
    if not is_name_word(doc[start + 2]):
        return 0
    stop = (_match(doc, start + 2, census) or (start + 3, None))[0]
    for title, first in ((doc[start - 1], i), (doc[start + 1], start + 1)):
        gender = TITLES[title.text.rstrip(".").lower()]
        surface = f"{title.text} {_surface(doc, start + 2, stop)}"
        _record(chapter, paragraph, (first, stop), surface, Name(EntityKind.CHARACTER, True, gender))
    paragraph.mention_of[start - 1] = len(chapter.mentions) - 2
    return stop


def _match(doc: Words, start: int, census: NameCensus) -> tuple[int, Name] | None:
    """The longest known name at ``start``; two known persons side by side are one ("Nick" "Carraway")."""
    for length in range(min(census.longest, len(doc) - start), 0, -1):
        key: Key = tuple(name_text(doc[k]) for k in range(start, start + length))
        name = census.names.get(key)
        if name is None:
            continue
        stop = start + length
        if name.kind is EntityKind.CHARACTER and length == 1 and stop < len(doc):
            after = census.names.get((name_text(doc[stop]),))
            if doc[stop].text == doc[stop - 1].text or "--" in doc[stop - 1].text:
                return stop, name
            if after is not None and after.kind is EntityKind.CHARACTER and doc[stop - 1].whitespace_:
                return stop + 1, Name(name.kind, name.strong or after.strong, name.gender)
        return stop, name
    return None


def _stands_as_name(token: Word, name: Name, census: NameCensus) -> bool:
    """A single capitalised word that is also a common word here needs the tagger's vote of a proper noun."""
    if token.is_name or (
        token.text in census.also_words and (token.is_sent_start or token.lower_ in CALENDAR)
    ):
        return token.is_name
    if token.lower_ in census.lower:
        if token.is_sent_start or (token.i > 0 and token.nbor(-1).is_punct):
            return bool(token.ent_type_ == "PERSON")
        return token.tag_ in ("NNP", "NNPS") and name.strong
    return True


def _plural(doc: Words, start: int, stop: int, census: NameCensus) -> bool:
    """Like "the Bennets": a name in the plural after an article."""
    last = doc[stop - 1]
    if start == 0 or doc[start - 1].lower_ not in ("the", "these", "both") or not last.text.endswith("s"):
        return False
    return last.text[:-1] in census.surnames


def _surface(doc: Words, start: int, stop: int) -> str:
    text = str(doc[start:stop].text)
    return text[: len(text) - _glued(doc[stop - 1])]


def _glued(last: Word) -> int:
    """Characters behind a name that a dash has glued to its last word."""
    return len(last.text) - len(name_text(last))


def _record(
    chapter: ParsedChapter, paragraph: ParsedParagraph, tokens: tuple[int, int], surface: str, name: Name
) -> None:
    doc, (start, stop) = paragraph.doc, tokens
    last = doc[stop - 1]
    span: Span = paragraph.prose.span(doc[start].idx, last.idx + len(last) - _glued(last))
    mention = Mention(
        span=span,
        surface=surface if "." in surface.rpartition(" ")[2][:-1] else surface.rstrip("."),
        kind=name.kind,
        gender=name.gender if name.kind is EntityKind.CHARACTER else "",
        scene=paragraph.prose.scene,
        sentence=paragraph.sentence(doc[start]).span,
        strong=name.strong,
        spoken=paragraph.spoken(doc[start]),
    )
    for k in range(start, stop):
        if doc[k].text not in PARTICLES:
            paragraph.mention_of[k] = len(chapter.mentions)
    chapter.mentions.append(mention)


# --- the nameless ---------------------------------------------------------------------------------


def _bare_definite(token: Word) -> bool:
    """Like "the king" without anything else before the noun."""
    if token.i == 0 or token.nbor(-1).lower_ != "the" or token.tag_ not in ("NN", "NNP"):
        return False
    return not any(child.dep_ in ("compound", "appos", "poss") for child in token.children)


def _roles(chapter: ParsedChapter) -> frozenset[str]:
    counts: dict[str, int] = {}
    for paragraph in chapter.paragraphs:
        for token in paragraph.words:
            if token.lower_ in ROLE_NOUNS and token.dep_ == "nsubj" and _bare_definite(token):
                counts[token.lower_] = counts.get(token.lower_, 0) + (not paragraph.spoken(token))
    return frozenset(word for word, count in counts.items() if count >= ROLE_MIN)


def _kin(chapter: ParsedChapter, paragraph: ParsedParagraph, kin: frozenset[str], i: int) -> int:
    """Records "pap" where the narration so calls him; returns the token after it, 0 where it does not."""
    token = paragraph.words[i]
    if not kin or token.lower_ not in kin or paragraph.spoken(token) or not bare_kin(token):
        return 0
    name = Name(EntityKind.CHARACTER, True, KIN_NAMES[token.lower_])
    _record(chapter, paragraph, (i, i + 1), token.text, name)
    return i + 1


def _nameless(chapter: ParsedChapter, paragraph: ParsedParagraph, roles: frozenset[str], i: int) -> int:
    """Records "the king", "the castle", "the silver locket"; the last two are dropped later where unused."""
    token = paragraph.words[i]
    word = token.lower_
    if word in roles and _bare_definite(token):
        name = Name(EntityKind.CHARACTER, True, ROLE_NOUNS[word])
        _record(chapter, paragraph, (i, i + 1), f"the {word}", name)
        return i + 1
    if (word in PLACE_NOUNS or word in COMPOUND_PLACES) and token.dep_ in ("pobj", "dobj"):
        return _nameless_place(chapter, paragraph, i)
    if word in ARTEFACTS and token.dep_ in ("dobj", "pobj"):
        start = i
        while start > 0 and _says_which(token, start):
            start -= 1
        if start == i and (word in BODILY or not _bare_definite(token)):
            return 0
        words = " ".join(paragraph.words[k].lower_ for k in range(start, i + 1))
        _record(chapter, paragraph, (start, i + 1), f"the {words}", Name(EntityKind.OBJECT, False))
        return i + 1
    return 0


def _nameless_place(chapter: ParsedChapter, paragraph: ParsedParagraph, i: int) -> int:
    """Records "the castle", "the post office"; returns the token after it, 0 where it is no such place."""
    doc, start = paragraph.doc, i
    while start > 0 and doc[start - 1].is_lower and doc[start - 1].dep_ == "compound":
        start -= 1
    if start == i and not (doc[i].lower_ in PLACE_NOUNS and _bare_definite(doc[i])):
        return 0
    if start < i and (start == 0 or doc[start - 1].lower_ != "the"):
        return 0
    words = " ".join(doc[k].lower_ for k in range(start, i + 1))
    _record(chapter, paragraph, (start, i + 1), f"the {words}", Name(EntityKind.LOCATION, False))
    return i + 1


def _says_which(token: Word, start: int) -> bool:
    """Is the word left of ``start`` an adjective or noun that tells this thing from others of its sort?"""
    left = token.doc[start - 1]
    return bool(left.head == token and left.is_lower and (left.dep_ == "compound" or left.lower_ in DISTINCT))


_PRONOUNS = {"himself": "m", "herself": "f", "his": "m", "her": "f"}
_BODY = CLAUSE_WORDS.listed("own_part")
# what one does with one's own
_OWN = CLAUSE_WORDS.listed("own_act")


def find_gender_hints(chapter: ParsedChapter) -> None:
    """Sets ``hint`` on the mentions of people that a reflexive pronoun or the possessive of a part of the
    body speaks of. Of a contradiction the first counts."""
    for paragraph in chapter.paragraphs:
        for number, gender in _hints(chapter, paragraph):
            mention = chapter.mentions[number]
            if not mention.hint:
                chapter.mentions[number] = replace(mention, hint=gender)


def _hints(chapter: ParsedChapter, paragraph: ParsedParagraph) -> Iterator[tuple[int, str]]:
    if not paragraph.mention_of:
        return
    for token in paragraph.words:
        gender = _PRONOUNS.get(token.lower_)
        if gender is None:
            continue
        verb = _verb_of(token)
        subject = _subject(verb) if verb is not None else None
        number = paragraph.mention_of.get(subject.i) if subject is not None else None
        if number is None or paragraph.spoken(token) != chapter.mentions[number].spoken:
            continue
        if chapter.mentions[number].kind is EntityKind.CHARACTER:
            yield number, gender


def _verb_of(token: Word) -> Word | None:
    """The verb whose subject the pronoun must mean; None where it may mean somebody else."""
    if token.dep_ == "poss":
        noun = token.head
        if noun.dep_ != "dobj" or noun.lower_ not in _BODY or noun.head.lemma_ not in _OWN:
            return None
        return noun.head
    if token.lower_.endswith("self") and token.dep_ in ("dobj", "dative", "pobj"):
        head = token.head.head if token.dep_ == "pobj" else token.head
        return head if head.pos_ == "VERB" else None
    return None


def _subject(verb: Word) -> Word | None:
    """The one subject; that of the verb before in "X rose and shook her head"."""
    for _ in range(3):
        subjects = [child for child in verb.children if child.dep_ == "nsubj"]
        if subjects:
            return subjects[0] if len(subjects) == 1 and not list(subjects[0].conjuncts) else None
        if verb.dep_ != "conj":
            return None
        verb = verb.head
    return None
