"""Who is called by name in direct speech."""

from __future__ import annotations

import pytest
from tests.stories.reading import reading, who

from fabula.story.extraction.quotations.vocatives import answers_who
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.types import Modality


@pytest.mark.parametrize(
    ("asked", "said", "answer"),
    [
        ('"Your name?"', '"Tarrant,"', True),
        ('"Who is the best of them?"', '"Shepherd Holt,"', True),
        ('"Whose hat is that?"', '"Mrs. Hale."', True),
        ('"What do you want?"', '"Tarrant,"', False),
        ('"Who is there?"', '"Tarrant!"', False),
        ('"My name is Hale. Do you hear?"', '"Tarrant,"', False),
        ('"Who is there?"', '"Tarrant, come here, and be quick about it."', False),
    ],
)
def test_a_name_that_answers_who_is_no_call(asked, said, answer):
    assert answers_who(asked, said) is answer


def test_who_gives_his_own_name_calls_nobody():
    text = '"Your name?" said the officer.\n\n"Tarrant," said the stranger.\n\nTarrant bowed. Tarrant rose.'
    assert [quote.hearers for quote in reading(text).quotations] == [(), ()]


def test_a_name_given_at_the_door_may_be_followed_by_more():
    text = (
        '"Hullo, who\'s that?" said Hale.\n\n"William Tarrant," said a dim figure. "Dark, is it not?"\n\n'
        "Tarrant sat down. Hale nodded to Tarrant."
    )
    assert reading(text).quotations[1].hearers == ()


def test_a_call_that_goes_on_is_a_call():
    text = (
        '"Who is there?" said Hale.\n\n"Tarrant," said Voss, "come here and see for yourself."\n\n'
        "Tarrant sat down. Hale nodded to Tarrant. Voss laughed."
    )
    assert len(reading(text).quotations[1].hearers) == 1


def test_whom_the_narration_goes_on_with_is_not_who_speaks_around_the_call():
    text = (
        '"Nonsense," said Mrs. Corwen.\n\n"That is no nonsense," said Mr. Corwen. "What say you, Mary?"\n\n'
        'Mary wished to say something.\n\n"While Mary thinks," he continued, "let us go."\n\n'
        '"I am sick of it," cried Mrs. Corwen.'
    )
    found = who(text)
    assert found["Mary"] != found["Mrs. Corwen"]


SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna laughed.\n\n"


FACT, REPORTED = Modality.FACT, Modality.REPORTED


def told(reader: StoryReader, text: str, *, before: str = SURE) -> set[tuple[object, ...]]:
    """Everything said, as (predicate, subject, object, modality) in surfaces."""
    reading = reader.read(before + text)

    def name(index: int | None) -> str | None:
        return None if index is None else reading.mentions[index].surface

    said = [(s.predicate, name(s.subject), name(s.object), s.modality) for s in reading.statements]
    done = [(h.predicate, name(h.agent), name(h.patient), h.modality) for h in reading.happenings]
    return set(said) | set(done)


@pytest.mark.parametrize(
    ("text", "knows"),
    [
        ('"Marcus," said Anna, "is late."', False),
        ('"Marcus," said Anna, "at that hour was in bed."', False),
        ('"Marcus," said Anna, "you are late."', True),
        ('"Marcus," said Anna, "do you hear me?"', True),
        ('"Marcus," said Anna, "come here."', True),
    ],
)
def test_who_is_spoken_of_is_not_called(reader: StoryReader, text: str, *, knows: bool) -> None:
    assert (("KNOWS", "Anna", "Marcus", FACT) in told(reader, text)) is knows
