"""Bench: what runs have shown, and blind rating of their drafts."""

from __future__ import annotations

import streamlit as st

from ...bench.rating import RatingDesk, RatingPair
from ...bench.results import BENCH, Run, differences, means, runs_in
from ..frame import Frame
from ..markup import html
from ..markup import page as markup

_VIEWS = {"results": "Results", "rate": "Rate blind", "preferred": "What raters prefer"}
_CHOICES = {"a": "A is better", "tie": "No difference", "b": "B is better"}
_LONGEST_COMMENT = 500  # characters


def page(frame: Frame) -> None:
    """The runs of the library, and one of them: results, blind rating, or preferences."""
    runs = {run.name: run for run in runs_in(frame.library.root)}
    if not runs:
        st.html(
            markup.note(
                "There is no run yet. Describe one in a TOML file (stories, prompts, pipelines, seeds) "
                f"and run it: fabula bench run FILE.toml -o STORIES/{BENCH}/NAME, where STORIES is the "
                "folder of the stories ($FABULA_HOME, by default fabula-projects)."
            )
        )
        return
    name = st.selectbox("Run", list(runs), key="bench-run", persist_state="session")
    view = st.segmented_control(
        "Show",
        list(_VIEWS),
        default="results",
        required=True,
        format_func=lambda one: _VIEWS[one],
        key="bench-view",
        persist_state="session",
    )
    run = runs[name]
    if view == "rate":
        _rate(run)
    elif view == "preferred":
        _preferred(run)
    else:
        _results(run)


def _results(run: Run) -> None:
    result = run.result
    if result is None:
        st.html(markup.note("This run is not finished: start it again, and it continues where it stopped."))
        return
    facts = result["facts"]
    if question := facts["config"]["question"]:
        st.html(markup.prose(question))
    names = [one["name"] for one in facts["config"]["variants"]]
    tables = [(name, *means(facts, name), *differences(facts, name)) for name in names]
    st.html(html("bench", "results", tables))
    rows = [
        {"chapter": row["chapter"], "consistency": value, "pipeline": row["pipeline"]}
        for row in facts["rows"]
        if (value := row["scores"].get("consistency")) is not None
    ]
    st.scatter_chart(rows, x="chapter", y="consistency", color="pipeline")
    st.html(markup.note("Intervals resample prompts; p is adjusted by Holm over pipelines and metrics."))


def _rate(run: Run) -> None:
    desk = run.rating()
    rater = st.text_input(
        "Your name",
        max_chars=80,
        key="bench-rater",
        help="So that you can continue later.",
        persist_state="session",
    )
    if not rater.strip():
        st.html(markup.note("Enter a name; any name will do. Nobody sees who wrote a draft."))
        return
    pair, done = desk.following(rater), len(desk.chosen(rater))
    st.progress(done / len(desk.pairs), text=f"{done} of {len(desk.pairs)} pairs judged")
    if pair is None:
        st.html(markup.note("You have judged every pair. Thank you."))
        return
    _pair(desk, rater, pair)


def _pair(desk: RatingDesk, rater: str, pair: RatingPair) -> None:
    st.html(markup.prose(pair.prompt))
    for column, letter, text in zip(st.columns(2, gap="medium"), "AB", (pair.a, pair.b), strict=True):
        with column:
            st.html(markup.head(letter))
            st.html(markup.prose(text))
    comment = st.text_input("Why? (optional)", max_chars=_LONGEST_COMMENT, key=f"bench-why-{pair.name}")
    for column, (choice, label) in zip(st.columns(3), _CHOICES.items(), strict=True):
        with column:
            if st.button(label, key=f"bench-{choice}-{pair.name}", width="stretch"):
                desk.choose(rater, pair.name, choice, comment=comment)
                st.rerun()


def _preferred(run: Run) -> None:
    st.html(markup.note("This reveals who wrote what: rate first, look later."))
    if st.toggle("Show it", key="bench-reveal"):
        found = run.rating().tally()
        rows = [
            [
                one.system,
                f"{one.share:.2f}",
                f"{one.low:.2f} to {one.high:.2f}",
                f"{one.wins:g} of {one.judged}",
            ]
            for one in found.strengths
        ]
        st.html(html("bench", "preferred", found, rows))
