"""Slips against what the novel itself tells: a name spelt otherwise later on, and somebody whose death is
told who acts again. They flatter nobody's wording on the earlier side, which is the author's own."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from ...core.types import Evidence, Span
from ..graph_rag.views.story_view import StoryView
from .cast import Actor
from .phrasings import Half, Variant, half_of
from .planning import Plan, Planner
from .prose import sentence_ends
from .spots import Draft, Spots

__all__ = ["AgainstTheNovel"]

_DEATH = re.compile(r"\b(?:died|dead|death|killed|murdered|drowned|buried|corpse|slain|expired)\b")
_SPELLINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("a consonant doubled", lambda name: re.sub(r"(?<=[aeiou])([lnrtm])(?=[aeiou])", r"\1\1", name, count=1)),
    ("a double consonant made single", lambda name: re.sub(r"([b-df-hj-np-tv-z])\1", r"\1", name, count=1)),
    ("e for a", lambda name: re.sub(r"(?<=\w)a(?=[nrlt])", "e", name, count=1)),
    ("a for e", lambda name: re.sub(r"(?<=\w)e(?=[nrlt])", "a", name, count=1)),
    ("y for i", lambda name: re.sub(r"(?<=\w)i(?=[nlrd])", "y", name, count=1)),
    ("i for y", lambda name: re.sub(r"(?<=\w)y\b", "ie", name, count=1)),
    ("o for e before r", lambda name: re.sub(r"er\b", "or", name, count=1)),
    ("k for c", lambda name: re.sub(r"(?<=\w)c(?=[aou])|^C(?=[aoulr])", _hard, name, count=1)),
    ("a final e", lambda name: re.sub(r"([nrst])\Z", r"\1e", name, count=1)),
    ("no final e", lambda name: re.sub(r"(?<=[nrstl])e\Z", "", name, count=1)),
    ("sen for son", lambda name: re.sub(r"son\Z", "sen", name, count=1)),
    ("two vowels changed about", lambda name: re.sub(r"(?<=\w)([aeiou])([aeiou])", r"\2\1", name, count=1)),
    ("u for o", lambda name: re.sub(r"(?<=\w)o(?=[nrlm])", "u", name, count=1)),
)


def _hard(match: re.Match[str]) -> str:
    return "K" if match[0].isupper() else "k"


class AgainstTheNovel:
    """Plans them for one book; the paragraphs they take are taken for all others too."""

    def __init__(
        self, spots: Spots, planner: Planner, view: StoryView, rng: random.Random, half: Half
    ) -> None:
        self._spots, self._planner, self._view = spots, planner, view
        self._rng, self._half = rng, half

    def misspelt(self) -> tuple[Plan, tuple[Evidence, ...]] | None:
        """One mention of a name, late in the book, spelt otherwise, and where it was spelt right before
        it."""
        actors = [actor for actor in self._spots.stage.actors if len(actor.places) >= 20]
        for actor in self._rng.sample(actors, len(actors)):
            for kind, new in self._spellings(actor):
                found = self._late_place(actor)
                if found is None:
                    break
                index, place = found
                chapter = self._spots.chapter(index)
                self._spots.take(index)
                draft = Draft(chapter, place, "", new, "", "late", f"spelling/late/{kind}")
                earlier = self._spelt_right(actor.person.name.split()[-1], place)
                variant = Variant("name_drift", "spelling", ("X",), ())
                return Plan(variant, (draft,), (actor.id,), "novel"), earlier
        return None

    def _spellings(self, actor: Actor) -> Iterator[tuple[str, str]]:
        text = self._spots.document.text
        words = actor.person.name.split()
        order = self._rng.sample(_SPELLINGS, len(_SPELLINGS))
        for kind, change in order:
            changed = change(words[-1])
            usable = self._half is Half.ALL or half_of(kind) is self._half
            if usable and changed != words[-1] and changed not in text and len(words[-1]) >= 4:
                yield kind, " ".join([*words[:-1], changed])

    def _late_place(self, actor: Actor) -> tuple[int, Span] | None:
        """A mention in narration in the later half, and its paragraph."""
        half = len(self._spots.document.chapters) // 2
        free = [index for index in self._spots.of((actor,)) if self._spots.chapter(index) > half]
        for index in self._rng.sample(free, len(free)):
            span = self._spots.stage.paragraphs[index].span
            inside = [place for place in actor.places if span.contains(place)]
            if len(inside) == 1 and "\n" not in inside[0].of(self._spots.document.text):
                return index, inside[0]
        return None

    def _spelt_right(self, word: str, place: Span) -> tuple[Evidence, ...]:
        """Wherever the book has the word, this place left out."""
        document, found = self._spots.document, []
        for chapter in document.chapters:
            for match in re.finditer(rf"\b{re.escape(word)}\b", chapter.body.of(document.text)):
                start = chapter.body.start + match.start()
                span = Span(start, start + len(word))
                if not place.overlaps(span):
                    found.append(Evidence.of(document, chapter.number, span))
        return tuple(found)

    def on_stage(self, plan: Plan) -> tuple[Evidence, ...]:
        """Where the novel itself has X about in the chapter of a plan that puts him elsewhere."""
        if plan.variant.gap != "stage":
            return ()
        chapter = plan.drafts[0].chapter
        actor = next(each for each in self._spots.stage.actors if each.id == plan.characters[0])
        here = [presence for presence in self._view.on_stage(chapter) if presence.entity == actor.id]
        told = {quote for each in here for quote in (each.evidence, each.where) if quote is not None}
        told.update(self._sentences(actor, chapter, chapter))
        return tuple(sorted(told, key=lambda quote: quote.span))

    # --- the dead

    def risen(self, variant: Variant) -> tuple[Plan, tuple[Evidence, ...]] | None:
        """Somebody whose death the novel tells, who has no part in it afterwards, acts in a later chapter."""
        deaths = list(self._deaths())
        for actor, told, quotes in self._rng.sample(deaths, len(deaths)):
            plan = self._planner.act_again(variant, actor, told)
            if plan is not None:
                return plan, quotes
        return None

    def _deaths(self) -> Iterator[tuple[Actor, int, tuple[Evidence, ...]]]:
        last = len(self._spots.document.chapters)
        persons = {actor.id: actor for actor in (*self._spots.stage.actors, *self._spots.stage.leaving)}
        for event in self._view.events():
            dead = next((who for role, who in event.participants if role == "patient"), None)
            actor = persons.get(dead or "")
            if event.predicate not in ("DIES", "KILLS") or actor is None or event.told >= last:
                continue
            if any(chapter > event.told for chapter in actor.chapters):
                continue
            if any(quote.told > event.told for quote in self._view.quotations(actor.id)):
                continue
            quotes = self._told(actor, event.told)
            if quotes:
                yield actor, event.told, quotes

    def _told(self, actor: Actor, chapter: int) -> tuple[Evidence, ...]:
        """The sentences of that chapter and later that name the person and speak of death."""
        last = len(self._spots.document.chapters)
        return tuple(quote for quote in self._sentences(actor, chapter, last) if _DEATH.search(quote.quote))

    def _sentences(self, actor: Actor, first: int, last: int) -> Iterator[Evidence]:
        """The sentences that name the person, from one chapter to another, inclusive."""
        document = self._spots.document
        for paragraph in self._spots.stage.paragraphs:
            if not first <= paragraph.chapter <= last:
                continue
            said = paragraph.span.of(document.text)
            begin = 0
            for end in [*sentence_ends(said), len(said)]:
                begin += len(said[begin:end]) - len(said[begin:end].lstrip())
                span = Span(paragraph.span.start + begin, paragraph.span.start + end)
                begin = end
                if any(span.contains(place) for place in actor.places):
                    yield Evidence.of(document, paragraph.chapter, span)
