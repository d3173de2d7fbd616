"""The page Knowledge, run without a browser."""

import json

from fabula.core.embeddings import EmbeddingManager
from fabula.packs.shelf import PackShelf

EVIL = "<script>bad()</script>"
ITEMS = [
    {"id": f"w1 {EVIL}", "text": f"The warranty of the kettle runs for two years. {EVIL}", "tags": [EVIL]},
    {"id": "w2", "text": "Descale the kettle once a month.", "metadata": {"section": "Care"}},
]


def test_a_pack_is_looked_through_asked_and_deleted(home, open_page):
    page = open_page("packs")
    assert "No pack yet" in page.words and not page.alerts
    shelf = PackShelf(home, EmbeddingManager)
    shelf.index("kettle", "k.json", json.dumps(ITEMS).encode())
    page = open_page("packs")
    assert "2 items" in page.words
    page.fill("Look for", "guarantee of two years").press("Look")
    assert page.words.index("two years") < page.words.index("Descale")
    assert "<script>bad" not in page.words and "&lt;script&gt;bad" in page.words
    [way] = [one for one in page.test.segmented_control if one.label == "As"]
    way.set_value("ask")
    page.fill("Look for", "How long does the warranty run?").press("Look")
    assert "two years" in page.words and "% sure " in page.words
    page.press("Delete it")
    assert "No pack yet" in page.words and not shelf.names()
