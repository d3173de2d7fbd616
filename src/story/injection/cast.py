"""Who can be cast: the persons of a novel that are surely one person each, under a name that means them
alone."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...core.types import Document, Span
from ..graph_rag.views.story_view import StoryView
from ..model.types import EntityKind, StoryEntity
from .prose import Paragraph
from .wording import Person

__all__ = ["Actor", "Stage", "stage_of"]

_MALE = re.compile(r"\b(?:he|him|his|himself)\b")
_FEMALE = re.compile(r"\b(?:she|her|hers|herself)\b")
_FEWEST = 12  # occurrences of the name
_CLEAN = 0.6  # share of the name's occurrences that are not part of a longer name
_TITLES = frozenset(
    """Mr Mrs Miss Ms Dr Sir Lady Lord Madame Monsieur Captain Colonel Major General Judge Count Countess
    Prince Princess Father Brother Sister Aunt Uncle Master Mistress Mademoiselle Young Old Little Poor Dear
    Saint St""".split()
)
_NO_NAME = frozenset(
    """The A An I He She They We You It God Lord Heaven Christ Jesus Satan King Queen Mother Father Mamma Papa
    Mama Aunt Uncle Sir Madam Doctor Captain Boy Girl Man Woman""".split()
)


@dataclass(frozen=True, slots=True)
class Actor:
    """``person`` as wordings name them; ``places`` are where that name alone stands in the text, ``chapters``
    those that have them on stage; ``last`` the last chapter with any of their names; ``words`` those of all
    their names, titles left out."""

    person: Person
    places: tuple[Span, ...]
    chapters: frozenset[int]
    last: int
    words: frozenset[str]

    @property
    def id(self) -> str:
        """The person's id in the story's graph."""
        return self.person.id

    @property
    def narrates(self) -> bool:
        """Is it the narrator, who says "I"?"""
        return self.person.gender == "I"


@dataclass(frozen=True, slots=True)
class Stage:
    """The cast and where they are. ``named`` gives for each paragraph (by index) who is named in it, in order
    of the last time; ``leaving`` are minor persons whom the novel drops before its end."""

    paragraphs: tuple[Paragraph, ...]
    actors: tuple[Actor, ...]
    leaving: tuple[Actor, ...]
    named: tuple[tuple[str, ...], ...]
    narrator: Actor | None


def stage_of(document: Document, view: StoryView, paragraphs: Sequence[Paragraph]) -> Stage:
    """Reads the clean novel's view; the checks of names and genders are its own, on the text."""
    owners = _owners(view)
    on_stage = _on_stage(document, view)
    narrator, found = None, []
    for entity in view.entities(EntityKind.CHARACTER, min_mentions=3):
        if "I" in entity.aliases or entity.name == "I" or entity.id == "the-narrator":
            chapters = frozenset(on_stage[entity.id]) or frozenset(c.number for c in document.chapters)
            person = Person(entity.id, "I", "I")
            last = len(document.chapters)
            narrator = narrator or Actor(person, (), chapters, last, _words(entity))
            continue
        actor = _actor(document, entity, owners, on_stage[entity.id])
        if actor is not None:
            found.append(actor)
    actors = tuple(one for one in found if len(one.chapters) >= 3 and len(one.places) >= _FEWEST)
    before = 0.8 * len(document.chapters)
    known = {word for one in actors if one.last >= before for word in one.words}
    leaving = tuple(
        one
        for one in found
        if one.last < before and len(one.places) >= 3 and one.chapters and known.isdisjoint(one.words)
    )
    return Stage(tuple(paragraphs), actors, leaving, _named(paragraphs, found), narrator)


def _owners(view: StoryView) -> Mapping[str, Counter[str]]:
    """Whom each surface names, and how often."""
    owners: dict[str, Counter[str]] = defaultdict(Counter)
    for mention in view.log.mentions:
        owners[mention.surface][view.resolve(mention.entity)] += 1
    return owners


def _on_stage(document: Document, view: StoryView) -> dict[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for chapter in document.chapters:
        for presence in view.on_stage(chapter.number):
            found[view.resolve(presence.entity)].add(chapter.number)
    return found


def _actor(
    document: Document, entity: StoryEntity, owners: Mapping[str, Counter[str]], chapters: set[int]
) -> Actor | None:
    """None where no name means this person alone, or the gender is not sure."""
    best: tuple[int, str, tuple[Span, ...]] = (0, "", ())
    for surface in sorted({entity.name, *entity.aliases}):
        counts = owners.get(surface, Counter())
        if not counts or counts[entity.id] < 0.9 * sum(counts.values()) or not _usable(surface):
            continue
        places, share = _places(document.text, surface)
        if share >= _CLEAN and len(places) > best[0]:
            best = len(places), surface, places
    _, surface, places = best
    if not places:
        return None
    gender = _gender(document.text, places)
    if gender not in ("f", "m") or entity.gender not in ("", gender):
        return None
    forms = [one for one in {entity.name, *entity.aliases} if _usable(one)]
    last = max((_last_chapter(document, form) for form in forms), default=0)
    person = Person(entity.id, surface, gender)
    return Actor(person, places, frozenset(chapters), last, _words(entity))


def _words(entity: StoryEntity) -> frozenset[str]:
    said = {word.rstrip(".") for name in (entity.name, *entity.aliases) for word in name.split()}
    return frozenset(word for word in said if word not in _TITLES and word[:1].isupper())


def _usable(surface: str) -> bool:
    words = surface.split()
    if not 1 <= len(words) <= 3 or any(not re.fullmatch(r"[A-Z][\w’'-]+\.?", word) for word in words):
        return False
    return (
        not (words[0] in _NO_NAME and len(words) == 1) and words[-1] not in _NO_NAME and not surface.isupper()
    )


def _places(text: str, surface: str) -> tuple[tuple[Span, ...], float]:
    """Where the name stands alone, and what share of its occurrences that is."""
    pattern = r"\s+".join(map(re.escape, surface.split()))
    alone, total = [], 0
    for match in re.finditer(rf"(?<![\w’'-]){pattern}(?![\w-])", text):
        total += 1
        after = re.match(r"[ \t]*\r?\n?[ \t]*(\w+)", text[match.end() : match.end() + 20])
        part = bool(after and after[1][0].isupper() and after[1] != "I")
        part = part or _prefixed(text, match.start())
        if not part:
            alone.append(Span(match.start(), match.end()))
    return tuple(alone), len(alone) / max(1, total)


def _prefixed(text: str, start: int) -> bool:
    """Does a title, an article or a capital word that opens no sentence stand before ("Frank Churchill")?"""
    before = re.search(r"(\S?)\s+(\w+)\.?\s+\Z", text[max(0, start - 30) : start])
    if before is None or before[2].lower() in ("the", "a", "an"):
        return before is not None
    if not before[2][0].isupper():
        return False
    return before[2] in _TITLES or not (before[1] and before[1] in '.!?”’"—-:;*_')


def _gender(text: str, places: Sequence[Span]) -> str:
    """By the first pronoun within the 100 characters after the name; empty where they do not agree."""
    he = she = 0
    for place in places:
        after = re.split(r"[.!?”\"]\s", text[place.end : place.end + 100], maxsplit=1)[0]
        male, female = _MALE.search(after), _FEMALE.search(after)
        if male and (not female or male.start() < female.start()):
            he += 1
        elif female:
            she += 1
    if he + she < 2:
        return ""
    return "m" if he > 1.5 * she else "f" if she > 1.5 * he else ""


def _last_chapter(document: Document, form: str) -> int:
    at = document.text.rfind(form)
    return max((c.number for c in document.chapters if c.body.start <= at), default=0)


def _named(paragraphs: Sequence[Paragraph], actors: Sequence[Actor]) -> tuple[tuple[str, ...], ...]:
    marks = sorted((place.start, actor.id) for actor in actors for place in actor.places)
    found: list[tuple[str, ...]] = []
    at = 0
    for paragraph, following in pairwise([*paragraphs, None]):
        if paragraph is None:
            break
        while at < len(marks) and marks[at][0] < paragraph.span.start:
            at += 1
        here: dict[str, None] = {}
        scan = at
        while scan < len(marks) and marks[scan][0] < paragraph.span.end:
            here.pop(marks[scan][1], None)
            here[marks[scan][1]] = None
            scan += 1
        at = scan if following is not None else at
        found.append(tuple(here))
    return tuple(found)
