"""Screenplays of Final Draft (.fdx): each paragraph as the element of Fountain that it is.

Acts and outline elements are sections. Script notes, summaries of scenes, alternative lines and what is
struck out are no part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ...errors import DocumentError
from .blocks import Converted
from .fountain import fountain_document, name_case
from .xml_tree import local, xml_tree

_MARKS = {"scene heading": ".", "character": "@", "new act": "# "}
_MARKS |= {f"outline {level}": f"{'#' * level} " for level in range(1, 5)}
_SPOKEN = ("dialogue", "lyrics", "singing")
_LEFT_OUT = ("cast list", "end of act", "outline body", "transition")


def final_draft_document(data: bytes, name: str) -> Converted:
    """The screenplay as :func:`fountain_document` gives it. Raises DocumentError for what is no script."""
    root = xml_tree(data, name)
    if local(root) != "finaldraft" or root.find("Content") is None:
        raise DocumentError(f"{name} is not a script of Final Draft: open it there and save it as .fdx")
    title = next((said for _, said in _paragraphs(root.iterfind("TitlePage/Content/Paragraph"))), "")
    lines = [f"Title: {title}"]
    for kind, told in _paragraphs(root.find("Content")):
        said = re.sub(r"([*_\[])", r"\\\1", told)
        if kind == "parenthetical":
            lines.append(f"({said.strip('()')})")
        elif kind in _SPOKEN:
            lines.append(f"~{said}")
        elif kind not in _LEFT_OUT:
            cue = name_case(said) if kind == "character" and said.upper() == said else said
            lines += ["", _MARKS.get(kind, "!") + cue]
    return fountain_document("\n".join(lines))


def _paragraphs(found: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Kind and text of each that has one; dual dialogue in order."""
    for one in found:
        for pair in one.iterfind("DualDialogue"):
            yield from _paragraphs(pair)
        runs = (run for run in one.iterfind("Text") if "Strikeout" not in (run.get("Style") or ""))
        if said := " ".join("".join("".join(run.itertext()) for run in runs).split()):
            yield (one.get("Type") or "").casefold(), said
