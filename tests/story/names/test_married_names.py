import pytest
from tests.stories.reading import who


@pytest.mark.parametrize("told", [True, False])
def test_a_marriage_told_gives_her_his_name(told):
    one = "Miss Clara Dale smiled at Mr. Hobbs. Mr. Hobbs bowed. Clara Dale laughed."
    two = "Clara Dale was the wife of Mr. Hobbs. Clara Dale sang."
    three = "Mrs. Hobbs walked in. Mrs. Hobbs sat down."
    named = who(one, *[two] * told, three)
    assert (named["Mrs. Hobbs"] == named["Clara Dale"]) is told


def test_a_wife_bears_her_husbands_surname_in_her_own_form():
    one = "Anna Arkadyevna smiled. Alexey Karenin was the husband of Anna Arkadyevna."
    named = who(one, "Madame Karenina slept. Madame Karenina woke. Anna Arkadyevna Karenina wept.")
    assert named["Madame Karenina"] == named["Anna Arkadyevna"] != named["Alexey Karenin"]


HOME = (
    "Mr. John Corwen was rich. Mrs. John Corwen was a pretty woman.\n\n"
    "John and Isabella came to the house. Later John and Isabella left it.\n\n"
    '"It is late, Isabella," said John Corwen. "We must go, Isabella," he said.\n\n'
    "Isabella smiled."
)
BESIDE = "Isabella sat by Mrs. John Corwen. Mrs. John Corwen looked at Isabella.\n\n"


@pytest.mark.parametrize(
    ("text", "wife"),
    [
        (BESIDE + HOME, "Mrs. John Corwen"),  # nobody is who is named beside her
        ("Isabella was John's sister.\n\n" + HOME, "Mrs. John Corwen"),
        (HOME.replace("Mrs. John Corwen", "Mrs. Corwen"), "Mrs. Corwen"),  # who may be the mother
    ],
)
def test_whom_a_husband_calls_may_be_another_than_his_wife(text, wife):
    found = who(text)
    assert found["Isabella"] != found[wife]
