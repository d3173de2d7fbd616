"""What the page *Continuity* does: check the book or a draft, choose among findings, suppress, export."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ...engine import Project
from ...errors import UsageError
from ...project.checking import CheckAsked, Checked, checked, in_word, suppress
from ...story.continuity.suppressions import SUPPRESSIONS_FILE
from ...views.findings_shown import FindingShown, FindingsShown, RuleShown, findings_shown, rules_shown
from ...views.text.check import check_json, check_sarif, check_text
from ...views.text.places import ImpactShown, impact_shown
from ..frame import Frame
from .story_views import linked

LONGEST_DRAFT = 60_000
"""Characters of a draft: some twenty pages, read in about half a minute."""

EXPORTS = {
    "Text": ("txt", "text/plain"),
    "JSON": ("json", "application/json"),
    "SARIF": ("sarif", "application/sarif+json"),
    "Word": ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
}
"""Suffix and media type of each way to take the findings away."""

_SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class Desk:
    """A finished check, and how it is shown. ``draft`` is the text that was checked, None for the book."""

    asked: CheckAsked
    done: Checked
    shown: FindingsShown
    rules: tuple[RuleShown, ...]
    draft: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Which findings to show: all those of ``severities``, ``rules`` (empty: of any) and chapters."""

    severities: Collection[str] = _SEVERITIES
    rules: Collection[str] = ()
    first: int = 1
    last: int | None = None

    def of(self, findings: Sequence[FindingShown]) -> tuple[FindingShown, ...]:
        """Those chosen, in their order; a finding stands in the chapter of its later quote."""
        return tuple(
            one
            for one in findings
            if one.severity in self.severities
            and (not self.rules or one.rule in self.rules)
            and self.first <= one.chapter
            and (self.last is None or one.chapter <= self.last)
        )


def check_book(frame: Frame, *, model: bool = False) -> Desk:
    """The story up to the horizon against itself, by the connected ``model`` too where that is asked for;
    kept until it is indexed anew or a finding is suppressed."""
    return _desk(frame, None, model=model or None)


def check_draft(frame: Frame, text: str) -> Desk:
    """A draft against the story up to the horizon, as the chapter after it. Raises UsageError for a text that
    is empty or longer than :data:`LONGEST_DRAFT`."""
    if not text.strip():
        raise UsageError("Paste the draft first: there is nothing to check yet.")
    if len(text) > LONGEST_DRAFT:
        raise UsageError(
            f"the draft has {len(text):,} characters and the page takes {LONGEST_DRAFT:,}: check a part of "
            "it, or use fabula check --draft"
        )
    return _desk(frame, text)


def mean_it(frame: Frame, desk: Desk, fingerprint: str, reason: str) -> None:
    """Writes into the project's suppressions that the finding is meant. Raises UsageError without a
    reason."""
    with frame.project() as project:
        suppress(desk.done, fingerprint, reason=reason, project=project)


def speaks_of_it(frame: Frame, finding: FindingShown) -> ImpactShown:
    """Where else the story speaks of what the finding's last quote from it tells."""
    quote = next(side.quote for side in reversed(finding.sides) if not side.quote.draft)

    def made(project: Project) -> ImpactShown:
        from ...project.impact import impact_of

        return impact_shown(
            impact_of(project, quote.text, chapter=quote.chapter, as_of=frame.as_of), frame.as_of
        )

    return frame.cached("impact", made, quote.chapter, quote.text)


def export(frame: Frame, desk: Desk, form: str) -> str | bytes:
    """The findings in one of the forms of :data:`EXPORTS`; as Word: as comments in a copy of the text."""
    match form:
        case "Word":
            with frame.project() as project:
                return in_word(project, desk.asked, desk.done)[0]
        case "JSON":
            return check_json(desk.done)
        case "SARIF":
            return check_sarif(desk.done)
    return check_text(desk.done, show_suppressed=True)


def _desk(frame: Frame, draft: str | None, *, model: bool | None = None) -> Desk:
    # At the last chapter the whole story is asked about: some rules speak only of finished ones.
    last = frame.story.chapters
    as_of = None if frame.as_of >= last and draft is None else frame.as_of

    def made(project: Project) -> Desk:
        asked = CheckAsked(as_of=as_of, text=draft, model=model)
        done = checked(project, asked)
        view = project.view(frame.as_of)
        shown = findings_shown(done.report, project.document, view=view, draft=draft)
        shown = replace(
            shown,
            findings=tuple(replace(one, sides=linked(frame, one.sides)) for one in shown.findings),
        )
        return Desk(asked, done, shown, rules_shown(done.rules), draft)

    return frame.cached("check", made, draft, model, _stamp(frame))


def _stamp(frame: Frame) -> int:
    """Changes with the project's suppressions."""
    path = frame.story.folder / SUPPRESSIONS_FILE
    return path.stat().st_mtime_ns if path.is_file() else 0
