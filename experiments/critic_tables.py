"""Tables of what the critic finds."""

from __future__ import annotations

from typing import Any

from experiments.retrieval_tables import table

__all__ = ["TABLES"]


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


def _share(row: dict[str, Any]) -> str:
    if row["share"] is None:
        return "–"
    low, high = row["interval_95"]
    return f"{row['share']:.2f} [{low:.2f}, {high:.2f}]"


TABLES = {"injection": injection}
