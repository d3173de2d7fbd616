"""What ``fabula bench library`` answers: the stories of several projects, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from ..core.files.plain_json import plain
from ..engine import Project
from ..errors import UsageError
from ..project.indexing import Progress
from ..story.plot.profile import ArcProfile, Likeness, StoryProfile, alike, profile_of
from ..views.answer import Answer
from ..views.text.render import table

__all__ = ["library_compared"]


def library_compared(folders: Sequence[Path], *, progress: Progress = lambda *_: None) -> Answer:
    """Profiles of all projects, and how alike each two are; nothing is read anew. Raises UsageError where a
    project is named twice."""
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise UsageError("one project is named twice: name each once")
    profiles = []
    for done, folder in enumerate(folders):
        progress("profile", done, len(folders))
        with Project.open(folder) as project:
            chapters = len(project.document.chapters)
            title = project.document.title
            profiles.append(
                profile_of(project.view(), title=title, chapters=chapters, tracker=project.arcs())
            )
    progress("profile", len(folders), len(folders))
    pairs = [alike(one, other) for one, other in combinations(profiles, 2)]
    data = {
        "stories": [
            {**_without_states(one), "density": round(one.density, 4), "conflict": _rounded(one.conflict)}
            for one in profiles
        ],
        "pairs": plain(pairs),
    }
    return Answer(data, _text(profiles, pairs))


def _without_states(profile: StoryProfile) -> dict[str, object]:
    told: dict[str, object] = plain(profile)
    told["arcs"] = [
        {**plain(arc), "states": [[state.chapter, round(state.valence, 3)] for state in arc.states]}
        for arc in profile.arcs
    ]
    return told


def _text(profiles: Sequence[StoryProfile], pairs: Sequence[Likeness]) -> str:
    rows = [
        [
            one.title,
            one.chapters,
            one.characters,
            ", ".join(f"{place:.2f}" for place, _ in one.turns) or "-",
            f"{one.density:.3f}",
            _cell(one.conflict),
        ]
        for one in profiles
    ]
    header = ["story", "chapters", "characters", "turns at (0 to 1)", "density", "conflict"]
    leads = [
        [
            one.title,
            arc.name,
            arc.shape or "-",
            _cell(arc.fit if arc.shape else None),
            f"{arc.valence:+.2f}",
            _phases(arc),
        ]
        for one in profiles
        for arc in one.arcs
    ]
    parts = [
        table(rows, header=header, right=[1, 2, 4, 5]),
        table(
            leads, header=["story", "lead", "shape", "fit", "valence", "chapters in each phase"], right=[3, 4]
        ),
    ]
    if pairs:
        alike_rows = [[one.one, one.other, _cell(one.arc), _cell(one.turns)] for one in pairs]
        parts.append(table(alike_rows, header=["story", "and", "arcs alike", "turns alike"], right=[2, 3]))
    return "\n\n".join(parts)


def _phases(arc: ArcProfile) -> str:
    return ", ".join(f"{name} {count}" for name, count in arc.phases) or "-"


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
