"""Connecting a language model: choose one, keep it in the user's own settings, test it, take it out again."""

from __future__ import annotations

import contextlib
import datetime
import difflib
import json
import re
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from ..config import Config, Source, load_config, named_settings
from ..core.files.atomic import changing, replace_file
from ..core.files.toml import TomlError, parse_toml
from ..errors import ConfigError, ModelError, UsageError
from ..llm.connecting.endpoints import (
    EndpointKind,
    Offer,
    context_in_use,
    endpoint_kinds,
    offers_of,
    server_at,
)
from ..llm.request import without_stop
from .factories import make_generator
from .spending import with_cost
from .trust import folder_settings, read_user_table, trust, user_folder

if TYPE_CHECKING:
    from ..core.runtime.model_requests import ModelPlan
    from ..core.types import Document
    from ..llm.connecting.fitness import Fitness


Change = Mapping[str, Mapping[str, str | int | float | bool | Sequence[str] | None]]


def save_settings(file: Path, change: Change) -> Config:
    """Writes ``change`` (section → key → value; None takes the key out) into ``file``, made where there is
    none, and gives the settings that it now holds. The file is replaced whole, and only where everything in
    it is valid; who writes at the same time waits. What is set so counts as confirmed (see
    :mod:`.project.trust`), unless the file held something that was not.

    Raises ConfigError for a setting that does not exist or is out of range, or a file that is no TOML;
    UsageError where it cannot be written. Then nothing has changed.
    """
    with changing(file):
        try:
            text = file.read_text(encoding="utf-8") if file.is_file() else ""
            parse_toml(text)  # within limits, or it is not read
            document = tomlkit.parse(text)
            for section, values in change.items():
                if any(value is not None for value in values.values()):
                    document.setdefault(section, tomlkit.table())
                inside = document.get(section, {})
                if not isinstance(inside, MutableMapping):
                    raise ConfigError(f"{section} is not a section of settings")
                for key, value in values.items():
                    inside.pop(key, None) if value is None else inside.update({key: value})
            new = tomlkit.dumps(document)
            config = load_config(parse_toml(new))
        except (OSError, UnicodeDecodeError, TomlError, TOMLKitError) as error:
            raise ConfigError(f"{file.name} cannot be read ({error}): fix or remove it") from error
        if new != text:
            known = not folder_settings(file.parent).withheld
            replace_file(file, new)
            if known:
                trust(file.parent)
    return config


def keep_generator(folder: Path, settings: Sequence[Source], assignments: Sequence[str]) -> None:
    """Writes the language model that was named for this project alone into its own settings, so that it holds
    for whatever is done with the project later. Files are named from here on by their whole path."""
    named = named_settings(settings, assignments).get("generator", {})
    for key in named.keys() & {"folder", "recording", "prices"}:
        named[key] = str(Path(named[key]).resolve()) if named[key] else ""
    if named:
        save_settings(folder / "fabula.toml", {"generator": named})


CHOSEN: Mapping[str, None] = dict.fromkeys(
    "provider model base_url api_key_env context_tokens timeout_s concurrency json_schema "
    "folder recording replay".split()
)
"""What choosing a model says anew; prices and bounds stay."""
_NAMED = 5  # models in a message
_VERDICTS = "models.json"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test said of a model, and when (a date)."""

    reads: bool
    answers: bool
    tokens_per_second: float
    tested: str

    @property
    def text(self) -> str:
        """``fit to read chapters and to answer``, or less."""
        fit = ["to read chapters"] * self.reads + ["to answer"] * self.answers
        return f"fit {' and '.join(fit)}" if fit else "fit for neither reading nor answering"


@dataclass(frozen=True, slots=True)
class Tested:
    """``plan`` is what reading the book costs that was named; ``notes`` say what was seen besides."""

    model: str
    fitness: Fitness
    verdict: Verdict
    notes: tuple[str, ...] = ()
    plan: ModelPlan | None = None


def find_offer(name: str, offers: Sequence[Offer]) -> Offer:
    """The offer of that number (from 1), that name (``provider/model``, or a provider's alone), that model's
    name or its beginning, or at an address (``model@http://host:port/v1``, or the address alone). A provider
    is asked for its models. Raises UsageError where there is none, or more than one; ModelError."""
    if name.isdecimal() and 1 <= int(name[:6]) <= len(offers):
        return offers[int(name[:6]) - 1]
    provider, _, model = name.partition("/")
    kind = endpoint_kinds().get(provider)
    if at := re.search(r"https?://", name):
        server = server_at(name[at.start() :])
        model = name[: at.start()].rstrip("@")
        offers, name = (offers_of(server), model) if model else ((Offer(server),), server.base_url)
    elif kind is not None and kind.key:
        offers = offers_of(kind) if model else (Offer(kind),)
    names = [(one, {one.name, one.model or one.name}) for one in offers]
    found = [one for one, its in names if name in its]
    found = found or [one for one, its in names if any(each.startswith(name) for each in its)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{name} could be {', '.join(one.name for one in found[:_NAMED])}: name one of them")
    known = sorted({each for _, its in names for each in its})
    near = ", ".join(difflib.get_close_matches(name, known, _NAMED))
    hint = f"did you mean {near}?" if near else "fabula model shows what there is"
    raise UsageError(f"there is no model {name}: {hint}")


def use(offer: Offer) -> tuple[Config, Path]:
    """Writes the model into the user's own settings; gives them and their file. Raises UsageError for a
    provider without a model, ConfigError where the file cannot be changed."""
    if not offer.model:
        raise UsageError(f"{offer.kind.title} has several models: name one, as {offer.kind.named('MODEL')}")
    return _save({**CHOSEN, **offer.settings})


def off() -> Path:
    """Takes the model out of the user's own settings."""
    return _save(CHOSEN)[1]


def connected(config: Config) -> str:
    """The name of the model that is connected, as its verdict is kept by; empty for none."""
    if config.generator.is_packaged:
        return ""
    plain = config.generator.model_copy(update={"recording": "", "replay": False, "max_cost": 0})
    try:
        made = make_generator(config.model_copy(update={"generator": plain}))
    except ModelError:  # its key is missing
        return config.generator.model
    made.close()
    return without_stop(made.name)


def why_silent(config: Config) -> str:
    """Why the connected endpoint does not answer, or does not serve the model; empty where all is well.
    Nothing but its list of models is asked for."""
    told = config.generator
    usual = endpoint_kinds()["ollama" if told.provider == "ollama" else "openai"]
    base = told.base_url.rstrip("/") or usual.base_url
    base = base.removesuffix("/v1") + "/v1" if told.provider == "ollama" else base
    known = next((one for one in endpoint_kinds().values() if one.base_url == base), usual)
    key = told.api_key_env or (usual.key if base == usual.base_url else "")
    kind = EndpointKind("", "its server", base, key=key, headers=known.headers if key else {})
    try:
        served = {one.model for one in offers_of(kind, timeout_s=min(5.0, told.timeout_s))}
    except ModelError as error:
        return str(error)
    return "" if told.model in served or key else f"its server does not serve {told.model}"


def test_model(config: Config, book: Document | None = None) -> Tested:
    """Asks the model of the settings two short questions, and keeps the verdict. ``book`` is to be priced.
    Raises UsageError where none is connected, ModelError."""
    from ..llm.connecting.fitness import examine_model
    from ..story.extraction.by_model.reader import ModelReader
    from ..story.model.chapter_reading import NOTHING_BEFORE

    if config.generator.is_packaged:
        raise UsageError("no model is connected: fabula model connects one")
    plain = {"json_schema": True, "recording": "", "replay": False}
    model = make_generator(config.model_copy(update={"generator": config.generator.model_copy(update=plain)}))
    try:
        found = examine_model(model)
        plan = None
        if book is not None:
            reader = ModelReader(model)
            asked = [(one.body.of(book.text), NOTHING_BEFORE) for one in book.chapters]
            plan = with_cost(reader.plan(asked), config)
    finally:
        model.close()
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    verdict = Verdict(found.reads, found.answers, round(found.tokens_per_second, 1), today)
    name = without_stop(model.name)
    file = user_folder() / _VERDICTS
    with changing(file):
        kept = json.dumps({**_verdicts(), name: asdict(verdict)}, indent=1, sort_keys=True)
        replace_file(file, f"{kept}\n")
    return Tested(name, found, verdict, tuple(_notes(config, found)), plan)


def verdict_on(name: str) -> Verdict | None:
    """What the last test said of a model, by its generator's name; None where there was none."""
    kept = _verdicts().get(without_stop(name))
    try:
        return Verdict(**kept) if kept else None
    except TypeError:
        return None  # of another version


def require_fit(name: str) -> None:
    """Raises UsageError where the model failed its test for reading."""
    verdict = verdict_on(name)
    if verdict is not None and not verdict.reads:
        raise UsageError(
            f"{name} is not fit to read chapters (fabula model test, {verdict.tested}): connect another by "
            "fabula model, leave it out by --set parsing.model_extractor=false, or read with it by --force"
        )


def _notes(config: Config, found: Fitness) -> list[str]:
    g, notes, held = config.generator, [], 0
    if found.needs_words and g.json_schema:
        file = _save({"json_schema": False})[1]
        notes.append(f"it does better without a schema: {file} now has json_schema = false")
    if g.provider == "ollama":
        with contextlib.suppress(ModelError):
            held = context_in_use(g.base_url or endpoint_kinds()["ollama"].base_url, g.model)
    if 0 < held < g.context_tokens:
        notes.append(
            f"Ollama holds it with {held:,} tokens of context, not {g.context_tokens:,}: set "
            f"generator.context_tokens = {held}, or give it more memory"
        )
    return notes


def _save(values: Mapping[str, str | int | bool | None]) -> tuple[Config, Path]:
    file = user_folder() / "fabula.toml"
    return save_settings(file, {"generator": values}), file


def _verdicts() -> dict[str, dict[str, Any]]:
    return read_user_table(user_folder() / _VERDICTS, "what tests of models said")
