"""What the page *Continuity* does: check the book or a draft, choose among findings, note, export."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from ...core.runtime.model_requests import ModelPlan
from ...engine import Project
from ...errors import UsageError
from ...project.checking import CheckAsked, Checked, checked, in_word, suppress
from ...project.spending import with_cost
from ...story.continuity.suppressions import SUPPRESSIONS_FILE
from ...views.findings_shown import FindingShown, FindingsShown, RuleShown, findings_shown, rules_shown
from ...views.text.check import check_as
from ...views.text.places import ImpactShown, impact_shown
from ..frame import Frame
from .story_views import horizon, kept, linked

LONGEST_DRAFT = 60_000
"""Characters of a draft: some twenty pages, read in about half a minute."""

_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EXPORTS = {
    "Word": ("Comments in a Word document", "docx", _DOCX),
    "Text": ("A list as text", "txt", "text/plain"),
    "JSON": ("JSON", "json", "application/json"),
    "SARIF": ("SARIF, for editors and code hosts", "sarif", "application/sarif+json"),
    "Vale": ("Vale's JSON, for linters", "vale.json", "application/json"),
}
"""What to call each way to take the findings away, its suffix and media type."""

OPEN = "open"
"""The state of findings without a note of the author's."""


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
    """Which findings to show: those in a ``state``, about somebody, of ``rules`` (empty: of any), and in
    chapters."""

    state: str = OPEN
    about: str = ""
    rules: Collection[str] = ()
    first: int = 1
    last: int | None = None

    def of(self, shown: FindingsShown) -> tuple[FindingShown, ...]:
        """Those chosen, in their order; a finding stands in the chapter of its later quote."""
        return tuple(
            one
            for one in (*shown.findings, *shown.suppressed)
            if (one.state or OPEN) == self.state
            and (not self.about or self.about in one.entities)
            and (not self.rules or one.rule in self.rules)
            and self.first <= one.chapter
            and (self.last is None or one.chapter <= self.last)
        )


@kept
def model_plan(frame: Frame, project: Project) -> ModelPlan | None:
    """What the connected model is still to be asked for a check of the story up to the horizon, and its cost;
    None without one."""
    if not project.config.model_reads:
        return None
    return with_cost(project.model_critic().plan(project.view(horizon(frame))), project.config)


def note(frame: Frame, desk: Desk, fingerprint: str, state: str | None, reason: str = "") -> None:
    """Notes the state of a finding in the project; with None takes the note back. Raises UsageError for one
    that is meant without a reason."""
    with frame.project() as project:
        suppress(desk.done, fingerprint, reason=reason, project=project, state=state)


@kept
def speaks_of_it(frame: Frame, project: Project, finding: FindingShown) -> ImpactShown:
    """Where else the story speaks of what the finding's last quote from it tells."""
    from ...project.impact import impact_of

    quote = next(side.quote for side in reversed(finding.sides) if not side.quote.draft)
    found = impact_of(project, quote.text, chapter=quote.chapter, as_of=frame.as_of)
    return impact_shown(found, frame.as_of)


def export(frame: Frame, desk: Desk, form: str) -> str | bytes:
    """The findings in one of the forms of :data:`EXPORTS`; as Word: as comments in a copy of the text."""
    if form == "Word":
        with frame.project() as project:
            return in_word(project, desk.asked, desk.done)[0]
    return check_as(desk.done, form.lower(), show_suppressed=True)


def check(
    frame: Frame,
    draft: str | None = None,
    *,
    model: bool | None = False,
    on_answer: Callable[[int, int], None] = lambda *_: None,
) -> Desk:
    """The story up to the horizon against itself, or a draft against it as the chapter after it, by the
    connected ``model`` too where that is asked for (None: of a draft, where one is connected); kept until it
    is indexed anew or a finding is noted. ``on_answer`` hears of the model's answers. Raises UsageError for a
    draft that is empty or longer than :data:`LONGEST_DRAFT`."""
    if draft is not None and not draft.strip():
        raise UsageError("Paste the draft first: there is nothing to check yet.")
    if draft is not None and len(draft) > LONGEST_DRAFT:
        raise UsageError(
            f"the draft has {len(draft):,} characters and the page takes {LONGEST_DRAFT:,}: check a part of "
            "it, or use fabula check --draft"
        )
    # At the last chapter the whole story is asked about: some rules speak only of finished ones.
    last = frame.story.chapters
    as_of = None if frame.as_of >= last and draft is None else frame.as_of

    def made(project: Project) -> Desk:
        asked = CheckAsked(as_of=as_of, text=draft, model=model)
        done = checked(project, asked, on_answer=on_answer)
        view = project.view(frame.as_of)
        shown = findings_shown(done.report, project.document, view=view, draft=draft, notes=done.notes)
        found = [
            tuple(replace(one, sides=linked(frame, one.sides)) for one in each)
            for each in (shown.findings, shown.suppressed)
        ]
        shown = replace(shown, findings=found[0], suppressed=found[1])
        return Desk(asked, done, shown, rules_shown(done.rules), draft)

    path = frame.story.folder / SUPPRESSIONS_FILE
    noted = path.stat().st_mtime_ns if path.is_file() else 0
    return frame.cached("check", made, draft, model, noted)
