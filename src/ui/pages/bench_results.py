"""What a bench run has shown: a sentence, a picture, and the numbers."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ...bench.planning import BY_RULES
from ...bench.results import Run, differences, means
from ...views.text.comparison import LABELS
from ..markup import html
from ..markup import page as markup

_CHANCE = 0.05


def show_results(run: Run) -> None:
    """The outcome in a sentence, a picture of each measure, and the numbers folded away."""
    result = run.result
    if result is None:
        st.html(markup.note("This run is not finished: start it again, and it continues where it stopped."))
        return
    facts = result["facts"]
    st.html(markup.answer(outcome(facts)))
    if question := facts["config"]["question"]:
        st.html(markup.prose(question))
    names = [one["name"] for one in facts["config"]["variants"]]
    known = [one for one in facts["config"]["metrics"] if any(_means(facts, one, name) for name in names)]
    if known:
        metric = st.selectbox("Measure", known, format_func=lambda one: LABELS.get(one, one))
        for name in names:
            if name:
                st.html(markup.soft(name))
            _plot(_means(facts, metric, name), LABELS.get(metric, metric))
    with st.expander("The numbers"):
        tables = [(name, *means(facts, name), *differences(facts, name)) for name in names]
        st.html(html("bench", "results", tables))
        words = "Intervals resample prompts; p is adjusted by Holm over pipelines and metrics."
        st.html(markup.note(f"{words} {BY_RULES if run.is_planned else ''}".strip()))
    failed = [row for row in facts["rows"] if row["error"]]
    for row in failed[:5]:
        st.html(markup.alert(f"{row['group']}, {row['pipeline']}: {row['error']}"))


def outcome(facts: Any) -> str:
    """What a run shows, in a sentence: whether any pipeline differs in consistency from the baseline by more
    than chance would."""
    own = [one for one in facts["paired"] if one["metric"] == "consistency" and one["groups"] > 1]
    sure = [one for one in own if one["p_holm"] < _CHANCE]
    base = facts["config"]["baseline"]
    if sure:
        told = [f"{one['pipeline']} is {'more' if one['difference'] > 0 else 'less'}" for one in sure]
        return f"{' and '.join(told)} consistent with the story than {base}."
    prompts = len({row["group"] for row in facts["rows"]})
    if not own:
        return f"Too little to compare: {prompts} prompt{'s' * (prompts != 1)}. Plan a run with more."
    return f"No difference that chance could not explain, on {prompts} prompts."


def _means(facts: Any, metric: str, variant: str) -> list[dict[str, Any]]:
    found = []
    for one in facts["means"]:
        if (one["metric"], one.get("variant", "")) == (metric, variant) and one["mean"] is not None:
            low, high = one["interval"] or (one["mean"], one["mean"])
            found.append({"pipeline": one["pipeline"], "mean": one["mean"], "low": low, "high": high})
    return found


def _plot(rows: list[dict[str, Any]], title: str) -> None:
    """A dot a pipeline with its 95 % interval."""
    y = {"field": "pipeline", "type": "nominal", "title": None, "sort": None}
    x = {"field": "mean", "type": "quantitative", "title": title, "axis": {"tickCount": 5}}
    rule = {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}}
    layers = [
        {"mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.45}, "encoding": rule},
        {"mark": {"type": "point", "filled": True, "size": 140}, "encoding": {"y": y, "x": x}},
    ]
    spec = {"data": {"values": rows}, "height": 60 + 40 * len(rows), "layer": layers}
    st.vega_lite_chart(None, spec, width="stretch")
