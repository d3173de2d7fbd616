"""Who learns what, from whom, and what is no learning."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.facts import SURE, name_in, read_behind
from tests.stories.reading import FILLER, document, linked, story

from fabula.story.model.types import Modality

HERE = Path(__file__).parent


def learnt(text):
    found = read_behind(text)
    for each in found.learnings:
        source = "" if each.source is None else f", from {name_in(found, each.source)}"
        yield f"{name_in(found, each.character)}: {each.content}{source}"


def test_learnings():
    assert_read(HERE / "learnings.tsv", learnt)


def test_what_is_known_is_an_event_where_the_clause_tells_one():
    found = read_behind("Elena did not learn that Marcus had killed Anna.")
    (learning,) = found.learnings
    assert learning.modality is Modality.NEGATED
    assert learning.happening is not None
    assert found.happenings[learning.happening].predicate == "KILLS"


def test_the_log_tells_knowledge():
    body = f"{SURE}\n\nMarcus told Elena that Anna had kissed Mr. Reed."
    tale = document(body)
    log = linked(tale)
    (known,) = log.knowledge
    assert (known.entity, known.source) == ("elena-voss", "marcus-hale")
    assert known.content == "Anna had kissed Mr. Reed"
    assert known.event is not None
    assert {event.id: event.verb for event in log.events}[known.event] == "kiss"
    assert all(quote.quote == quote.span.of(tale.text) for quote in known.evidence)


def secrets(text):
    """Whose secrets there are, and who is told not to know."""
    view = story(f"{FILLER}\n\n{text}")
    for item in view.knowledge():
        if item.kept or item.modality is Modality.NEGATED:
            yield f"{'secret of' if item.kept else 'unknown to'} {view.name(item.entity)}"


def test_secrets():
    assert_read(HERE / "secrets.tsv", secrets)
