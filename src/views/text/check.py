"""A check's findings as text for a terminal, as JSON, and as SARIF; how much its critics find."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ... import __version__
from ...core.files.plain_json import plain
from ...story.calibration.power import ASSUMED_SLIPS, LEAST_FINDINGS, words_needed
from ...story.continuity.reporting.sarif import rule_help, sarif_log
from ...story.model.findings import Severity, Violation, sureness
from ..quotes import outermost
from .places import suspects_shown, suspects_text
from .render import WIDTH, counted, harmless, quote_text, wrapped

if TYPE_CHECKING:
    from ...project.checking import Checked, ModelAgreement
    from ...story.calibration.power import Found, Power
    from ...story.model.findings import CheckReport

LEAST_WORDS = 1000
"""Words below which the text shows no rate: one finding more or less would change it tenfold."""

_GRAVEST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.INFO)
_VALE = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "suggestion"}
_TOLD = {
    "explicit": "told openly",
    "paraphrase": "in other words",
    "implicit": "only implied",
    "same": "the same said again",
    "beside": "something else said about it",
    "change": "a narrated change",
    "trap": "an apparent contradiction",
}


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
            lines += [
                *_finding_lines(meant.violation, "-"),
                wrapped(f"meant: {meant.reason}", indent=" " * 6),
                "",
            ]
    lines += _summary(report)
    lines += _notes(done, show_suppressed=show_suppressed)
    if done.suspects:
        lines += ["", suspects_text(suspects_shown(done.suspects, None))]
    return harmless("\n".join(lines))


def check_data(done: Checked) -> dict[str, Any]:
    """Everything of the check as plain JSON data: the report's own fields, then what follows from them."""
    report = done.report
    data: dict[str, Any] = plain(report)
    data["violations"] = [_finding_data(one) for one in report.violations]
    data["suppressed"] = [
        {"violation": _finding_data(one.violation), "reason": one.reason} for one in report.suppressed
    ]
    data |= {
        "counted": len(report.counted),
        "consistency": report.consistency,
        "coverage": report.coverage,
        "violations_per_10k_words": {
            "value": report.per_10k_words,
            "poisson_95": report.rate_interval,
            "chapters_bootstrap_95": report.chapter_interval,
        },
        "rules": [{"name": rule.__name__, "help": rule_help(rule)} for rule in done.rules],
        "suppressions": {
            "file": done.suppressions.as_posix() if done.suppressions else None,
            "stale": [plain(entry) for entry in done.stale],
        },
        "model": _model_data(done.model) if done.model else None,
        "calibration": power_data(done.powers),
        "suspects": plain(suspects_shown(done.suspects, None).pairs),
    }
    return data


def check_as(done: Checked, form: str, *, show_suppressed: bool = False) -> str:
    """The findings as ``"text"``, ``"json"``, ``"sarif"`` (2.1.0) or ``"vale"``."""
    if form == "text":
        return check_text(done, show_suppressed=show_suppressed)
    if form == "sarif":
        sources = dict(done.sources)
        return _json(sarif_log(done.report, rules=done.rules, sources=sources, version=__version__))
    return _json(check_data(done) if form == "json" else _vale(done))


def _json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)


def _vale(done: Checked) -> dict[str, list[dict[str, Any]]]:
    """The findings as Vale's JSON: by file, each at the line and columns (from 1) of its later quote."""
    alerts: dict[str, list[dict[str, Any]]] = {}
    sources = dict(done.sources)
    for one in done.report.violations:
        place = next((each for each in reversed(one.evidence) if each.document_id in sources), None)
        if place is None:
            continue
        source = sources[place.document_id]
        region, first_line = source.region(place), place.quote.partition("\n")[0]
        column = region["startColumn"]
        alert = {
            "Action": {"Name": "", "Params": None},
            "Span": [column, column + len(first_line) - 1],
            "Check": f"fabula.{one.rule}",
            "Description": one.suggestion,
            "Link": "",
            "Message": one.message,
            "Severity": _VALE[one.severity],
            "Match": place.quote,
            "Line": region["startLine"],
        }
        alerts.setdefault(source.path, []).append(alert)
    return alerts


def _finding_lines(violation: Violation, mark: str) -> list[str]:
    lines = [wrapped(violation.message, indent=f"  {mark} ", hang="     ")]
    lines += [quote_text(quote, indent="      ") for quote in outermost(violation.evidence)]
    lines.append(wrapped(f"{violation.rule}, {sureness(violation)}", indent=" " * 6))
    if violation.suggestion:
        lines.append(wrapped(f"to fix: {violation.suggestion}", indent=" " * 6))
    if violation.unless:
        lines.append(wrapped(f"unless: {violation.unless}", indent=" " * 6))
    return lines


def _summary(report: CheckReport) -> list[str]:
    """What was found, and in how much: a score without coverage would reward reading nothing."""
    others = len(report.violations) - len(report.counted)
    found = counted(len(report.violations), "finding")
    if report.consistency is not None:
        score = f"score {report.consistency:.2f}"
    elif others:
        score = f"no score: {others} of them by a language model, which no score counts"
    else:
        score = "no score: nothing could be compared"
    lines = [
        f"{found} in {report.words:,} words ({score}); {report.facts_checked:,} of "
        f"{report.facts_checkable:,} facts could be compared with something earlier"
    ]
    rate, interval = report.per_10k_words, report.rate_interval
    if rate is not None and interval is not None and report.words >= LEAST_WORDS:
        line = f"{rate:.2f} per 10,000 words [{interval[0]:.2f}, {interval[1]:.2f} exact Poisson"
        if report.chapter_interval is not None:
            low, high = report.chapter_interval
            line += f"; {low:.2f}, {high:.2f} over chapters"
        lines.append(f"{line}]")
    return lines


def _notes(done: Checked, *, show_suppressed: bool) -> list[str]:
    report, lines = done.report, []
    if report.suppressed:
        more = "" if show_suppressed else "; --show-suppressed lists them"
        lines.append(f"{len(report.suppressed)} more suppressed by {done.suppressions}{more}")
    lines += [power_line(one) for one in done.powers]
    lines += [f"stale in {done.suppressions}: {entry.fingerprint} matches nothing" for entry in done.stale]
    if done.model is not None:
        m = done.model
        dropped = ", ".join(f"{count} {reason}" for reason, count in m.review.dropped) or "none"
        lines.append(
            f"{m.model}: {counted(m.review.claimed, 'claim')} in {counted(m.review.windows, 'window')}, "
            f"{m.findings} kept beside {m.rules} of the rules; left out: {dropped}"
        )
        if m.review.tried:
            line = f"asked twice more of {counted(m.review.tried, 'finding')}, it gave {m.review.agreed} of "
            silent = f"; on {m.review.silent} it gave no verdict, so they stay as they were"
            lines.append(f"{line}them the same verdict in either order{silent if m.review.silent else ''}")
    else:
        if not done.suspects:
            lines.append("sentences worth reading side by side: fabula check PROJECT --suspects 10")
        lines.append("a language model finds far more: fabula model, then check again")
    return [
        textwrap.fill(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
        for line in lines
    ]


def _finding_data(violation: Violation) -> dict[str, Any]:
    return {**plain(violation), "fingerprint": violation.fingerprint}


def _model_data(model: ModelAgreement) -> dict[str, Any]:
    return {
        "name": model.model,
        "findings": model.findings,
        "rule_findings": model.rules,
        "windows": model.review.windows,
        "claimed": model.review.claimed,
        "dropped": dict(model.review.dropped),
        "asked_again": model.review.tried,
        "agreed_with_itself": model.review.agreed,
        "without_verdict": model.review.silent,
    }


def fails(violations: Sequence[Violation], least: str) -> bool:
    """Is one of them as grave as ``least`` (info, warning or error), or graver?"""
    order = [severity.value for severity in reversed(_GRAVEST_FIRST)]
    return any(order.index(one.severity.value) >= order.index(least) for one in violations)


def power_line(power: Power) -> str:
    """In one sentence, for a report: "of slips like … the rules find about 12 % [4, 30]"."""
    who = "the rules find" if power.critic == "rules" else f"{power.critic.partition(':')[2]} finds"
    parts = [f"{_TOLD[name]} {_share(one)}" for name, one in power.slips.items() if one.n]
    return (
        f"calibrated on this book: of planted mistakes {who} {_share(power.recall)} "
        f"({'; '.join(parts)}); of {power.misled.n} sound pairs {power.misled.found} flagged wrongly; "
        "this measures what is missed, not the findings here"
    )


def power_text(powers: Sequence[Power]) -> str:
    """A block a critic."""
    lines: list[str] = []
    for power in powers:
        lines.append(f"{power.critic}: {power.copies} copies of {power.words:,} words")
        for name, one in (*power.slips.items(), *power.sound.items()):
            verb = "found" if name in power.slips else "flagged"
            lines.append(f"  {_TOLD.get(name, name):<38} {verb} {one.found} of {one.n}  {_share(one)}")
        lines.append(
            f"  {'all mistakes':<38} found {power.recall.found} of {power.recall.n}  {_share(power.recall)}"
        )
        needed = words_needed(power.recall.share or 0.0)
        meaning = "It found none of them, so finding nothing in this book says nothing about the book."
        if needed is not None:
            meaning = (
                f"To tell two texts apart takes {LEAST_FINDINGS} findings: about {needed:,} words of a text "
                f"with {ASSUMED_SLIPS:.0f} such mistakes in 10,000 words."
            )
        lines.append(wrapped(meaning, indent="  "))
    return "\n".join(lines)


def power_data(powers: Sequence[Power]) -> list[dict[str, Any]]:
    """Plain data: shares with their intervals, and how many words a comparison needs."""
    return [
        {
            "critic": power.critic,
            "copies": power.copies,
            "words": power.words,
            "recall": _data(power.recall),
            "slips": {name: _data(one) for name, one in power.slips.items()},
            "sound": {name: _data(one) for name, one in power.sound.items()},
            "words_to_compare": words_needed(power.recall.share or 0.0),
        }
        for power in powers
    ]


def _share(one: Found) -> str:
    low, high = one.interval
    return f"{100 * (one.share or 0):.0f} % [{100 * low:.0f}, {100 * high:.0f}]"


def _data(one: Found) -> dict[str, Any]:
    return {"found": one.found, "n": one.n, "share": one.share, "interval_95": list(one.interval)}
