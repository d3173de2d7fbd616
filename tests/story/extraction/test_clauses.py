import pytest
from tests.stories.facts import SURE, facts_of, name_in, read_behind
from tests.stories.reading import READER, document, linked, reading
from tests.story.extraction.test_examples import events, meanings, orders

from fabula.story.extraction.presence import shifts


def test_evidence_names_whom_a_pronoun_means():
    (deed,) = [
        h for h in read_behind("Elena came in. She killed Marcus.").happenings if h.predicate == "KILLS"
    ]
    first, second = (span.start for span in deed.evidence)
    assert first > second, "the deed's own sentence first, then the one that names her"
    assert deed.confidence < 0.9


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_spans_survive_wrapped_lines_and_emphasis(newline):
    text = f"{SURE}\n\n".replace("\n", newline) + newline.join(["_Elena_", "killed", "   Marcus", "Hale."])
    found = reading(text)
    for mention in found.mentions:
        assert mention.span.of(text).split() == mention.surface.split()
    (deed,) = [h for h in found.happenings if h.predicate == "KILLS"]
    assert deed.evidence[0].of(text).split() == ["Elena_", "killed", "Marcus", "Hale."]


def test_a_pronoun_is_open_behind_a_scene_break_and_where_two_fit():
    far = "Elena rose.\n\n* * *\n\n" + "The rain fell on the roofs of the town. " * 6 + "She left."
    assert list(meanings(far)) == ["she: ?"]
    assert not list(facts_of("Marcus sat beside Mr. Reed. Then Anna killed him."))


def test_causes_join_acts_and_a_flashback_lies_before():
    found = read_behind("Marcus betrayed Elena because Elena had killed Anna.")
    (cause,) = found.causes
    assert found.happenings[cause.effect].predicate == "BETRAYS"
    assert found.happenings[cause.cause].predicate == "KILLS"
    scenes = ("Elena sang.", "Ten years earlier, Marcus danced. Anna wept.", "Elena fled.")
    assert {"dance then sing", "weep then sing", "weep then flee"} <= set(orders("\n\n***\n\n".join(scenes)))


def test_happenings_come_in_order_of_the_text_with_their_verb_and_place():
    text = "Elena opened the door, killed Marcus and sang in London."
    found, body = read_behind(text), f"{SURE}\n\n{text}"
    places = [happening.at.start for happening in found.happenings]
    assert places == sorted(places)
    assert [h.at.of(body) for h in found.happenings[-3:]] == ["opened", "killed", "sang"]
    assert [h.predicate for h in found.happenings[-3:]] == ["DOES", "KILLS", "DOES"]
    assert name_in(found, found.happenings[-1].place) == "London"
    assert all(h.evidence[0].of(body).strip() for h in found.happenings)


def test_what_is_denied_or_reported_by_another():
    assert not [event for event in events("“He did not!” roared Mr. Reed.") if event.endswith("negated")]
    letter = "Dear Anna,\n\nMarcus danced with Elena.\n\n"
    signed = "\n".join(events(f"{letter}Yours truly, Mr. Reed\n\nElena sang."))
    assert "dance" in signed.split("reported")[0] and "sing ? fact" in signed
    assert "reported" not in "\n".join(events(letter))


def test_the_log_tells_times_with_their_entity_and_event():
    tale = document(f"{SURE}\n\nElena was sixteen. The next morning she kissed Marcus.")
    log = linked(tale)
    age, shift = log.times
    assert (age.kind, age.value, age.entity) == ("age", "P16Y", "elena-voss")
    kissed = next(event for event in log.events if event.verb == "kiss")
    assert (shift.event, kissed.when) == (kissed.id, "The next morning")
    assert shift.evidence.quote == shift.evidence.span.of(tale.text) == "The next morning"


def test_a_couple_and_the_animals_of_a_fable():
    text = "Mr. and Mrs. Bennet smiled. The Bennets were happy."
    mentions = {m.surface: m.span.of(text) for m in reading(text).mentions}
    assert mentions["Mr. Bennet"] == "Mr. and Mrs. Bennet"
    found = reading(
        "A Badger was once asleep when a Heron stepped upon his tail. The Badger seized the Heron. "
        "“Pardon me,” said the Heron, “and one day I will thank the Badger.” So the Badger released the "
        "Heron."
    )
    (saved,) = [each for each in found.happenings if each.predicate == "SAVES"]
    assert (name_in(found, saved.agent), name_in(found, saved.patient)) == ("the badger", "the heron")


def test_another_time_of_the_day_is_seen_where_a_paragraph_opens():
    seen = "The next morning they rose./In the evening she wrote./A few days later he came./Two weeks passed."
    assert all(map(shifts, (*seen.split("/"), "Meanwhile the rain fell.")))
    assert not any(map(shifts, ("The door opened.", "Marcus came that evening.", "")))


def test_nouns_are_heads_and_last_names():
    found = READER.nouns("Old Mr. Dove tied the ferry boats. He left.")
    assert found == (frozenset({"dove", "boat"}), frozenset())
