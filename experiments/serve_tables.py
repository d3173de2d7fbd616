"""The table of the server under load."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from experiments.common.tables import table

__all__ = ["TABLES", "serve_load"]


def serve_load(result: dict[str, Any]) -> str:
    facts, measured = result["facts"], result["machine"]
    rows = []
    for name, phase in measured["phases"].items():
        memory = [megabytes for _, megabytes in phase["memory_mb"]]
        rows.append(
            [
                name,
                f"{phase['offered_per_s']:.0f}" if phase["offered_per_s"] else "as many as it takes",
                f"{phase['answered_per_s']:.0f}",
                f"{phase['errors']}",
                *(f"{phase[f'p{p}_ms']:.0f} ms" for p in (50, 95, 99)),
                f"{min(memory):.0f} to {max(memory):.0f} MB",
            ]
        )
    header = [
        "phase",
        "offered a second, at most",
        "answered",
        "errors",
        "p50",
        "p95",
        "p99",
        "server's memory",
    ]
    config = facts["config"]
    missed = [name.replace("_", " ") for name, held in measured["held"].items() if not held]
    verdict = f"Missed: {', '.join(missed)}." if missed else "All bars held."
    return (
        f"{table(header, rows)}\n\n"
        f"Lexical searches over {facts['chunks']:,} chunks, {config['clients']} clients in a closed loop "
        f"with think time (at most {config['rate']:g} requests a second each; none when saturated), "
        f"{config['seconds']:g} s a phase; clients, server and indexing share {measured['cores']} cores. "
        f"{verdict}"
    )


TABLES: dict[str, Callable[[dict[str, Any]], str]] = {"serve_load": serve_load}
