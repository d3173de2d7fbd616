"""Who speaks by the turns of a conversation."""

from tests.stories.facts import facts_of
from tests.stories.reading import reading
from tests.stories.speech import CAST, spoken, who


def test_turns_of_a_dialogue():
    text = '"Good day," said Elena.\n\n"Go away," said Marcus.\n\n"I hate Mr. Reed."\n\n"I love Anna."'
    assert {"HATES Elena Mr. Reed reported", "LOVES Marcus Anna reported"} <= set(facts_of(text))


def test_closed_paragraphs_are_turns():
    body = '"It was long ago," said Elena.\n\n"And you?" said Anna.\n\n"I was young."'
    assert who(body) == ["elena-voss", "anna-reed", "elena-voss"]


def test_turns_alternate_and_reach_backwards():
    body = 'The rain had stopped.\n\n"Well?"\n\n"Well what?" said Marcus.\n\n"You know."\n\n'
    body += '"I do not."\n\n"You do," said Elena.'
    assert who(body) == ["elena-voss", "marcus-hale", "elena-voss", "marcus-hale", "elena-voss"]


def test_who_is_called_is_spoken_to_and_answers():
    body = '"Are you cold, Anna?" said Elena.\n\n"No."'
    told = spoken(body)
    assert [(s, h) for _, s, h, _ in told] == [
        ("elena-voss", ("anna-reed",)),
        ("anna-reed", ("elena-voss",)),
    ]


def test_a_name_behind_a_bare_noun_is_called():
    ((_, _, hearers, _),) = spoken('"Let us be friends, Anna," said Elena.')
    assert hearers == ("anna-reed",)


def test_who_is_only_spoken_of_is_not_spoken_to():
    ((_, speaker, hearers, _),) = spoken('"Anna is cold," said Elena.')
    assert speaker == "elena-voss"
    assert hearers == ()


def test_first_person_narrator_speaks():
    body = (
        "I came to the house at noon and knocked on my uncle's door. I waited, and I was cold.\n\n"
        '"Who is there?" said Elena.\n\n"Only me," I said. I shook my wet hat.\n\n"Come in."'
    )
    assert who(body, "") == ["elena", "the-narrator", "elena"]


def test_a_teller_who_only_comments_is_no_narrator():
    body = CAST + "I shall not say why. " + "Elena walked home and Marcus followed her. " * 12
    assert "I" not in {mention.surface for mention in reading(body).mentions}
