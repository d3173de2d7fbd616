"""What an audit of judges says: quotes, runs, rates, pairs of judges, and the rules beside them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "CriticAgreement",
    "JudgeAudit",
    "JudgePair",
    "JudgeQuotes",
    "RunAgreement",
    "SystemRate",
]


@dataclass(frozen=True, slots=True)
class JudgeQuotes:
    """How a judge's quotes stand in the texts. ``quotes`` counts those whose text is known, of both sides;
    ``exact``, ``normalised``, ``near`` and ``absent`` as in :mod:`.judges.quote_search`. ``grounded`` counts
    the findings all of whose quotes stand there, of ``findings`` whose text is known."""

    judge: str
    findings: int
    grounded: int
    quotes: int
    exact: int
    normalised: int
    near: int
    absent: int
    without_text: int

    @property
    def verified(self) -> float | None:
        """Share of quotes that stand in the text in any of the three ways, 0 to 1."""
        return 1.0 - self.absent / self.quotes if self.quotes else None


@dataclass(frozen=True, slots=True)
class RunAgreement:
    """How a judge's runs over the same texts agree. ``jaccard`` is pooled over texts and pairs of runs
    (``shared`` of ``either``), ``alpha`` taken over ``sentences``; None where there is nothing to compare."""

    judge: str
    runs: int
    texts: int
    shared: int
    either: int
    jaccard: float | None
    sentences: int
    alpha: float | None


@dataclass(frozen=True, slots=True)
class SystemRate:
    """Findings of one judge in one system's texts: a run's mean. Rates are per 10,000 words, None where no
    text is known; ``grounded_rate`` counts grounded findings alone."""

    judge: str
    system: str
    texts: int
    per_text: float
    rate: float | None
    grounded_rate: float | None


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges: agreement on the texts that both read (their first runs), Kendall's tau-b over the systems
    that both ranked by rate (by findings a text, where texts are not known), and the pairs of systems that
    they rank the other way round."""

    one: str
    other: str
    jaccard: float | None
    alpha: float | None
    systems: int
    tau: float | None
    flips: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CriticAgreement:
    """A judge's findings (first run, grounded) beside the rules': ``shared_judge`` of its ``findings`` touch
    one of the rules', ``shared_rules`` of the rules' ``rule_findings`` touch one of its."""

    judge: str
    texts: int
    findings: int
    shared_judge: int
    rule_findings: int
    shared_rules: int


@dataclass(frozen=True, slots=True)
class JudgeAudit:
    """Everything, judges and systems in order of name."""

    readings: int
    findings: int
    texts: int
    damaged: int
    quotes: tuple[JudgeQuotes, ...]
    runs: tuple[RunAgreement, ...]
    rates: tuple[SystemRate, ...]
    pairs: tuple[JudgePair, ...]
    critic: tuple[CriticAgreement, ...]
