"""Who judges the continuations: readers who see a text and not who wrote it, each request by itself.

*Probes*: is a fact that was told broken, kept or not touched on? Asked of two readers. *Pairs*: which of two
continuations is the better one? Asked twice, in both orders. *Critic*: the product's own, over the ten
chapters as one window against the canon of the story before them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from experiments.pipelines.continued import (
    ARMS,
    FOLDER,
    STORIES,
    UNANSWERED,
    Draft,
    are_compared,
    opening_of,
    plans,
)
from fabula.config import load_config
from fabula.core.interfaces import Generator
from fabula.core.prompting import load_template
from fabula.core.types import Document, Horizon, Prompt
from fabula.engine import make_embedder
from fabula.project.indexing import asked_of, link
from fabula.story.continuity.by_model.critic import ModelCritic
from fabula.story.continuity.critic import draft_document
from fabula.story.evidence.untrusted import fence, neutralise
from fabula.story.extraction.by_model.reader import ModelReader
from fabula.story.extraction.combined_reader import combined
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.story_view import StoryView

Row = dict[str, Any]
JUDGEMENTS = FOLDER / "judgements.jsonl"
PROMPTS = Path(__file__).with_name("prompts")
READERS = ("first", "second")
_MOST_TOKENS = 2048
_LAST_WORDS = 600  # of the story, before the two continuations of a pair


class Verdict(BaseModel):
    probe: str
    verdict: Literal["broken", "kept", "untouched"]
    quote: str


class Verdicts(BaseModel):
    verdicts: list[Verdict]


class Choice(BaseModel):
    better: Literal["A", "B", "even"]
    why: str


@dataclass(frozen=True, slots=True)
class Line:
    """All that one pipeline wrote in one story: ``text`` as it is read, with the openings."""

    story: str
    pipeline: str
    text: str


def lines_of(found: Sequence[Draft]) -> list[Line]:
    """One for each story and pipeline that is written to its end."""
    told: dict[tuple[str, str], list[Draft]] = {}
    for one in found:
        told.setdefault((one.story, one.pipeline), []).append(one)
    every = plans()
    return [
        Line(
            story,
            pipeline,
            "\n\n".join(
                f"{one.chapter}.\n\n{row['opening']}\n\n{one.text}"
                for row, one in zip(every[story]["chapters"], drafts, strict=False)
            ),
        )
        for (story, pipeline), drafts in told.items()
    ]


def probe_prompt(line: Line, plan: Mapping[str, Any], reader: str) -> Prompt:
    """Asks of all facts of a story how ten chapters deal with them."""
    facts = [
        f"{one['id']}. {one['fact']} (told in {_where(one)}; look above all in "
        f"chapter{'s' if len(one['at_stake']) > 1 else ''} {', '.join(map(str, one['at_stake']))})"
        for one in plan["probes"]
    ]
    template = load_template(PROMPTS / "judge_probes.md", mark=reader)
    return template.fill(Verdicts, story=fence(neutralise(line.text)), facts="\n".join(facts))


def _where(probe: Mapping[str, Any]) -> str:
    where = f"chapter {probe['told']['chapter']}"
    return f"{where} below" if probe["told"]["in"] == "opening" else "the story before"


def pair_prompts(first: Line, second: Line, before: str) -> tuple[Prompt, Prompt]:
    """Asks which of two is the better continuation, in both orders."""
    template = load_template(PROMPTS / "judge_pairs.md")
    last = neutralise(" ".join(before.split()[-_LAST_WORDS:]))

    def prompt(a: Line, b: Line) -> Prompt:
        told = (
            f"[The story before, its end]\n{last}\n\n[A]\n{neutralise(a.text)}\n\n[B]\n{neutralise(b.text)}"
        )
        return template.fill(Choice, story=fence(told))

    return prompt(first, second), prompt(second, first)


def pairs_of(lines: Sequence[Line]) -> Iterator[tuple[Line, Line]]:
    """Of each story every two that are compared."""
    by = {(one.story, one.pipeline): one for one in lines}
    for story in STORIES:
        for one, other in combinations(ARMS, 2):
            a, b = by.get((story, one.name)), by.get((story, other.name))
            if a and b and are_compared(one, other):
                yield a, b


class Judging:
    """Asks ``judge`` of all lines; ``waiting`` holds what was asked by the request that has no answer yet."""

    def __init__(self, judge: Generator, data: Path | None) -> None:
        self._judge = judge
        self._data = data
        self.waiting: dict[str, list[Any]] = {}

    def rows(self, lines: Sequence[Line]) -> Iterator[Row]:
        """The judgements, a row each."""
        every = plans()
        for line in lines:
            for reader in READERS:
                prompt, what = (
                    probe_prompt(line, every[line.story], reader),
                    ["probes", *_of(line).values(), reader],
                )
                for one in self._asked(prompt, Verdicts, what).verdicts:
                    yield {"kind": "probe", **_of(line), "reader": reader, **one.model_dump()}
        for a, b in pairs_of(lines):
            before = opening_of(a.story, self._data).text
            for turn, prompt in enumerate(pair_prompts(a, b, before)):
                first, second = (b, a) if turn else (a, b)
                told = self._asked(prompt, Choice, ["pair", a.story, a.pipeline, b.pipeline, turn])
                better = {"A": first.pipeline, "B": second.pipeline, "even": ""}[told.better]
                row = {"kind": "pair", "story": a.story, "a": a.pipeline, "b": b.pipeline, "turn": turn}
                yield {**row, "better": better, "why": told.why}

    def findings(self, lines: Sequence[Line]) -> Iterator[Row]:
        """What the critic finds in each."""
        embed, views = make_embedder(load_config()).embed_documents, dict[str, StoryView]()
        for line in lines:
            opening = opening_of(line.story, self._data)
            if line.story not in views:
                views[line.story] = self._read(opening)
            draft = draft_document(line.text, chapter=len(opening.chapters) + 1)
            critic = ModelCritic(self._judge, opening, embed=embed)
            for one in critic.judged(views[line.story], draft=draft):
                earlier, later = one.evidence[0], one.evidence[-1]
                quotes = {"earlier": earlier.quote, "later": later.quote}
                inside = earlier.document_id == later.document_id
                told = {"message": one.message, "sure": one.confidence, **quotes, "inside": inside}
                yield {"kind": "finding", **_of(line), **told}

    def _read(self, opening: Document) -> StoryView:
        rules, model = StoryReader(), ModelReader(self._judge)
        bodies = [chapter.body.of(opening.text) for chapter in opening.chapters]
        first = [rules.read(body) for body in bodies]
        asked = asked_of(opening, first)
        both = [combined(one, model.read(*each)) for one, each in zip(first, asked, strict=True)]
        return StoryKnowledgeGraph.from_log(link(opening, both).log).as_of(Horizon())

    def _asked(self, prompt: Prompt, form: Any, what: list[Any]) -> Any:
        made = self._judge.generate(prompt, max_tokens=_MOST_TOKENS)
        if made.text == UNANSWERED:
            self.waiting[str(dict(made.settings)["request"])] = what
            return Verdicts(verdicts=[]) if form is Verdicts else Choice(better="even", why="")
        return form.model_validate_json(made.text)


def _of(line: Line) -> Row:
    return {"story": line.story, "pipeline": line.pipeline}
