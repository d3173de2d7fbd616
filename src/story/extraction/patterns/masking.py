"""Sentences with the people in them numbered, so that a wording can be looked for whoever they are: "Anna
would have died for him" becomes "§0 would have died for §1"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ...lexicon.person_nouns import PERSON_NOUNS
from ...model.types import EntityKind
from ..clauses.arguments import Arguments
from ..coreference.pronouns import PRONOUNS, Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..parsing.words import Word

__all__ = ["Masked", "masked", "readings", "spelled_out", "text_of", "wording"]

_SELF = frozenset("i me my myself".split())
_HEARER = frozenset({"you", "your"})
_SPOKEN = _SELF | _HEARER
_WHOLE = frozenset("himself herself myself".split())
_NAMED = 0.9
_MARKS = frozenset(',.!?;:-—”"')
_LEAST = 0.6  # of a pronoun's factor
_SHORT = re.compile(
    r"(?P<who>§\d)'(?:(?P<am>m)|(?P<have>ve)|(?P<had>d)(?= been| had| got| gone| left| never had| only "
    r"had)|(?P<got>s)(?= got| had)|(?P<be>s)(?= (?:an?|the|not|in|at|on|off|out|over|under|away|abroad|"
    r"gone|been|dead(?=[,.;!:”\"]| and | these )|staying|working|living|visiting|gone|still|now|down|up|"
    r"far|hundreds|miles|buried)(?![\w'-])))"
)
# what tells more of somebody between commas: "§0, who had lain ill since Sunday, was no more"
_ASIDE = re.compile(
    r"(?P<who>§\d(?:'s [\w-]+)?), (?:who|whom|whose|the|a|an|then|now|once|formerly|poor|being|always|never|"
    r"that|himself|herself|his|her|as|though|like|with|of|at|in|after|before|in spite)\b[^,;:.!?§]{2,70}, "
    r"(?=(?!and\b|or\b|but\b|nor\b)[a-z])"
)
_ROLE = re.compile(r"(?:er|or|man|woman|maid|smith|wright|ist|ess|boy|girl)$")
_HANDED = frozenset("give hand send bring tell show teach lend pay offer leave ask call name make".split())
_FULL = {"am": "am", "have": "have", "had": "had", "got": "has", "be": "is"}


@dataclass(frozen=True, slots=True)
class Masked:
    """``words`` is the sentence in lower case with "§0", "§1" for people, possessives as "§0's";
    ``people`` are they, each with the least sure way in which the sentence names them; ``opens`` is the index
    of its first token."""

    words: str
    people: tuple[Reference, ...]
    opens: int


def text_of(paragraph: ParsedParagraph, sentence: Sentence) -> str:
    """The sentence as it is written, cut out of its paragraph."""
    doc = paragraph.doc
    last = doc[sentence.end - 1]
    return paragraph.prose.text[doc[sentence.start].idx : last.idx + len(last)]


def spelled_out(words: str) -> str:
    """Masked words on one line, with "§0's in bed", "§0'm" and "§0've" as "§0 is in bed", "§0 am" and "§0
    have"; possessives stay."""
    line = " ".join(words.split())
    return _SHORT.sub(lambda found: f"{found['who']} {_FULL[found.lastgroup or 'be']}", line)


def readings(words: str) -> tuple[str, ...]:
    """Masked words ``spelled_out``, and again without what is told of somebody between commas."""
    whole = spelled_out(words)
    core = _ASIDE.sub(lambda found: f"{found['who']} ", whole)
    return (whole,) if core == whole else (whole, core)


def wording(pattern: str) -> re.Pattern[str]:
    """A pattern over masked sentences: ``E`` and ``T`` stand for two people (groups ``e`` and ``t``), ``~``
    for up to seven words. What is said to "you" is said to the one called by name behind it."""
    body = pattern.replace("~", r"(?:[§\w’'-]+,? ){0,7}?")
    body = re.sub(r"\b([ET]) ", r"\1,? ", body)
    first, other = sorted("ET", key=lambda name: (body + name).index(name))
    for name, but in ((first, ""), (other, f"(?!(?P={first.lower()}))")):  # two people, not one twice
        group, you = name.lower(), "(?:you, )?" if name == "T" else ""
        body = re.sub(rf"\b{name}\b", rf"{you}§{but}(?P<{group}>\\d)", body, count=1)
        body = re.sub(rf"\b{name}\b", rf"§(?P={group})", body)
    return re.compile(rf"(?<![\w-]){body}(?!\w|'s)")


def masked(
    chapter: ParsedChapter,
    arguments: Arguments,
    paragraph: ParsedParagraph,
    sentence: Sentence,
    *,
    spoken: bool | None = None,
) -> Masked:
    """The sentence with its people numbered in order of appearance, the words of one voice alone where
    ``spoken`` says which. Pronouns of which it is unclear whom they mean stay words."""
    who, narrator = arguments.pronouns.cast.who, chapter.narrator
    people: dict[int, Reference] = {}
    order: list[int] = []
    parts: list[str] = []
    last: int | None = None
    left_out = _roles(paragraph, sentence)
    for token in paragraph.tokens(sentence):
        if spoken is not None and paragraph.spoken(token) != spoken:
            continue
        if token.i in left_out and parts:
            parts[-1] = parts[-1].rstrip() + token.whitespace_
            continue
        number = paragraph.mention_of.get(token.i)
        if number is not None and chapter.mentions[number].kind is EntityKind.CHARACTER:
            found: Reference | None = Reference(number)
            if last == number:
                parts[-1] = parts[-1].rstrip() + token.whitespace_
                continue
        else:
            found = _pronoun(arguments, paragraph, token, narrator)
            if found is None and token.lower_ in _HEARER and paragraph.spoken(token):
                found = _called(chapter, paragraph, sentence)
        last = number
        if found is None:
            parts.append(token.lower_ + token.whitespace_)
            continue
        key = who[found.mention]
        if key not in people:
            people[key] = found
            order.append(key)
        elif number is not None or people[key].factor == 1.0:  # named there, whoever a pronoun may mean
            sure = max(min(found.factor, people[key].factor), _NAMED)
            people[key] = replace(people[key], factor=sure)
        elif found.factor < people[key].factor:
            people[key] = found
        own = token.dep_ == "poss" and number is None
        parts.append(f"§{order.index(key)}{chr(39) + 's' if own else ''}{token.whitespace_}")
    text = "".join(parts).replace("’", "'")
    return Masked(text, tuple(people[key] for key in order), sentence.start)


def _roles(paragraph: ParsedParagraph, sentence: Sentence) -> frozenset[int]:
    """The tokens of "the midwife" behind a name, without a comma."""
    doc, found = paragraph.doc, set()
    for i in range(sentence.start + 1, sentence.end - 1):
        if doc[i].lower_ != "the" or i - 1 not in paragraph.mention_of or i in paragraph.mention_of:
            continue
        noun = doc[i + 1]
        role = noun.lower_ in PERSON_NOUNS or _ROLE.search(noun.lower_) is not None
        apart = i + 2 < sentence.end and (doc[i + 2].pos_ in ("NOUN", "PROPN", "NUM"))
        if not role or apart or i + 1 in paragraph.mention_of or noun.pos_ not in ("NOUN", "PROPN", "ADJ"):
            continue
        if doc[i - 1].head.lemma_.lower() not in _HANDED:
            found |= {i, i + 1}
    return frozenset(found)


def _called(chapter: ParsedChapter, paragraph: ParsedParagraph, sentence: Sentence) -> Reference | None:
    """The only person whose name stands between marks in the sentence, spoken: who is called by it."""
    doc, found = paragraph.doc, set()
    for i in range(sentence.start + 1, min(sentence.end, len(doc) - 1)):
        number = paragraph.mention_of.get(i)
        if number is None or not paragraph.spoken(doc[i]):
            continue
        begins = paragraph.mention_of.get(i - 1) != number
        if begins and doc[i - 1].text == "," and chapter.mentions[number].kind is EntityKind.CHARACTER:
            end = i
            while end + 1 < len(doc) and paragraph.mention_of.get(end + 1) == number:
                end += 1
            if end + 1 < len(doc) and doc[end + 1].text[0] in _MARKS:
                found.add(number)
    return Reference(found.pop()) if len(found) == 1 else None


def _pronoun(
    arguments: Arguments, paragraph: ParsedParagraph, token: Word, narrator: int | None
) -> Reference | None:
    if token.lower_ in _WHOLE:
        return None
    if token.lower_ in _SELF and not paragraph.spoken(token):
        return Reference(narrator) if narrator is not None else None
    if token.lower_ not in PRONOUNS and not (token.lower_ in _SPOKEN and paragraph.spoken(token)):
        return None
    found = arguments.single(paragraph, token)
    return found if found is not None and found.factor >= _LEAST else None
