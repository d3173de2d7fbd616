"""A check's findings as text for a terminal, as JSON, and as SARIF."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Any

from ...core.files.plain_json import plain
from ...story.continuity.reporting.sarif import rule_help, sarif_log
from ...story.model.findings import Severity, Suppressed, Violation, sureness
from .power import power_data, power_line
from .render import WIDTH, harmless, quote_text

if TYPE_CHECKING:
    from ...project.checking import Checked, ModelAgreement
    from ...story.continuity.rules.rule import Rule
    from ...story.model.findings import CheckReport

__all__ = ["LEAST_WORDS", "check_data", "check_json", "check_sarif", "check_text", "fails"]

LEAST_WORDS = 1000
"""Words below which the text shows no rate: one finding more or less would change it tenfold."""

_GRAVEST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.INFO)


def check_text(done: Checked, *, show_suppressed: bool = False) -> str:
    """The findings, the surest first, each with its number, the quotes of both sides and how sure it is; then
    what was counted."""
    report = done.report
    lines: list[str] = []
    for number, one in enumerate(report.violations, start=1):
        lines += [*_finding_lines(one, f"{number}."), ""]
    if show_suppressed and report.suppressed:
        lines.append(f"suppressed: {len(report.suppressed)}")
        for meant in report.suppressed:
            lines += [*_finding_lines(meant.violation, "-"), _wrapped(f"meant: {meant.reason}", "      "), ""]
    lines += _summary(report)
    lines += _notes(done, show_suppressed=show_suppressed)
    return harmless("\n".join(lines))


def check_data(done: Checked) -> dict[str, Any]:
    """Everything of the check as plain JSON data: the report's own fields, then what follows from them."""
    report = done.report
    data: dict[str, Any] = plain(report)
    data["violations"] = [_finding_data(one) for one in report.violations]
    data["suppressed"] = [_suppressed_data(one) for one in report.suppressed]
    data |= {
        "counted": len(report.counted),
        "consistency": report.consistency,
        "coverage": report.coverage,
        "violations_per_10k_words": {
            "value": report.per_10k_words,
            "poisson_95": report.rate_interval,
            "chapters_bootstrap_95": report.chapter_interval,
        },
        "rules": [_rule_data(rule) for rule in done.rules],
        "suppressions": {
            "file": done.suppressions.as_posix() if done.suppressions else None,
            "stale": [plain(entry) for entry in done.stale],
        },
        "model": _model_data(done.model) if done.model else None,
        "calibration": power_data(done.powers),
    }
    return data


def check_json(done: Checked) -> str:
    """``check_data`` as text."""
    return json.dumps(check_data(done), indent=2, ensure_ascii=False, allow_nan=False)


def check_sarif(done: Checked) -> str:
    """The check as a SARIF 2.1.0 log."""
    log = sarif_log(
        done.report,
        rules=done.rules,
        sources=dict(done.sources),
        version=metadata.version("fabula"),
    )
    return json.dumps(log, indent=2, ensure_ascii=False, allow_nan=False)


def _finding_lines(violation: Violation, mark: str) -> list[str]:
    flat = " ".join(violation.message.split())
    lines = [textwrap.fill(flat, WIDTH, initial_indent=f"  {mark} ", subsequent_indent="     ")]
    lines += [quote_text(quote, indent="      ") for quote in violation.evidence]
    lines.append(_wrapped(f"{violation.rule}, {sureness(violation)}", "      "))
    if violation.suggestion:
        lines.append(_wrapped(f"to mend: {violation.suggestion}", "      "))
    if violation.unless:
        lines.append(_wrapped(f"unless: {violation.unless}", "      "))
    return lines


def _summary(report: CheckReport) -> list[str]:
    """What was found, and in how much: a score without coverage would reward reading nothing."""
    others = len(report.violations) - len(report.counted)
    found = _count(len(report.violations), "finding")
    if report.consistency is not None:
        score = f"score {report.consistency:.2f}"
    elif others:
        score = f"no score: {others} of them by a language model, which no score counts"
    else:
        score = "no score: nothing could be set side by side"
    lines = [
        f"{found} in {report.words:,} words ({score}); {report.facts_checked:,} of "
        f"{report.facts_checkable:,} facts could be set beside something told earlier"
    ]
    rate, interval = report.per_10k_words, report.rate_interval
    if rate is not None and interval is not None and report.words >= LEAST_WORDS:
        lines.append(_rate_line(report, rate, interval))
    return lines


def _rate_line(report: CheckReport, rate: float, interval: tuple[float, float]) -> str:
    line = f"{rate:.2f} per 10,000 words [{interval[0]:.2f}, {interval[1]:.2f} exact Poisson"
    if report.chapter_interval is not None:
        low, high = report.chapter_interval
        line += f"; {low:.2f}, {high:.2f} over chapters"
    return f"{line}]"


def _notes(done: Checked, *, show_suppressed: bool) -> list[str]:
    report, lines = done.report, []
    if report.suppressed:
        more = "" if show_suppressed else "; --show-suppressed lists them"
        lines.append(f"{len(report.suppressed)} more suppressed by {done.suppressions}{more}")
    lines += [power_line(one) for one in done.powers]
    lines += [f"stale in {done.suppressions}: {entry.label} matches nothing" for entry in done.stale]
    if done.model is not None:
        m = done.model
        dropped = ", ".join(f"{count} {reason}" for reason, count in m.review.dropped) or "none"
        lines.append(
            f"{m.model}: {_count(m.review.claimed, 'claim')} in {_count(m.review.windows, 'window')}, "
            f"{m.findings} verified, {m.shared} of these found by the rules too (which found {m.rules}); "
            f"dropped: {dropped}"
        )
        if m.review.refutable:
            lines.append(
                f"asked twice more of {_count(m.review.refutable, 'finding')}, it gave {m.review.agreed} of "
                "them the same verdict in either order"
            )
    else:
        lines.append(
            "pairs of sentences that may contradict each other, to read: fabula suspects PROJECT; "
            "with a language model: fabula check PROJECT --model-critic"
        )
    return [
        textwrap.fill(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
        for line in lines
    ]


def _count(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def _wrapped(text: str, indent: str) -> str:
    flat = " ".join(text.split())
    return textwrap.fill(flat, WIDTH, initial_indent=indent, subsequent_indent=indent)


def _finding_data(violation: Violation) -> dict[str, Any]:
    data: dict[str, Any] = plain(violation)
    return data | {"fingerprint": violation.fingerprint}


def _suppressed_data(one: Suppressed) -> dict[str, Any]:
    return {"violation": _finding_data(one.violation), "reason": one.reason}


def _rule_data(rule: Rule) -> dict[str, Any]:
    return {"name": rule.name, "help": rule_help(rule)}


def _model_data(model: ModelAgreement) -> dict[str, Any]:
    return {
        "name": model.model,
        "findings": model.findings,
        "rule_findings": model.rules,
        "shared": model.shared,
        "windows": model.review.windows,
        "claimed": model.review.claimed,
        "dropped": dict(model.review.dropped),
        "asked_again": model.review.refutable,
        "agreed_with_itself": model.review.agreed,
    }


def fails(violations: Sequence[Violation], least: str) -> bool:
    """Is one of them as grave as ``least`` (info, warning or error), or graver?"""
    order = [severity.value for severity in reversed(_GRAVEST_FIRST)]
    return any(order.index(one.severity.value) >= order.index(least) for one in violations)
