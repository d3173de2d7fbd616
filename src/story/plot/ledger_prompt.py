"""What a language model is asked about the threads of a plot, and the form its answer takes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...core.files.toml import load_toml
from ...core.types import Prompt
from ..evidence.untrusted import CLOSE, GUARD, OPEN, fence, neutralise, objects_in, one_line
from .ledger import THREADS, Step, Thread, ThreadKind

MOST_WORDS = 40  # of a quote
_WHAT = 160  # characters


@dataclass(frozen=True, slots=True)
class Claim:
    """A turn as a model states it; nothing in it is checked yet. ``thread`` is the number of a thread that it
    was shown, None for a new one, which has ``kind`` and ``what``; ``settled`` quotes where the same chapter
    settles it."""

    step: Step
    quote: str
    thread: int | None = None
    kind: ThreadKind = "question"
    what: str = ""
    settled: str = ""


@cache
def _texts() -> Mapping[str, str]:
    return load_toml(Path(__file__).with_suffix(".toml"))


def ledger_prompt(chapter: str, *, threads: Sequence[tuple[int, Thread]]) -> Prompt:
    """The prompt for a chapter, or a part of one, and the open threads by number. All of it is untrusted: it
    is neutralised and fenced, and the answer's form is a JSON schema."""
    told = "\n".join(
        f"{number}. {thread.kind}: {one_line(thread.what)} (“{one_line(thread.turns[0].evidence.quote)}”)"
        for number, thread in threads
    )
    material = f"[Story So Far]\n{told or '(no threads)'}\n\n[Draft]\n{neutralise(chapter).strip()}"
    texts = _texts()
    system = texts["system"].format(open=OPEN, close=CLOSE, most_words=MOST_WORDS)
    user, schema = texts["user"].format(material=fence(material)), json.dumps(json.loads(texts["schema"]))
    return Prompt(system=system, user=user, version=f"{texts['version']} {GUARD}", schema=schema)


def claims_of(answer: str) -> tuple[list[Claim], int]:
    """The claims in an answer, threads that move before new ones, and how many of its items are none. An
    answer that broke off, or that stands in other words, gives the items that are whole."""
    read = [_claim(item) for item in objects_in(answer)]
    claims = [claim for claim in read if claim is not None]
    claims.sort(key=lambda claim: claim.step == "planted")
    return claims, len(read) - len(claims)


def _claim(item: dict[str, Any]) -> Claim | None:
    quote, thread = item.get("quote"), item.get("thread")
    if not isinstance(quote, str) or not quote.strip():
        return None
    if isinstance(thread, int) and not isinstance(thread, bool):
        steps: dict[object, Step] = {"advanced": "advanced", "resolved": "resolved"}
        step = steps.get(item.get("step"))
        return Claim(step, quote, thread) if step else None
    kind, what, settled = item.get("kind"), item.get("what"), item.get("settled_quote")
    known: ThreadKind | None = next((one for one in THREADS if one == kind), None)
    if known is None or not isinstance(what, str) or not what.strip():
        return None
    end = settled if item.get("settled") is True and isinstance(settled, str) else ""
    return Claim("planted", quote, None, known, one_line(what)[:_WHAT], end)
