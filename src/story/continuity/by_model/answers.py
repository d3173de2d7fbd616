"""What a language model is asked about contradictions, and the forms of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from ....core.prompting import load_template
from ....core.types import Prompt
from ...evidence.untrusted import GUARD, fence, neutralise, one_line

_FOLDER = Path(__file__).parents[2] / "prompts"
Kind = Literal["person", "relation", "knowledge", "time", "place", "thing", "world", "other"]
Reason = Literal[
    "none",
    "change told",
    "lie, mistake or joke of somebody",
    "dream, wish or supposition",
    "figure of speech",
    "another person or thing",
    "another time",
    "both can be true",
]
"""Why two statements do not contradict each other; ``none``: they do."""
_Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)]


class Contradiction(BaseModel):
    """A finding as a model states it; nothing in it is checked yet. ``line`` is the number of a line of the
    canon, or 0 where ``earlier`` quotes the earlier side."""

    line: int = 0
    earlier: _Text = ""
    later: _Text
    kind: Kind = "other"
    why: _Text = ""
    sure: float = Field(0.5, ge=0, le=1)


class Contradictions(BaseModel):
    findings: list[Contradiction] = []


class Verdict(BaseModel):
    number: int
    reason: Reason
    why: _Text = ""


class Verdicts(BaseModel):
    findings: list[Verdict] = []


def contradiction_prompt(passage: str, *, canon: Sequence[str] = (), earlier: str = "") -> Prompt:
    """The prompt for one passage: the ``canon`` (see ``bible.under_names``), and the text told before as far
    as it is given. All of it is untrusted: it is made harmless and fenced."""
    lines = "\n".join(map(one_line, canon))
    parts = [("World", lines), ("Story So Far", neutralise(earlier)), ("Draft", neutralise(passage))]
    story = "\n\n".join(f"[{label}]\n{text.strip()}" for label, text in parts if text.strip())
    return load_template(_FOLDER / "check_chapter.md", mark=GUARD).fill(Contradictions, story=fence(story))


def trial_prompt(text: str, pairs: Sequence[tuple[str, str]], *, canon: Sequence[str] = ()) -> Prompt:
    """Asks of all these pairs of statements whether they are contradictions."""
    lines = "\n".join(one_line(line) for line in canon)
    said = "\n".join(
        f"{number}. A: {one_line(a)}\n   B: {one_line(b)}" for number, (a, b) in enumerate(pairs, start=1)
    )
    parts = [neutralise(text).strip(), *([f"[World]\n{lines}"] if lines else []), f"[Findings]\n{said}"]
    template = load_template(_FOLDER / "try_findings.md", mark=GUARD)
    return template.fill(Verdicts, story=fence("\n\n".join(parts)))
