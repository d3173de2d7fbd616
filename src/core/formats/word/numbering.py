"""The labels that Word sets before numbered paragraphs ("Chapter 3"): they stand in no paragraph's text."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from ...chapters.numerals import in_roman
from ..xml_tree import local

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_PLACE = re.compile(r"%([1-9])")
_MOST = 99_999  # the highest number; Word ends at 32,767


@dataclass(frozen=True, slots=True)
class _Level:
    text: str
    style: str
    start: int


class Numbering:
    """Counts the numbered paragraphs of a document, which have to come in order. ``root`` is its table of
    lists, None where it has none."""

    def __init__(self, root: Any) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._lists: dict[str, str] = {}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        for one in root if root is not None else ():
            tag = local(one) if isinstance(one.tag, str) else ""
            if tag == "abstractnum":
                self._levels[value_of(one, "abstractNumId") or ""] = dict(
                    _level(level) for level in one if isinstance(level.tag, str) and local(level) == "lvl"
                )
            elif tag == "num" and (found := child_of(one, "abstractnumid")) is not None:
                self._lists[value_of(one, "numId") or ""] = value_of(found, "val") or ""

    def label(self, properties: Any) -> str:
        """The label of the next paragraph, which these ``numPr`` belong to; "" for a bullet."""
        number, depth = child_of(properties, "numid"), child_of(properties, "ilvl")
        abstract = self._lists.get((value_of(number, "val") or "") if number is not None else "", "")
        levels = self._levels.get(abstract, {})
        at = _whole(depth, 0)
        if at not in levels:
            return ""
        counts = self._counts[abstract]
        counts[at] = min(counts.get(at, levels[at].start - 1) + 1, _MOST)
        for deeper in [level for level in counts if level > at]:
            del counts[deeper]

        def shown(place: re.Match[str]) -> str:
            level = levels.get(int(place[1]) - 1)
            if level is None:
                return ""
            count = counts.get(int(place[1]) - 1, level.start)
            said = in_roman(count) if "roman" in level.style else str(count)
            return said.lower() if level.style.startswith("lower") else said

        return _PLACE.sub(shown, levels[at].text) if _PLACE.search(levels[at].text) else ""


def _level(element: Any) -> tuple[int, _Level]:
    told = {local(one): one for one in element if isinstance(one.tag, str)}
    text, style = (value_of(told[key], "val") or "" if key in told else "" for key in ("lvltext", "numfmt"))
    depth = value_of(element, "ilvl") or ""
    at = int(depth) if depth.isdecimal() and len(depth) < 3 else 0
    return at, _Level(text, style.replace("Roman", "roman"), _whole(told.get("start"), 1))


def _whole(element: Any, missing: int) -> int:
    said = (value_of(element, "val") or "") if element is not None else ""
    return int(said) if said.isascii() and said.isdigit() and len(said) < 6 else missing


def child_of(element: Any, name: str) -> Any:
    """The first child of this name in small letters; None where there is none, or no element."""
    if element is None:
        return None
    return next((one for one in element if isinstance(one.tag, str) and local(one) == name), None)


def value_of(element: Any, name: str) -> str | None:
    """An attribute of Word's, in either of its name spaces."""
    found = element.get(f"{_W}{name}")
    value = element.get(f"{_STRICT}{name}") if found is None else found
    return None if value is None else str(value)
