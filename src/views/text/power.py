"""How much a critic finds, as data and in words, for every door."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...story.calibration.power import ASSUMED_SLIPS, LEAST_FINDINGS, words_needed
from .answer import wrapped

if TYPE_CHECKING:
    from ...story.calibration.power import Found, Power

__all__ = ["power_data", "power_line", "power_text"]

_TOLD = {
    "explicit": "told openly",
    "paraphrase": "told in other words",
    "implicit": "only implied",
    "same": "the same told again",
    "beside": "something else told about it",
    "change": "a change that is told",
    "trap": "what only looks like a contradiction",
}


def power_line(power: Power) -> str:
    """In one sentence, for a report: "of slips like … the rules find about 12 % [4, 30]"."""
    who = "the rules find" if power.critic == "rules" else f"{power.critic.partition(':')[2]} finds"
    parts = [f"{_TOLD[name]} {_share(one)}" for name, one in power.slips.items() if one.n]
    return (
        f"calibrated on this book: of slips {who} {_share(power.recall)} "
        f"({'; '.join(parts)}); of {power.misled.n} sound pairs {power.misled.found} called wrong"
    )


def power_text(powers: Sequence[Power]) -> str:
    """A block a critic."""
    lines: list[str] = []
    for power in powers:
        lines.append(f"{power.critic}: {power.copies} copies of {power.words:,} words")
        for name, one in (*power.slips.items(), *power.sound.items()):
            verb = "found" if name in power.slips else "called wrong"
            lines.append(f"  {_TOLD.get(name, name):<38} {verb} {one.found} of {one.n}  {_share(one)}")
        lines.append(
            f"  {'all slips':<38} found {power.recall.found} of {power.recall.n}  {_share(power.recall)}"
        )
        lines += [wrapped(line, indent="  ") for line in _meaning(power)]
    return "\n".join(lines)


def power_data(powers: Sequence[Power]) -> list[dict[str, Any]]:
    """Plain data: shares with their intervals, and how many words a comparison needs."""
    return [
        {
            "critic": power.critic,
            "copies": power.copies,
            "words": power.words,
            "recall": _data(power.recall),
            "slips": {name: _data(one) for name, one in power.slips.items()},
            "sound": {name: _data(one) for name, one in power.sound.items()},
            "words_to_compare": words_needed(power.recall.share or 0.0, per_10k=ASSUMED_SLIPS),
        }
        for power in powers
    ]


def _meaning(power: Power) -> list[str]:
    needed = words_needed(power.recall.share or 0.0, per_10k=ASSUMED_SLIPS)
    if needed is None:
        return ["It found none: that it finds nothing in this book says nothing of the book."]
    return [
        f"To tell two texts apart by it takes {LEAST_FINDINGS} findings: about {needed:,} words of a text "
        f"with {ASSUMED_SLIPS:.0f} such slips in 10,000 words."
    ]


def _share(one: Found) -> str:
    low, high = one.interval
    return f"{100 * (one.share or 0):.0f} % [{100 * low:.0f}, {100 * high:.0f}]"


def _data(one: Found) -> dict[str, Any]:
    return {"found": one.found, "n": one.n, "share": one.share, "interval_95": list(one.interval)}
