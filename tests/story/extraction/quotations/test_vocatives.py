from fabula.story.extraction.quotations.dialogue import answers_who

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
