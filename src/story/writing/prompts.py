"""What is said to the models that write about a story: the texts of ``prompts.toml``, filled in.

What a story, a draft or a finding says is neutralised and fenced: it is material, never an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from ...core.files.toml import load_toml
from ...core.types import Prompt
from ..evidence.untrusted import CLOSE, GUARD, OPEN, fence, neutralise, one_line

NOT_TOLD = "The story so far does not say."

Length = Literal["short", "medium", "long"]
LENGTHS: tuple[Length, ...] = get_args(Length)

Form = Literal["line", "outline", "scene"]
"""A sentence; three to five beats; the passage itself."""
FORMS: tuple[Form, ...] = get_args(Form)

_NUMBERED = re.compile(r"^[ \t]*\**(\d{1,2})[.):]\**[ \t]*", re.MULTILINE)


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    return load_toml(Path(__file__).with_name("prompts.toml"))


def _prompt(name: str, **parts: Any) -> Prompt:
    told = _texts()[name]
    system = told["system"].format(open=OPEN, close=CLOSE, **parts)
    return Prompt(system, told["user"].format(**parts), f"{told['version']} {GUARD}")


def continuation(instruction: str, *, context: str, wishes: str = "") -> Prompt:
    """The prompt that asks for the next passage.

    ``context`` is already assembled, its story text neutralised, its section labels real (see
    ``writing.context``). ``instruction`` is the writer's own, and so are ``wishes`` of style and language.
    """
    asked, wished = _own(instruction), _own(wishes, "\n")
    return _prompt("continue", material=fence(context), instruction=asked, wishes=wished)


def revision(
    instruction: str, *, context: str, draft: str, findings: Sequence[str], wishes: str = ""
) -> Prompt:
    """The prompt that asks for one rewriting of ``draft``: the same context, and what the critic found.

    ``draft`` and ``findings`` are untrusted too (a model and the story wrote them) and are neutralised.
    """
    listed = "\n".join(f"- {one_line(finding)}" for finding in findings)
    material = f"{context}\n\n[Draft]\n{_own(draft)}\n\n[Findings]\n{listed}".strip()
    asked, wished = _own(instruction), _own(wishes, "\n")
    return _prompt("revise", material=fence(material), instruction=asked, wishes=wished)


def _own(text: str, before: str = "") -> str:
    """An author's own words, after ``before`` where there are any."""
    return before * bool(text.strip()) + neutralise(text).strip()


def suggestions_prompt(wish: str, *, context: str, count: int, form: Form, wishes: str = "") -> Prompt:
    """Asks for ``count`` ways to go on. ``context`` is assembled as for
    :func:`continuation`; ``wish`` and ``wishes`` are the author's own words."""
    said = {"wish": _own(wish, " What the author wants of it: "), "wishes": _own(wishes, " ")}
    form_text = _texts()["suggest"][form]
    return _prompt("suggest", material=fence(context), count=count, form=form_text, **said)


def read_suggestions(text: str, *, count: int) -> tuple[str, ...]:
    """The suggestions of a model's answer, at most ``count``, each on one line."""
    parts = _NUMBERED.split(text)
    told = parts[2::2] if len(parts) > 2 else [text]
    flat = (" ".join(part.split()) for part in told)
    return tuple(one for one in flat if one)[:count]
