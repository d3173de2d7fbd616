import pytest
from tests.ui.conftest import DRAFTS, EVIL

from fabula.demo import default_prompt


def compare(page, prompt=None):
    if prompt is not None:
        page.fill("What should happen next?", prompt)
    return page.press("Write and compare")


def test_a_comparison_shows_drafts_numbers_contexts_and_findings(with_demo, scripted, open_page):
    page = compare(open_page("compare"))
    words = page.words
    assert words.count('class="f-head"') == len(DRAFTS)
    assert 'class="f-answer f-lead"' in words
    assert 'href="read?story=the-bloom-line&amp;chapter=9' in words
    assert DRAFTS[1] in words and DRAFTS[2] in words
    assert words.count('class="f-context"') == len(DRAFTS)
    assert [one.label for one in page.test.expander].count("Context it received") == len(DRAFTS)
    assert "chapter 9; nothing from later chapters was read" in words
    assert 'class="f-table"' in words
    assert "&lt;script&gt;bad()&lt;/script&gt; ![x](http://evil.invalid/x.png)" in words
    assert "<script" not in words
    assert not any(EVIL in one or "Harriet" in one or "Pellow" in one for one in page.spoken)
    assert "Ambrose Keating hated Barnaby Pellow." in words  # the story's side
    assert not page.alerts
    saved = [one.label for one in page.test.get("download_button")]
    assert saved == ["Report as HTML", "Report as JSON"]


def test_results_are_kept_until_the_horizon_falls_below_them(with_demo, scripted, open_page):
    compare(open_page("compare", story="the-bloom-line", chapter=4), "Harriet climbs up.")
    page = open_page("compare", story="the-bloom-line", chapter=4)
    for words in (page.words, page.read_up_to(7).words):
        assert "chapter 4; nothing from later chapters was read" in words
    words = page.read_up_to(3).words
    assert 'class="f-table"' not in words and "Harriet climbs up." not in words
    assert "1 more comparison was made after a later chapter" in words
    assert 'class="f-table"' not in page.read_up_to(4).press("Delete this comparison").words


def test_a_prompt_goes_to_the_bench(with_demo, scripted, open_page):
    page = compare(open_page("compare", story="the-bloom-line", chapter=4), "Harriet climbs up.")
    page.press("Measure this prompt on Bench")
    assert [one.value for one in page.test.text_area] == ["Harriet climbs up."]
    assert "Start the run" in page.buttons


def test_a_draft_that_follows_the_last_chapter_can_be_accepted_and_taken_back(with_demo, scripted, open_page):
    page = compare(open_page("compare", story="the-bloom-line", chapter=9), "Harriet climbs up.")
    assert not page.test.get("popover")  # the book goes on after chapter 9
    page.press("Go to chapter 13")
    assert page.horizon.value == 13
    page = compare(page, "Harriet climbs up.")
    assert "Accept as chapter 14" in {one.proto.popover.label for one in page.test.get("popover")}
    title = [one for one in page.test.text_input if one.label.startswith("Title")][1]
    title.set_value(f"The Lamp {EVIL[:20]}")
    button = [one for one in page.test.button if one.label == "Accept it"][1]
    button.click().run()
    assert "Accepted: Chapter 14: The Lamp &lt;script&gt;" in page.words and "<script" not in page.words
    assert (page.horizon.max, page.horizon.value) == (14, 14)
    assert "<h1>Read</h1>" in page.words
    page.turn_to("compare")
    assert "Removed: Chapter 14" in page.press("Undo").words
    assert "Undo" not in page.buttons


def test_a_suggestion_becomes_the_prompt(with_demo, monkeypatch, tmp_path, open_page, says):
    (tmp_path / "own/fabula").mkdir(parents=True)
    (tmp_path / "own/fabula/fabula.toml").write_text('[generator]\nprovider = "openai"\nmodel = "m"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    says(f"1. Ambrose Keating loved Barnaby Pellow. {EVIL}\n2. Snow fell.\n")
    page = open_page("compare", story="the-bloom-line", chapter=9).press("Suggest")
    assert "Against the story: " in page.words and "<script" not in page.words
    assert "2 of 3" in page.words  # fewer than asked are said
    page.press("Use suggestion 2")
    assert page.test.text_area[0].value == "Snow fell."
    assert "Against the story: " not in page.read_up_to(3).words


def test_without_a_model_it_says_so_before_the_click(with_demo, open_page):
    page = open_page("compare")
    assert "No language model is connected." in page.words and "Suggest" not in page.buttons
    assert "Connect a model" in [one.proto.label for one in page.test.get("page_link")]


def test_what_the_critic_finds_in_an_accepted_draft_is_said(with_demo, says, open_page):
    says(*["Ambrose Keating loved Barnaby Pellow. It rained."] * 9)
    page = compare(open_page("compare", story="the-bloom-line", chapter=13), "Harriet climbs up.")
    [button, *_] = [one for one in page.test.button if one.label == "Accept it"]
    button.click().run()
    assert "The critic found 1, see Continuity: " in page.words


def test_the_suggested_prompt_tells_nothing_early_and_a_missing_model_is_said(with_demo, no_model, open_page):
    page = open_page("compare")
    assert page.test.text_area[0].value == default_prompt().prompt
    assert "the model is not installed: pip install it" in compare(page).words
    assert page.read_up_to(3).test.text_area[0].value == ""


def test_several_drafts_give_intervals_and_a_blank_prompt_is_said(with_demo, scripted, open_page):
    page = open_page("compare")
    [seeds] = [one for one in page.test.get("button_group") if one.key == "seeds"]
    seeds.set_value(2)
    words = compare(page).words
    assert "Mean of 2 drafts" in words
    assert " to " in words
    assert {one.label for one in page.test.selectbox} == {"Story", "Draft shown", "Kept comparisons: 1"}
    page = compare(open_page("compare"), prompt="  ")
    assert "Write a sentence or two about what should happen next" in page.words
    assert page.test.text_area


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.local_model
def test_the_small_model_writes_and_is_called_what_it_is(with_demo, open_page):
    (with_demo / "fabula.toml").write_text("[comparison]\nmax_tokens = 40\n")
    page = compare(open_page("compare"))
    assert not page.alerts
    assert page.words.count('class="f-head"') == len(DRAFTS)
    assert (
        "Drafts written by a 135M model: they show how the comparison works, not which pipeline is better."
        in page.words
    )
