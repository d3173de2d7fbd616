"""Facts about this installation as HTML."""

from __future__ import annotations

from html import escape

from ...llm.connecting.endpoints import Offer
from ...project.doctor import Check, Examination
from ...project.spending import UsageLine, UsageReport
from ...views.text.kept import dollars_text, tokens_text

_LINES = 30
_HEAD = ("day", "model", "calls", "tokens in", "out", "dollars")


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


def connected(name: str, verdict: str) -> str:
    """Which model is connected, and what its test said."""
    if not name:
        return lead("None. Stories are read and searched without one.")
    return f'<p class="f-soft"><b>{escape(name)}</b>: {escape(verdict)}.</p>'


def offer(one: Offer) -> str:
    """A model that could be used, or a provider whose key is there."""
    context = f", {one.context_tokens:,} tokens of context" if one.context_tokens else ""
    price = "; {:g} in, {:g} out: dollars a million tokens".format(*one.prices) if one.prices else ""
    told = f"{one.model}{context}{price}" if one.model else f"by {one.kind.key}"
    return f'<p class="f-soft"><b>{escape(one.kind.title)}</b> {escape(told)}</p>'


def health(examination: Examination) -> str:
    """What is installed, and what is missing with the way to get it."""
    missing = sum(not check.healthy for check in examination.checks)
    verdict = "Everything is installed." if not missing else f"{missing} missing."
    rows = "".join(_row(check) for check in examination.checks)
    return f'<p class="f-verdict"><b>{verdict}</b></p><dl class="f-health">{rows}</dl>'


def usage(report: UsageReport, *, title: str) -> str:
    """What the models of one story were asked, the last days first, and what it cost."""
    if not report.lines:
        return lead(f"{title}: no model was asked yet.")
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in _HEAD)
    body = "".join(map(_usage_row, report.lines[: -_LINES - 1 : -1]))
    unpriced = ", ".join(report.unpriced)
    without = f", without {unpriced}: generator.prices names no price" if unpriced else ""
    return (
        '<div class="f-scroll" tabindex="0" role="region" aria-label="Usage">'
        '<table class="f-table"><thead><tr>'
        f"{heads}</tr></thead><tbody>{body}</tbody></table></div>"
        + lead(f"{title}: {dollars_text(report.dollars)} dollars{without}, by {report.prices}.")
    )


def appearance() -> str:
    """Where light and dark are chosen."""
    return lead("Light or dark follows this machine; the menu at the top right changes it.")


def _usage_row(line: UsageLine) -> str:
    cells = (
        line.model,
        f"{line.calls:,}",
        tokens_text(line.prompt_tokens, estimated=line.estimated),
        f"{line.completion_tokens:,}",
        dollars_text(line.dollars),
    )
    rest = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f'<tr><th scope="row">{line.day}</th>{rest}</tr>'


def _row(check: Check) -> str:
    advice = f"<code>{escape(check.advice)}</code>" if check.advice else ""
    state = "" if check.healthy else ' class="f-missing"'
    return f"<div{state}><dt>{escape(check.name)}</dt><dd>{escape(check.found)}{advice}</dd></div>"
