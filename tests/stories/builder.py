"""Write a small story and its log together, so that every quote in the log stands in the text."""

from __future__ import annotations

from fabula.core.types import Chapter, Document, Evidence, Horizon, Span
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model import types as model
from fabula.story.model.predicates import PREDICATES

KINDS = {"@": model.EntityKind.LOCATION, "*": model.EntityKind.OBJECT, "%": model.EntityKind.GROUP}


class StoryBuilder:
    """Each call appends one sentence to the text and what it tells to the log.

    Ids are names in lower case; a leading ``@`` makes a place, ``*`` a thing, ``%`` a group. Whatever
    is spoken of is mentioned too, unless ``quiet`` was called.
    """

    def __init__(self, title="book"):
        self._texts: dict[str, str] = {}
        self._starts: dict[str, list[tuple[int, int]]] = {}
        self._document = title
        self._told = 1
        self._mentioning = True
        self._events = 0
        self._log: dict[str, list] = {name: [] for name in model.StoryLog.__dataclass_fields__}
        self.chapter(1)

    @classmethod
    def of(cls, told):
        """The story of a line, its parts between semicolons: ``Tom LOVES Anna`` (a bond or an act, ``-`` for
        nobody), ``2:`` (a chapter) or ``draft 2:``, ``Anna has eyes grey`` (a fact), ``Tom``, ``Tom is m``,
        ``Fox = Tom`` (one), ``Tom at @Mill``, ``Tom feels joy 0.8``, ``Tom wants gold``, ``gets`` or
        ``loses``. Behind ``/`` stand a confidence, a modality, ``to 9`` (a bond's last chapter), ``change``,
        ``at noon``."""
        story = cls()
        for part in told.split("; "):
            said, *more = part.split(" / ")
            given = dict(map(story._given, more))
            match said.split(" ", 3):
                case [chapter] if chapter.endswith(":"):
                    story.chapter(int(chapter[:-1]))
                case [title, chapter] if chapter.endswith(":"):
                    story.document(title, chapter=int(chapter[:-1]))
                case [who]:
                    story.mention(who)
                case [who, "is", gender]:
                    story.mention(who, gender=gender)
                case [who, "=", other]:
                    story.merge(who, other)
                case [who, "at", place]:
                    story.at(who, place)
                case [who, "feels", emotion, valence]:
                    story.feel(who, emotion, float(valence), **given)
                case [who, "wants" | "gets" | "loses" as turn, *goal]:
                    story.goal(who, " ".join(goal), {"wants": 1, "gets": 2, "loses": -1}[turn])
                case [who, "has", aspect, value]:
                    story.fact(who, aspect, value, **given)
                case [one, predicate, *rest] if PREDICATES[predicate].lasting:
                    tell = (
                        story.flashback if given.get("modality") == model.Modality.FLASHBACK else story.bond
                    )
                    tell(one, predicate, *rest, **{key: given[key] for key in given if tell == story.bond})
                case [one, predicate, *rest]:
                    cast = ["" if who == "-" else who for who in (one, *rest)]
                    story.event(predicate, *cast, **given)
        return story

    def _given(self, how):
        if how[0].isdigit():
            return "confidence", float(how)
        if how.startswith("to "):
            return "holds", model.Interval(self._told, int(how[3:]))
        if how == "change":
            return "change", True
        return ("when", how) if " " in how else ("modality", model.Modality(how))

    # --- where

    def chapter(self, number):
        self._told = number
        text = self._texts.setdefault(self._document, "")
        self._starts.setdefault(self._document, []).append((number, len(text)))
        return self

    def document(self, title, *, chapter):
        self._document = title
        return self.chapter(chapter)

    def quiet(self):
        self._mentioning = False
        return self

    # --- what

    def say(self, sentence):
        text = self._texts[self._document]
        start = len(text) + (1 if text else 0)
        self._texts[self._document] = f"{text} {sentence}" if text else sentence
        return Evidence(self._document, self._told, Span(start, start + len(sentence)), sentence)

    def mention(self, surface, *, as_="", kind=None, gender=""):
        quote = self.say(f"{surface.lstrip('@*%')}.")
        self._mention(surface, quote, as_=as_, kind=kind, gender=gender)
        return self

    def _mention(self, surface, quote, *, as_="", kind=None, gender=""):
        kind = kind or KINDS.get(surface[0], model.EntityKind.CHARACTER)
        bare = surface.lstrip("@*%")
        named = model.EntityMention(as_ or self.id(surface), kind, bare, self._told, quote, gender)
        self._log["mentions"].append(named)

    def merge(self, entity, into):
        quote = self.say(f"{entity} was {into}.")
        self._log["merges"].append(model.EntityMerge(self.id(entity), self.id(into), self._told, quote))
        return self

    def bond(self, one, predicate, other, **given):
        quote = given.pop("quote", None) or self.say(f"{one} {predicate} {other}.")
        self._speak_of(quote, one, other)
        holds = given.pop("holds", model.Interval(self._told))
        told = (self.id(one), predicate, self.id(other), holds, self._told, (quote,))
        self._log["relations"].append(model.Relation(*told, **given))
        return self

    def flashback(self, one, predicate, other, **given):
        given.setdefault("holds", model.Interval(model.Open.UNKNOWN, self._told - 1))
        return self.bond(one, predicate, other, modality=model.Modality.FLASHBACK, **given)

    def event(self, predicate, agent="", patient="", place="", *, id="", **given):
        self._events += 1
        cast = {"agent": agent, "patient": patient, "place": place}
        roles = [(role, who) for role, who in cast.items() if who]
        quote = given.pop("quote", None) or self.say(f"{' '.join(who for _, who in roles)} {predicate}.")
        self._speak_of(quote, *(who for _, who in roles))
        sides = tuple((role, self.id(who)) for role, who in roles)
        holds = given.pop("holds", model.Interval(self._told, self._told))
        quotes = (quote, *given.pop("beside", ()))
        told = (id or f"e{self._events}", predicate, sides, self._told, holds, quotes)
        self._log["events"].append(model.EventTold(*told, **given))
        return self

    def feel(self, who, emotion, valence, **given):
        return self._state(who, "emotion", emotion, valence, **given)

    def goal(self, who, goal, valence=1.0, **given):
        return self._state(who, "goal", goal, valence, **given)

    def fact(self, who, aspect, value, **given):
        quote = given.pop("quote", None) or self.say(f"{who}: {aspect} {value}.")
        self._speak_of(quote, who)
        self._log["facts"].append(model.Fact(self.id(who), aspect, value, (quote,), told=self._told, **given))
        return self

    def thread(self, kind: str, step: str, what: str, who: str = "", **given) -> StoryBuilder:
        quote = self.say(f"{who} {step} {what}.".strip())
        self._speak_of(quote, *filter(None, [who]))
        told = (self.id(who) if who else None, (quote,))
        self._log["threads"].append(model.ThreadStep(kind, what, step, *told, told=self._told, **given))
        return self

    def know(self, who: str, verb: str, what: str, other: str = "", **given) -> StoryBuilder:
        quote = self.say(f"{who} {verb} {what} {other}.")
        self._speak_of(quote, who, *filter(None, [other]))
        told = (self.id(other) if other else None, (quote,))
        self._log["knowings"].append(model.Knowing(self.id(who), verb, what, *told, told=self._told, **given))
        return self

    def stage(self, who: str, place: str, **given) -> StoryBuilder:
        quote = self.say(f"{who} was at {place}.")
        self._speak_of(quote, who, place)
        given |= {"where": quote, "told": self._told}
        self._log["presences"].append(model.Presence(self.id(who), 0, self.id(place), quote, **given))
        return self

    def at(self, who, place, **given):
        return self._state(who, "location", self.id(place), 0.0, **given)

    def _state(self, who, aspect, value, valence, **given):
        quote = self.say(f"{who}: {aspect} {value}.")
        self._speak_of(quote, who)
        told = (self.id(who), aspect, value, self._told, quote, float(valence))
        self._log["states"].append(model.StateTold(*told, **given))
        return self

    def _speak_of(self, quote, *who):
        if self._mentioning:
            for one in who:
                self._mention(one, quote)

    # --- what comes of it

    @staticmethod
    def id(name):
        return name.lstrip("@*%").lower()

    @property
    def log(self):
        log = model.StoryLog(**{name: tuple(records) for name, records in self._log.items()})
        for records in self._log.values():
            for record in records:
                quotes = record.evidence if isinstance(record.evidence, tuple) else (record.evidence,)
                for quote in quotes:
                    quote.verify(self._texts[quote.document_id])
        return log

    def text(self, title="book"):
        text, starts = self._texts[title], self._starts[title]
        ends = [start for _, start in starts[1:]] + [len(text)]
        chapters = tuple(
            Chapter(number, f"CHAPTER {number}", Span(start, start), Span(start, end))
            for (number, start), end in zip(starts, ends, strict=True)
        )
        return Document(title, title, text, chapters)

    @property
    def graph(self):
        return StoryKnowledgeGraph.from_log(self.log)

    def view(self, chapter=None):
        return self.graph.as_of(Horizon(chapter))
