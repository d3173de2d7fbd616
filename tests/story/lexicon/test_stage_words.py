from fabula.story.lexicon.stage_words import is_room


def test_rooms_are_within_houses():
    assert is_room("the drawing-room")
    assert is_room("the breakfast room")
    assert not is_room("the church")
