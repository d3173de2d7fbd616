import json

import pytest
from tests.api.conftest import painted

from fabula.engine import Project
from fabula.library.library import DEMO
from fabula.project.pictures import add_picture
from fabula.story.continuity.suppressions import SUPPRESSIONS_FILE
from fabula.ui.graph_component import Picked
from fabula.ui.pages import world

EVIL = "<script>bad()</script>"
DRAFT = "Barnaby Pellow came home. He had blue eyes. Harriet Pellow was nineteen years old."


@pytest.fixture
def opened(with_demo, open_page):
    return lambda key, chapter=9: open_page(key, story=DEMO, chapter=chapter)


@pytest.fixture
def click(monkeypatch):
    """What is clicked in the graph from now on."""
    return lambda kind, id: monkeypatch.setattr(world, "story_graph", lambda *_, **__: Picked(kind, id))


def drawn(page):
    return json.loads(page.test.get("bidi_component")[0].proto.json)


@pytest.mark.parametrize("key", ["world", "timeline", "arcs", "continuity"])
def test_every_page_opens_and_says_where_it_stands(opened, key):
    page = opened(key)
    assert "read up to chapter 9 of 13" in page.words
    assert not page.alerts


def test_the_world_is_drawn_as_far_as_it_was_read_and_as_is_chosen(opened):
    first = drawn(opened("world", chapter=1))
    assert all(edge["told"] == 1 for edge in first["edges"])
    page = opened("world")
    whole = drawn(page)
    assert len(first["nodes"]) < len(whole["nodes"])
    assert "Harriet Pellow" in [node["name"] for node in whole["nodes"]]
    assert page.test.get("bidi_component")[1].proto.js_content
    page.one("slider", "Confidence of at least").set_value(0.5).run()
    more = drawn(page)
    assert len(more["edges"]) > len(whole["edges"])
    page.one("selectbox", "Around").select("nat-crewe").run()
    near = drawn(page)
    assert 1 < len(near["nodes"]) < len(more["nodes"])
    assert "Nat Crewe" in [node["name"] for node in near["nodes"]]
    page.test.session_state["world-kinds"] = []
    assert "Nothing to show" in page.run().words


def test_a_click_in_the_world_shows_the_quotes(opened, click):
    edge = drawn(opened("world"))["edges"][0]["id"]
    for kind, id, shown in (("node", "nat-crewe", "Nat Crewe"), ("edge", edge, "confidence 0.")):
        click(kind, id)
        words = opened("world").words
        assert shown in words and "<mark>" in words
    click("node", "told-later")
    assert "<mark>" not in opened("world").words


def test_the_bible_shows_an_entry_with_its_quotes_and_saves_the_whole(opened):
    page = opened("world", chapter=5)
    chosen = page.one("selectbox", "Whose entry")
    assert "People: Barnaby Pellow" in chosen.options
    chosen.select_index(chosen.options.index("People: Barnaby Pellow")).run()
    assert "Ambrose Keating hates Barnaby Pellow <small>ch. 1</small>" in page.words
    assert "dies" not in page.words
    labels = [button.proto.label for button in page.test.get("download_button")]
    assert {"Markdown", "Word", "Obsidian vault", "World Info (SillyTavern)"} <= set(labels)


def test_the_timeline_is_of_one_and_arcs_compare_up_to_four(opened):
    page = opened("timeline")
    spec = json.loads(page.test.get("vega_lite_chart")[0].proto.spec)
    assert spec["encoding"]["x"]["title"].startswith("narrated in chapter")
    assert "events" in page.spoken[0]
    count = int(page.spoken[0].split()[0])
    page.one("selectbox", "Whose").select("nat-crewe").run()
    assert 0 < int(page.spoken[0].split()[0]) < count
    page = opened("arcs")
    [chosen] = page.test.multiselect
    assert len(chosen.value) == 2 and chosen.max_selections == 4
    assert "Turning points" in page.words
    chosen.set_value([]).run()
    assert "Choose a character" in page.words


def test_a_finding_is_kept_for_later_and_then_suppressed_with_its_reason(with_demo, opened):
    page = opened("continuity")
    assert "words were checked" in page.words
    page.test.session_state["continuity-what"] = "A draft"
    page.run().fill("The draft", DRAFT).press("Check it")
    assert "nineteen" in page.words and "the draft" in page.words
    [button, *_] = [one for one in page.test.button if one.label == "Later"]
    print_ = button.key.split("-")[2]
    button.click().run()
    assert not [one for one in page.test.button if one.key and print_ in one.key]
    page.test.session_state["continuity-state-open-later"] = "later"
    page.run().test.button(key=f"continuity-meant-{print_}-button").click().run()
    assert "needs a reason" in page.alerts[0]
    page.test.text_input(key=f"continuity-reason-{print_}").set_value("She <b>lies</b> here.").run()
    page.test.button(key=f"continuity-meant-{print_}-button").click().run()
    assert print_ in (with_demo / DEMO / SUPPRESSIONS_FILE).read_text()
    page.test.session_state["continuity-state-open-meant"] = "meant"
    assert "She &lt;b&gt;lies&lt;/b&gt; here." in page.run().words
    page.press("Back to the list")
    assert print_ not in (with_demo / DEMO / SUPPRESSIONS_FILE).read_text()


def test_somebody_is_corrected_and_the_correction_taken_back(opened):
    page = opened("world")
    page.one("selectbox", "Around").select("nat-crewe").run()
    assert "Nat Crewe" in page.words and not [each for each in page.buttons if each == "Undo"]
    page.one("selectbox", "What is wrong").select("rename").run()
    page.fill("The name to show", "Nathaniel <b>Crewe</b>").press("Correct it")
    assert "give the chapter from which" in page.alerts[0]
    page.one("number_input", "From chapter").set_value(1)
    page.press("Correct it")
    assert not page.alerts and "Nat Crewe (" in page.words
    assert "Nathaniel &lt;b&gt;Crewe&lt;/b&gt; (" in page.words and "<b>Crewe" not in page.words
    page.press("Undo")
    assert "Nathaniel" in page.words.split("Undone")[1].split("</div>")[0]
    assert "Nathaniel" not in opened("world").words


def test_portraits_and_maps_are_put_in_seen_and_taken_out(with_demo, opened, click):
    click("node", "harriet-pellow")
    page = opened("world")
    face, chart = painted("navy"), painted("red")
    assert "in her blue coat" not in page.words
    with Project.open(with_demo / DEMO) as project:
        add_picture(project, face, "f.png", of=["Harriet"], caption=f"in her blue coat {EVIL}")
        add_picture(project, chart, "c.png", caption="The valley", from_chapter=10)
    page.run()
    assert "in her blue coat &lt;script&gt;" in page.words and "<script>bad" not in page.words
    assert "The valley" not in page.words
    assert len(page.test.get("image")) == 1
    assert "The valley (from chapter 10)" in opened("world", chapter=10).words
    page.press("Remove it")
    assert "in her blue coat" not in page.words and not page.alerts
    (with_demo / DEMO / "pictures.toml").write_text("[[picture]]\nfile = 3")
    assert any("names no picture" in one for one in opened("world").alerts)


def test_the_codex_is_written_and_added_to(with_demo, opened, click):
    click("node", "harriet-pellow")
    page = opened("world")
    page.fill("What the codex says about Harriet Pellow", "A bee-master in a blue coat")
    page.press("Add it to the codex")
    assert "The codex was saved: 1 names, 0 rules" in page.words and not page.alerts
    codex = with_demo / DEMO / "codex.yaml"
    assert '- name: "Harriet Pellow"' in codex.read_text()
    text = codex.read_text() + "rules:\n  - nobody can fly\n"
    page.fill("Codex", text).run().press("Save the codex")
    assert "1 rules" in page.words and codex.read_text() == text
    page.fill("Codex", text + "nonsense: 1\n").run().press("Save the codex")
    assert any("nonsense" in one for one in page.alerts) and codex.read_text() == text
