"""How what systems said of the same corpora stands to what is right: answers, ties, quotes, costs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from experiments.user_view.novel_gold import NovelGold
from fabula.config import Generator as GeneratorSettings
from fabula.core.types import Prompt
from fabula.llm.folder import FolderGenerator

__all__ = ["Judge", "held_pairs", "pairs_told", "quotes_of", "scores"]

Row = dict[str, Any]
_QUOTED = re.compile(r"[“\"]([^“”\"]+)[”\"]")
_LEAST = 4  # words that make a quote
_MEANS = {
    "spouse": "is married to",
    "lover": "loves, or has a love affair with",
    "parent": "is a parent of",
    "sibling": "is a sister or brother of",
    "kin": "is related by family to",
    "friend": "is a friend of, or an old acquaintance on friendly terms with",
    "enemy": "is hostile to, or a rival of",
    "benefactor": "does good to, supports or houses",
    "employer": "employs",
    "teacher": "teaches",
    "killer": "killed",
}
_SCHEMA = json.dumps({"type": "object", "additionalProperties": {"enum": ["right", "wrong"]}})
_ANSWERS = """You judge answers to a question by the right answer alone. An answer is right if it gives what
the right answer says (one of several is enough; other words, and more that does not contradict it, are
fine), wrong if it does not, says something else beside it, or says that it does not know. Write one JSON
object: each letter with "right" or "wrong"."""
_TIES = """You judge what descriptions say of two people of a novel, by their words alone and not by what you
know of the novel. A description is right if it says, or plainly means, what is asked for. Write one JSON
object: each letter with "right" or "wrong"."""


class Judge:
    """Asks who answers in the folder; ``keys`` are those of the requests."""

    def __init__(self, folder: Path, reader: str, *, timeout_s: float) -> None:
        how: dict[str, Any] = {"timeout_s": timeout_s, "context_tokens": 65_536, "concurrency": 1}
        told = GeneratorSettings(provider="folder", folder=str(folder), model=reader, **how)
        self._generator = FolderGenerator(told)
        self.keys: set[str] = set()

    def verdicts(self, system: str, asked: str, said: Sequence[str]) -> dict[str, bool]:
        """Which of the texts are right. Each different one gets a letter, by its digest."""
        texts = sorted({" ".join(one.split()) for one in said}, key=lambda one: sha256(one.encode()).digest())
        if not texts:
            return {}
        lettered = dict(zip(ascii_uppercase, texts, strict=False))
        user = "\n\n".join([asked, *(f"{letter}: {text}" for letter, text in lettered.items())])
        made = self._generator.generate(Prompt(system, user, "judge-1", _SCHEMA), max_tokens=512)
        self.keys.add(str(dict(made.settings)["request"]))
        told = json.loads(made.text)
        return {text: told[letter] == "right" for letter, text in lettered.items()}


def pairs_told(gold: NovelGold, text: str, end: int) -> list[Row]:
    """The ties of the gold that stand before ``end``, between people whom the text names."""
    names = {one["id"]: [one["name"], *one["also"]] for one in gold.characters}
    names[gold.about["narrator"]] += ["narrator", "the narrator", "I"]
    return [
        {"a": names[one["a"]], "type": one["type"], "b": names[one["b"]]}
        for one in gold.relations
        if one["at"][1] <= end and all(any(name in text for name in names[one[side]]) for side in "ab")
    ]


def held_pairs(edges: Iterable[Row], pairs: Iterable[Row]) -> list[list[str]]:
    """Of each pair what the system says of the two, either way round."""
    known = [({*map(_plain, one["a"])}, {*map(_plain, one["b"])}, one["says"]) for one in edges]
    found = []
    for pair in pairs:
        a, b = ({*map(_plain, pair[side])} for side in "ab")
        says = [told for one, other, told in known if (one & a and other & b) or (one & b and other & a)]
        found.append(list(dict.fromkeys(says)))
    return found


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[^\w ]", " ", name.casefold()).split())


def quotes_of(said: Row, text: str) -> list[int]:
    """How many quotes an answer gives, in its words or beside them, and how many stand in the text."""
    quoted = [one for one in _QUOTED.findall(said["text"]) if len(one.split()) >= _LEAST]
    given = list(dict.fromkeys([*said["cited"], *quoted]))
    whole = f" {_plain(text)} "
    return [len(given), sum(f" {_plain(one)} " in whole for one in given)]


def scores(said: Mapping[str, Row], corpora: Mapping[str, Row], judge: Judge) -> Row:
    """``aggregates`` by system and corpus, and the rows behind them."""
    ran = {name: one for name, one in said.items() if "failed" not in one}
    asked = [
        (corpus, number, question)
        for corpus, one in corpora.items()
        for number, question in enumerate(one["questions"])
    ]
    ties = [(number, pair) for number, pair in enumerate(corpora["novel"]["pairs"])]
    with ThreadPoolExecutor(len(asked) + len(ties)) as pool:
        of_answers = list(pool.map(lambda one: _judged_answers(judge, ran, *one), asked))
        of_ties = list(pool.map(lambda one: _judged_ties(judge, ran, *one), ties))
    rows = [row for found in of_answers for row in found]
    tie_rows = [row for found in of_ties for row in found]
    aggregates = {
        name: {"failed": one["failed"]} if "failed" in one else _aggregate(name, one, rows, tie_rows)
        for name, one in said.items()
    }
    return {"aggregates": aggregates, "answers": rows, "ties": tie_rows}


def _judged_answers(
    judge: Judge, ran: Mapping[str, Row], corpus: str, number: int, question: Row
) -> list[Row]:
    given = {
        name: " ".join(one["answers"][number]["text"].split())
        for name, one in ran.items()
        if name.endswith(f", {corpus}")
    }
    right = " / ".join(question["answers"])
    verdicts = judge.verdicts(
        _ANSWERS, f"Question: {question['question']}\nRight answer: {right}", list(given.values())
    )
    return [
        {
            "system": name,
            "id": question["id"],
            "said": text,
            "right": verdicts[text],
            "holds_answer": any(f" {_plain(one)} " in f" {_plain(text)} " for one in question["answers"]),
        }
        for name, text in given.items()
    ]


def _judged_ties(judge: Judge, ran: Mapping[str, Row], number: int, pair: Row) -> list[Row]:
    given = {
        name: " ".join("; ".join(one["pairs"][number]).split())
        for name, one in ran.items()
        if name.endswith(", novel")
    }
    a, b = pair["a"][0], pair["b"][0]
    asked = (
        f"Which say that {a} {_MEANS[pair['type']]} {b} (or that {b} is so to {a}, where it holds both ways)?"
    )
    verdicts = judge.verdicts(_TIES, asked, [text for text in given.values() if text])
    tie = f"{a}, {pair['type']}, {b}"
    return [
        {"system": name, "tie": tie, "any": bool(text), "typed": bool(text) and verdicts[text]}
        for name, text in given.items()
    ]


def _aggregate(name: str, one: Row, rows: Iterable[Row], ties: Iterable[Row]) -> Row:
    answers = [row for row in rows if row["system"] == name]
    held = [row for row in ties if row["system"] == name]
    given, stand = (sum(answer["quotes"][place] for answer in one["answers"]) for place in (0, 1))
    return {
        "version": one["version"],
        "mode": one["mode"],
        "questions": len(answers),
        "right": sum(row["right"] for row in answers),
        "holds answer": sum(row["holds_answer"] for row in answers),
        "ties": len(held),
        "any tie": sum(row["any"] for row in held),
        "typed tie": sum(row["typed"] for row in held),
        "edges": one["edges_in_all"],
        "quotes": given,
        "quotes that stand": stand,
        **{f"{what}, {phase}": count for phase, of in one["asked"].items() for what, count in of.items()},
        "own seconds": one["own_seconds"],
        "installed, MB": one["installed_mb"],
    }
