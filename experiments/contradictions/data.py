"""The public contradiction data as items: what a system may see, and the label it may not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from experiments.common.story_data import held_out, rows

__all__ = ["Item", "Summary", "claims", "stories", "summaries"]


@dataclass(frozen=True, slots=True)
class Item:
    """``sentences`` and ``claim`` (empty: the story against itself) are all that a system is given.
    ``pair`` joins the contradictory item with its consistent twin."""

    sentences: tuple[str, ...]
    claim: str
    bad: bool
    pair: str
    doc: str
    conflicts: frozenset[tuple[int, int]] = frozenset()

    @property
    def story(self) -> str:
        return " ".join(self.sentences)

    @property
    def held_out(self) -> bool:
        return held_out(self.doc)

    def index(self, offset: int) -> int:
        """Which sentence of ``story`` holds the character."""
        end = 0
        for number, sentence in enumerate(self.sentences):
            end += len(sentence) + 1
            if offset < end:
                return number
        return len(self.sentences) - 1


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of SNaC: its text, and the spans that at least two readers marked as a character never
    introduced."""

    id: str
    doc: str
    text: str
    gold: tuple[tuple[int, int], ...]

    @property
    def held_out(self) -> bool:
        return held_out(self.doc)


def stories(path: Path) -> list[Item]:
    """TRIP and TimeTravel: a story and whether it contradicts itself. Of TimeTravel only the counterfactual
    beginning with the old ending and with the rewritten one; both share beginning and length."""
    found = []
    for row in rows(path):
        if row["id"].endswith("-orig"):
            continue
        conflicts = frozenset((a, b) for a, b in row["conflict_pairs"])
        bad = row["label"] == "contradict"
        found.append(Item(tuple(row["sentences"]), "", bad, row["pair"], row["doc"], conflicts))
    return found


def claims(path: Path) -> list[Item]:
    """PASTA: a story and a claim about a state; the two claims on one story make a pair."""
    return [
        Item(
            tuple(row["sentences"]),
            row["claim"],
            row["label"] == "contradict",
            f"{row['pair']} {' '.join(row['sentences'])}",
            row["doc"],
        )
        for row in rows(path)
    ]


def summaries(path: Path, *, votes: int = 2, kind: str = "CharE") -> list[Summary]:
    """SNaC, a segment a paragraph."""
    found = []
    for row in rows(path):
        text, gold = "", []
        for segment in row["segments"]:
            text += "\n\n" if text else ""
            start = len(text)
            text += segment["text"]
            gold += [
                (start + error["start"], start + error["start"] + len(error["span"]))
                for error in segment["errors"]
                if error["type"] == kind and error["votes"] >= votes
            ]
        found.append(Summary(row["id"], row["doc"], text, tuple(gold)))
    return found
