"""Facts about this installation."""

from __future__ import annotations

from ...project.doctor import Examination
from ...project.spending import UsageReport
from ...views.text.kept import USAGE_HEAD, dollars_text, usage_row
from . import html
from .page import soft

_LINES = 30


def key_state(name: str, there: bool) -> str:
    """Whether the variable ``name`` holds a key (never the key itself), and how long it is kept."""
    return html("settings", "key_state", name, there)


def health(examination: Examination) -> str:
    """What is installed, and what is missing with the way to get it."""
    missing = sum(not check.healthy for check in examination.checks)
    return html("settings", "health", examination.checks, missing)


def usage(report: UsageReport, *, title: str) -> str:
    """What the models of one story were asked, the last days first, and what it cost."""
    if not report.lines:
        return soft(f"{title}: no model was asked yet.")
    unpriced = ", ".join(report.unpriced)
    without = f", without {unpriced}: generator.prices names no price" if unpriced else ""
    rows = list(map(usage_row, report.lines[: -_LINES - 1 : -1]))
    below = f"{title}: {dollars_text(report.dollars)} dollars{without}."
    return html("settings", "usage", USAGE_HEAD, rows, below)
