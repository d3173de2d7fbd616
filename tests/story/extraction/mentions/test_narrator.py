"""Who says "I" in a narration."""

from tests.stories.reading import log_of, who_in


def test_a_letter_makes_no_narrator():
    plain = "Mr. Tully came. Mr. Tully went. Anna Hurd laughed. The rain fell all day upon the town."
    letter = "I am well. I hope that you are. I saw my sister. I told her of my plans, and she kissed me."
    log = log_of(plain, plain, letter)
    assert "I" not in who_in(log)
