from tests.stories.reading import document, log_of, told, who_in
from tests.stories.speech import CAST


def test_the_narrator_is_named_and_shown_by_name():
    one = "I went home. I was tired, and my feet hurt me. I slept. I dreamt that I flew. I woke."
    two = one + " My name is Ambrose Pell. I rose. I ate my bread."
    meant = who_in(log_of(one, two))
    assert meant["I"] == meant["Ambrose Pell"] == "the-narrator"
    text = "I am Tess Okafor, and I live by the river. I opened the door. I was cold. Mr. Bello laughed."
    view = told(document(text))
    assert [e.name for e in view.entities() if "I" in e.aliases] == ["Tess Okafor"]
    for named in (
        "There were four of us: Bela Voss, Anna Dahl, and me, Tom Ekwueme, the doctor.",
        "My name's Tom Ekwueme, and I was tired.",
        "I'm Tom Ekwueme, locksmith, forty-eight.",
    ):
        meant = who_in(log_of(f"I went home. {named} I slept. My feet hurt."))
        assert meant["I"] == meant["Tom Ekwueme"] == "the-narrator"
    nameless = told(document("I opened the door. I was cold. I went home. I slept. Mr. Bello laughed."))
    assert "I" not in [e.name for e in nameless.entities()]
    assert "the narrator" in [e.name for e in nameless.entities()]


def test_no_narrator_is_made_by_a_letter_or_a_comment():
    plain = "Mr. Tully came. Mr. Tully went. Anna Hurd laughed. The rain fell all day upon the town."
    letter = "I am well. I hope that you are. I saw my sister. I told her of my plans, and she kissed me."
    log = log_of(plain, plain, letter)
    assert "I" not in who_in(log)
    body = CAST + "I shall not say why. " + "Elena walked home and Marcus followed her. " * 12
    assert "I" not in who_in(log_of(body))
