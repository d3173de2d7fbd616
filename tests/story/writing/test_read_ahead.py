import threading

from hypothesis import given
from hypothesis import strategies as st

from fabula.story.prose import paragraphs, scenes_of
from fabula.story.writing.pipelines import ReadAhead


def parsed(pieces):
    """What is handed on of these pieces, once all of it was parsed."""
    done, idle = [], threading.Event()
    with ReadAhead(lambda text: idle.set() if text == "end" else done.append(text)) as ahead:
        feed = ahead.feed()
        for piece in pieces:
            feed(piece)
        ahead.feed()("end\n\n")
        assert idle.wait(5)
    return done


def test_a_paragraph_is_done_when_a_blank_line_follows():
    pieces = ("The bell", " rang.", "\n", "\n", "Anna", " came.\n\n", "Tom left.")
    assert parsed(pieces) == ["The bell rang.", "Anna came."]


@given(
    st.lists(
        st.sampled_from(["Anna came. ", "“No,” he said.", "\n", "\n\n", " \n \t\n", "***", "_so_ "]),
        max_size=20,
    ),
    st.integers(1, 7),
)
def test_what_is_parsed_ahead_is_what_the_reading_will_ask_for(parts, size):
    text = "".join(parts)
    done = parsed(text[start : start + size] for start in range(0, len(text), size))
    ahead = [p.text for part in done for p in paragraphs(part, scenes_of(part))]
    whole = [p.text for p in paragraphs(text, scenes_of(text))]
    assert ahead == whole[: len(ahead)]
    assert len(whole) - len(ahead) <= 1


def test_it_works_beside_the_writer_and_drops_errors():
    seen, begun = [], threading.Event()

    def parse(text):
        seen.append((text, threading.current_thread().name))
        begun.set()
        raise ValueError(text)

    with ReadAhead(parse) as ahead:
        ahead.feed()("Anna came.\n\n")
        assert begun.wait(5)
        ahead.feed()("nothing is done yet")
    assert [text for text, _ in seen] == ["Anna came."]
    assert seen[0][1].startswith("read-ahead")
