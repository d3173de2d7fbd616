"""Imports: what BookNLP 1.0 and Microsoft GraphRAG made of a book, each quote looked up in the text."""

from __future__ import annotations

import csv
import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from itertools import accumulate, groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...core.text.encodings import guess_encoding
from ...core.text.sentences import sentences
from ...core.types import Document, Evidence, Span
from ...errors import FabulaError, ProjectError
from ..graph_rag.story_graph import StoryKnowledgeGraph, load_log
from ..lexicon.verbs_and_nouns import ADJECTIVES, KIN, VERBS, verb_lemma
from ..linking.state import ToldChapter
from ..model.predicates import PREDICATES
from ..model.types import EntityKind, EntityMention, Modality, QuotationTold, Relation, StoryLog, quotes_of
from ..names.spelling import Slugs

GRAPHS = "graphs"  # where a project keeps them, in its folder
MOST_BYTES, MOST_UNPACKED = 100_000_000, 30_000_000  # of a file; more than the longest novel makes
_WORD = re.compile(r"(?:[^\W_]|[\u0300-\u036f])+|[^\w\s]|_")
_STRAIGHT = str.maketrans("‘’“”„\u2010\u2011", '\'\'"""--')  # what other programs make of marks
_RUN = 4  # words; a run of so many that stands once in each text is taken for the same place
_KINDS = {
    **dict.fromkeys(("PER", "PERSON", "CHARACTER"), EntityKind.CHARACTER),
    **dict.fromkeys(("ORG", "ORGANIZATION", "GROUP"), EntityKind.GROUP),
    **dict.fromkeys(("FAC", "GPE", "LOC", "GEO", "LOCATION"), EntityKind.LOCATION),
}
_UNDONE = frozenset(
    "not t never no longer former formerly ex once almost nearly may might would could".split()
)


class _Words:
    """A text as words and marks, whatever the case, the writing of accents and the form of the marks."""

    def __init__(self, text: str) -> None:
        self.spans = [Span(*each.span()) for each in _WORD.finditer(text)]
        words = (unicodedata.normalize("NFC", span.of(text).translate(_STRAIGHT)) for span in self.spans)
        self.words = [word.casefold() for word in words]
        runs = list(zip(*(self.words[i:] for i in range(_RUN)), strict=False))
        count = Counter(runs)
        self.once = {run: place for place, run in enumerate(runs) if count[run] == 1}

    def places_in(self, ours: _Words) -> list[int]:
        """For each word its place among ours, -1 where it has none: runs that stand once in both, lengthened
        to both sides, and what both texts begin and end with."""
        same = {place: ours.once[run] for run, place in self.once.items() if run in ours.once}
        found, place = [-1] * len(self.words), 0
        for at, word in enumerate(self.words):
            place = same.get(at, place)
            if ours.words[place : place + 1] == [word]:
                found[at], place = place, place + 1
            else:
                place = len(ours.words)  # lost until the next run
        for at, word in reversed(list(enumerate(self.words))):
            if found[at] < 0 < place and ours.words[place - 1] == word:
                found[at] = place - 1
            place = found[at]
        return found


class _Book(_Words):
    """The document, and a count of what does not stand in it."""

    def __init__(self, document: Document) -> None:
        super().__init__(document.text)
        self.document, self.dropped, self.own = document, Counter[str](), dict[str, EntityKind]()
        self._chapters = [chapter.heading.start for chapter in document.chapters]
        self.sentences = sentences(document.text)

    def evidence(self, span: Span) -> Evidence | None:
        """What stands there; None where two chapters tell it."""
        first, last = (max(1, bisect_right(self._chapters, at)) for at in (span.start, span.end - 1))
        return Evidence.of(self.document, first, span) if first == last else None

    def mention(self, entity: str, kind: EntityKind, said: Evidence) -> EntityMention:
        """A name that stands there."""
        surface = said.line.replace("’", "'").removesuffix("'s")
        return EntityMention(entity, kind, surface, said.chapter, said)


def import_story(
    folder: Path, source: str, document: Document, own: Mapping[str, EntityKind] = MappingProxyType({})
) -> tuple[StoryLog, dict[str, int]]:
    """The graph that ``source``, ``"booknlp"`` or ``"graphrag"``, wrote into a folder; how many things were
    dropped, by reason. ``own``: the kinds of the story's own names, for a type that is unknown. Raises
    ProjectError, naming the file, for what is missing, damaged or too large."""
    book = _Book(document)
    book.own = {_plain(name): kind for name, kind in own.items()}
    tables = _booknlp(folder, book) if source == "booknlp" else _graphrag(folder, book)
    for rows in tables.values():
        rows.sort(key=lambda row: (row.told, quotes_of(row)[0].span, repr(row)))
    log = StoryLog(**{name: tuple(rows) for name, rows in tables.items()})
    return log, {reason: count for reason, count in sorted(book.dropped.items()) if count}


def load_graph(folder: Path, name: str, document: Document) -> StoryKnowledgeGraph:
    """The graph that a project keeps under that name. Raises ProjectError where there is none, it is damaged,
    or a quote of it does not stand in the book, which has since become another."""
    known = {path.stem: path for path in sorted((folder / GRAPHS).glob("*.json"))}
    if name not in known:
        held = ", ".join(known) or "none"
        raise ProjectError(f"the project holds no graph {name!r} (it has {held}): fabula import makes one")
    try:
        log = load_log(known[name].read_text(encoding="utf-8"))
        for record in (record for table in fields(log) for record in getattr(log, table.name)):
            for quote in quotes_of(record):
                quote.verify(document.text)
        return StoryKnowledgeGraph.from_log(log)
    except (OSError, ValueError, FabulaError) as error:
        raise ProjectError(f"the graph {name!r} cannot be used ({error}): import it again") from error


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    from pyarrow import ArrowException

    try:
        if path.stat().st_size > MOST_BYTES:
            raise ProjectError(f"{path} has more than {MOST_BYTES:,} bytes: import the book in parts")
        yield
    except (OSError, ValueError, LookupError, TypeError, AttributeError, csv.Error, ArrowException) as error:
        why = " ".join(str(getattr(error, "strerror", None) or error).split())[:200]
        if isinstance(error, KeyError):
            why = f"it has no {why}"
        elif isinstance(error, UnicodeDecodeError):
            why = f"it is not in UTF-8, perhaps in {guess_encoding(path.read_bytes()[:99_999]) or 'UTF-16'}"
        raise ProjectError(
            f"{path} cannot be used ({why}): give the folder as the program wrote it"
        ) from error


def _rows(path: Path, numbers: str, texts: str = "") -> list[list[Any]]:
    """These columns of a table of BookNLP's, with -1 for the number ``None``."""
    with _reading(path), path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        named = [[row[name].strip() for name in f"{numbers} {texts}".split()] for row in rows]
        count = len(numbers.split())
        return [[*(int(n.replace("None", "-1")) for n in row[:count]), *row[count:]] for row in named]


def _booknlp(folder: Path, book: _Book) -> dict[str, list[Any]]:
    """Names by coreference, each by its most frequent name, without pronouns; quotations and speakers."""
    if len(runs := sorted(folder.glob("*.tokens"))) != 1:
        raise ProjectError(f"{folder} holds {len(runs)} files .tokens: name the folder of one BookNLP run")
    tokens = [text for (text,) in _rows(runs[0], "", "word")]
    first = [0, *accumulate(len(_WORD.findall(token)) for token in tokens)]  # a token may be several words
    places = _Words(" ".join(tokens)).places_in(book)

    def evidence(start: int, end: int, what: str) -> Evidence | None:
        """What the book has for these tokens: first and last word are the same, and half of all at least."""
        found = places[first[start] : first[end + 1]] if 0 <= start <= end < len(tokens) else []
        if found and 0 <= found[0] <= found[-1] and len(found) >= 2 * found.count(-1):
            span = Span(book.spans[found[0]].start, book.spans[found[-1]].end)
            if found[-1] - found[0] < 2 * len(found) and (said := book.evidence(span)):
                return said
        book.dropped[f"{what} that are not in the text"] += 1
        return None

    names, ids, slugs = defaultdict[int, Counter[str]](Counter), dict[int, str](), Slugs()
    rows = _rows(runs[0].with_suffix(".entities"), "COREF start_token end_token", "prop cat text")
    for cluster, _, _, prop, _, text in rows:
        names[cluster][text] += prop == "PROP"
    for cluster, found in sorted(names.items()):
        if most := max(found.values()):
            ids[cluster] = slugs.fresh(max(name for name, count in found.items() if count == most))
    mentions: list[EntityMention] = []
    for cluster, start, end, prop, kind, _ in rows:
        if cluster not in ids or prop == "PRON" or kind not in _KINDS:
            book.dropped["pronouns, and things without a name"] += 1
        elif said := evidence(start, end, "mentions"):
            mentions.append(book.mention(ids[cluster], _KINDS[kind], said))
    quotations: list[QuotationTold] = []
    quotes = runs[0].with_suffix(".quotes")
    for start, end, cluster in _rows(quotes, "quote_start quote_end char_id") if quotes.exists() else ():
        if said := evidence(start, end, "quotations"):
            who = ids.get(cluster)
            sure = 0.8 if who else 0.0  # about what its authors report for speakers in literature
            quotations.append(QuotationTold(who, (), said.chapter, (said,), 1, "implicit", sure))
    return {"mentions": mentions, "quotations": quotations}


def _parquet(folder: Path, table: str, columns: str) -> Iterator[list[Any]]:
    """Some rows at a time: a page of Parquet may unpack to far more than it is on disk."""
    from pyarrow.parquet import ParquetFile

    old, size = folder / f"create_final_{table}.parquet", 0  # of GraphRAG 1.x
    path = old if old.exists() else folder / f"{table}.parquet"
    with _reading(path):
        for batch in ParquetFile(path).iter_batches(16, columns=columns.split()):
            read = {name: list if name.endswith("_ids") else str for name in columns.split()}
            rows = [[to(row[name] or "") for name, to in read.items()] for row in batch.to_pylist()]
            size += batch.nbytes + sum(len(cell) for row in rows for cell in row)
            if size > MOST_UNPACKED:
                raise ProjectError(f"{path} unpacks to over {MOST_UNPACKED:,} bytes: import it in parts")
            yield from rows


@dataclass
class _Named:
    """What GraphRAG tells of an entity, and where the book names it."""

    name: str
    id: str
    kind: EntityKind
    chunks: set[Span] = field(default_factory=set)
    sentences: set[Span] = field(default_factory=set)


def _graphrag(folder: Path, book: _Book) -> dict[str, list[Any]]:
    """A mention is every place in an entity's chunks where its name stands. An edge is told in each chapter
    that has a sentence in one of its chunks naming both ends, and those sentences are its evidence."""
    chunks, known, slugs = dict[str, Span](), dict[str, _Named](), Slugs()
    for id_, text in _parquet(folder, "text_units", "id text"):
        found = _Words(text[: 2 * len(book.document.text)]).places_in(book)
        if 4 * len(there := sorted(place for place in found if place >= 0)) < len(found) or not there:
            book.dropped["chunks that are not in the text"] += 1
            continue
        near = [place for place in there if abs(place - there[len(there) // 2]) <= len(found)]
        chunks[id_] = Span(book.spans[near[0]].start, book.spans[near[-1]].end)
    for title, kind, units in _parquet(folder, "entities", "title type text_unit_ids"):
        if (name := _plain(title)) not in known:
            what = _KINDS.get(kind.upper()) or book.own.get(name, EntityKind.OBJECT)
            known[name] = _Named(name, slugs.fresh(name), what)
        known[name].chunks.update(chunks[unit] for unit in map(str, units) if unit in chunks)
    mentions, relations = list(_mentions(known, book)), list[Relation]()
    lost = sum(not each.sentences for each in known.values())
    book.dropped["entities whose name is not in their chunks"] = lost
    edges = _parquet(folder, "relationships", "source target description text_unit_ids")
    for source, target, description, units in edges:
        ends = [known.get(_plain(end), _Named("", "", EntityKind.OBJECT)) for end in (source, target)]
        spans = {chunks[unit] for unit in map(str, units) if unit in chunks}
        both = sorted(ends[0].sentences & ends[1].sentences) if ends[0] is not ends[1] else []
        said = [book.evidence(each) for each in both if any(each.overlaps(chunk) for chunk in spans)]
        if (tie := _tie(description, *ends) if any(said) else None) is None:
            book.dropped["edges of things, or without a sentence that names both ends"] += 1
            continue
        for number, quotes in groupby(filter(None, said), key=lambda quote: quote.chapter):
            holds = ToldChapter(book.document, book.document.chapter(number)).holds(tie[1], Modality.FACT)
            relations.append(Relation(*tie[:3], holds, number, tuple(quotes)[:3], tie[3], origin="model"))
    return {"mentions": mentions, "relations": relations}


def _mentions(known: dict[str, _Named], book: _Book) -> Iterator[EntityMention]:
    """What stands inside a longer name is not one, nor is what names somebody and is written small."""
    lengths, end = sorted({name.count(" ") + 1 for name in known if len(name) < 100}, reverse=True), 0
    for at, length in ((at, length) for at in range(len(book.words)) for length in lengths):
        one = known.get(" ".join(book.words[at : at + length])) if at >= end else None
        if one is None:
            continue
        span = Span(book.spans[at].start, book.spans[at : at + length][-1].end)
        small = one.kind is not EntityKind.OBJECT and span.of(book.document.text).islower()
        if not small and any(chunk.contains(span) for chunk in one.chunks) and (said := book.evidence(span)):
            after = bisect_right(book.sentences, span.start, key=lambda each: each.start)
            one.sentences.add(book.sentences[max(0, after - 1)])
            end = at + length
            yield book.mention(one.id, one.kind, said)


def _plain(name: str) -> str:
    return " ".join(_Words(name).words)


def _tie(description: str, one: _Named, other: _Named) -> tuple[str, str, str, float] | None:
    """Subject, predicate, object, and confidence: 0.5 for what the model says of two that the text names, 0.3
    for two people where it says nothing that lasts, or it is negated, past or possible: they know each other.
    The subject is who is named first, but for "is loved by" and "one's brother"."""
    people = [end for end in (one, other) if end.kind in (EntityKind.CHARACTER, EntityKind.GROUP)]
    places = [end for end in (one, other) if end.kind is EntityKind.LOCATION]
    for clause in re.split(r"[.;,\n]", description[:4_000]):
        words = _Words(clause).words
        said = f" {' '.join(words)} "
        for at, word in enumerate(words):
            if word in _UNDONE:
                break
            behind = "".join(words[at + 1 : at + 2])
            predicate = _predicate(word, behind)
            if predicate in ("LOCATED_AT", "LIVES_IN", "COMES_FROM") and people and places:
                return people[0].id, predicate, places[0].id, 0.5
            if predicate and len(people) == 2:
                turned = 0 <= said.find(f" {other.name} ") < said.find(f" {one.name} ")
                forward = turned == (behind == "by" or "s" in words[:at])
                return people[not forward].id, predicate, people[forward].id, 0.5
    return (one.id, "KNOWS", other.id, 0.3) if len(people) == 2 else None


def _predicate(word: str, behind: str) -> str:
    if known := KIN.get(word) or KIN.get(word.removesuffix("s")) or ADJECTIVES.get((word, behind)):
        return str(known[0])
    rules = [rule for rule in VERBS.get(verb_lemma(word, word), ()) if not (rule.particle or rule.noun)]
    told = [rule.predicate for rule in rules if rule.plain or rule.slot == f"prep:{behind}"]
    lasting = [each for each in told if PREDICATES[each].lasting or each == "MARRIES"]
    return lasting[0].replace("MARRIES", "MARRIED_TO") if lasting else ""
