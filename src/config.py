"""Settings: typed, validated, with nothing hidden in code.

Read from TOML (``fabula.toml`` in a project, or a file named on the command line) over the defaults below.
An unknown key is an error that names the nearest known one.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from .core.chunks.chunking import OVERLAP, PRESETS, SIZE, Unit
from .core.files.toml import TomlError, load_toml, parse_toml
from .errors import ConfigError
from .sections import LARGEST, Documents, Memory, Section, Store, Text, Wishes

Source = Path | Mapping[str, Any]
"""Settings: a file of them, or a table as such a file holds it."""
_KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,60}_API_KEY")
_LONGEST = 80  # characters of a wrong value that a message repeats
_QUOTES = "'\""
_SECRETS = re.compile(r"(?<=://)([^:/@]*):.*@|(password)=.*", re.IGNORECASE)
_Stop = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]
_Device = Annotated[str, StringConstraints(pattern=r"^(auto|cpu|cuda|mps|xpu|hpu|npu)(:[0-9]{1,3})?$")]


def _as_word(value: object) -> object:
    """``true`` is ``on`` in TOML's words."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


_REMOTE_MODELS = {
    "openai": "text-embedding-3-small",
    "gemini": "text-embedding-004",
    "ollama": "nomic-embed-text",
}


def _key_variable(name: str) -> str:
    if name and not _KEY_NAME.fullmatch(name):
        raise ValueError("only an environment variable whose name ends in _API_KEY is read")
    return name


_KeyVariable = Annotated[Text, AfterValidator(_key_variable)]


class Chunking(Section):
    """``preset`` gives the rest: ``story`` 540 characters, 108 of which are those of the chunk before,
    ``report`` 1000 and 200, ``tokens`` 512 and 50 tokens of the embedding model (estimated for an endpoint);
    ``size`` and ``overlap`` stand in for its own."""

    preset: Literal["story", "report", "tokens"] = "story"
    size: int = Field(SIZE, ge=50, le=20_000)
    overlap: int = Field(OVERLAP, ge=0, le=LARGEST)

    @model_validator(mode="before")
    @classmethod
    def _of_the_preset(cls, given: Any) -> Any:
        preset = given.get("preset") if isinstance(given, dict) else None
        if isinstance(preset, str) and preset in PRESETS:
            _, size, overlap = PRESETS[preset]
            return {"size": size, "overlap": overlap} | given
        return given

    @property
    def unit(self) -> Unit:
        """What ``size`` and ``overlap`` count."""
        return "tokens" if self.preset == "tokens" else "characters"

    @model_validator(mode="after")
    def _overlap_fits(self) -> Chunking:
        if self.overlap >= self.size:
            raise ValueError(f"overlap ({self.overlap}) must be smaller than size ({self.size})")
        return self


class Retrieval(Section):
    """``fusion`` names a preset of :mod:`fabula.core.fusion`; ``semantic_weight`` replaces the preset's own.
    ``graph`` follows names from one passage to another. ``backend`` is fabula's own BM25 or that of the
    package rank-bm25 (Okapi). ``reranker`` (``packaged``, the reader of answers) and ``cache`` (results kept
    by meaning, for long-lived processes) are off by default. ``least_score`` above 0 leaves out of a search
    what is less similar to the query (cosine, by the embedding model; a search by words alone leaves nothing
    out)."""

    k: int = Field(5, ge=1, le=1000)
    least_score: float = Field(0.0, ge=0, le=1)
    fusion: Literal["evidence", "convex", "convex-min-max", "convex-z-score", "comb-mnz", "rrf", "rrf-5"] = (
        "evidence"
    )
    semantic_weight: float | None = Field(None, ge=0, le=1)
    graph: bool = True
    backend: Literal["fabula", "rank-bm25"] = "fabula"
    reranker: Literal["", "packaged"] = ""
    cache: bool = False


class Embedding(Section):
    """``provider`` local computes vectors here; openai (any endpoint that speaks its protocol), gemini and
    ollama send every passage and every query to an endpoint: ``base_url`` is its address (by default the
    provider's own), ``api_key_env`` the variable that holds its key, of a name that ends in ``_API_KEY`` (by
    default the provider's own; none where ``base_url`` is given). ``model`` is by default the packaged one,
    text-embedding-3-small, text-embedding-004 or nomic-embed-text; ``dimensions`` asks an endpoint for
    shorter vectors than its model's own (0). ``query_prefix`` and ``document_prefix`` stand before a text as
    the model is given it; left out, they are what the model is known to need. ``timeout_s`` is how long an
    endpoint may send nothing."""

    provider: Literal["local", "openai", "gemini", "ollama"] = "local"
    model: Text = "all-MiniLM-L6-v2"
    base_url: Text = ""
    api_key_env: _KeyVariable = ""
    dimensions: int = Field(0, ge=0, le=65_536)
    query_prefix: Text | None = None
    document_prefix: Text | None = None
    device: _Device = "auto"
    timeout_s: float = Field(60, gt=0, le=LARGEST)

    @property
    def is_local(self) -> bool:
        """Whether vectors are computed here, and no text goes anywhere."""
        return self.provider == "local"

    @property
    def label(self) -> str:
        """The model, behind its provider where that is not this machine."""
        return self.model if self.is_local else f"{self.provider}:{self.model}"

    @model_validator(mode="before")
    @classmethod
    def _has_the_providers_model(cls, given: object) -> object:
        if isinstance(given, Mapping) and not given.get("model"):
            own = _REMOTE_MODELS.get(str(given.get("provider")))
            return {**given, "model": own} if own else given
        return given


class Parsing(Section):
    """``model`` is a spaCy pipeline. ``model_extractor`` says whether the language model of ``[generator]``
    reads every chapter and draft, and checks them: ``auto`` and ``on`` where one is connected (the packaged
    one is too small for it), ``off`` never. It is a request a chapter, or more where a third of
    ``generator.context_tokens`` does not hold its answer."""

    model: Text = "en_core_web_sm"
    model_extractor: Annotated[Literal["auto", "on", "off"], BeforeValidator(_as_word)] = "auto"


class Generator(Section):
    """``fabula model`` writes this section. ``provider`` local runs a GGUF file in this process; openai calls
    any compatible endpoint; ollama calls Ollama by its own protocol, so that it reads ``context_tokens``;
    folder writes each request into ``folder`` and waits ``timeout_s`` for its answer there (see
    ``llm.folder``); kept gives the answers that the file ``folder`` holds (see ``llm.kept_answers``).
    ``api_key_env`` is the variable that holds an endpoint's key, of a name that ends in ``_API_KEY`` (by
    default OPENAI_API_KEY for OpenAI itself, and none where ``base_url`` is given).
    ``json_schema`` false has the form of an answer written into the prompt, for endpoints that hold none to a
    schema.
    ``recording`` is a file that keeps every answer and gives it again; with ``replay`` nothing else is
    asked, so that a run can be repeated without the model or its key. ``max_cost`` (dollars, 0 for no bound)
    stops a run before it is passed, by the price list in the file ``prices`` (see ``llm.usage``), else by the
    public prices of the package genai-prices. A text in prose ends before the first of the ``stop``
    sequences, four at most, as far as the model takes them."""

    provider: Literal["local", "openai", "ollama", "folder", "kept"] = "local"
    model: Text = ""
    base_url: Text = ""
    api_key_env: _KeyVariable = ""
    context_tokens: int = Field(4096, ge=512, le=2**24)
    timeout_s: float = Field(120, gt=0, le=LARGEST)
    concurrency: int = Field(4, ge=1, le=1024)
    json_schema: bool = True
    folder: Text = ""
    recording: Text = ""
    replay: bool = False
    max_cost: float = Field(0.0, ge=0, le=LARGEST)
    prices: Text = ""
    stop: Annotated[tuple[_Stop, ...], Field(max_length=4)] = ()

    @property
    def is_packaged(self) -> bool:
        """Whether it is the small model that comes with the package."""
        return self.provider == "local" and not self.model and not self.recording

    @property
    def is_endpoint(self) -> bool:
        """Whether requests go to a server."""
        return self.provider in ("openai", "ollama")

    @model_validator(mode="after")
    def _hangs_together(self) -> Generator:
        if self.replay and not self.recording:
            raise ValueError("replay needs the recording to replay: set generator.recording")
        return self


class Comparison(Section):
    """Tokens are the generator's own. ``budget`` bounds each pipeline's whole context (0: a tenth of what
    the model can read, 700 to 3,000)."""

    budget: int = Field(0, ge=0, le=LARGEST)
    max_tokens: int = Field(220, ge=1, le=LARGEST)
    temperature: float = Field(0.0, ge=0, le=LARGEST)
    seed: int = Field(0, ge=0, le=LARGEST)


class Answering(Section):
    """Tokens are the generator's own. ``budget`` bounds what an answer is made from (0: a third of what the
    model can read, 900 to 6,000, half as much again for reasons and comparisons). ``model`` says whether the
    language model writes answers: ``auto``, where one was chosen in ``[generator]`` (the packaged one is too
    small for it), ``on`` or ``off``; else the story's own sentences answer. A question is understood by the
    last ``turns`` questions of its conversation and their answers."""

    model: Annotated[Literal["auto", "on", "off"], BeforeValidator(_as_word)] = "auto"
    budget: int = Field(0, ge=0, le=LARGEST)
    turns: int = Field(3, ge=0, le=1000)
    max_tokens: int = Field(400, ge=1, le=LARGEST)


class Config(Section):
    """``codex`` is a file that the author wrote (see :mod:`fabula.story.codex.codex`); its path begins at the
    project's folder. Where it names none, a ``codex.yaml`` in that folder is the codex."""

    codex: Text = ""
    chunking: Chunking = Chunking()
    retrieval: Retrieval = Retrieval()
    embedding: Embedding = Embedding()
    parsing: Parsing = Parsing()
    generator: Generator = Generator()
    comparison: Comparison = Comparison()
    answering: Answering = Answering()
    wishes: Wishes = Wishes()
    documents: Documents = Documents()
    memory: Memory = Memory()
    store: Store = Store()

    @property
    def model_reads(self) -> bool:
        """Whether a language model reads chapters and drafts, and criticises them."""
        return self.parsing.model_extractor != "off" and not self.generator.is_packaged

    @property
    def model_answers(self) -> bool:
        """Whether the language model writes answers where nothing else is said."""
        if self.answering.model == "auto":
            return not self.generator.is_packaged
        return self.answering.model == "on"


def load_config(*sources: Source, assignments: Sequence[str] = ()) -> Config:
    """Defaults, then each file or table in turn, then ``section.key=value`` assignments (values as in TOML).

    Raises ConfigError with one line that says what is wrong, where, and the nearest right name.
    """
    merged = named_settings(sources, assignments)
    try:
        return Config.model_validate(merged)
    except ValidationError as error:
        raise ConfigError(_explain(error)) from None


def named_settings(sources: Sequence[Source], assignments: Sequence[str]) -> dict[str, Any]:
    """The table that they make together, not validated; what they do not name is not in it."""
    merged: dict[str, Any] = {}
    for source in sources:
        _merge(merged, read_settings(source) if isinstance(source, Path) else source)
    for assignment in assignments:
        _merge(merged, _parse_assignment(assignment))
    return merged


def read_settings(file: Path) -> dict[str, Any]:
    """The table in a file, not validated. Raises ConfigError where it cannot be read."""
    try:
        return load_toml(file)
    except (OSError, TomlError) as error:
        raise ConfigError(f"the settings file {file} cannot be read: {error}") from error


def _parse_assignment(assignment: str) -> dict[str, Any]:
    path, equals, value = assignment.partition("=")
    section, dot, key = path.strip().partition(".")
    if not equals or not dot:
        raise ConfigError(f"{assignment!r} is not a setting: write section.key=value, e.g. retrieval.k=8")
    try:
        parsed = parse_toml(f"x = {value}")["x"]
    except TomlError:
        parsed = value.strip()
    return {section: {key: parsed}}


def _merge(into: dict[str, Any], other: Mapping[str, Any]) -> None:
    for key, value in other.items():
        if isinstance(value, Mapping) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = dict(value) if isinstance(value, Mapping) else value


def masked(text: str) -> str:
    """The text without the passwords of addresses in it."""
    return _SECRETS.sub(lambda found: f"{found[1]}:***@" if found[2] is None else f"{found[2]}=***", text)


def _explain(error: ValidationError) -> str:
    first = error.errors()[0]
    place = [str(part) for part in first["loc"]]
    name = ".".join(place) or "settings"
    if first["type"] != "extra_forbidden":
        return f"{name} = {shortened(first['input'])}: {first['msg'].removeprefix('Value error, ')}"
    retired = load_toml(Path(__file__).with_name("retired_settings.toml"))
    keys = [*place[1:], *(first["input"] if isinstance(first["input"], Mapping) else ())]
    if keys and (instead := retired.get(place[0], {}).get(keys[0])):
        return f"the setting {place[0]}.{keys[0]} is gone, remove it: {instead}"
    section: type[BaseModel] = Config
    for part in place[:-1]:
        annotation = section.model_fields[part].annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            section = annotation
    known = sorted(section.model_fields)
    near = difflib.get_close_matches(place[-1], known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
    return f"there is no setting {shortened(name).strip(_QUOTES)}; {hint}"


def shortened(value: object) -> str:
    """As it would be written in Python, but no longer than can be read."""
    written = masked(repr(value))
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 1]}…"
