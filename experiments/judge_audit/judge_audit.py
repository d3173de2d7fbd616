"""Do the quotes of a language model as a judge stand in the stories that it judged?

    python experiments/run.py judge_audit --public --data DIR [--prompt FILE …]
    python experiments/run.py judge_audit FILE … [--texts DIR] [--prompt FILE …]

``--public`` takes the stories of ``DIR/contradiction/constory_dev.jsonl`` with one judge's findings, and
writes ``results/judge_audit.json``. ``FILE`` holds findings as CSV: the columns text_id, judge, system, rule,
quote, other_quote, message, or the layout of ConStory-Checker; what they are worth is printed.

A quote stands *verbatim* (white space aside), *loosely* (the same words, whatever case and marks; dots may
leave words out) or *nearly* (four of five words in their order, in one paragraph). One that does not is
*copied* where it stands so in a prompt given, and *recurring* where the findings of another story have it
word for word, as they have the examples of a prompt that is not at hand; else it is *nowhere*. A finding is
*grounded* where all its quotes stand. Intervals resample stories."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.bench.continuity import share
from fabula.core.documents import PLAIN, read_document
from fabula.errors import UsageError
from fabula.story.evidence.quote_finder import QuoteFinder, Tier

from .table import GROUPS, JudgeTable, TextKey, read_judgements, read_public

__all__ = ["HOW", "audited", "main", "parser", "summed"]

Row = dict[str, Any]
_TIERS = {Tier.EXACT: "verbatim", Tier.FOLDED: "loosely", Tier.BY_WORDS: "nearly"}
HOW = (*_TIERS.values(), "copied", "recurring", "nowhere")


def main(options: argparse.Namespace) -> None:
    """Prints the audit; that of the public stories is written."""
    if options.public == bool(options.files) or (options.public and options.data is None):
        raise UsageError("name files of findings, or --public with --data DIR")
    if options.public:
        judged = read_public(options.data / "contradiction" / "constory_dev.jsonl")
    else:
        judged = read_judgements(options.files, encoding=options.encoding)
    texts = dict(judged.texts) | (_texts(options.texts, judged) if options.texts else {})
    prompts = [path.read_text(encoding="utf-8") for path in options.prompt]
    rows = audited(judged, texts, prompts)
    aggregates = summed(rows)
    if options.public:
        facts = {
            "question": (__doc__ or "").partition("\n")[0],
            "judges": sorted({reading.judge for reading in judged.readings}),
            "stories": len(judged.readings),
            "stories with findings": len({row["story"] for row in rows}),
            "words": sum(len(text.split()) for text in texts.values()),
            "prompts at hand": len(prompts),
            "aggregates": aggregates,
            "rows": rows,
        }
        write_result("judge_audit", facts=facts, measured=machine())
    print(f"{len(judged.readings)} readings, {judged.damaged} cells or items damaged and left out")
    for name, part in aggregates.items():
        print(name, *(f"  {key}: {value}" for key, value in part.items()), sep="\n")


def audited(judged: JudgeTable, texts: Mapping[TextKey, str], prompts: Sequence[str] = ()) -> list[Row]:
    """A row a finding of which the text is known: where each of its quotes stands, the later first."""
    given = [QuoteFinder(prompt) for prompt in prompts]
    seen: dict[str, set[TextKey]] = defaultdict(set)
    for one in judged.findings:
        for quote in one.quotes:
            seen[quote].add(one.reading.text)
    finders: dict[TextKey, QuoteFinder] = {}
    rows = []
    for one in judged.findings:
        key = one.reading.text
        if key not in texts:
            continue
        finder = finders.setdefault(key, QuoteFinder(texts[key]))
        how = []
        for quote in one.quotes:
            if (found := finder.place(quote)) is not None:
                how.append(_TIERS[found[1]])
            elif any(prompt.place(quote) for prompt in given):
                how.append("copied")
            else:
                how.append("recurring" if len(seen[quote]) > 1 else "nowhere")
        group = next((name for name in GROUPS if one.rule.startswith(name)), one.rule)
        row = {
            "story": "/".join(key),
            "judge": one.reading.judge,
            "group": group.strip("_").replace("_", " "),
        }
        rows.append(row | {"rule": one.rule, "how": how})
    return rows


def summed(rows: Sequence[Row]) -> Row:
    """Of all findings, of each judge where there are several, and by category."""
    parts = {"all": list(rows)}
    for key in ("judge", "group"):
        names = sorted({row[key] for row in rows})
        if len(names) > 1:
            parts |= {name: [row for row in rows if row[key] == name] for name in names}
    return {name: _summed(part) for name, part in parts.items()}


def _summed(rows: Sequence[Row]) -> Row:
    quotes = [(row["story"], how) for row in rows for how in row["how"]]
    stand = set(_TIERS.values())
    return {
        "grounded": share([(row["story"], stand.issuperset(row["how"])) for row in rows]),
        **{name: share([(story, how == name) for story, how in quotes]) for name in HOW},
    }


def _texts(folder: Path, judged: JudgeTable) -> dict[TextKey, str]:
    """Files by the names that the judgements use: looked up in a listing, so no name leads out of it."""
    there: dict[TextKey, Path] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in PLAIN and not path.is_symlink():
            above = path.relative_to(folder).parent.as_posix()
            there.setdefault(("" if above == "." else above, path.stem), path)
    keys = {reading.text for reading in judged.readings}
    files = {key: there.get(key) or there.get(("", key[1])) for key in sorted(keys)}
    found = {key: read_document(file).text for key, file in files.items() if file is not None}
    if not found:
        raise UsageError(
            f"{folder} holds none of the texts that were judged: name them TEXT_ID.txt or SYSTEM/TEXT_ID.txt"
        )
    return found


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("files", nargs="*", type=Path, metavar="FILE")
    options.add_argument("--public", action="store_true", help="the stories of the evaluation data")
    options.add_argument("--texts", type=Path, metavar="DIR", help="TEXT_ID.txt, or SYSTEM/TEXT_ID.txt")
    options.add_argument("--prompt", type=Path, nargs="+", default=[], metavar="FILE", help="of the judge")
    options.add_argument("--encoding", default="utf-8", help="of the files")
    return options
