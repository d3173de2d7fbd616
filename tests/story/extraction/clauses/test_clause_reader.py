"""Who does what to whom, by verbs and their frames; and what only sounds like it."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.facts import SURE, facts_of, happened_in
from tests.stories.reading import reading

HERE = Path(__file__).parent


def test_what_clauses_tell():
    assert_read(HERE / "told.tsv", facts_of, whole=False)


def test_what_does_not_happen():
    assert_read(HERE / "untold.tsv", happened_in)


def test_spans_survive_wrapped_lines_and_emphasis():
    for newline in ("\n", "\r\n"):
        text = f"{SURE}\n\n".replace("\n", newline) + newline.join(
            ["_Elena_", "killed", "   Marcus", "Hale."]
        )
        found = reading(text)
        for mention in found.mentions:
            assert mention.span.of(text).split() == mention.surface.split()
        (deed,) = [h for h in found.happenings if h.predicate == "KILLS"]
        assert deed.evidence[0].of(text).split() == ["Elena_", "killed", "Marcus", "Hale."]
