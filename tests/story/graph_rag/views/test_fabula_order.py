from hypothesis import given
from hypothesis import strategies as st
from tests.stories.reading import document, told

from fabula.core.types import Evidence, Span
from fabula.story.graph_rag.views.timeline import fabula_order, sorted_by_links
from fabula.story.model.types import EventOrder

QUOTE = Evidence("tale", 1, Span(0, 1), "x")


def link(earlier, later, confidence=0.8):
    return EventOrder(earlier, later, 1, (QUOTE,), confidence)


def test_links_move_events_and_in_a_circle_the_least_sure_gives_way():
    assert sorted_by_links("abcd", [link("d", "b")]) == ["a", "d", "b", "c"]
    assert sorted_by_links("abcd", [link("d", "c"), link("c", "b")]) == ["a", "d", "c", "b"]
    assert sorted_by_links("abcd", [link("a", "b"), link("x", "a"), link("b", "b")]) == [*"abcd"]
    circle = [link("c", "a", 0.9), link("a", "b", 0.9), link("b", "c", 0.5)]
    assert sorted_by_links("abc", circle) == ["c", "a", "b"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.5, 0.8])), max_size=25))
def test_every_event_comes_once_and_links_without_circles_hold(pairs):
    events = [str(n) for n in range(10)]
    found = sorted_by_links(events, [link(str(a), str(b), c) for a, b, c in pairs])
    assert sorted(found) == events
    forward = [(str(max(a, b)), str(min(a, b))) for a, b, _ in pairs if a != b]  # one way only: no circle
    found = sorted_by_links(events, [link(a, b) for a, b in forward])
    assert all(found.index(a) < found.index(b) for a, b in forward)


def test_the_fabula_of_a_text():
    tale = document(
        "Elena Voss smiled. Marcus Hale nodded. Anna laughed.\n\nElena sang. Marcus had danced. Anna wept."
    )
    view = told(tale)
    verbs = {event.id: event.verb for event in view.events(untyped=True)}
    found = [verbs[event] for event in fabula_order(view)]
    assert found[-3:] == ["dance", "sing", "weep"]
    order = view.log.orders[0]
    assert all(quote.quote == quote.span.of(tale.text) for quote in order.evidence)
