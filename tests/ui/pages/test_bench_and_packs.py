import json

import pytest
from tests.bench.tale import item
from tests.scripted import ScriptedGenerator
from tests.stories.answering import replier
from tests.tables import file_text

from fabula.bench.grid import GridConfig
from fabula.bench.results import result_of
from fabula.core.embeddings import EmbeddingManager
from fabula.packs.shelf import PackShelf
from fabula.ui.state.live import jobs

EVIL = "<script>bad()</script>"
CONFIG = GridConfig.model_validate_json(file_text(__file__, "bench.json"))


@pytest.fixture
def run(home):
    folder = home / "bench" / "rain"
    (folder / "items").mkdir(parents=True)
    items = [
        item(1, prompt="It rains.", said=EVIL, standard=0.5, graph=0.75),
        item(2, prompt="It snows.", said=EVIL, standard=0.5, graph=1.0),
    ]
    for number, one in enumerate(items):
        (folder / "items" / f"{number}.json").write_text(json.dumps(one))
    (folder / "result.json").write_text(json.dumps(result_of(CONFIG, items)))
    return folder


def show(page, view):
    page.one("button_group", "Show").set_value(view).run()
    return page


def settled(page):
    """Once the run that was started has ended."""
    for job in jobs()._jobs.values():
        job._thread.join(120)
    return page.run()


def test_a_run_is_planned_started_and_shown_without_a_file(with_demo, open_page, says):
    says(*["Ambrose Keating loved Barnaby Pellow."] * 40)
    page = open_page("bench")
    assert "nothing but time. Rules alone check the drafts" in page.words and len(page.test.text_area) == 1
    page.test.text_area[0].set_value("It rains.\n\nIt snows.\nIt rains.").run()
    assert "6 drafts" in page.words  # each prompt once
    page = settled(page.press("Start the run"))
    assert 'class="f-answer f-lead"' in page.words and page.test.get("vega_lite_chart")
    [folder] = (with_demo / "bench").iterdir()
    assert len(list((folder / "items").glob("*.json"))) == 2
    assert "scenes after chapter 9 of The Bloom Line" in page.read_up_to(3).words


def test_a_run_that_was_stopped_goes_on(with_demo, open_page, says):
    says(*["Ambrose Keating loved Barnaby Pellow."] * 40)
    page = open_page("bench")
    page.test.text_area[0].set_value("It rains.").run()
    settled(page.press("Start the run"))
    [folder] = (with_demo / "bench").iterdir()
    (folder / "result.json").unlink()
    [item] = (folder / "items").glob("*.json")
    kept = item.stat().st_mtime_ns
    page = open_page("bench")
    assert "This run is not finished: it has 1 comparisons" in page.words
    assert not settled(page.press("Go on with it")).alerts
    assert (folder / "result.json").is_file() and item.stat().st_mtime_ns == kept


def test_results_with_intervals_and_pictures(run, open_page):
    page = open_page("bench")
    assert "0.875 [" in page.words
    assert "+0.375 [" in page.words
    assert EVIL not in page.words
    assert page.test.get("vega_lite_chart")


def test_a_run_that_is_damaged_or_not_done_says_so(run, open_page):
    (run / "result.json").write_text("{")
    assert "result.json is missing or damaged" in "".join(open_page("bench").alerts)
    (run / "result.json").unlink()
    assert "This run is not finished" in open_page("bench").words


def test_rating_is_blind_and_kept(run, open_page):
    page = show(open_page("bench"), "rate")
    assert "Enter a name" in page.words
    page.fill("Your name", "Ann").run()
    assert "-draft." in page.words
    assert EVIL not in page.words
    shown = [one.value for one in page.test.get("html") if "f-prose" in one.value or "f-head" in one.value]
    read = "".join(one for one in shown if "<style>" not in one)
    assert not any(name in read for name in ("standard", "graph"))
    page.press("A is better").press("No difference")
    assert "judged every pair" in page.words
    [answers] = (run / "rating").glob("rater-ann-*.json")
    assert len(json.loads(answers.read_text())) == 2
    page = show(page, "preferred")
    assert "2 choices" not in page.words
    page.test.toggle[0].set_value(True).run()
    assert "2 choices on 2 prompts" in page.words


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
