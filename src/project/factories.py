"""Parts as the settings name them; each loads its model when it is first used."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..config import Config, Source, load_config
from ..core.text.encodings import decoded
from ..errors import ConfigError, DocumentError, UsageError
from .spending import read_prices, recorder
from .trust import FolderSettings, folder_settings, user_settings, withheld_models

if TYPE_CHECKING:
    from ..core.interfaces import DocumentEmbedder, Generator
    from ..core.runtime.memory_monitor import MemoryMonitor
    from ..core.store.store import Snapshot, Store
    from ..core.types import Call
    from ..llm.recorded import RecordedGenerator
    from ..story.codex.codex import Codex
    from ..story.model.chapter_reading import ChapterReader

OWN_CODEX = "codex.yaml"
"""The codex of a project whose settings name none, in its folder."""
BOUND = ("chunking", "embedding", "parsing")
"""The sections of settings that an index is made with."""
_ANEW = {"embedding": ("api_key_env", "base_url", "timeout_s"), "parsing": ("model_extractor",)}
"""What may be told anew at every use of an index: how models are reached, and not what they give."""


def make_embedder(
    config: Config, *, withheld: str = "", record: Callable[[Call], None] = lambda _: None
) -> DocumentEmbedder:
    """``withheld`` says why the model may not be used, if so; ``record`` hears of an endpoint's calls."""
    e = config.embedding
    if e.provider == "local":
        from ..core.embeddings import EmbeddingManager

        return EmbeddingManager(
            e.model,
            device=e.device,
            query_prefix=e.query_prefix,
            document_prefix=e.document_prefix,
            withheld=withheld,
        )
    from ..llm.embedding import RemoteEmbedder

    return RemoteEmbedder(e, record=record, withheld=withheld)


def make_generator(config: Config, store: Store | None = None) -> Generator:
    """The model of the settings within their bound of cost, behind its recording where they name one. Every
    call that it answers is kept in the ``store``, where one is given."""
    from ..llm.factory import make_generator as make
    from ..llm.usage import MeteredGenerator

    g = config.generator
    kept = {} if store is None else {"record": recorder(store, "language", free=not g.is_endpoint)}

    def made() -> Generator:
        prices = read_prices(g.prices) if g.max_cost else None
        return MeteredGenerator(make(g), prices=prices, max_cost=g.max_cost, **kept)

    if not g.recording:
        return made()
    from ..llm.recorded import RecordedGenerator

    return RecordedGenerator(Path(g.recording), None if g.replay else made)


def keep_answers(made: Generator, folder: Path, config: Config, *, lent: bool = False) -> RecordedGenerator:
    """The model with every answer kept in the project's ``folder`` before it is given, so that no request is
    made twice, unless the answer that lies in a folder has been corrected; where the settings name a
    recording, that is where they are kept. ``lent``: closing it leaves the model open."""
    from ..llm.folder import is_outdated
    from ..llm.recorded import RecordedGenerator

    if isinstance(made, RecordedGenerator):
        return made
    name = hashlib.sha256(made.name.encode()).hexdigest()[:12]
    answers, g = folder / f"answers-{name}.sqlite", config.generator
    if g.provider != "folder":
        return RecordedGenerator(answers, lambda: made, lent=lent)
    outdated = partial(is_outdated, Path(g.folder or ""))
    return RecordedGenerator(answers, lambda: made, lent=lent, is_outdated=outdated)


def require_own_model(config: Config, what: str) -> None:
    """Raises UsageError where the settings choose no language model but the packaged one. ``what`` it is
    needed for opens the message: "suggestions are made"."""
    if config.generator.is_packaged:
        raise UsageError(
            f"{what} by a language model, and the one that comes with fabula is too small: connect another "
            "by fabula model"
        )


def make_reader(config: Config, generator: Callable[[], Generator] | None = None) -> ChapterReader:
    """Rules, and by the settings the language model; ``generator`` gives one that the caller closes."""
    from ..story.extraction.reader import KEPT_CHARS, StoryReader

    rules = StoryReader(config.parsing.model, kept_chars=KEPT_CHARS)
    if not config.model_reads:
        return rules
    from ..llm.recorded import RecordedGenerator
    from ..story.extraction.by_model.reader import ModelReader
    from ..story.extraction.combined_reader import CombinedReader

    made = generator() if generator is not None else make_generator(config)
    known: dict[str, Any] = {"is_answered": made.holds} if isinstance(made, RecordedGenerator) else {}
    return CombinedReader(rules, ModelReader(made, **known))


def make_monitor(config: Config, *, shares_with: Callable[[], Iterable[int]] = tuple) -> MemoryMonitor:
    """Not started yet. ``memory.budget_gb`` counts GiB; 0 means
    :func:`.core.runtime.memory_monitor.default_budget`. ``shares_with``: processes on the same budget."""
    from ..core.runtime.memory_monitor import GIB, MemoryMonitor

    budget = config.memory.budget_gb
    return MemoryMonitor(budget=int(budget * GIB) if budget else None, shares_with=shares_with)


def config_of(
    folder: Path, *, above: Sequence[Source] = (), assignments: Sequence[str] = ()
) -> tuple[Config, FolderSettings]:
    """The settings for a project: the user's own for all projects, then those that stand in its folder, as
    far as they may (they are given back too), then ``above`` and ``assignments``."""
    own = folder_settings(folder)
    return load_config(*user_settings(), own.allowed, *above, assignments=assignments), own


def codex_file(folder: Path, config: Config, given: Path | None) -> Path | None:
    """The codex that was named, else the one of the settings, whose path begins at the project's folder,
    else the ``codex.yaml`` in it, where there is one."""
    if given is not None or config.codex:
        return given or folder / config.codex
    return folder / OWN_CODEX if (folder / OWN_CODEX).is_file() else None


def read_codex(path: Path, *, told_before: int | None = 0) -> Codex:
    """The codex in a file, or in the notes of a project of novelWriter or Manuskript. ``told_before``: the
    chapters of a series before that book, None where the notes are of another book, and all of them is known
    from the start. Raises DocumentError where it cannot be read, or is no codex (with the line)."""
    from ..story.codex.codex import Codex

    if path.is_dir() or path.suffix.lower() in (".msk", ".nwx", ".zip"):
        from ..core.documents import read_notes
        from ..story.codex.notes import codex_of_notes

        return Codex.parse(codex_of_notes(read_notes(path), str(path), told_before=told_before))
    try:
        return Codex.parse(decoded(path.read_bytes()))
    except UnicodeDecodeError as error:
        raise DocumentError(f"the codex {path} is not in UTF-8 ({error.reason}): save it so") from error
    except OSError as error:
        raise DocumentError(f"the codex {path} cannot be read ({error.strerror}): check its name") from error


def made_with(settings: str) -> Config:
    """The settings that an index was made with, out of the JSON that its project keeps of them, and defaults
    for those that do not bear on it; what an earlier version kept besides is passed over."""
    kept = json.loads(settings)
    chunking = kept.get("chunking", {})
    if chunking.get("unit") == "tokens":  # which an earlier version could set beside another preset
        chunking["preset"] = "tokens"
    known = {section: Config.model_fields[section].annotation.model_fields for section in BOUND}  # type: ignore[union-attr]
    sections = known.keys() & kept.keys()
    return Config.model_validate(
        {one: {key: value for key, value in kept[one].items() if key in known[one]} for one in sections}
    )


def check_named(held: Snapshot, config: Config, named: Mapping[str, Any]) -> None:
    """Raises ConfigError where settings that somebody named by hand (``named``; ``config`` is what they come
    to) are not those that the index was made with: they would change nothing."""
    made = made_with(held.settings)
    for section in BOUND:
        for key in named.get(section, {}):
            if key in _ANEW.get(section, ()):
                continue
            now, then = getattr(getattr(config, section), key), getattr(getattr(made, section), key)
            if now != then:
                raise ConfigError(
                    f"the index in {held.project} was made with {section}.{key} = {then!r}, not {now!r}: "
                    f"leave the setting out, or make the index again with it: "
                    f"fabula index BOOK -o {held.project} --set {section}.{key}={now}"
                )


@dataclass(frozen=True, slots=True)
class Bound:
    """Settings with those in them that an index was made with. ``withheld_embedding`` says why its embedding
    model may not be loaded, ``notices`` what else of it nobody confirmed: a line each."""

    config: Config
    withheld_embedding: str = ""
    notices: tuple[str, ...] = ()


def bound(held: Snapshot, config: Config) -> Bound:
    """The settings, but for those that an index was made with: they hold for as long as it is used. A parsing
    model that nobody confirmed is replaced by that of the settings."""
    made = made_with(held.settings)
    reached = _reached(made, config)
    withheld = {
        name: value
        for name, value in withheld_models(held.project, made, asked=config).items()
        if name.partition(".")[2] not in reached
    }
    notices: dict[str, str] = {}
    for section, instead in _INSTEAD.items():
        mine = [(name, one) for name, one in withheld.items() if name.startswith(f"{section}.")]
        if names := ", ".join(f"{name} = {one[:80]!r}" for name, one in mine):
            notices[section] = (
                f"the index in {held.project} names {names}, which nobody confirmed here: "
                f"{instead} until you run fabula trust {held.project}"
            )
    parsing = made.parsing.model_copy(update={key: getattr(config.parsing, key) for key in _ANEW["parsing"]})
    if "parsing" in notices:
        parsing = parsing.model_copy(update={"model": config.parsing.model})
    embedding = made.embedding.model_copy(update=reached)
    own = {"chunking": made.chunking, "embedding": embedding, "parsing": parsing}
    together = config.model_copy(update=own)
    return Bound(together, notices.get("embedding", ""), tuple(notices.values()))


def _reached(made: Config, asked: Config) -> dict[str, Any]:
    """How the user says now that the index's embedding provider is to be reached."""
    told = asked.embedding.model_fields_set
    if "provider" in told and asked.embedding.provider != made.embedding.provider:
        return {}
    return {key: getattr(asked.embedding, key) for key in _ANEW["embedding"] if key in told}


_INSTEAD = {
    "embedding": "searches use words alone",
    "parsing": "drafts are read by the parser of your settings",
}
