"""What of a model's reading is the same when somebody else reads, and what of it survives a model that errs?

    python experiments/run.py reading_audit [--folder DIR --reader NAME] [--other DIR] [--set dev|test]
        [--seeds N] [--name RESULT]

Without ``--folder`` the first reader is the recorded one. ``--folder`` and ``--other`` hold two readers'
answers to the same requests, those that ``modern_graph --collect`` writes. *agreement* is, by list, how many
of the items that could be verified both have: the same people, the same type, and but for relations quotes
that overlap; over all that either has (Jaccard).
*errs*: a weak model is made of the first one's answers. Of all items three in ten have a quote in other
words, one in ten a misspelt name, one in ten a field missing, and one in ten is made up, half of these with a
quote that stands in the chapter. *lost* is the share of the clean items that are not shown any more, *right*
that of the shown ones that the clean answers show too, perhaps of more people. Intervals resample stories.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.common.folder_reader import add_folder, folder_reader
from experiments.common.options import new_parser
from experiments.common.recordings import recorded
from experiments.common.result_file import machine, write_result
from fabula.bench.continuity import share
from fabula.core.documents import read_document
from fabula.core.interfaces import Generator
from fabula.core.prompting import read_answer
from fabula.core.types import Generation, Prompt, Span
from fabula.project.indexing import asked_of
from fabula.story.extraction.by_model.answer import ChapterAnswer
from fabula.story.extraction.by_model.reader import Asked, ModelReader
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.model.predicates import PREDICATES

from .modern_graph import stories

Row = dict[str, Any]
OTHER_WORDS, MISSPELT, MISSING, MADE_UP = 0.3, 0.1, 0.1, 0.1
_NAMES = ("name", "a", "b", "who", "whom", "about", "other")


@dataclass(frozen=True, slots=True)
class Kept:
    """An item that was verified: of which list, what it says but for its words, whom it is about."""

    part: str
    type: str
    people: tuple[str, ...]
    quote: Span

    def same(self, other: Kept) -> bool:
        both = zip(self.people, other.people, strict=False)
        return self._alike(other, len(other.people)) and all(_one(a, b) for a, b in both)

    def within(self, other: Kept) -> bool:
        """Does the other say it too, and perhaps of whom?"""
        people = all(any(_one(a, b) for b in other.people) for a in self.people)
        return self._alike(other, len(self.people)) and people

    def _alike(self, other: Kept, people: int) -> bool:
        near = self.part == "relations" or self.quote.overlaps(other.quote)
        return near and (self.part, self.type, len(self.people)) == (other.part, other.type, people)


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``, if a name is given."""
    asked = {path.stem: _asked(path) for path in stories(options.set)}
    first = folder_reader(options, unanswered="{}") if options.folder else recorded("modern")
    clean = {story: _kept(of, first) for story, of in asked.items()}
    found: Row = {}
    if options.other:
        options.folder = options.other
        second = folder_reader(options, unanswered="{}")
        found["agreement"] = _agreement(clean, {story: _kept(of, second) for story, of in asked.items()})
    found["errs"] = _errs(asked, clean, [Erring(first, seed) for seed in range(options.seeds)])
    facts = {
        "question": (__doc__ or "").partition("\n")[0],
        "set": options.set,
        "reader": options.reader,
        "aggregates": found,
    }
    if options.name:
        write_result(options.name, facts=facts, measured=machine())
    print(json.dumps(found, indent=1))


def _asked(path: Path) -> list[Asked]:
    document, rules = read_document(path), StoryReader()
    bodies = [chapter.body.of(document.text) for chapter in document.chapters]
    return asked_of(document, [rules.read(body) for body in bodies])


def _kept(asked: Sequence[Asked], model: Generator) -> list[list[Kept]]:
    """The verified items of each chapter."""
    reader = ModelReader(model)
    return [list(_items(reader.read(*each))) for each in asked]


def _items(reading: ChapterReading) -> Iterator[Kept]:
    def people(*numbers: int | None) -> tuple[str, ...]:
        named = (reading.mentions[number] for number in numbers if number is not None)
        return tuple((one.meant or one.surface).casefold().removeprefix("the ") for one in named)

    for bond in reading.statements:
        who = people(bond.subject, bond.object)
        who = tuple(sorted(who)) if PREDICATES[bond.predicate].symmetric else who
        yield Kept("relations", bond.predicate, who, bond.evidence[0])
    for event in reading.happenings:
        yield Kept("events", event.predicate, people(event.agent, event.patient), event.evidence[0])
    for fact in reading.facts:
        if fact.aspect not in ("role", "life"):
            yield Kept("facts", fact.aspect, people(fact.entity), fact.evidence[0])
    for each in reading.knowings:
        yield Kept("knowing", each.verb, people(each.entity), each.evidence[0])
    for thread in reading.threads:
        yield Kept("threads", thread.step, people(thread.entity), thread.evidence[0])
    for mood in reading.moods:
        yield Kept("hearts", mood.emotion, people(mood.character), mood.evidence)


def _one(a: str, b: str) -> bool:
    """Is one name the other, or a part of it?"""
    short, long = sorted((set(a.split()), set(b.split())), key=len)
    return short <= long


def _matched(of: Sequence[Kept], by: Sequence[Kept]) -> list[bool]:
    """Of each item whether one of the others is the same; each of these serves once."""
    left, found = list(by), []
    for one in of:
        twin = next((other for other in left if one.same(other)), None)
        found.append(twin is not None)
        if twin is not None:
            left.remove(twin)
    return found


def _agreement(one: dict[str, list[list[Kept]]], other: dict[str, list[list[Kept]]]) -> Row:
    pairs: dict[str, list[tuple[str, bool]]] = {}
    for story, chapters in one.items():
        for mine, theirs in zip(chapters, other[story], strict=True):
            met = _matched(mine, theirs)
            for part, hit in zip([each.part for each in mine], met, strict=True):
                pairs.setdefault(part, []).append((story, hit))
            for each, hit in zip(theirs, _matched(theirs, mine), strict=True):
                if not hit:
                    pairs.setdefault(each.part, []).append((story, False))
    every = [pair for of in pairs.values() for pair in of]
    return {"all": share(every), **{part: share(of) for part, of in sorted(pairs.items())}}


def _errs(asked: dict[str, list[Asked]], clean: dict[str, list[list[Kept]]], weak: Sequence[Erring]) -> Row:
    right: list[tuple[str, bool]] = []
    lost: dict[str, list[tuple[str, bool]]] = {}
    for model in weak:
        for story, of in asked.items():
            for mine, theirs in zip(_kept(of, model), clean[story], strict=True):
                right += [(story, any(one.within(other) for other in theirs)) for one in mine]
                for each, hit in zip(theirs, _matched(theirs, mine), strict=True):
                    lost.setdefault(each.part, []).append((story, not hit))
    every = [pair for of in lost.values() for pair in of]
    shares = {part: share(of) for part, of in sorted(lost.items())}
    return {"right": share(right), "lost": {"all": share(every), **shares}}


class Erring:
    """Answers as another generator does, with errors put in; the same for the same seed and request."""

    def __init__(self, inner: Generator, seed: int) -> None:
        self._inner, self._seed = inner, seed
        self.name = f"{inner.name}, erring"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def generate(self, prompt: Prompt, **sampling: Any) -> Generation:
        if prompt.version.startswith("copy_again"):
            return Generation('{"quotes": []}', self.name, 0, 0, 0.0)
        made = self._inner.generate(prompt, **sampling)
        chance = random.Random(f"{self._seed} {prompt.user}")
        told = read_answer(made.text, ChapterAnswer).value.model_dump()
        text = json.dumps(_erring(told, chance))
        return Generation(text, self.name, made.prompt_tokens, made.completion_tokens, made.seconds)


def _erring(told: Row, chance: random.Random) -> Row:
    items = [item for part in told.values() for item in part]
    quotes = [item["quote"] for item in items]
    names = sorted({item[key] for item in items for key in _NAMES if isinstance(item.get(key), str)} - {""})
    made: Row = {}
    for part, of in told.items():
        made[part] = [_spoilt(dict(item), chance) for item in of]
        invented = chance.sample(of, round(MADE_UP * len(of)))
        made[part] += [_invented(dict(item), names, quotes, chance) for item in invented]
    return made


def _spoilt(item: Row, chance: random.Random) -> Row:
    if chance.random() < OTHER_WORDS:
        words = item["quote"].split()
        item["quote"] = " ".join("then" if at % 3 == 1 else word for at, word in enumerate(reversed(words)))
    present = [key for key in _NAMES if isinstance(item.get(key), str) and len(item[key]) > 2]
    if present and chance.random() < MISSPELT:
        key = chance.choice(present)
        at = chance.randrange(1, len(item[key]) - 1)
        item[key] = f"{item[key][:at]}{item[key][at + 1]}{item[key][at]}{item[key][at + 2 :]}"
    if chance.random() < MISSING:
        del item[chance.choice([key for key in item if key != "quote"] or ["quote"])]
    return item


def _invented(item: Row, names: Sequence[str], quotes: Sequence[str], chance: random.Random) -> Row:
    """Of others than it was, with another quote: half of the time one that stands in the chapter."""
    for key in _NAMES:
        if isinstance(item.get(key), str) and item[key]:
            item[key] = chance.choice(names)
    quote = chance.choice(quotes)
    item["quote"] = quote if chance.random() < 0.5 else f"and so {' '.join(reversed(quote.split()))}"
    return item


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    add_folder(options)
    options.set_defaults(timeout=0.01)
    options.add_argument("--other", type=Path, metavar="DIR", help="with the answers of a second reader")
    options.add_argument("--set", choices=("dev", "test"), default="dev")
    options.add_argument("--seeds", type=int, default=5, help="of the model that errs")
    options.add_argument("--name", default="", help="of the result file; none is written without")
    return options
