from tests.stories.speech import CAST, story


def test_the_story_knows_a_gender_that_the_chapter_does_not():
    first = "Miss Sable Quint arrived. Miss Sable sat down. Mr. Orrin Vale arrived. Orrin nodded."
    second = 'Orrin nodded. Sable laughed and looked at Orrin. Sable took a seat. "It rains," he said.'
    _, log = story(first, second)
    assert [quotation.speaker for quotation in log.quotations] == ["mr-orrin-vale"]


def test_evidence_of_what_is_said_and_nothing_changed_by_what_follows():
    tale, log = story(CAST + '"It rains," said Elena.\n\n"It does," said Marcus.\n\n"Well."')
    for quotation in log.quotations:
        assert len(quotation.evidence) > quotation.pieces >= 1
        for evidence in quotation.evidence:
            assert evidence.span.of(tale.text) == evidence.quote
        assert 0 <= quotation.confidence <= 1
    first = CAST + '"It rains," said Elena.\n\n"It does."'
    later = 'Miss Hale sighed. "It snows," she said to Marcus.'
    _, part = story(first)
    _, whole = story(first, later)
    assert whole.quotations[: len(part.quotations)] == part.quotations
    assert len(whole.quotations) > len(part.quotations)
