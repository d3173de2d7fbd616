"""What a rule finds in small stories that are read as the package reads them."""

from tests.stories.reading import FILLER, document, story, told

from fabula.story.continuity.rules.rule import Rule
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.findings import Violation

PASSAGES = (
    "Laura Marsh and Edmund Vane sat by the river. Laura laughed. Edmund looked at the boats.\n\n"
    + "The rain went on, the lamps were lit, and nobody had a word to say. " * 25
)  # long enough for somebody to be named in passing


def found_in(rule: Rule, view: StoryView, *cells: str) -> list[str]:
    """Each finding as its severity and the chapters of its quotes; a quote that is in none of the cells is
    given too."""
    found = []
    for finding in rule.find(view):
        others = [q.quote for q in finding.evidence if not any(q.quote in cell for cell in cells)]
        chapters = "+".join(str(quote.chapter) for quote in finding.evidence)
        found.append(" ".join([finding.severity.value, chapters, *others]))
    return found


def found_apart(rule: Rule, early: str, late: str) -> list[str]:
    """What it finds between two sentences, told in chapters 2 and 4 of a story that introduces everybody."""
    return found_in(rule, story(f"{FILLER}\n\n{early}", FILLER, f"{FILLER}\n\n{late}"), early, late)


def found_by(rule: Rule, *bodies: str) -> list[Violation]:
    """What it finds in a story of these chapters, every quote checked."""
    tale = document(*bodies)
    findings = list(rule.find(told(tale)))
    for finding in findings:
        for quote in finding.evidence:
            quote.verify(tale.text)
    return findings
