"""Charts of the pages about the story, as Vega-Lite specifications: plain data, drawn by Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..views.arc_lines import ArcShown, ArcsShown
from ..views.text.so_far import ThreadShown
from ..views.times import EventShown
from .graph_component.elements import shortened

Spec = dict[str, Any]

PICK = "pick"
"""The name of the selection in each of them."""

_HUES = ("#4a7db5", "#b9832f", "#4d8a6c", "#a45a8f")
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])  # colour alone does not tell lines apart
_BAD, _PLAIN, _DONE, _WAITING = "#b9483d", "#4a7db5", "#9aa0a6", "#b9832f"
_MOST_TICKS = 16
_LONG = 40  # chapters from which on marks are drawn small


def mood_rows(arcs: Iterable[ArcShown]) -> list[dict[str, Any]]:
    """One row a character and chapter, for the chart and as a table."""
    return [
        {
            "who": shortened(arc.name),
            "id": arc.id,
            "chapter": point.chapter,
            "valence": point.valence,
            "arousal": point.arousal,
            "emotion": point.emotion or "–",
            "phase": point.phase,
            "place": point.place or "–",
            "turn": int(any(turn.chapter == point.chapter for turn in arc.turns)),
        }
        for arc in arcs
        for point in arc.points
    ]


def mood_chart(shown: ArcsShown, *, what: str, last: int) -> Spec:
    """``what`` (``"valence"``, -1 to 1, or ``"arousal"``, 0 to 1) by chapter, a line a character, the turning
    points as diamonds; a point can be picked."""
    is_valence, sparse = what == "valence", last <= _LONG
    turns = {"test": "datum.turn === 1"}
    tip = ("who", "chapter", "emotion", what, "phase", "place")
    spec = _lines(mood_rows(shown.arcs), what, tip, last=last, legend=is_valence)
    line, point = spec["layer"]
    line["mark"]["strokeWidth"] = 2 if sparse else 1
    point["mark"]["cursor"] = "pointer"
    point["params"] = [_pick(["id", "chapter"])]
    point["encoding"] |= {
        "size": {"condition": turns | {"value": 170}, "value": 55 if sparse else 16},
        "shape": {"condition": turns | {"value": "diamond"}, "value": "circle"},
    }
    return spec | {"height": 330 if is_valence else 190}


def bond_chart(arc: ArcShown, *, last: int, most: int = 4) -> Spec:
    """How one stands to the ``most`` people that matter most to them, -1 to 1 by chapter."""
    peaks: dict[str, float] = {}
    for point in arc.points:
        for bond in point.bonds:
            peaks[bond.id] = max(peaks.get(bond.id, 0.0), abs(bond.strength))
    kept = sorted(peaks, key=lambda one: (-peaks[one], one))[:most]
    rows: list[dict[str, Any]] = [
        {
            "who": shortened(bond.name),
            "chapter": point.chapter,
            "strength": bond.strength,
            "told by": bond.label,
        }
        for point in arc.points
        for bond in point.bonds
        if bond.id in kept
    ]
    spec = _lines(rows, "strength", ("who", "chapter", "strength", "told by"), last=last, columns=2)
    spec["encoding"]["y"]["title"] = "stands to"
    spec["layer"][1]["mark"]["size"] = 45 if last <= _LONG else 14
    return spec | {"height": 280}


def _lines(
    rows: Sequence[Mapping[str, Any]],
    what: str,
    tip: Sequence[str],
    *,
    last: int,
    legend: bool = True,
    columns: int = 4,
) -> Spec:
    """``what`` by chapter, a line through points a name."""
    names = list(dict.fromkeys(row["who"] for row in rows))
    x = {"field": "chapter", "type": "quantitative", "title": "chapter", "axis": _chapters(last)}
    x |= {"scale": {"domain": [1, max(2, last)], "nice": False}}
    low = 0 if what == "arousal" else -1
    y = {"field": what, "type": "quantitative", "scale": {"domain": [low, 1]}, "title": what}
    colour, dash = (
        _by_name(channel, names, values, legend=legend, columns=columns)
        for channel, values in (("color", _HUES), ("strokeDash", _DASHES))
    )
    line = {"mark": {"type": "line", "strokeWidth": 2}, "encoding": dash}
    point = {"mark": {"type": "point", "filled": True, "opacity": 1}, "encoding": {"tooltip": _tips(tip)}}
    return {"data": {"values": rows}, "encoding": {"x": x, "y": y, **colour}, "layer": [line, point]}


def time_chart(events: Sequence[EventShown], anachronies: Iterable[str]) -> Spec:
    """Events by their place in the telling (across) and in the story (upwards); what is told as past, or
    after what it precedes, stands out. An event can be picked."""
    back = set(anachronies)
    rows = [
        {
            "id": event.id,
            "what": shortened(event.label, longest=60),
            "who": shortened(", ".join(event.who), longest=60) or "–",
            "narrated in ch.": event.told,
            "when": event.when or "–",
            "place": event.place or "–",
            "quote": shortened(event.quote.text, longest=110) if event.quote else "–",
            "telling": event.position + 1,
            "story": event.rank + 1,
            "kind": "out of order" if event.id in back else "in order",
        }
        for event in events
    ]
    kinds = ["in order", "out of order"]
    tip = _tips(("what", "who", "narrated in ch.", "when", "place", "quote"))
    return {
        "height": 440,
        "data": {"values": rows},
        "params": [_pick(["id"])],
        "mark": {"type": "point", "filled": True, "opacity": 0.85, "cursor": "pointer"},
        "encoding": {
            "x": _axis("telling", "narrated in chapter →", events),
            "y": _axis("story", "happened at the time of chapter →", events),
            "color": _scale("kind", kinds, [_PLAIN, _BAD], legend=True),
            "shape": _scale("kind", kinds, ["circle", "triangle-down"], legend=True),
            "size": {
                "condition": {"test": "datum.kind === 'out of order'", "value": 110},
                "value": 45,
            },
            "tooltip": tip,
        },
    }


def thread_chart(threads: Sequence[ThreadShown], as_of: int) -> Spec:
    """A line a thread, from where it is planted to what was told of it last; a mark a turn, by its step."""
    names = [f"{number}. {shortened(one.what, longest=60)}" for number, one in enumerate(threads, start=1)]
    turns = [
        {
            "thread": name,
            "kind": one.kind,
            "state": one.state,
            "step": turn.step,
            "narrated in ch.": turn.quote.chapter,
            "quote": shortened(turn.quote.text, longest=110),
        }
        for name, one in zip(names, threads, strict=True)
        for turn in one.turns
    ]
    y = {"field": "thread", "type": "nominal", "sort": names, "title": None, "axis": {"labelLimit": 320}}
    x = {
        "field": "narrated in ch.",
        "type": "quantitative",
        "title": "narrated in chapter →",
        "scale": {"domain": [1, max(2, as_of)]},
        "axis": {"tickMinStep": 1, "format": "d"},
    }
    steps = ["planted", "advanced", "resolved"]
    return {
        "height": {"step": 24},
        "data": {"values": turns},
        "layer": [
            {
                "mark": {"type": "line", "color": _PLAIN, "opacity": 0.5},
                "encoding": {"x": x, "y": y, "detail": {"field": "thread"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 80},
                "encoding": {
                    "x": x,
                    "y": y,
                    "shape": _scale("step", steps, ["circle", "diamond", "square"], legend=True),
                    "color": _scale(
                        "state",
                        ["overdue", "open", "advanced", "resolved"],
                        [_BAD, _WAITING, _PLAIN, _DONE],
                        legend=True,
                    ),
                    "tooltip": _tips(("kind", "state", "step", "narrated in ch.", "quote")),
                },
            },
        ],
    }


def chosen(event: object) -> dict[str, Any] | None:
    """The fields of the mark that was picked last, where one was."""
    selection = event.get("selection") if isinstance(event, Mapping) else getattr(event, "selection", None)
    rows = selection.get(PICK) if isinstance(selection, Mapping) else None
    if isinstance(rows, list) and rows and isinstance(rows[-1], Mapping):
        return dict(rows[-1])
    return None


def _axis(field: str, title: str, events: Sequence[EventShown]) -> Spec:
    """Ticks where chapters begin, so that both axes read in chapters."""
    begins: dict[int, int] = {}
    for event in events:
        begins.setdefault(event.told, event.position + 1)
    every = -(-len(begins) // _MOST_TICKS)
    ticks = {place: chapter for chapter, place in list(begins.items())[::every]}
    words = ",".join(f"{place}:'{chapter}'" for place, chapter in ticks.items())
    axis = {"values": list(ticks), "labelExpr": f"({{{words}}})[datum.value]"}
    scale = {"zero": False, "nice": False}
    return {"field": field, "type": "quantitative", "title": title, "axis": axis, "scale": scale}


def _pick(fields: Sequence[str]) -> Spec:
    select = {"type": "point", "on": "click", "toggle": False, "fields": list(fields)}
    return {"name": PICK, "select": select}


def _chapters(last: int) -> Spec:
    return {"tickMinStep": 1, "format": "d", "tickCount": min(last, 14), "grid": False}


def _tips(names: Sequence[str]) -> list[Spec]:
    numeric = {"type": "quantitative", "format": "+.2f"}
    return [
        {"field": name} | (numeric if name in ("valence", "arousal", "strength") else {"type": "nominal"})
        for name in names
    ]


def _by_name(
    channel: str, names: Sequence[str], values: Sequence[Any], *, legend: bool, columns: int = 4
) -> Spec:
    """A hue or a dash a name; the two make one legend, of short lines."""
    ranged = [values[i % len(values)] for i in range(len(names))]
    told = _scale("who", names, ranged, legend=legend)
    if legend:
        told["legend"] |= {"symbolType": "stroke", "symbolSize": 420, "symbolStrokeWidth": 2.5}
        told["legend"]["columns"] = columns
    return {channel: told}


def _scale(field: str, domain: Sequence[str], values: Sequence[Any], *, legend: bool) -> Spec:
    shown: Spec | None = {"orient": "top", "title": None, "labelLimit": 220} if legend else None
    scale = {"domain": list(domain), "range": list(values)}
    return {"field": field, "type": "nominal", "scale": scale, "legend": shown}
