"""What the critic finds in a text: violations with the quotes of both sides, and how much was checked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..core.types import Evidence

__all__ = ["CheckReport", "Severity", "Violation"]


class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Violation:
    """A finding of the critic. ``evidence`` holds the quotes of both sides, the earlier one first.

    ``suggestion`` says what would mend it, ``unless`` what evidence would make it go away.
    """

    rule: str
    severity: Severity
    message: str
    entities: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    suggestion: str = ""
    unless: str = ""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the critic found in one text, and how much there was to find it in.

    ``facts_checkable`` counts the statements extracted from the text under check (relations and events
    that the text vouches for); ``facts_checked`` those that at least one rule could set beside
    something told earlier; ``words`` the length of the text.
    """

    violations: tuple[Violation, ...]
    facts_checkable: int
    facts_checked: int
    words: int

    @property
    def consistency(self) -> float | None:
        """``max(0, 1 - 0.1 * violations)``; None where nothing could be checked."""
        if self.facts_checked == 0 and not self.violations:
            return None
        return max(0.0, 1.0 - 0.1 * len(self.violations))

    @property
    def coverage(self) -> float | None:
        """Share of the checkable facts that were checked, 0 to 1; None where there were none."""
        return self.facts_checked / self.facts_checkable if self.facts_checkable else None

    @property
    def per_10k_words(self) -> float | None:
        """None, like the score, where nothing could be checked: no findings there is no praise."""
        if self.facts_checked == 0 and not self.violations:
            return None
        return 10_000 * len(self.violations) / self.words if self.words else None
