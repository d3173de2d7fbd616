from fabula.story.extraction.reader import StoryReader

MOODS = ("happy", "sad", "happy", "angry", "happy", "sad", "happy")

BODIES = (
    "Anna Reed had blue eyes. Anna Reed was happy.",
    *(f"Anna Reed came home. Anna Reed was {mood}." for mood in MOODS),
)


def test_kept_parses_change_no_reading():
    text = "\n\n".join(BODIES)
    plain = StoryReader().read(text).to_json()
    ahead = StoryReader(kept_chars=1000)
    for body in BODIES[:5]:
        ahead.parse_ahead(body)
    assert ahead.read(text).to_json() == plain
    assert ahead.read(text).to_json() == plain
    tight = StoryReader(kept_chars=60)
    tight.parse_ahead(text)
    assert tight.read(text).to_json() == plain
