"""Several ways to go on with a story, each held against what it has told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..story.writing.pipelines import FUSED
from ..story.writing.prompts import Form, read_suggestions, suggestions_prompt
from .comparing import context_maker, settings_of
from .factories import require_own_model

if TYPE_CHECKING:
    from ..story.model.findings import Violation
    from .parts import OpenProject

_ASKED = "What happens next?"
_TOKENS = {"line": 60, "outline": 160, "scene": 260}  # of one


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to go on, and what the critic finds in it beside the story, gravest first."""

    text: str
    findings: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What ``model`` suggested after chapter ``after``; ``notices`` say what else is to be known."""

    model: str
    after: int
    items: tuple[Suggestion, ...]
    notices: tuple[str, ...] = ()


def suggest(
    project: OpenProject, wish: str = "", *, count: int, form: Form, as_of: int | None
) -> Suggestions:
    """Raises UsageError for the packaged model, which is too small, HorizonError for a chapter that is not,
    ModelError where the model fails."""
    require_own_model(project.config, "suggestions are made")
    config, horizon = project.config, project.horizon(as_of)
    room = settings_of(config)
    maker = context_maker(project)
    task = maker.task(wish.strip() or _ASKED, horizon=horizon, room=room)
    made = maker.make(task, FUSED)
    notices = [f"without material from the story: {made.error}"] if made.error else []
    prompt = suggestions_prompt(
        wish,
        context=made.context.text if made.context else "",
        count=count,
        form=form,
        wishes=config.wishes.words,
    )
    sampling = room.sampling
    answer = project.generator.generate(
        prompt,
        max_tokens=max(sampling.max_tokens, count * _TOKENS[form]),
        temperature=sampling.temperature,
        seed=sampling.seed,
    )
    found = read_suggestions(answer.text, count=count)
    if len(found) < count:
        notices.append(f"the model gave {len(found)} of {count}")
    checker = project.draft_checker(as_of, by_rules=True)
    items = tuple(Suggestion(text, tuple(checker.check(text).counted)) for text in found)
    return Suggestions(answer.model, task.chapter, items, tuple(notices))
