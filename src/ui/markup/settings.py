"""Facts about this installation as HTML."""

from __future__ import annotations

from html import escape

from ...project.doctor import Check, Examination

__all__ = ["appearance", "health", "key_state", "lead"]


def lead(text: str) -> str:
    """A line of plain text that introduces what follows."""
    return f'<p class="f-soft">{escape(text)}</p>'


def key_state(name: str, there: bool) -> str:
    """Whether the variable ``name`` holds a key (never the key itself), and how long it is kept."""
    state = "holds a key" if there else "holds no key"
    return (
        f'<p class="f-soft"><b>{escape(name)}</b> {state}. A key is kept in the memory of this app until it '
        "ends: it is not written down, and never shown.</p>"
    )


def health(examination: Examination) -> str:
    """What is installed, and what is missing with the way to get it."""
    missing = sum(not check.healthy for check in examination.checks)
    verdict = "Everything is installed." if not missing else f"{missing} missing."
    rows = "".join(_row(check) for check in examination.checks)
    return f'<p class="f-verdict"><b>{verdict}</b></p><dl class="f-health">{rows}</dl>'


def appearance() -> str:
    """Where light and dark are chosen."""
    return lead("Light or dark follows this machine; the menu at the top right changes it.")


def _row(check: Check) -> str:
    advice = f"<code>{escape(check.advice)}</code>" if check.advice else ""
    state = "" if check.healthy else ' class="f-missing"'
    return f"<div{state}><dt>{escape(check.name)}</dt><dd>{escape(check.found)}{advice}</dd></div>"
