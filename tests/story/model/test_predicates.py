from fabula.story.model.predicates import PREDICATES


def test_appearing_together_says_nothing_of_how_two_stand():
    row = PREDICATES["APPEARS_WITH"]
    assert (row.sign, row.symmetric, row.lasting, row.turning) == (0, True, False, False)
    assert row.opposites == frozenset()
