"""Who is called by name in direct speech."""

from pathlib import Path

from tests.stories.reading import reading, who

from fabula.story.extraction.quotations.vocatives import answers_who

HERE = Path(__file__).parent
ANSWERS = {
    ('"Your name?"', '"Tarrant,"'): True,
    ('"Who is the best of them?"', '"Shepherd Holt,"'): True,
    ('"Whose hat is that?"', '"Mrs. Hale."'): True,
    ('"What do you want?"', '"Tarrant,"'): False,
    ('"Who is there?"', '"Tarrant!"'): False,
    ('"My name is Hale. Do you hear?"', '"Tarrant,"'): False,
    ('"Who is there?"', '"Tarrant, come here, and be quick about it."'): False,
}


def test_a_name_that_answers_who_is_no_call():
    assert {(asked, said): answers_who(asked, said) for asked, said in ANSWERS} == ANSWERS


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
