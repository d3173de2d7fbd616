"""Characterization test of the whole: what is read, linked, found and searched, as digests.

    python scripts/digests.py --data DIR --parses DIR --write FILE      before a change that should change
    nothing python scripts/digests.py --data DIR --parses DIR --compare FILE    after it; exit code 1 where
    anything differs

Over the demo story and ten novels of DIR/novels (those that are there): every chapter's reading, the story
log, the check report, and for the demo story the answers to a few searches. ``--parses`` keeps spaCy's
parses, so that a second run takes a fifth of the first; no digest depends on where anything lies.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import fabula
from experiments.common.story_data import CachedReader
from fabula.core.documents import read_document
from fabula.core.types import Horizon
from fabula.demo import save_story
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, dump_log
from fabula.story.linking.linker import Linker

NOVELS = (
    *(
        "heart-of-darkness",
        "herland",
        "northanger-abbey",
        "o-pioneers",
        "the-great-gatsby",
        "the-invisible-man",
    ),
    *(
        "the-man-who-was-thursday",
        "the-mysterious-affair-at-styles",
        "the-turn-of-the-screw",
        "treasure-island",
    ),
)
QUERIES = ("who killed the captain", "a letter", "the storm at sea", "where is the key", "brother and sister")


def digests_of(path: Path, parses: Path) -> dict[str, str]:
    """Of one story: a digest a chapter, of the log and of the report."""
    document, reader, linker, found = read_document(path), CachedReader(parses), Linker(), {}
    for chapter in document.chapters:
        reading = reader.read(chapter.body.of(document.text))
        found[f"chapter {chapter.number}"] = _digest(reading.to_json())
        linker.add(document, chapter, reading)
    found["log"] = _digest(dump_log(linker.log))
    view = StoryKnowledgeGraph(linker.log).as_of(Horizon())
    report = ContinuityCritic().check(view, words=len(document.text.split()))
    found["report"] = _digest(repr(report))
    return {f"{path.stem} {what}": digest for what, digest in found.items()}


def searched(story: Path) -> dict[str, str]:
    """Of the demo story, indexed anew."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        fabula.index_book(story, project)
        with fabula.Project.open(project) as opened:
            return {f"search {query!r}": _digest(repr(opened.search(query).passages)) for query in QUERIES}


def main(options: argparse.Namespace) -> int:
    """Writes or compares; returns the exit code."""
    options.parses.mkdir(parents=True, exist_ok=True)
    story = save_story(options.parses)
    paths = [story, *(p for name in NOVELS if (p := options.data / "novels" / f"{name}.txt").is_file())]
    with ProcessPoolExecutor(options.workers) as pool:
        found = searched(story)
        for one in pool.map(digests_of, paths, [options.parses] * len(paths)):
            found.update(one)
    if options.write:
        options.write.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        return 0
    before = json.loads(options.compare.read_text(encoding="utf-8"))
    different = [name for name in {**before, **found} if before.get(name) != found.get(name)]
    sys.stdout.write(f"{len(found) - len(different)} of {len(before)} digests are equal\n")
    sys.stdout.writelines(f"  differs: {name}\n" for name in different[:40])
    return 1 if different else 0


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--parses", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    aim = parser.add_mutually_exclusive_group(required=True)
    aim.add_argument("--write", type=Path)
    aim.add_argument("--compare", type=Path)
    sys.exit(main(parser.parse_args()))
