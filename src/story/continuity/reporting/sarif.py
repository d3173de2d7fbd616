"""Findings as SARIF 2.1.0, the format in which editors and code hosts take the reports of linters.

OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" (2020). The place of a finding is
its later side, the draft's where a draft was checked; the earlier sides are related locations. Columns count
Unicode characters (``columnKind``), as offsets do, and a region's end is the column after it. There is
nothing in it of the time or the machine: same findings, same bytes.
"""

from __future__ import annotations

import inspect
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote

from ....core.text.sentences import in_marks
from ....core.types import Evidence
from ...model.findings import CheckReport, Severity, Violation
from ..rules.rule import Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_FINGERPRINT = "fabula/v1"
_LINKING = re.compile(r"[\[\]\\]")
Json = dict[str, Any]


@dataclass(frozen=True)
class SourceText:
    """A file that quotes stand in: ``path`` as the user named it, and the text that the offsets index."""

    path: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(i + 1 for i, letter in enumerate(self.text) if letter == "\n")]

    @property
    def uri(self) -> str:
        """The path as a URI reference: ``file:///…`` where it is absolute, else relative."""
        path = self.path.replace("\\", "/")
        safe = quote(path, safe="/:@!$&'()*+,;=-._~")
        if path.startswith("/"):
            return f"file://{safe}"
        # A colon in the first part would make it a scheme: a drive letter, or an odd file name.
        drive = len(path) > 1 and path[1] == ":" and path[0].isalpha()
        if drive:
            return f"file:///{safe}"
        first, slash, rest = safe.partition("/")
        return first.replace(":", "%3A") + slash + rest

    def region(self, evidence: Evidence) -> Json:
        """Where the quote stands, in lines and columns from 1 and in characters from 0."""
        start, end = evidence.span.start, evidence.span.end
        first, last = (bisect_right(self._starts, place) - 1 for place in (start, end))
        return {
            "startLine": first + 1,
            "startColumn": start - self._starts[first] + 1,
            "endLine": last + 1,
            "endColumn": end - self._starts[last] + 1,
            "charOffset": start,
            "charLength": end - start,
            "snippet": {"text": evidence.quote},
        }


def rule_help(rule: Rule) -> str:
    """What the rule looks for, in one line: the first of its module's docstring, else of its own."""
    said = inspect.getdoc(inspect.getmodule(rule)) or inspect.getdoc(rule)
    return (said or rule.__name__.replace("_", " ")).splitlines()[0].replace("``", "")


def sarif_log(
    report: CheckReport, *, rules: Sequence[Rule], sources: Mapping[str, SourceText], version: str
) -> Json:
    """The report as one SARIF log with one run, ready for JSON.

    ``rules`` are those that ran; ``sources`` gives the file of each document id. A quote of a document that
    has no file is told in words. Suppressed findings are results too, with their reasons, as viewers expect.
    """
    names = [rule.__name__ for rule in rules]
    results = [_result(one, names, sources) for one in report.violations]
    results += [
        _result(one.violation, names, sources)
        | {"suppressions": [{"kind": "external", "status": "accepted", "justification": one.reason}]}
        for one in report.suppressed
    ]
    run: Json = {
        "tool": {"driver": {"name": "fabula", "version": version, "rules": [*map(_descriptor, rules)]}},
        "invocations": [{"executionSuccessful": True}],
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": {
            "consistency": report.consistency,
            "violationsPer10kWords": report.per_10k_words,
            "factsChecked": report.facts_checked,
            "factsCheckable": report.facts_checkable,
            "words": report.words,
        },
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _location(evidence: Evidence, sources: Mapping[str, SourceText]) -> Json:
    place = f"{evidence.document_id}, chapter {evidence.chapter}"
    location: Json = {"logicalLocations": [{"name": place, "kind": "chapter"}]}
    source = sources.get(evidence.document_id)
    if source is not None:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": source.uri},
            "region": source.region(evidence),
        }
    return location


def _without_links(text: str) -> str:
    """As a message's plain text: a story's own brackets, which would be a link there, are escaped (section
    3.11.6)."""
    return _LINKING.sub(r"\\\g<0>", text)


def _descriptor(rule: Rule) -> Json:
    text = rule_help(rule)
    first = (inspect.getdoc(rule) or text).split("\n\n", 1)[0]
    full = " ".join(first.replace("``", "").split())
    return {"id": rule.__name__, "shortDescription": {"text": text}, "fullDescription": {"text": full}}


def _result(violation: Violation, rules: Sequence[str], sources: Mapping[str, SourceText]) -> Json:
    *earlier, later = violation.evidence
    more = f" To fix: {violation.suggestion}" if violation.suggestion else ""
    index = {"ruleIndex": rules.index(violation.rule)} if violation.rule in rules else {}
    return {
        "ruleId": violation.rule,
        **index,
        "level": _LEVEL[violation.severity],
        "message": {"text": _without_links(f"{violation.message}{more}")},
        "locations": [_location(later, sources)],
        "relatedLocations": [
            {"id": n, "message": {"text": _without_links(in_marks(one.quote))}, **_location(one, sources)}
            for n, one in enumerate(earlier, start=1)
        ],
        "partialFingerprints": {_FINGERPRINT: violation.fingerprint},
        "properties": {
            name: getattr(violation, name)
            for name in ("entities", "origin", "confidence", "suggestion", "unless")
        },
    }
