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


@pytest.fixture
def change(opened):
    """The page Bible with the card of that name open to be changed."""

    def to(name, chapter=9):
        page = opened("bible", chapter)
        page.one("text_input", "Who or what").set_value(name).run()
        page.test.toggle[0].set_value(True).run()
        return page

    return to


def drawn(page):
    return json.loads(page.test.get("bidi_component")[0].proto.json)


def test_the_world_is_drawn_as_far_as_it_was_read_and_as_is_chosen(opened):
    first = drawn(opened("world", chapter=1))
    assert all(edge["told"] == 1 for edge in first["edges"]) and first["last"] == 1
    page = opened("world")
    whole = drawn(page)
    assert len(first["nodes"]) < len(whole["nodes"])
    assert "Harriet Pellow" in [node["name"] for node in whole["nodes"]]
    assert not any(edge["guess"] for edge in whole["edges"])
    assert page.test.get("bidi_component")[1].proto.js_content
    page.one("toggle", "Also less likely bonds").set_value(True).run()
    more = drawn(page)
    assert any(edge["guess"] for edge in more["edges"])
    page.one("selectbox", "Around").select("nat-crewe").run()
    near = drawn(page)
    assert 1 < len(near["nodes"]) < len(more["nodes"])
    assert "Nat Crewe" in [node["name"] for node in near["nodes"]]
    page.test.session_state["world-kinds"] = []
    assert "Nothing to show" in page.run().words


def test_two_people_have_a_history_of_quotes_that_open_where_they_stand(opened):
    page = opened("world")
    page.one("selectbox", "One").select("ambrose-keating").run()
    page.one("selectbox", "The other").select("barnaby-pellow").run()
    assert "Ambrose Keating hates Barnaby Pellow" in page.words
    assert "“Ambrose Keating hated Barnaby Pellow.”" in page.words
    assert "read?story=the-bloom-line&amp;chapter=9&amp;read=1&amp;at=" in page.words


def test_a_click_in_the_world_shows_a_card_or_a_history(opened, click):
    page = opened("world")
    [hates] = [one for one in drawn(page)["edges"] if one["label"] == "hates" and one["told"] == 1]
    click("node", "nat-crewe")
    assert 'title="Nat Crewe"' in opened("world").words
    click("edge", hates["id"])
    assert "Ambrose Keating and Barnaby Pellow" in opened("world").words
    click("node", "told-later")
    assert 'title="Told Later"' not in opened("world").words


def test_the_bible_finds_a_card_says_what_was_not_read_and_saves_the_whole(opened):
    page = opened("bible", chapter=5)
    assert "need a language model" in page.words and "Named" in page.words
    page.one("text_input", "Who or what").set_value("barnaby").run()
    assert "Ambrose Keating hates Barnaby Pellow" in page.words
    assert page.words.count('class="s-box c-card"') == 1 and "dies" not in page.words
    page.one("text_input", "Who or what").set_value("Zebulon").run()
    assert "No card of that name" in page.words
    formats = page.one("selectbox", "As")
    assert len(formats.options) == 6 and not page.test.exception
    formats.set_value("wiki").run()
    [idle, ready] = [
        page.test.get("download_button"),
        page.press("Make the wiki").test.get("download_button"),
    ]
    assert idle[0].proto.disabled and not ready[0].proto.disabled
    formats.set_value("character-card").run()
    assert page.one("selectbox", "Whose").options[0] == "Harriet Pellow"
    assert [one.proto.label for one in page.test.get("download_button")] == ["Save"]
    assert "Barnaby Pellow dies" in opened("bible", chapter=9).words


def test_the_timeline_has_lanes_and_arcs_show_up_to_four(opened):
    page = opened("timeline")
    assert "Chapters by person" in page.words and "Barnaby Pellow dies" in page.words
    assert "26 years" in page.words and "9 August" in page.words
    page.test.session_state["timeline-by"] = "Places"
    assert "Where scenes take place was not read" in page.run().words
    page = opened("arcs")
    [chosen] = page.test.multiselect
    assert len(chosen.value) == 3 and chosen.max_selections == 4
    assert "c-feelings" in page.words and "need a language model" in page.words
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


def test_somebody_is_corrected_and_the_correction_taken_back(change, opened):
    page = change("nat crewe")
    assert "Nat Crewe" in page.words and not [each for each in page.buttons if each == "Undo"]
    page.fill("The right name", "Nathaniel <b>Crewe</b>").press("Rename")
    assert not page.alerts and "Nat Crewe (" in page.words
    assert "Nathaniel &lt;b&gt;Crewe&lt;/b&gt; (" in page.words and "<b>Crewe" not in page.words
    page.press("Undo")
    assert "Nathaniel" in page.words.split("Undone")[1].split("</div>")[0]
    assert "Nathaniel <b>" not in opened("bible").words


def test_two_cards_are_made_one_and_a_name_is_given_to_another(change):
    page = change("pip tolliver")
    page.one("selectbox", "It is the same as").select("mrs-tolliver").run()
    page.press("Merge")
    assert "→ Mrs. Tolliver" in page.words or "→ Pip Tolliver" in page.words
    page = change("harriet")
    page.one("multiselect", "Names that are somebody else’s").set_value(["Hattie"]).run()
    page.press("Split")
    assert "Hattie (" in page.words and not page.alerts


def test_portraits_and_maps_are_put_in_seen_and_taken_out(with_demo, opened):
    page = opened("bible")
    face, chart = painted("navy"), painted("red")
    assert "in her blue coat" not in page.words
    with Project.open(with_demo / DEMO) as project:
        add_picture(project, face, "f.png", of=["Harriet"], caption=f"in her blue coat {EVIL}")
        add_picture(project, chart, "c.png", caption="The valley", from_chapter=10)
    page.run()
    assert "in her blue coat &lt;script&gt;" in page.words and "<script>bad" not in page.words
    assert "The valley" not in page.words
    assert len(page.test.get("image")) == 1
    assert "The valley (from chapter 10)" in opened("bible", chapter=10).words
    page.press("Remove it")
    assert "in her blue coat" not in page.words and not page.alerts
    (with_demo / DEMO / "pictures.toml").write_text("[[picture]]\nfile = 3")
    assert any("names no picture" in one for one in opened("bible").alerts)


def test_the_codex_is_written_and_added_to(with_demo, change):
    page = change("harriet pellow")
    page.fill("Add to your codex about Harriet Pellow", "A bee-master in a blue coat")
    page.press("Add it to the codex")
    assert "The codex was saved: 1 names, 0 rules" in page.words and not page.alerts
    codex = with_demo / DEMO / "codex.yaml"
    assert '- name: "Harriet Pellow"' in codex.read_text()
    text = codex.read_text() + "rules:\n  - nobody can fly\n"
    page.fill("Codex", text).run().press("Save the codex")
    assert "1 rules" in page.words and codex.read_text() == text
    page.fill("Codex", text + "nonsense: 1\n").run().press("Save the codex")
    assert any("nonsense" in one for one in page.alerts) and codex.read_text() == text
