"""The figures of the story model: where each is found, and what it is set beside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["BARS", "Bar", "bars_of"]


@dataclass(frozen=True, slots=True)
class Bar:
    """``path`` leads to the figure in the parts, ``minus`` to what is taken off it; ``beside`` names what is
    shown with it and where that stands."""

    measure: str
    data: str
    path: tuple[str, ...]
    minus: tuple[str, ...] = ()
    beside: tuple[tuple[str, tuple[str, ...]], ...] = ()


def _pdnc(*rest: str) -> tuple[str, ...]:
    return ("names", "held_out", "novels", *rest)


_QUOTES = ("quotations", "held_out", "aggregates")
_STAGE = ("presence", "seen", "encounters", "anna-karenina", "presence")
_VOICES = ("presence", "held_out", "voices", "all")
_MENTIONS = ("names", "held_out", "mentions", "both", "exact")

BARS = (
    Bar(
        "alias clusters of gold names, B³ F1",
        "pdnc",
        _pdnc("b3", "f1", "mean"),
        beside=(
            ("names alone, without text", _pdnc("b3_alone", "f1", "mean")),
            ("same last word", _pdnc("b3_last_word", "f1", "mean")),
            ("seen", ("names", "seen", "novels", "b3", "f1", "mean")),
        ),
    ),
    Bar(
        "named persons and places, F1 above the parser alone",
        "litbank",
        (*_MENTIONS, "ours", "f1"),
        minus=(*_MENTIONS, "parser", "f1"),
    ),
    Bar(
        "who is in which chapter, F1",
        "sgb_encounters",
        (*_STAGE, "on_stage", "f1"),
        beside=(
            ("everybody mentioned", (*_STAGE, "mentioned", "f1")),
            (
                "Huckleberry Finn",
                ("presence", "seen", "encounters", "huckleberry-finn", "presence", "on_stage", "f1"),
            ),
            ("who speaks or is spoken to, held out", (*_VOICES, "on_stage f1", "mean")),
            ("the same, everybody mentioned", (*_VOICES, "mentioned f1", "mean")),
        ),
    ),
    Bar(
        "speaker of a quotation, accuracy",
        "pdnc_quotes",
        (*_QUOTES, "speaker", "mean"),
        beside=(
            ("explicit", (*_QUOTES, "speaker_Explicit", "mean")),
            ("anaphoric", (*_QUOTES, "speaker_Anaphoric", "mean")),
            ("implicit", (*_QUOTES, "speaker_Implicit", "mean")),
            ("seen", ("quotations", "seen", "aggregates", "speaker", "mean")),
        ),
    ),
)


def bars_of(parts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row a figure; its value is None where it was not measured."""
    return [_row(bar, parts) for bar in BARS]


def _row(bar: Bar, told: Mapping[str, Any]) -> dict[str, Any]:
    value, off = _at(told, bar.path), _at(told, bar.minus) if bar.minus else 0.0
    figure = round(value - off, 4) if value is not None and off is not None else None
    beside = {name: _at(told, path) for name, path in bar.beside}
    if bar.minus:
        beside = {"ours": value, "baseline": off, **beside}
    return {
        "measure": bar.measure,
        "data": bar.data,
        "value": figure,
        "beside": beside,
    }


def _at(told: Any, path: tuple[str, ...]) -> float | None:
    for step in path:
        if isinstance(told, list):
            told = next((row for row in told if row.get("doc") == step), {})
        elif isinstance(told, Mapping):
            told = told.get(step)
        else:
            return None
    return told if isinstance(told, int | float) else None
