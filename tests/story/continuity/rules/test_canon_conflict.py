from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import FILLER, document, linker_of, view_at
from tests.tables import file_text

from fabula.core.types import Horizon
from fabula.story.codex.codex import CODEX_ID, Codex
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.continuity.rules.canon_conflict import canon_conflict
from fabula.story.continuity.rules.dead_then_acts import dead_then_acts
from fabula.story.model.findings import Violation

HERE = Path(__file__).parent
CODEX = file_text(__file__, "canon_conflict.yaml")

OPENING = "Elena smiled at Marcus. Orlok and Mina laughed. Queen Ada wept."


def view(*bodies, codex=CODEX):
    return view_at(linker_of(document(OPENING, *bodies), canon=Codex.parse(codex).log).log)


def findings(view, draft=None):
    return [one for one in canon_conflict(view, draft) if isinstance(one, Violation)]


def against(text):
    """Each finding by its severity, held against the codex and the text."""
    for violation in findings(view(text)):
        laid, told = violation.evidence[:2]
        assert laid.document_id == CODEX_ID and laid.quote in CODEX
        assert told.quote == text
        yield violation.severity.value


def test_against_the_codex_in_its_chapters_and_in_keeping_with_it():
    assert_read(HERE / "canon_conflict.tsv", against)
    assert findings(view("The ice went out.", "Elena entered the tower.")) == []


def test_only_the_draft_is_charged_and_a_death_before_its_chapter():
    told = view("Marcus died in the snow.", "The ice went out.", "Elena wept.")
    (violation,) = findings(told)
    assert "dies in chapter 4" in violation.message
    assert not findings(view("The ice went out.", "Elena wept.", "Marcus died in the snow."))
    assert not findings(told.as_of(Horizon(3)))  # the codex tells it at 4
    whole = view("Elena looked up with her brown eyes.")
    assert findings(whole, "tale")
    assert not list(canon_conflict(whole, "draft"))
    assert whole.facts()[-1] in set(canon_conflict(whole, "tale"))


def test_laws_are_words_for_a_writer_too():
    rules = [rule.text for rule in Codex.parse(CODEX).rules]
    assert rules == [
        "nobody can fly",
        "The Vampires: never cross running water",
        "Nobody may enter the tower",
        "Only Queen Ada may wear the crown",
        "Mina: always pray at night",
        "Mina: never lie",
    ]


ORIGIN = "places: [Leeds]\ncharacters: [{name: Marcus, relations: [{predicate: COMES_FROM, to: Leeds}]}]"


def test_descriptions_origins_and_deaths_lay_down_too():
    codex = "characters: [{name: Elena, description: Her eyes are green.}]"
    (violation,) = findings(view("Elena looked up with her brown eyes.", codex=codex))
    assert (violation.severity, violation.evidence[0].quote) == ("error", "Her eyes are green.")
    (violation,) = findings(view("Marcus was born in Bristol.", codex=ORIGIN))
    assert violation.severity == "warning"
    assert not findings(view("Marcus was born in Leeds.", codex=ORIGIN))
    laid = "characters:\n  - {name: Elena, death: {chapter: 2}}\n"
    told = view(FILLER, f"{FILLER} Elena came in with her boots full of sand.", codex=laid)
    [by_codex] = ContinuityCritic([dead_then_acts]).check(told, words=99).violations
    assert (by_codex.severity, by_codex.evidence[0].document_id) == ("error", CODEX_ID)
