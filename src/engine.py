"""The composition root: a project, opened, with everything it can answer.

Command line, server, app and experiments go through here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from .config import Source, named_settings
from .errors import ConfigError, ProjectError
from .project.creating import index_book
from .project.factories import check_named, config_of, make_embedder, make_monitor, make_reader
from .project.parts import OpenProject
from .project.storage.opening import open_store

if TYPE_CHECKING:  # loaded where they are used: a search must not wait for what it does not need
    from .core.answering.answered import Answered
    from .core.interfaces import Generator
    from .project.asking import AskHow
    from .story.comparison.engine import ComparisonEvent
    from .story.comparison.report import ComparisonReport
    from .story.continuity.critic import ContinuityCritic
    from .story.graph_rag.exporting import ExportReport
    from .story.model.findings import CheckReport
    from .story.writing.pipelines import Pipeline

__all__ = ["Project", "config_of", "index_book", "make_embedder", "make_monitor", "make_reader"]


class Project(OpenProject):
    """An indexed book. Every question takes ``as_of``, a chapter; None is the whole book. What searches,
    checks or writes raises MemoryBudgetError where memory stays above its budget."""

    @classmethod
    def open(
        cls, folder: Path, *, settings: Sequence[Source] = (), assignments: Sequence[str] = ()
    ) -> Project:
        """Opens what :func:`index_book` made, and recomputes nothing. Settings come from the user's
        own file, from the folder's ``fabula.toml`` (without what reaches beyond the folder and is not
        confirmed, see :mod:`.project.trust`; :attr:`notices` say so), then the files and tables given, then
        ``section.key=value`` assignments. What the index was made with (chunking, embedding, parsing) stays
        as it was made; a file given or an assignment that names another value raises ConfigError."""
        config, own = config_of(folder, above=settings, assignments=assignments)
        named = named_settings([one for one in settings if isinstance(one, Path)], assignments)
        store = open_store(folder, config)
        try:
            snapshot = store.snapshot()
            check_named(snapshot, config, named)
            return cls(store, snapshot, config, notices=own.notices)
        except (ProjectError, ConfigError):
            store.close()
            raise

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, question: str, **how: Unpack[AskHow]) -> Answered:
        """An answer with its sources, each claim checked against them; a wish to write on becomes a scene.
        ``history`` holds earlier questions and answers, latest last; ``conversation`` is the id of one that
        the project keeps (``conversations``): what was asked there comes before, and this is added. Without
        ``model`` (by default as ``answering.model`` says) the story's own sentences answer. ``on_text`` gets
        it once it was checked, and empty pieces while a model writes."""
        from .project.asking import ask

        with self.monitor.work():
            return ask(self, question, **how)

    def check(
        self, *, as_of: int | None = None, draft: str | None = None, critic: ContinuityCritic | None = None
    ) -> CheckReport:
        """The findings of the critic (with all rules, if None) in the book up to ``as_of``, or in a draft set
        after it; nothing is suppressed."""
        from .project.checking import check

        with self.monitor.work():
            return check(self, as_of=as_of, draft=draft, critic=critic or self.critic)

    def compare(
        self,
        prompt: str,
        *,
        chapter: int | None = None,
        pipelines: Sequence[Pipeline] | None = None,
        seed: int | None = None,
        generator: Generator | None = None,
        on_event: Callable[[ComparisonEvent], None] | None = None,
    ) -> ComparisonReport:
        """One prompt through the pipelines (all, if None): a scene set right after ``chapter``, by a writer
        who knows no more than a reader there. ``seed`` and ``generator`` replace the settings'."""
        from .project.comparing import compare

        with self.monitor.work():
            how: dict[str, Any] = {"seed": seed, "generator": generator, "on_event": on_event}
            return compare(self, prompt, chapter=chapter, pipelines=pipelines, **how)

    def score(self, texts: Mapping[str, str], *, prompt: str, chapter: int | None = None) -> ComparisonReport:
        """Texts that were written elsewhere for the prompt, scored by name as the pipelines' drafts are."""
        from .project.comparing import score

        with self.monitor.work():
            return score(self, texts, prompt=prompt, chapter=chapter)

    def export(self, out: Path, *, format: str, as_of: int | None = None) -> ExportReport:
        """All that the story narrates up to ``as_of``, with its evidence, as a file (``csv``: a folder)."""
        from .story.graph_rag.exporting import export_story

        book = self.document
        return export_story(self.view(as_of), out, format=format, document_id=book.id, title=book.title)
