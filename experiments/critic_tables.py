"""Tables of what the critic finds."""

from __future__ import annotations

from typing import Any

from experiments.retrieval_tables import table

__all__ = ["TABLES"]

_SYSTEMS = ("state_conflict", "learned, embeddings and cues", "word overlap", "length")
_SETS = {
    "trip": "TRIP: which of two stories",
    "pasta": "PASTA: which of two claims",
    "timetravel": "TimeTravel",
}


def injection(result: dict[str, Any]) -> str:
    facts = result["facts"]
    found = facts["aggregates"]
    rows = []
    for family, row in found["recall"]["by_family"].items():
        rows.append([f"`{family}`", f"{row['hits']} of {row['n']}", _share(row)])
    covered, precision = found["recall"]["covered"], found["precision"]
    rows.append(["**all together**", f"{covered['hits']} of {covered['n']}", _share(covered)])
    clean, flagged = found["clean"], found["controls"]["flagged"]
    per = clean["per_10k_words"]
    caused, with_clean = precision["caused_by_edits"], precision["with_clean_alarms"]
    return (
        f"{table(['slips put into whole novels', 'found', 'recall'], rows)}\n\n"
        f"{len(facts['books'])} novels, {facts['copies']} copies each. Of the findings that a slip causes "
        f"{_share(caused)} name that slip; with the alarms on the untouched novels counted as wrong, "
        f"{_share(with_clean)}. The untouched novels raise {per['error']:.2f} errors, {per['warning']:.2f} "
        f"warnings and {per['info']:.2f} hints in 10,000 words; of legitimate changes {_share(flagged)} are "
        f"flagged. Checking 100,000 words of a graph that is there takes "
        f"{result['machine']['check_seconds_per_100k_words']:.1f} s."
    )


def contradictions(result: dict[str, Any]) -> str:
    facts, rows = result["facts"], []
    for name, label in _SETS.items():
        own = facts[name]["held-out"]
        row = [f"{label}, right of {own['length']['pairs']['pairs']} pairs"]
        for system in _SYSTEMS:
            pairs = own[system]["pairs"]
            low, high = pairs["accuracy_interval"]
            row.append(f"{pairs['accuracy']:.2f} [{low:.2f}, {high:.2f}]")
        rows.append(row)
    decided = facts["pasta"]["held-out"]["state_conflict"]["pairs"]
    snac = facts["snac"]["held-out"]
    plain = snac["first mention (story model)"]
    ours = snac["never_introduced"]
    low, high = ours["f1_interval"]
    right, there = decided["accuracy_decided"], decided["baseline_there"]
    return (
        f"{table(['', *_SYSTEMS], rows)}\n\n"
        f"Where `state_conflict` decides at all (PASTA: {decided['decided']} of {decided['pairs']} pairs) it "
        f"is right in {right:.2f}, word overlap there in {there:.2f}. Characters spoken of without being "
        f"introduced, in {ours['texts']} summaries (SNaC, F1 of spans that two readers marked): "
        f"`never_introduced` {ours['f1']:.2f} [{low:.2f}, {high:.2f}], every first mention {plain['f1']:.2f}."
    )


def _share(row: dict[str, Any]) -> str:
    if row["share"] is None:
        return "–"
    low, high = row["interval_95"]
    return f"{row['share']:.2f} [{low:.2f}, {high:.2f}]"


TABLES = {"injection": injection, "contradictions": contradictions}
