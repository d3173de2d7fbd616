"""Information extraction from a parsed chapter: every reader, in the order in which they build on another."""

from __future__ import annotations

from ..model.chapter_reading import ChapterReading, Mention
from ..model.types import EntityKind
from .bonds.kinship import KinReader
from .bonds.nouns import read_noun_bonds
from .clauses.arguments import Arguments
from .clauses.clause_reader import ClauseReader
from .clauses.fact_collector import Teller
from .coreference.pronouns import PronounReader
from .deaths.reader import dies_by, read_deaths
from .events.causes import read_causes, read_orders
from .events.frames import read_frames
from .events.times import read_times
from .failures import Failures
from .goals.inner_life import InnerLifeReader
from .knowledge.learnings import read_learnings
from .learned.sentence_facts import SentenceReader, told_bonds, told_deeds
from .learned.slot_traits import read_slots
from .mentions.finder import find_mentions
from .mentions.narrator import find_narrator
from .mentions.narrator_name import narrator_names
from .naming.full_names import read_full_names
from .naming.introductions import read_introductions
from .naming.kin_hints import read_kin_hints
from .naming.taken_as_known import read_as_known
from .objects.handlings import read_handlings
from .parsing.chapter import ParsedChapter
from .presence.scenes import read_presences
from .presence.whereabouts import read_whereabouts
from .quotations.quotations import read_quotations
from .trait_reader import read_traits

__all__ = ["read_chapter"]


def read_chapter(chapter: ParsedChapter, failures: Failures, *, learned: bool) -> ChapterReading:
    """What the readers find in a chapter just parsed, but for those that ``failures`` passes over.
    ``learned``: by the linear readers too. Whatever a reader raises comes through."""
    run = failures.run
    run(find_mentions, chapter)
    run(find_narrator, chapter)
    arguments = Arguments.of(chapter, PronounReader.of(chapter))
    kin = KinReader(chapter, arguments)
    run(kin.read)
    teller = Teller(chapter, arguments)
    clauses = ClauseReader(chapter, arguments, teller, dies_by)
    run(clauses.read)
    run(read_noun_bonds, chapter, arguments, teller)
    inner = InnerLifeReader(chapter, arguments)
    run(inner.read)
    sentences = SentenceReader(chapter, arguments) if learned else None
    if sentences is not None:
        run(sentences.tell, teller, bonds=told_bonds(teller, kin.statements), deeds=told_deeds(teller))
    run(read_frames, chapter, arguments, teller)
    learnt = run(read_learnings, chapter, arguments, teller)
    if sentences is not None:
        learnt = (*learnt, *run(sentences.learnings, known=frozenset(e.evidence[0].start for e in learnt)))
    learnings = tuple(sorted(learnt, key=lambda each: each.evidence[0]))
    quotations = run(read_quotations, chapter, arguments.dialogue)
    statements = sorted(
        dict.fromkeys((*teller.statements, *kin.statements)),
        key=lambda s: (s.evidence[0], s.subject, s.object, s.predicate, s.modality),
    )
    traits = (
        *run(read_traits, chapter, arguments, teller),
        *run(read_introductions, chapter),
        *run(read_full_names, chapter),
        *run(read_as_known, chapter),
        *run(read_kin_hints, chapter),
        *run(read_deaths, chapter, arguments),
        *run(read_whereabouts, chapter, arguments),
    )
    if sentences is not None:
        traits = (*traits, *run(read_slots, chapter, arguments, traits), *run(sentences.traits, traits))
    return _pruned(
        ChapterReading(
            mentions=tuple(chapter.mentions),
            statements=tuple(statements),
            happenings=tuple(teller.happenings),
            causes=run(read_causes, chapter, teller),
            moods=tuple(inner.moods),
            goals=tuple(inner.goals),
            identities=(*kin.identities, *run(narrator_names, chapter)),
            scenes=chapter.scenes,
            orders=run(read_orders, chapter, teller),
            quotations=quotations,
            presences=run(read_presences, chapter, arguments, quotations),
            times=run(read_times, chapter, arguments, teller),
            learnings=learnings,
            traits=traits,
            handlings=run(read_handlings, chapter, arguments, teller),
        )
    )


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
