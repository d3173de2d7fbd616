import json

from tests.scripted import ScriptedGenerator
from tests.stories.answering import replier

from fabula.core.embeddings import EmbeddingManager
from fabula.packs.shelf import PackShelf

EVIL = "<script>bad()</script>"
ITEMS = [
    {"id": f"w1 {EVIL}", "text": f"The warranty of the kettle runs for two years. {EVIL}", "tags": [EVIL]},
    {"id": "w2", "text": "Descale the kettle once a month.", "metadata": {"section": "Care"}},
]


def test_a_pack_is_looked_through_asked_and_deleted(home, open_page):
    page = open_page("packs")
    assert "No packs yet" in page.words and not page.alerts
    shelf = PackShelf(home, EmbeddingManager)
    shelf.index("kettle", "k.json", json.dumps(ITEMS).encode())
    page = open_page("packs")
    assert "2 items" in page.words
    page.fill("Look for", "guarantee of two years").press("Look")
    assert page.words.index("two years") < page.words.index("Descale")
    assert "<script>bad" not in page.words and "&lt;script&gt;bad" in page.words
    page.one("segmented_control", "As").set_value("ask")
    page.fill("Look for", "How long does the warranty run?").press("Look")
    assert "two years" in page.words and "% sure " in page.words
    page.press("Delete it")
    assert "No packs yet" in page.words and not shelf.names()


def test_a_model_answers_and_suggests_what_to_say_next(home, open_page, monkeypatch):
    asked = []

    def reply(prompt):
        asked.append(prompt)
        if "numbered 1." in prompt.user:
            return f"1. Ask for the bill. {EVIL}\n2. Show the receipt.\n3. Wait."
        return replier("The warranty of the kettle runs for two years [1].")(prompt)

    model = ScriptedGenerator(reply)
    monkeypatch.setattr(PackShelf, "model_answers", True)
    monkeypatch.setattr(PackShelf, "writer", lambda *_, **__: model)
    PackShelf(home, EmbeddingManager).index("kettle", "k.json", json.dumps(ITEMS).encode())
    page = open_page("packs")
    page.one("segmented_control", "As").set_value("ask")
    page.fill("Look for", "How long does the warranty run?").press("Look")
    assert "The warranty of the kettle runs for two years. [1]" in page.words
    page.one("segmented_control", "As").set_value("suggest")
    page.fill("Style", "firm")
    page.fill("Look for", "It broke yesterday.").press("Look")
    assert "Show the receipt." in page.words and "<script>bad" not in page.words
    assert "The style: firm." in asked[-1].user and "How long does the warranty run?" in asked[-1].user
