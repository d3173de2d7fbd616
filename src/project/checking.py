"""A check as the command line asks for it: which rules, which horizon, what is meant and what is not."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.documents import is_stream, read_document
from ..core.types import Document, Horizon
from ..errors import UsageError
from ..story.continuity.by_model.critic import ModelCritic, ModelReview
from ..story.continuity.critic import DRAFT_ID, ContinuityCritic, chosen_rules, draft_document
from ..story.continuity.reporting.sarif import SourceText
from ..story.continuity.suppressions import MEANT, SUPPRESSIONS_FILE, Suppression, Suppressions, note_finding
from ..story.model.findings import CheckReport, Violation
from .spending import with_cost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..core.runtime.model_requests import ModelPlan
    from ..story.calibration.power import Power
    from ..story.continuity.rules.rule import Rule
    from ..story.continuity.suspects.suspects import Suspect
    from ..story.extraction.by_model.verifying import LeftOut
    from ..story.graph_rag.views.story_view import StoryView
    from ..story.model.chapter_reading import ChapterReading
    from .parts import OpenProject

_PASTED = "draft.txt"  # what a draft that comes from no file is called
AT_ONCE, FEW_SUSPECTS = 6_000, 5
"""So much work is done for suspects unasked, about a minute, and at most so many are shown then."""
SLIPS_A_COPY, SOUND_A_COPY = 6, 12
"""Of each difficulty, and sound pairs."""


@dataclass(frozen=True, slots=True)
class CheckAsked:
    """What to check: the book up to ``as_of``, or the draft in that file (or given as ``text``) as if set
    right after it, or an edited ``copy`` of the book. ``only`` and ``without`` choose rules by name.
    ``suppressions`` is the file of findings that are meant: by default that of the project, where there is
    one. ``model``: the connected language model checks too; None: where one is connected, a draft."""

    as_of: int | None = None
    draft: Path | None = None
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    suppressions: Path | None = None
    model: bool | None = None
    text: str | None = None
    copy: Document | None = None


@dataclass(frozen=True, slots=True)
class ModelAgreement:
    """What a model found beside the rules. ``review`` says what it claimed and what of that was dropped."""

    model: str
    findings: int
    rules: int
    review: ModelReview


@dataclass(frozen=True, slots=True)
class Checked:
    """A report and what is needed to show it. ``stale`` entries of the suppressions match nothing, told only
    where the check could have met them: not of a project's entries in a check that was narrowed (to a part of
    the book, to some rules, to a draft). ``sources`` are the files that quotes stand in, by document id."""

    report: CheckReport
    rules: tuple[Rule, ...]
    suppressions: Path | None
    stale: tuple[Suppression, ...]
    sources: tuple[tuple[str, SourceText], ...]
    model: ModelAgreement | None = None
    powers: tuple[Power, ...] = ()
    notes: tuple[Suppression, ...] = ()
    suspects: tuple[Suspect, ...] = ()


def check(
    project: OpenProject, *, as_of: int | None, draft: str | None, critic: ContinuityCritic
) -> CheckReport:
    """The critic's findings in the book up to ``as_of``, or in a draft set after it; nothing suppressed."""
    if draft is not None:
        return project.draft_checker(as_of, critic=critic).check(draft)
    horizon, text = project.horizon(as_of), project.document.text
    told = [each for each in project.document.chapters if horizon.admits(each.number)]
    sizes = tuple((each.number, len(each.body.of(text).split())) for each in told)
    report = critic.check(project.view(as_of), words=sum(words for _, words in sizes))
    return replace(report, chapter_words=sizes)


def suspects(
    project: OpenProject,
    *,
    as_of: int | None = None,
    draft: str | None = None,
    chapters: tuple[int, int | None] | None = None,
    limit: int | None = 20,
    most_work: float = math.inf,
    on_done: Callable[[int, int], None] | None = None,
) -> tuple[Suspect, ...]:
    """Pairs of sentences narrated up to ``as_of`` that may contradict each other, the likeliest first, those
    whose later side is in ``chapters`` (a first and a last one), with a draft in it; without a ``limit`` one
    in ten sentences, up to ``FEW_SUSPECTS``. A list to read: a judge
    that is wrong of many ranks it, and nothing of it is a finding. Empty where that would be more than
    ``most_work`` (see ``Told.work``). ``on_done`` hears how many pairs of how many are read; none is read
    twice, as what is found of a pair is kept. Raises MemoryBudgetError."""
    from ..story.continuity.suspects.pair_judge import packaged_judge
    from ..story.continuity.suspects.suspects import suspects as found
    from ..story.continuity.suspects.suspects import told_in
    from .vectors import KeptJudge

    documents = [project.document]
    if draft is not None:
        last = len(project.document.chapters) if as_of is None else as_of
        documents.append(draft_document(draft, chapter=last + 1))
    told = told_in(documents, horizon=project.horizon(as_of), chapters=chapters, only_last=draft is not None)
    if told.work > most_work:
        return ()
    if limit is None:
        limit = min(FEW_SUSPECTS, 1 + len(told.asked) // 10)
    judge = partial(KeptJudge(project._store, packaged_judge()).odds, on_done=on_done)
    with project.monitor.work():
        return found(told, embed=project.sentence_vectors.of, judge=judge, limit=limit)


def with_suspects(
    project: OpenProject, done: Checked, *, as_of: int | None, on_done: Callable[[int, int], None]
) -> Checked:
    """With the few likeliest suspects of what was checked, where that takes no more than ``AT_ONCE``."""
    sources = dict(done.sources)
    draft = sources[DRAFT_ID].text if DRAFT_ID in sources else None
    few = suspects(project, as_of=as_of, draft=draft, limit=None, most_work=AT_ONCE, on_done=on_done)
    return replace(done, suspects=few)


def checked(
    project: OpenProject,
    asked: CheckAsked,
    *,
    confirm: Callable[[ModelPlan], None] = lambda _: None,
    on_answer: Callable[[int, int], None] = lambda *_: None,
) -> Checked:
    """Runs the check that is asked for. ``confirm`` hears what a language model is to be asked for a whole
    book, and ``on_answer`` of each answer. Raises UsageError for an unknown rule, or a damaged file of
    suppressions."""
    book = project.document
    source = SourceText(_shown(project.book_file) or f"{book.id}.txt", book.text)
    sources = [(book.id, SourceText("", asked.copy.text) if asked.copy else source)]
    draft = read_document(asked.draft).text if asked.draft else asked.text
    if draft is not None:
        sources.append((DRAFT_ID, SourceText(_shown(asked.draft) or _PASTED, draft)))
    entries, file = _suppressions(project, asked.suppressions)
    rules = chosen_rules(asked.only, without=asked.without)
    by_model = project.config.model_reads and draft is not None if asked.model is None else asked.model
    model = project.model_critic(on_answer) if by_model else None
    if model is not None and draft is None:
        confirm(with_cost(model.plan(project.view(asked.as_of)), project.config))
    powers = project.powers
    critic = ContinuityCritic(rules, model=model, measured=[power.critic for power in powers])
    with project.monitor.work():
        if asked.copy is None:
            report = check(project, as_of=asked.as_of, draft=draft, critic=critic)
        else:
            report = critic.check(_view_of(project, asked.copy, asked.as_of), words=0)
    agreement = None
    if model is not None:
        by_rules = sum(one.origin == "rules" for one in report.violations)
        own = len(report.violations) - by_rules
        agreement = ModelAgreement(project.generator.name, own, by_rules, model.review)
    sifted = entries.sift(report.violations)
    narrowed = bool(asked.only or asked.without) or (draft is None and asked.as_of is not None)
    narrowed = narrowed or (draft is not None and asked.suppressions is None)
    return Checked(
        report=replace(report, violations=sifted.kept, suppressed=sifted.suppressed),
        rules=critic.rules,
        suppressions=file,
        stale=() if narrowed else sifted.stale,
        notes=tuple(one for one in entries.entries if one.state != MEANT),
        sources=tuple(sources),
        model=agreement,
        powers=powers,
    )


def calibrate(
    project: OpenProject,
    *,
    copies: int = 4,
    words: int = 20_000,
    model: bool = False,
    seed: int = 0,
    confirm: Callable[[ModelPlan], None] | None = None,
    on_copy: Callable[[int, int], None] | None = None,
) -> tuple[Power, ...]:
    """How much the critic finds of slips put into ``copies`` copies of the book's first chapters (about
    ``words`` words), and how easily it is misled; with ``model`` the language model as a critic too. What was
    measured is kept in the project, and every later check says it. ``confirm`` hears before what the model
    will cost, and may raise; ``on_copy`` hears of each copy. Raises MemoryBudgetError."""
    from ..story.calibration.power import power_of, save_powers

    book, view_of = _stretch(project.document, words), partial(_view_of, project)

    def by_rules(copy: Document) -> tuple[Violation, ...]:
        return project.critic.check(view_of(copy), words=0).violations

    def by_model(copy: Document) -> tuple[Violation, ...]:
        embed = project.sentence_embedder.embed_documents
        model = ModelCritic(project.kept_generator, copy, embed=embed)
        return ContinuityCritic(model=model).check(view_of(copy), words=0).violations

    how: dict[str, Any] = {"copies": copies, "slips": SLIPS_A_COPY, "sound": SOUND_A_COPY, "seed": seed}
    if model and confirm is not None:
        plan = ModelCritic(project.kept_generator, book).plan(view_of(book))
        confirm(with_cost(plan.times(copies), project.config))
    with project.monitor.work():
        powers = [power_of("rules", book, by_rules, on_copy=on_copy, **how)]
        if model:
            name = f"model:{project.generator.name}"
            powers.append(power_of(name, book, by_model, on_copy=on_copy, **how))
    with project._store.lock():
        save_powers(project.folder, tuple(powers), of=project.measured_of)
    return tuple(powers)


def _view_of(project: OpenProject, copy: Document, as_of: int | None = None) -> StoryView:
    """An edited copy of the book as a reader at that chapter has it."""
    from ..story.graph_rag.story_graph import StoryKnowledgeGraph

    return StoryKnowledgeGraph(project.linked(copy, as_of).log).as_of(project.horizon(as_of))


def _stretch(document: Document, words: int) -> Document:
    """The first chapters, whole, until they have so many words."""
    last, told = 0, 0
    for chapter in document.chapters:
        last, told = last + 1, told + len(chapter.body.of(document.text).split())
        if told >= words:
            break
    return _told(document, Horizon(last))


def in_word(project: OpenProject, asked: CheckAsked, done: Checked) -> tuple[bytes, int]:
    """The findings as comments in a copy of the Word document that was checked, the book's or the draft's
    (one is made where the file is of another kind), and how many comments. Raises UsageError where the file
    is another text by now."""
    from ..story.continuity.reporting.comments import commented

    if asked.draft is None and asked.text is None:
        told = project.document
        if asked.as_of is not None:
            told = _told(told, project.horizon(asked.as_of))
        return commented(
            done.report.violations, told, file=project.book_file if asked.as_of is None else None
        )
    draft = dict(done.sources)[DRAFT_ID].text
    return commented(done.report.violations, draft_document(draft, chapter=1), file=asked.draft)


def _told(document: Document, horizon: Horizon) -> Document:
    kept = tuple(one for one in document.chapters if horizon.admits(one.number))
    return replace(document, text=document.text[: kept[-1].body.end if kept else 0], chapters=kept)


def suppress(
    done: Checked, finding: str, *, reason: str, project: OpenProject, state: str | None = MEANT
) -> Path:
    """Notes the state of a finding of this check, by its fingerprint or its number in the text (from 1): that
    it is meant, or another of ``STATES``; None takes the note back. Gives the file. Raises UsageError where
    the check found no such thing, or it is suppressed already."""
    violations = done.report.violations
    suppressed = [one.violation for one in done.report.suppressed]
    found = next((one for one in violations if one.fingerprint == finding), None)
    if found is None and finding.isdecimal() and 1 <= int(finding[:9]) <= len(violations):
        found = violations[int(finding) - 1]
    path = done.suppressions or project.folder / SUPPRESSIONS_FILE
    known = next((one for one in suppressed if one.fingerprint == finding), None)
    found = known if found is None and state != MEANT else found
    if found is None:
        hint = f"it is already suppressed in {path}" if known else "fabula check shows what there is"
        raise UsageError(f"this check found nothing that is {finding!r}: {hint}")
    note_finding(path, found, reason=reason, state=state)
    return path


def _suppressions(project: OpenProject, given: Path | None) -> tuple[Suppressions, Path | None]:
    default = project.folder / SUPPRESSIONS_FILE
    if given is None and not default.is_file():
        return Suppressions(), None
    path = given or default
    return Suppressions.load(path), path


def _shown(path: Path | None) -> str:
    """The path below the working folder where it lies there, else whole; empty for what is no file."""
    if path is None or is_stream(path):
        return ""
    whole = path.resolve()
    here = Path.cwd()
    return whole.relative_to(here).as_posix() if whole.is_relative_to(here) else whole.as_posix()


def read_by_model(project: OpenProject) -> int:
    """How many chapters the language model of the settings has read; 0 where none is connected."""
    from ..core.store.records import KeptWork
    from ..story.extraction.combined_reader import rules_of
    from .indexing import read_key

    reader, document = project.reader, project.document
    if rules_of(reader) is reader:
        return 0
    return len(document.chapters) - len(KeptWork(project._store, read_key(reader), document).missing())


def _apart(view: StoryView, reading: ChapterReading) -> Iterator[LeftOut]:
    """Two names of one, by the model, that still are two, since something speaks against it."""
    from ..story.extraction.by_model.verifying import LeftOut

    for one in reading.cast:
        for also in one.also:
            ends = view.find(one.name), view.find(also)
            if None not in ends and len({end.id for end in ends if end is not None}) == 2:
                reason = "names kept apart: of two genders or kinds, listed as two, or by a correction"
                yield LeftOut(reason, "named", f"{one.name}, also {also}")


def left_out(project: OpenProject) -> list[tuple[int, LeftOut]]:
    """By chapter, what the language model of the settings said and was not kept, by the answers that are on
    disk. Raises UsageError where it has not read the whole book: nothing is asked."""
    from ..core.store.records import KeptWork
    from ..story.extraction.by_model.reader import ModelReader
    from ..story.extraction.combined_reader import CombinedReader
    from ..story.model.chapter_reading import ChapterReading
    from .indexing import asked_of, read_key

    document, reader = project.document, project.reader
    if isinstance(reader, CombinedReader) and isinstance(reader.second, ModelReader):
        kept = KeptWork(project._store, read_key(reader.first), document)
        if not kept.missing():
            readings = [ChapterReading.from_json(kept[one.number].decode()) for one in document.chapters]
            asked = asked_of(document, readings, project.codex, project.corrections)
            if not reader.second.plan(asked).requests:
                found = [reader.second.extract(*each) for each in asked]
                return [
                    (number, one)
                    for number, each in enumerate(found, start=1)
                    for one in (*each.left_out, *_apart(project.view(), each.reading))
                ]
    raise UsageError(
        "the language model of the settings has not read this book: connect it by fabula model, and index "
        "the book again"
    )
