from fabula.story.extraction.mentions.name_census import _decide, _Votes


def test_a_word_that_is_only_ever_cried_is_nobody_but_a_name_that_does_something_is():
    vote = {"person": 2, "inside": 2}
    assert _decide(("Zork",), _Votes(**vote, cried=2), set()) is None
    for more in ({"cried": 1}, {"cried": 2, "spread": True}, {"cried": 2, "titled": 1}):
        assert _decide(("Zork",), _Votes(**vote, **more), set()) is not None
