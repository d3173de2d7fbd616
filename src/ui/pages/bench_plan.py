"""The form that plans a bench run: stories, prompts, pipelines, drafts, and what it can cost."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import streamlit as st

from ...bench.grid import GridConfig, GridPrompt, GridStory
from ...bench.planning import BY_RULES, price, save_run
from ...config import Config
from ...demo import prompts
from ...engine import Project
from ...library.library import DEMO, Entry, labels
from ...project.accepting import suggest
from ...story.model.types import EntityKind
from ...story.writing.pipelines import PIPELINES
from ...views.text.render import cost_words, counted
from .. import parts
from ..frame import Frame
from ..markup import USES
from ..markup import page as markup
from ..shell import known_horizon, problems_said

_LONGEST = 6000  # characters of all prompts of a story
_SUGGESTED = 4


def plan_run(frame: Frame, asked: tuple[str, int, str] | None) -> Path | None:
    """The folder of the run once it is to be started. ``asked`` is a story, a chapter and a prompt that come
    from a comparison."""
    entries = {one.name: one for one in frame.library.entries()}
    called = labels(list(entries.values()))
    if asked is not None:
        story, chapter, prompt = asked
        st.session_state[f"bench-prompts-{story}-{chapter}"] = prompt
        st.session_state[f"bench-after-{story}"] = chapter
    st.subheader("Plan a run", anchor=False)
    model = parts.model_used(frame)
    if not model:
        parts.without_model(frame, "The small packaged one writes: it shows how a run works, no more.")
    chosen = st.multiselect(
        "Stories",
        list(entries),
        default=[frame.story.name],
        format_func=lambda one: called[one],
        key=f"bench-stories-{frame.story.name}",
    )
    with ExitStack() as held:
        opened = [held.enter_context(frame.shelf.read(entries[name])) for name in chosen]
        stories = [
            _story(frame, entries[name], project, model) for name, project in zip(chosen, opened, strict=True)
        ]
        left, right = st.columns(2, gap="large")
        pipelines = left.pills(
            "Ways of writing",
            [one.name for one in PIPELINES],
            selection_mode="multi",
            default=[one.name for one in PIPELINES],
            key="bench-pipelines",
            help=" ".join(f"{name}: {uses}" for name, uses in USES.items()),
        )
        seeds = right.slider("Drafts of each", 1, 5, 1, key="bench-seeds", help="Each with its own seed.")
        config = opened[0].config if opened else Config()
        most = 0.0
        if model:
            most = right.number_input(
                "Most it may cost, dollars (0: no bound)", 0.0, step=1.0, key="bench-most"
            )
        alike = len({repr((one.config.embedding, one.config.chunking)) for one in opened}) <= 1
        if not alike:
            st.html(markup.note("These stories were indexed with different settings: choose one of them."))
        if not (pipelines and stories and all(story.prompts for story in stories)):
            st.html(markup.note("Choose one story, one prompt and one way of writing at least."))
            return None
        plan = GridConfig(stories=stories, pipelines=pipelines, seeds=[*range(seeds)])
        st.html(markup.soft(f"{_price(plan, model, config)} {BY_RULES}"))
        if st.button("Start the run", type="primary", disabled=not alike):
            with problems_said():
                return save_run(frame.library.root, plan, config, most_cost=most)
    return None


def _price(plan: GridConfig, model: str, config: Config) -> str:
    drafts = f"{plan.items * len(plan.pipelines)} drafts"
    if not model:
        return f"{drafts}; it costs nothing but time."
    told = price(plan, config, model=model, context_tokens=config.generator.context_tokens)
    asked = f"at most {counted(told.requests, 'request')} with {told.prompt_tokens:,} tokens in"
    return f"{drafts}: {asked}; {cost_words(told.cost)}."


def _story(frame: Frame, entry: Entry, project: Project, model: str) -> GridStory:
    """What is asked of one story: prompts, a line each, all after one chapter."""
    most = known_horizon(entry)
    with st.container(border=True):
        st.html(markup.soft(entry.title))
        after = st.number_input(
            "The scenes follow chapter",
            1,
            most,
            value=min(most, st.session_state.pop(f"bench-after-{entry.name}", most)),
            key=f"bench-chapter-{entry.name}-{most}",
            width=320,
        )
        key = f"bench-prompts-{entry.name}-{after}"
        if key not in st.session_state:
            st.session_state[key] = "\n".join(_own_prompts(entry, project, after))
        text = st.text_area("Prompts, one a line", max_chars=_LONGEST, key=key, height=140)
        if model:
            st.button(
                "Suggest prompts",
                key=f"bench-suggest-{entry.name}",
                type="tertiary",
                help="One request to the model.",
                on_click=_suggest,
                args=(frame, entry, after, key),
            )
    told = dict.fromkeys(line.strip() for line in text.splitlines() if line.strip())
    asked = [GridPrompt(chapter=int(after), prompt=one) for one in told]
    return GridStory(book=entry.name, project=str(entry.folder), prompts=asked)


def _own_prompts(entry: Entry, project: Project, after: int) -> Sequence[str]:
    """To begin with: those that the demo story comes with, or scenes among its main characters so far."""
    own = [one.prompt for one in prompts() if one.chapter == after] if entry.name == DEMO else []
    people = [one.name for one in project.view(after).entities(EntityKind.CHARACTER)[:4]]
    if not people:
        return own or ["Write the next scene."]
    alone = [f"Write the next scene, in which {people[0]} has to make a decision."]
    pairs = [f"Write the next scene, in which {people[0]} and {one} argue." for one in people[1:]]
    return [" ".join(one.split()) for one in (*own, *alone, *pairs)][:_SUGGESTED]


def _suggest(frame: Frame, entry: Entry, after: int, key: str) -> None:
    with problems_said(), frame.shelf.use(entry) as project:
        found = suggest(project, count=_SUGGESTED, as_of=after)
        st.session_state[key] = "\n".join(" ".join(one.text.split()) for one in found.items)
