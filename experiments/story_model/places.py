"""Are the places places, and are those on stage where they are said to be? Verdicts made by reading.

``data/place_judgements.json`` holds a sample drawn with a seed from novels that are not held out: named
places by their first mention (is this a place in the story's world or ours, as named?) and presences with a
place (is this person there, in that scene, as the text has it?), each with a document, offsets and a
verdict, and no text. It is the second sample: a first one (another seed, same novels, some items in both)
was judged to find the rules' errors (46 of 50 places right, 31 of 50 presences), which were then mended.
One judge read both, not blind. ``place_facts`` gives the precision of those judged, with Wilson's 95 %
interval, and how many of them the extractor still tells; those alone are counted.

Usage:  python experiments/run.py places --data DIR --parses DIR --draw FILE

draws a new sample, with quotes for a judge to read, to a file that stays out of the repository.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from experiments.common.folders import DATA, default_cache
from experiments.common.options import add_parses, new_parser
from experiments.common.story_data import CachedReader, document_of, held_out, read_story
from fabula.core.types import Horizon
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.findings import wilson
from fabula.story.model.types import EntityKind

__all__ = ["place_facts"]

JUDGEMENTS = DATA / "place_judgements.json"
EACH = 50
DOCS = """emma far-from-the-madding-crowd huckleberry-finn main-street oliver-twist pride-and-prejudice
    the-great-gatsby the-three-musketeers treasure-island""".split()


def place_facts(data: Path, reader: StoryReader) -> dict[str, Any]:
    """Precision of the judged places and presences that are still told."""
    judged: list[dict[str, Any]] = json.loads(JUDGEMENTS.read_text(encoding="utf-8"))
    told = {doc: _told(view) for doc, view in _views(data, reader, {each["doc"] for each in judged})}
    facts = {}
    for kind in ("place", "presence"):
        own = [each for each in judged if each["kind"] == kind]
        kept = [each for each in own if (kind, each["start"], each["end"], each["who"]) in told[each["doc"]]]
        right = sum(each["right"] for each in kept)
        facts[kind] = {
            "judged": len(own),
            "judged_right": sum(each["right"] for each in own),
            "still_told": len(kept),
            "right": right,
            "precision": round(right / len(kept), 4) if kept else None,
            "interval": wilson(right, len(kept)),
        }
    return facts


def _views(data: Path, reader: StoryReader, docs: set[str]) -> Iterator[tuple[str, StoryView]]:
    for doc in sorted(docs):
        document = document_of(data / "novels" / f"{doc}.txt")
        yield doc, StoryKnowledgeGraph(read_story(document, reader)).as_of(Horizon())


def _told(view: StoryView) -> dict[tuple[str, int, int, str], dict[str, Any]]:
    """What can be judged: kind, offsets and a digest of whom and where it is about, and what to read."""
    found: dict[tuple[str, int, int, str], dict[str, Any]] = {}
    for place in view.entities(EntityKind.LOCATION):
        span = place.evidence[0].span
        if not place.name.casefold().startswith("the "):
            found["place", span.start, span.end, ""] = {"place": place.name}
    for presence in view.log.presences:
        if presence.place is not None:
            names = view.name(presence.entity), view.name(presence.place)
            span = presence.evidence.span
            where = presence.where.quote if presence.where else ""
            found["presence", span.start, span.end, _digest(*names)] = {
                "who": names[0],
                "place": names[1],
                "quote": presence.evidence.quote,
                "where": where,
            }
    return found


def _digest(*names: str) -> str:
    return hashlib.sha256("\0".join(names).encode()).hexdigest()[:8]


def draw(data: Path, reader: StoryReader) -> list[dict[str, Any]]:
    """The sample, each with what a judge reads."""
    docs = {doc for doc in DOCS if not held_out(doc)}
    told = [
        (doc, key, shown) for doc, view in _views(data, reader, docs) for key, shown in _told(view).items()
    ]
    rng = random.Random(1)
    sample = []
    for kind in ("place", "presence"):
        own = sorted((each for each in told if each[1][0] == kind), key=lambda each: each[:2])
        for doc, (_, start, end, who), shown in sorted(rng.sample(own, EACH), key=lambda each: each[:2]):
            text = document_of(data / "novels" / f"{doc}.txt").text
            context = text[max(0, start - 300) : end + 200]
            sample.append(
                {
                    "doc": doc,
                    "kind": kind,
                    "start": start,
                    "end": end,
                    "who": who,
                    "shown": shown,
                    "context": context,
                }
            )
    return sample


def main(options: argparse.Namespace) -> None:
    """Prints the figures, or draws the sample anew."""
    reader = CachedReader(options.parses)
    if options.draw:
        drawn = json.dumps(draw(options.data, reader), indent=1)
        options.draw.write_text(drawn, encoding="utf-8")
    else:
        print(json.dumps(place_facts(options.data, reader), indent=1))


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    add_parses(options, default_cache("parses"))
    options.add_argument("--draw", type=Path, metavar="FILE", help="draw places to be judged")
    return options
