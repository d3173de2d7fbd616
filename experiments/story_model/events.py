"""Which event came first, and which verbs tell an event: set beside what others annotated.

Usage:  python experiments/run.py story_model --data DIR --only events [--seen-only]

Fables (``temporal/fable_timelines.jsonl``): links between annotated events, both offsets given, two
annotators a fable. ``agreed`` are the links on which both annotators agree; ``single`` those that only one
of them drew. Every link goes forward in the text. ``relation`` is the share of links whose relation
(before, after, includes, is_included, same, overlap) is predicted by ``event_order.lies``, the rules that
the product orders its events by; the baseline "text order" says "before" of every link. ``order`` counts
the links that annotators call before or after only; there a prediction that one includes the other is an
order too, that of their beginnings, so "includes" counts as before and "is_included" as after. An
``is_included`` link is no order: the product stores none for it. ``difference`` is relation accuracy less
that of text order, bootstrap over fables.

Tracie (Zhou et al. 2021; ``temporal/tracie.jsonl``): five-sentence stories and hypotheses "A starts (ends)
before (after) B starts", A often only implied. Both are looked up in the story by the words they share with
its sentences, and the same rules decide; chance is .5, "after" of every hypothesis the majority.

LitBank events (Sims et al. 2019; ``characters/litbank.jsonl``): words that annotators call events that
really happen. A hit is a verb of an event that we tell as happened (a known person takes part in it), so
recall is bounded by events without persons, of nouns, and of persons unknown; the baseline takes every
past-tense verb outside direct speech.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from experiments.common.story_data import held_out, rows
from fabula.story.extraction.clauses.modality import Aspect, aspect_of
from fabula.story.extraction.events.order import Lies, lies
from fabula.story.extraction.parsing.chapter import ParsedChapter
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.findings import bootstrap_interval

__all__ = ["measure"]

_TURNED = {
    Lies.BEFORE: Lies.AFTER,
    Lies.AFTER: Lies.BEFORE,
    Lies.INCLUDES: Lies.INCLUDED,
    Lies.INCLUDED: Lies.INCLUDES,
}
_BEGINNINGS = {Lies.INCLUDES: "before", Lies.INCLUDED: "after"}
_CONTENT = frozenset("NOUN VERB PROPN ADJ ADV NUM".split())


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """The facts, seen and held-out documents apart; ``held`` restricts to one half."""
    halves = {"seen": False, "held_out": True}
    return {
        name: {
            "fables": _fables(data, reader, half),
            "tracie": _tracie(data, reader, half),
            "litbank": _litbank(data, reader, half),
        }
        for name, half in halves.items()
        if held is None or held is half
    }


def _half(path: Path, half: bool) -> list[dict[str, Any]]:
    return [row for row in rows(path) if held_out(row["doc"]) is half]


def _tokens(chapter: ParsedChapter) -> dict[int, Any]:
    """The parsed words by their first character."""
    return {
        paragraph.span(token, token).start: token
        for paragraph in chapter.paragraphs
        for token in paragraph.doc
        if not token.is_space
    }


# --- fables -------------------------------------------------------------------------------------------


def _fables(data: Path, reader: StoryReader, half: bool) -> dict[str, Any]:
    found = [_fable(row, reader) for row in _half(data / "temporal" / "fable_timelines.jsonl", half)]
    return {
        "n": len(found),
        **{which: _links([each[which] for each in found]) for which in ("agreed", "single")},
        "rows": [{"doc": each["doc"], "agreed": each["agreed"], "single": each["single"]} for each in found],
    }


def _fable(row: dict[str, Any], reader: StoryReader) -> dict[str, Any]:
    at = _tokens(reader.parse(row["text"]))
    agreed = {(a, b): relation for a, _, relation, b, _ in row["agreed_links"]}
    single = {
        (a, b): relation
        for annotator in row["annotators"]
        for a, _, relation, b, _ in annotator["links"]
        if (a, b) not in agreed
    }
    return {"doc": row["doc"], "agreed": _counted(agreed, at), "single": _counted(single, at)}


def _counted(links: dict[tuple[int, int], str], at: dict[int, Any]) -> dict[str, int]:
    counts: Counter[str] = Counter(
        dict.fromkeys(("n", "right", "text_order", "orders", "orders_right", "orders_text"), 0)
    )
    for (one, other), relation in sorted(links.items()):
        said = lies(at[one], at[other]).lies if one in at and other in at else Lies.BEFORE
        counts["n"] += 1
        counts["right"] += said.value == relation
        counts["text_order"] += relation == "before"
        if relation in ("before", "after"):
            counts["orders"] += 1
            counts["orders_right"] += _BEGINNINGS.get(said, said.value) == relation
            counts["orders_text"] += relation == "before"
    return dict(counts)


def _links(counts: Sequence[dict[str, int]]) -> dict[str, Any]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return {
        "links": total["n"],
        "relation": _share(counts, "right", "n"),
        "text_order": _share(counts, "text_order", "n"),
        "difference": _difference(counts),
        "orders": total["orders"],
        "order": _share(counts, "orders_right", "orders"),
        "order_text_order": _share(counts, "orders_text", "orders"),
    }


def _share(counts: Sequence[dict[str, int]], hits: str, of: str) -> dict[str, Any]:
    """A share over all links, its interval by drawing documents."""
    values = [1.0 if k < each[hits] else 0.0 for each in counts for k in range(each[of])]
    groups = [str(i) for i, each in enumerate(counts) for _ in range(each[of])]
    return _mean(values, groups)


def _difference(counts: Sequence[dict[str, int]]) -> dict[str, Any]:
    values, groups = [], []
    for i, each in enumerate(counts):
        gain = each["right"] - each["text_order"]
        step = 1.0 if gain > 0 else -1.0
        values += [step if k < abs(gain) else 0.0 for k in range(each["n"])]
        groups += [str(i)] * each["n"]
    return _mean(values, groups)


def _mean(values: Sequence[float], groups: Sequence[str]) -> dict[str, Any]:
    if not values:
        return {"value": None, "interval": None, "n": 0}
    return {
        "value": round(sum(values) / len(values), 4),
        "interval": bootstrap_interval(values, groups=groups),
        "n": len(values),
    }


# --- tracie -------------------------------------------------------------------------------------------


def _tracie(data: Path, reader: StoryReader, half: bool) -> dict[str, Any]:
    values: dict[str, list[float]] = {"ours": [], "after": []}
    groups: list[str] = []
    by: Counter[str] = Counter()
    right: Counter[str] = Counter()
    parsed: dict[str, ParsedChapter] = {}

    def parse(text: str) -> ParsedChapter:
        if text not in parsed:
            parsed[text] = reader.parse(text)
        return parsed[text]

    for row in _half(data / "temporal" / "tracie.jsonl", half):
        said = _hypothesis(row, parse)
        holds = row["label"] == "entailed"
        values["ours"].append(float((said == row["relation"]) is holds))
        values["after"].append(float((row["relation"] == "after") is holds))
        groups.append(row["doc"])
        by[row["boundary"]] += 1
        right[row["boundary"]] += int(values["ours"][-1])
    return {
        "n": len(groups),
        "stories": len(set(groups)),
        "accuracy": _mean(values["ours"], groups),
        "chance": 0.5,
        "always_after": _mean(values["after"], groups),
        "by_boundary": {
            key: {"n": by[key], "accuracy": round(right[key] / by[key], 4)} for key in sorted(by)
        },
    }


def _hypothesis(row: dict[str, Any], parse: Callable[[str], ParsedChapter]) -> str:
    """Does A start (end) before or after B starts?"""
    story = parse(row["story"])
    one = _placed(parse(row["event_a"]), story)
    other = _placed(parse(row["event_b"]), story)
    if one is None or other is None or one.i == other.i:
        # what nothing places: a beginning before, an end after
        return "before" if row["boundary"] == "starts" else "after"
    found = lies(one, other).lies if one.i < other.i else _TURNED[lies(other, one).lies]
    if row["boundary"] == "starts":
        return _BEGINNINGS.get(found, found.value)
    if found is Lies.BEFORE and aspect_of(one) in (Aspect.STATE, Aspect.PROGRESS):
        return "after"
    return "before" if found is Lies.BEFORE else "after"


def _placed(event: ParsedChapter, story: ParsedChapter) -> Any | None:
    """The verb of the story's sentence that shares most with the event's words; None where none does."""
    words = _lemmas(token for paragraph in event.paragraphs for token in paragraph.doc)
    best: tuple[float, int, Any] | None = None
    for paragraph, sentence in story.sentences():
        tokens = list(paragraph.tokens(sentence))
        score = len(words & _lemmas(tokens))
        for verb in tokens:
            if verb.pos_ in ("VERB", "AUX") and verb.dep_ not in ("aux", "auxpass"):
                fit = (score + (1.0 if verb.lemma_.lower() in words else 0.0), -verb.i, verb)
                if score and (best is None or fit[:2] > best[:2]):
                    best = fit
    return best[2] if best is not None else None


def _lemmas(tokens: Iterable[Any]) -> set[str]:
    return {token.lemma_.lower() for token in tokens if token.pos_ in _CONTENT and not token.is_stop}


# --- litbank ------------------------------------------------------------------------------------------


def _litbank(data: Path, reader: StoryReader, half: bool) -> dict[str, Any]:
    found = []
    for row in rows(data / "characters" / "litbank.jsonl"):
        if held_out(row["novel"]) is half:
            found.append({"doc": row["doc"], **_extract(row, reader)})
    ours = [(each["hits"], each["told"], each["gold"]) for each in found]
    past = [(each["past_hits"], each["past"], each["gold"]) for each in found]
    return {"n": len(found), "ours": _scores(ours), "past_tense": _scores(past), "rows": found}


def _extract(row: dict[str, Any], reader: StoryReader) -> dict[str, int]:
    text, starts = "", {}
    for i, sentence in enumerate(row["sentences"]):
        offset = 0
        for k, word in enumerate(sentence.split(" ")):
            starts[i, k] = len(text) + offset
            offset += len(word) + 1
        text += sentence + " "
    gold = {starts[i, k] for i, k, _ in row["events"] if (i, k) in starts}
    told = {
        happening.at.start
        for happening in reader.read(text).happenings
        if happening.at is not None and happening.modality.happened
    }
    past = {
        paragraph.span(token, token).start
        for paragraph in reader.parse(text).paragraphs
        for token in paragraph.doc
        if token.tag_ == "VBD" and token.pos_ == "VERB" and not paragraph.spoken(token)
    }
    return {
        "gold": len(gold),
        "told": len(told),
        "hits": len(gold & told),
        "past": len(past),
        "past_hits": len(gold & past),
    }


def _scores(counts: Sequence[tuple[int, int, int]]) -> dict[str, Any]:
    """Micro precision, recall and F1 of (hits, told, gold); the interval is that of precision."""
    hits, told, gold = (sum(each[k] for each in counts) for k in range(3))
    values = [1.0 if k < each[0] else 0.0 for each in counts for k in range(each[1])]
    groups = [str(i) for i, each in enumerate(counts) for _ in range(each[1])]
    return {
        "told": told,
        "gold": gold,
        "precision": _mean(values, groups),
        "recall": round(hits / gold, 4) if gold else None,
        "f1": round(2 * hits / (told + gold), 4) if told + gold else None,
    }
