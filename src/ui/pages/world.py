"""The page *World*: who and what the story has told of so far, and how they hang together."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ...project.correcting import Corrected, Workshop, corrections_at
from ...story.corrections import RETYPES, Correction
from ...story.model.predicates import SURE_ENOUGH
from ...views.corrections import change_words
from ...views.world import FAMILIES, KINDS, EdgeShown, NodeShown
from ..frame import Frame
from ..graph_component import Picked, story_graph
from ..markup import page as common
from ..markup import story as markup
from ..shell import link_anew
from ..state import story_views as data
from ..state.story_views import EVERYBODY, Asked, DrawnWorld
from .world_bible import bible
from .world_codex import codex, lay_down
from .world_pictures import maps, portraits

_KINDS = {"character": "People", "location": "Places", "object": "Things", "group": "Groups"}
_WRONG = {
    "merge": "It is the same as another one",
    "split": "Some of these names are somebody else",
    "rename": "It has the wrong name",
    "retype": "It is of another kind",
    "not_a_character": "It is not a character: hide it",
}
_NOBODY_KNOWN = "Somebody not shown yet"
_FAMILIES = {"bonds": "Feelings and bonds", "kinship": "Family", "places": "Whereabouts", "events": "Events"}


def page(frame: Frame) -> None:
    """The graph at the horizon; a click shows the quotes."""
    _explore(frame)
    bible(frame)
    _corrections(frame)
    maps(frame)
    codex(frame)


@st.fragment  # type: ignore[untyped-decorator]
def _explore(frame: Frame) -> None:
    asked = _ask(frame)
    found = data.world(frame, asked)
    if not found.world.nodes:
        st.html(markup.empty("Nothing to show", "Nobody in the story so far matches. Loosen a filter."))
        return
    way = st.segmented_control(
        "Show as", ["Graph", "Table"], default="Graph", key="world-way", label_visibility="collapsed"
    )
    picked = _table(found) if way == "Table" else _graph(frame, found)
    _count(found)
    if picked is None and asked.around is not None:
        picked = Picked("node", asked.around)
    _detail(frame, found, picked)


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
        least = st.slider(
            "Confidence of at least",
            0.3,
            0.95,
            SURE_ENOUGH,
            0.05,
            key="world-least",
            help="How likely a careful reader would agree with the reading of one sentence. Lower it "
            "to see more. What two people are to each other is weighed over all the places where "
            "they meet, and shown once it is likely enough, whatever you choose here.",
        )
    with second:
        kinds = st.pills(
            "Kinds",
            list(KINDS),
            default=list(KINDS),
            selection_mode="multi",
            format_func=lambda one: _KINDS.get(one, one),
            key="world-kinds",
        )
        families = st.pills(
            "Relations",
            list(FAMILIES),
            default=list(FAMILIES),
            selection_mode="multi",
            format_func=lambda one: _FAMILIES.get(one, one),
            key="world-families",
        )
        alone = st.toggle("Also names without a relation", key="world-alone")
    return Asked(
        tuple(kinds), tuple(families), least, None if around == EVERYBODY else around, linked_only=not alone
    )


def _graph(frame: Frame, found: DrawnWorld) -> Picked | None:
    return story_graph(found.drawn, key=f"world-graph-{frame.story.name}")


def _table(found: DrawnWorld) -> Picked | None:
    rows = data.edge_rows(found.world)
    if not rows:
        st.html(markup.empty("No relations", "Nothing is this certain. Lower the confidence to see more."))
        return None
    event = st.dataframe(
        rows, hide_index=True, on_select="rerun", selection_mode="single-row", key="world-table", height=420
    )
    chosen = event.selection.rows
    if not chosen or chosen[0] >= len(found.world.edges):
        st.caption("Choose a row to read its quotes.")
        return None
    return Picked("edge", found.world.edges[chosen[0]].id)


def _count(found: DrawnWorld) -> None:
    world = found.world
    words = f"{len(world.nodes)} names, {len(world.edges)} relations"
    if world.left_out_nodes:
        words += (
            f"; {world.left_out_nodes} rarely mentioned names and {world.left_out_edges} relations left out"
        )
    st.caption(f"{words}. Click a name or a line to read its evidence.")


def _detail(frame: Frame, found: DrawnWorld, picked: Picked | None) -> None:
    match data.found(found.world, picked):
        case NodeShown() as node:
            st.html(markup.about_node(node, data.contexts(frame, node.quotes)))
            with st.container(horizontal=True):
                with st.popover("Correct this …", key=f"world-correct-{node.id}"):
                    _correct(frame, node)
                lay_down(frame, node)
            portraits(frame, node.id, node.name)
        case EdgeShown() as edge:
            called = {node.id: node.name for node in found.world.nodes}
            ends = called[edge.source], called[edge.target]
            st.html(markup.about_edge(edge, ends, data.contexts(frame, edge.quotes)))


def _correct(frame: Frame, node: NodeShown) -> None:
    kind = st.selectbox(
        "What is wrong",
        list(_WRONG),
        format_func=lambda one: _WRONG.get(one, one),
        key=f"world-wrong-{node.id}",
    )
    others = {id: called for id, called in data.names(frame) if id != node.id}
    names, into, to, since = [], "", "", None
    if kind == "merge":
        into = st.selectbox("It is", list(others), format_func=others.__getitem__, key=f"world-is-{node.id}")
    elif kind == "split":
        borne = [node.name, *node.aliases]
        names = st.multiselect("Somebody else's names", borne, key=f"world-names-{node.id}")
        offered = {"": _NOBODY_KNOWN, **others}
        into = st.selectbox(
            "Whose", list(offered), format_func=offered.__getitem__, key=f"world-whose-{node.id}"
        )
    elif kind == "rename":
        to = st.text_input("The name to show", key=f"world-name-{node.id}", max_chars=200)
    elif kind == "retype":
        to = st.selectbox("It is a", RETYPES, key=f"world-kind-{node.id}")
    if kind in ("split", "rename"):
        since = st.number_input(
            "From chapter", 1, frame.as_of, value=None, key=f"world-since-{node.id}", placeholder="everywhere"
        )
    made = Correction(kind, (node.id,), tuple(names), (into,) if into else (), to.strip(), since)
    if st.button("Correct it", key=f"world-do-{node.id}", type="primary"):
        link_anew(lambda: _changed("Corrected", _workshop(frame).add(made)))


def _corrections(frame: Frame) -> None:
    made = corrections(frame)
    if not made:
        return
    with st.expander(f"Corrections: {len(made)}"):
        for id, words in made:
            st.html(common.note(words))
            if st.button("Undo", key=f"world-undo-{id}"):
                link_anew(partial(_take_back, frame, id))


def corrections(frame: Frame) -> tuple[tuple[str, str], ...]:
    """(id, words) of each that speaks of nothing told after the horizon, in the author's order."""
    return frame.cached(
        "corrections",
        lambda project: tuple((one.id, one.words) for one in corrections_at(project, data.horizon(frame))),
    )


def _take_back(frame: Frame, id: str) -> str:
    return _changed("Undone", _workshop(frame).undo(id))


def _workshop(frame: Frame) -> Workshop:
    settings, monitor = frame.library.settings, frame.shelf.monitor
    return Workshop(frame.story.folder, settings=settings, monitor=monitor, as_of=data.horizon(frame))


def _changed(said: str, done: Corrected) -> str:
    told = "; ".join(map(change_words, done.changes)) or "it changes nothing in the story so far"
    return f"{said}. {told}"
