"""Corrections and what they changed, as data and in words, for every door."""

from __future__ import annotations

from dataclasses import dataclass

from ..project.correcting import Change, Corrected, Named
from ..story.corrections import Correction


@dataclass(frozen=True, slots=True)
class CorrectionShown:
    """A correction with its ``id``, and in ``words``; the rest as in ``corrections.toml``."""

    id: str
    kind: str
    who: tuple[str, ...]
    names: tuple[str, ...]
    into: tuple[str, ...]
    to: str
    from_chapter: int | None
    words: str


@dataclass(frozen=True, slots=True)
class CorrectionsShown:
    """Those that speak of nothing that is first told after ``as_of``, in the author's order."""

    as_of: int | None
    corrections: tuple[CorrectionShown, ...]


@dataclass(frozen=True, slots=True)
class CorrectedShown:
    """What was corrected (null where a file was applied as it stands), and what that changed up to the
    horizon; ``words`` tell each change, and what
    speaks against it."""

    correction: CorrectionShown | None
    changes: tuple[Change, ...]
    words: tuple[str, ...]


def correction_shown(one: Correction) -> CorrectionShown:
    """The correction as data."""
    return CorrectionShown(
        one.id, one.kind, one.who, one.names, one.into, one.to, one.from_chapter, one.words
    )


def corrected_shown(done: Corrected) -> CorrectedShown:
    """What was done, as data."""
    shown = correction_shown(done.correction) if done.correction is not None else None
    return CorrectedShown(shown, done.changes, (*map(change_words, done.changes), *doubts(done)))


def corrected_text(done: Corrected, said: str) -> str:
    """The same for a terminal; ``said`` tells what became of the correction."""
    head = [f"{said}: {done.correction.words}  [{done.correction.id}]"] if done.correction is not None else []
    changed = list(map(change_words, done.changes)) or ["nothing is changed"]
    return "\n".join([*head, *changed, *doubts(done)])


def doubts(done: Corrected) -> list[str]:
    """A line that warns, where the story speaks against what was done."""
    told = "; ".join(dict.fromkeys(done.doubts))
    return [f"but in the story: {told}; undo it if they are two"] if told else []


def change_words(change: Change) -> str:
    """Like "Mr. Emerson (212 mentions) → Mr. Emerson (120), George Emerson (92)"; with the kinds where they
    are not the same."""
    kinds = {one.kind for one in (*change.before, *change.after)}
    before, after = (
        ", ".join(
            _named(one, kind=len(kinds) > 1, first=not number and first) for number, one in enumerate(side)
        )
        for side, first in ((change.before, True), (change.after, not change.before))
    )
    return f"{before or 'nothing was known of it'} → {after or 'nothing is shown of it'}"


def _named(one: Named, *, kind: bool, first: bool) -> str:
    count = f"{one.mentions} mention{'s' * (one.mentions != 1)}" if first else str(one.mentions)
    return f"{one.name} ({one.kind}, {count})" if kind else f"{one.name} ({count})"
