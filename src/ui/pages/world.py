"""The page *World*: how the people, places and things of the story hang together, and how any two stand."""

from __future__ import annotations

import streamlit as st

from ...story.bible import SECTIONS
from ...story.graph_rag.views.ties import LIKELY
from ...views.history import closest_pair, history_of
from ...views.text.render import counted
from ...views.world import FAMILIES, KINDS, EdgeShown, NodeShown, WorldShown
from ..frame import Frame
from ..graph_component import Picked, story_graph
from ..markup import cards as markup
from ..markup import page as plain
from ..state import story_views as data
from ..state.story_views import EVERYBODY, Asked

_LONG = 7  # steps of a history that need no frame to scroll in
_FAMILIES = {"bonds": "Feelings and bonds", "kinship": "Family", "places": "Whereabouts", "events": "Events"}


def page(frame: Frame) -> None:
    """Two people, then everybody; a click shows the quotes."""
    _two(frame)
    _explore(frame)


@st.fragment  # type: ignore[untyped-decorator]
def _two(frame: Frame) -> None:
    """How do two stand? Their history as a line of quotes."""
    called = dict(data.characters(frame))
    asked = st.query_params.get("one", ""), st.query_params.get("other", "")
    pair = asked if set(asked) <= set(called) else frame.seen(closest_pair)
    if pair is None:
        return
    ids = list(called)
    key = f"world-two-{frame.story.name}-{frame.as_of}"
    st.subheader("How do two stand?", anchor=False)
    left, right = st.columns(2, gap="medium")
    at, named = ids.index(pair[0]), called.__getitem__
    one = left.selectbox("One", ids, index=at, format_func=named, key=f"{key}-one")
    beside = pair if one == pair[0] else frame.seen(closest_pair, one)
    rest = [id for id in ids if id != one]
    at = rest.index(beside[1]) if beside and beside[1] in rest else 0
    other = right.selectbox("The other", rest, index=at, format_func=named, key=f"{key}-other")
    _history(frame, one, other)


def _history(frame: Frame, one: str, other: str) -> None:
    found = frame.seen(history_of, one, other)
    quotes = [data.contexts(frame, step.quotes) if step.weighed else () for step in found.steps]
    steps = list(zip(found.steps, quotes, strict=True))
    with st.container(height=430 if len(steps) > _LONG else "content", border=False):
        st.html(markup.history(found, steps, data.contexts(frame, found.met), data.links(frame)))


@st.fragment  # type: ignore[untyped-decorator]
def _explore(frame: Frame) -> None:
    st.subheader("Everybody", anchor=False)
    asked = _ask(frame)
    shown, drawn = data.world(frame, asked)
    if not shown.nodes:
        st.html(plain.empty("Nothing to show", "No bond of this kind is told so far. Choose other kinds."))
        return
    st.html(markup.lead(_lead(shown)))
    picked = story_graph(drawn, key=f"world-graph-{frame.story.name}")
    if picked is None and asked.around is not None:
        picked = Picked("node", asked.around)
    _detail(frame, shown, picked)


def _ask(frame: Frame) -> Asked:
    called = dict(data.names(frame))
    first, second = st.columns([2, 3], gap="medium")
    with first:
        around = st.selectbox(
            "Around",
            [EVERYBODY, *called],
            format_func=lambda one: called.get(one, one),
            key=f"world-around-{frame.story.name}",
            help="Type a name to find it. The graph then shows that name and everyone connected with it.",
        )
        guesses = st.toggle(
            "Also less likely bonds",
            key="world-guesses",
            help="What two are to each other is weighed over all the places where they meet. These are less "
            "likely than not; they are drawn dotted.",
        )
    with second:
        kinds = st.pills(
            "Kinds",
            list(KINDS),
            default=[one for one in Asked().kinds if one in KINDS],
            selection_mode="multi",
            format_func=SECTIONS.__getitem__,
            key="world-kinds",
        )
        families = st.pills(
            "Relations",
            list(FAMILIES),
            default=list(Asked().families),
            selection_mode="multi",
            format_func=lambda one: _FAMILIES.get(one, one),
            key="world-families",
        )
    around = None if around == EVERYBODY else around
    return Asked(tuple(kinds), tuple(families), 0.0 if guesses else LIKELY, around)


def _lead(world: WorldShown) -> str:
    """Who stands in the middle, and what has ended."""
    middle = max(world.nodes, key=lambda node: (node.degree, node.mentions))
    ends = [{edge.source, edge.target} for edge in world.edges]
    beside = {end for pair in ends if middle.id in pair for end in pair}
    words = f"{middle.name} is in the middle, connected with {counted(max(0, len(beside) - 1), 'other')}."
    ended = sum(edge.until is not None and edge.predicate not in FAMILIES["events"] for edge in world.edges)
    if ended:
        words += f" Dashed connections have ended: {ended} of {len(world.edges)}."
    if world.left_out_nodes:
        words += f" Names that are rarely mentioned are left out: {world.left_out_nodes}."
    return words


def _detail(frame: Frame, shown: WorldShown, picked: Picked | None) -> None:
    """The card of whoever was clicked, or the history of the two on the line."""
    match data.found(shown, picked):
        case NodeShown() as node:
            card = next((one for one in data.cards(frame).cards if one.id == node.id), None)
            whole = data.address(frame, "bible", who=node.id)
            if card is not None:
                st.html(markup.card(card, data.links(frame), data.pairs(frame), whole))
        case EdgeShown() as edge:
            _history(frame, edge.source, edge.target)
        case _:
            st.caption("Click a name for its card, or a line for the history of the two.")
