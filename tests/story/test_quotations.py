"""Direct speech: its pieces, who says it and to whom, on conversations written for it."""

import pytest

from fabula.core.types import Chapter, Document, Span
from fabula.story.extraction.quotations.turn_taking import Turn, take_turns
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker
from fabula.story.prose.paragraphs import paragraphs, scenes_of

CAST = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna Reed laughed.\n\n"


@pytest.fixture(scope="session")
def reader():
    return StoryReader()


def story(reader, *bodies):
    text, linker, chapters = "", Linker(), []
    for number, body in enumerate(bodies, 1):
        start = len(text)
        text += body + "\n\n"
        chapters.append(Chapter(number, str(number), Span(start, start), Span(start, start + len(body))))
    document = Document("tale", "Tale", text, tuple(chapters))
    for chapter in chapters:
        linker.add(document, chapter, reader.read(chapter.body.of(text)))
    return document, linker.log


def speakers(reader, body, cast=CAST):
    """(first words, speaker, hearers, kind) of each quotation behind the cast."""
    document, log = story(reader, cast + body)
    told = []
    for quotation in log.quotations:
        first = quotation.evidence[0].span.of(document.text).strip("\"'“”‘’—- ")
        told.append((first.rstrip(".,!?"), quotation.speaker, quotation.hearers, quotation.kind))
    return told


def who(reader, body, cast=CAST):
    return [speaker for _, speaker, _, _ in speakers(reader, body, cast)]


@pytest.mark.parametrize(
    ("body", "speaker", "kind"),
    [
        ('"It rains," said Elena.', "elena-voss", "explicit"),
        ('"It rains!" Marcus shouted.', "marcus-hale", "explicit"),
        ('"It rains," poor old Mr. Reed replied.', "mr-reed", "explicit"),
        ('Then Anna whispered: "It rains."', "anna-reed", "explicit"),
        ('Anna looked up and said, with a sigh, "It rains."', "anna-reed", "explicit"),
        ('At last Anna went on:\n\n"It rains."', "anna-reed", "explicit"),
        ('At last Anna spoke.\n\n"It rains."', "anna-reed", "explicit"),
        ('"It rains," he said.', "mr-reed", "anaphoric"),
        ('Marcus shook his head. "It rains," he said.', "marcus-hale", "anaphoric"),
        ('Elena put down her cup. "It rains."', "elena-voss", "implicit"),
        ("‘It rains, isn’t it Tom’s day?’ said Elena.", "elena-voss", "explicit"),
        ("'It rains,' said Elena, 'and \"rain\" is the word.'", "elena-voss", "explicit"),
        ("— It rains, said Elena, and I am cold.", "elena-voss", "explicit"),
        ("«It rains,» said Elena.", "elena-voss", "explicit"),
    ],
)
def test_who_says_it(reader, body, speaker, kind):
    told = speakers(reader, body)
    assert [(s, k) for _, s, _, k in told] == [(speaker, kind)]


def test_pieces_of_one_utterance_belong_together(reader):
    document, log = story(reader, CAST + '"It rains," said Elena, "and I am cold." She rose. "Come."')
    (quotation,) = log.quotations
    pieces = [evidence.span.of(document.text) for evidence in quotation.evidence[: quotation.pieces]]
    assert pieces == ['"It rains,"', '"and I am cold."', '"Come."']
    assert quotation.evidence[quotation.pieces].span.of(document.text) == "said Elena"


def test_two_speakers_in_one_paragraph_are_two_quotations(reader):
    told = who(reader, '"Yes," said Elena. "No," said Marcus.')
    assert told == ["elena-voss", "marcus-hale"]


def test_speech_that_runs_over_paragraphs_is_one_quotation(reader):
    body = '"It was long ago," said Elena. "I was young.\n\n"Nobody knew me there.\n\n"Then I left."'
    assert who(reader, body) == ["elena-voss"]


def test_closed_paragraphs_are_turns(reader):
    body = '"It was long ago," said Elena.\n\n"And you?" said Anna.\n\n"I was young."'
    assert who(reader, body) == ["elena-voss", "anna-reed", "elena-voss"]


def test_turns_alternate_and_reach_backwards(reader):
    body = 'The rain had stopped.\n\n"Well?"\n\n"Well what?" said Marcus.\n\n"You know."\n\n'
    body += '"I do not."\n\n"You do," said Elena.'
    assert who(reader, body) == ["elena-voss", "marcus-hale", "elena-voss", "marcus-hale", "elena-voss"]


def test_who_is_called_is_spoken_to_and_answers(reader):
    body = '"Are you cold, Anna?" said Elena.\n\n"No."'
    told = speakers(reader, body)
    assert [(s, h) for _, s, h, _ in told] == [
        ("elena-voss", ("anna-reed",)),
        ("anna-reed", ("elena-voss",)),
    ]


def test_a_name_behind_a_bare_noun_is_called(reader):
    ((_, _, hearers, _),) = speakers(reader, '"Let us be friends, Anna," said Elena.')
    assert hearers == ("anna-reed",)


def test_who_is_only_spoken_of_is_not_spoken_to(reader):
    ((_, speaker, hearers, _),) = speakers(reader, '"Anna is cold," said Elena.')
    assert speaker == "elena-voss"
    assert hearers == ()


def test_a_word_between_marks_is_no_speech(reader):
    assert speakers(reader, 'The so-called "inn" was shut, and Elena went home.') == []
    assert len(speakers(reader, 'Elena said, "inn"')) == 1


def test_a_nameless_speaker_is_somebody_where_he_speaks_twice(reader):
    body = '"Halt," said the policeman.\n\n"Why?" said Elena.\n\n"Because," replied the policeman.'
    assert who(reader, body) == ["the-policeman", "elena-voss", "the-policeman"]


def test_the_story_knows_a_gender_that_the_chapter_does_not(reader):
    first = "Miss Sable Quint arrived. Miss Sable sat down. Mr. Orrin Vale arrived. Orrin nodded."
    second = 'Orrin nodded. Sable laughed and looked at Orrin. Sable took a seat. "It rains," he said.'
    _, log = story(reader, first, second)
    assert [quotation.speaker for quotation in log.quotations] == ["mr-orrin-vale"]


def test_a_bare_surname_is_no_wife(reader):
    body = (
        "Mrs. Vale sat by the window. Vale came in from the garden, and he took off his hat. "
        '"It rains," he said to Mrs. Vale.\n\n"You are wet," said Mrs. Vale.'
    )
    assert who(reader, body, "") == ["vale", "mrs-vale"]


def test_a_husbands_name_behind_mrs_is_no_name_of_his(reader):
    body = (
        "Orrin Vale came in from the garden. Orrin Vale nodded. Mrs. Orrin Vale looked up. "
        'Vale laughed and shook his head. "It rains," he said.'
    )
    assert who(reader, body, "") == ["orrin-vale"]


def test_first_person_narrator_speaks(reader):
    body = (
        "I came to the house at noon and knocked on my uncle's door. I waited, and I was cold.\n\n"
        '"Who is there?" said Elena.\n\n"Only me," I said. I shook my wet hat.\n\n"Come in."'
    )
    assert who(reader, body, "") == ["elena", "the-narrator", "elena"]


def test_a_teller_who_only_comments_is_no_narrator(reader):
    body = CAST + "I shall not say why. " + "Elena walked home and Marcus followed her. " * 12
    assert "I" not in {mention.surface for mention in reader.read(body).mentions}


def test_evidence_is_what_is_said_then_what_says_who(reader):
    document, log = story(reader, CAST + '"It rains," said Elena.\n\n"It does," said Marcus.\n\n"Well."')
    for quotation in log.quotations:
        assert len(quotation.evidence) > quotation.pieces >= 1
        for evidence in quotation.evidence:
            assert evidence.span.of(document.text) == evidence.quote
        assert 0 <= quotation.confidence <= 1


def test_what_follows_changes_nothing_told_before(reader):
    first = CAST + '"It rains," said Elena.\n\n"It does."'
    later = 'Miss Hale sighed. "It snows," she said to Marcus.'
    _, part = story(reader, first)
    _, whole = story(reader, first, later)
    assert whole.quotations[: len(part.quotations)] == part.quotations
    assert len(whole.quotations) > len(part.quotations)


@pytest.mark.parametrize(
    "body", ['"', "“", '"Never closed', "— ", "‘’ ‘", '""""', '"Yes," said', "'" * 500, '" ' * 300]
)
def test_broken_marks_are_survived(reader, body):
    for quotation in reader.read(CAST + body).quotations:
        assert all(piece.end <= len(CAST + body) for piece in quotation.pieces)


def test_unclosed_speech_is_told_to_the_next_paragraph():
    text = '"It was long ago.\n\n"Nobody knew."'
    first, second = paragraphs(text, scenes_of(text))
    assert (first.unclosed, second.unclosed) == (True, False)


def test_dash_speech_leaves_the_tag_to_the_narration():
    text = "— Come here, said Dante sharply, and sit."
    (paragraph,) = paragraphs(text, scenes_of(text))
    assert [text[a:b] for a, b in paragraph.quotes] == ["— Come here,", " and sit."]


# --- turn-taking, on evidence made up ----------------------------------------------------------------


def turn(place, voices=None, **more):
    return Turn(place, place, 0, voices or {}, **{key: frozenset(value) for key, value in more.items()})


def best(turns):
    return [ranks[0][0] if ranks else None for ranks in take_turns(turns)]


def test_nobody_in_sight_is_nobody():
    assert take_turns([turn(0)]) == [[]]
    assert take_turns([]) == []


def test_probabilities_sum_to_one():
    (ranks,) = take_turns([turn(0, {"a": 0.5, "b": 0.3})])
    assert [who for who, _ in ranks] == ["a", "b"]
    assert sum(sure for _, sure in ranks) == pytest.approx(1, abs=0.01)


def test_a_named_speaker_is_certain_against_all_habits():
    turns = [turn(0, {"a": 0.97}), turn(1, {"a": 0.97}, called=["a"])]
    assert take_turns(turns) == [[("a", 1.0)], [("a", 1.0)]]


def test_alternation_fills_what_is_bare():
    assert best([turn(0, {"a": 0.97}), turn(1, {"b": 0.97}), turn(2), turn(3)]) == ["a", "b", "a", "b"]


def test_who_is_barred_never_speaks():
    turns = [turn(0, {"a": 0.97}), turn(1, {"b": 0.97}), turn(2, barred=["a"])]
    assert best(turns) == ["a", "b", "b"]


def test_far_apart_is_another_conversation():
    assert best([turn(0, {"a": 0.97}), turn(1, {"b": 0.97}), turn(50)]) == ["a", "b", None]


def test_same_evidence_same_order():
    turns = [turn(0, {"b": 0.4, "a": 0.4}), turn(1)]
    assert take_turns(turns) == take_turns(turns)
