"""Who speaks, as the story knows them."""

from tests.stories.reading import log_of


def speakers(text):
    log = log_of(text)
    into = {merge.entity: merge.into for merge in log.merges}
    return [into.get(each.speaker, each.speaker) for each in log.quotations]


CALL = (
    "Mrs. Vane opened the door. Two men were there, Mr. Hale and Gabriel Corwen.\n\n"
    '"Which of you is it?" said Mrs. Vane.\n\n"I am Gabriel Corwen."\n\n"And you?" she said.'
)


def test_he_speaks_who_says_his_name():
    assert speakers(CALL)[:2] == ["mrs-vane", "gabriel-corwen"]


def test_nobody_speaks_under_a_name_that_only_speakers_use():
    told = CALL.replace("Two men were there, Mr. Hale and Gabriel Corwen", "Mr. Hale was there")
    assert speakers(told)[1] != "gabriel-corwen"
