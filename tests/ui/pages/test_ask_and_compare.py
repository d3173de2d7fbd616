import pytest
from tests.stories.answering import answering
from tests.ui.conftest import DRAFTS, EVIL

from fabula.demo import QUESTIONS, default_prompt
from fabula.engine import Project
from fabula.errors import UsageError
from fabula.library.library import DEMO
from fabula.ui.state import comparisons


def ask(page, question, *, model=True):
    page.test.toggle[0].set_value(model)
    return page.fill("Your question", question).press("Ask")


def test_what_is_not_told_is_said_and_an_empty_question_is(with_demo, open_page, says):
    says('{"unanswered": true}')
    page = ask(open_page("ask"), "Who?")
    assert "I did not find it in what you have read so far, up to chapter 9." in page.words
    assert "Ask something about the story." in ask(page, " ").words


def test_without_a_model_the_story_answers(with_demo, open_page, no_model):
    words = ask(open_page("ask"), "Who hated Barnaby Pellow?").words
    assert "the model is not installed: pip install it &lt;script&gt;" in words
    assert "The story&#39;s own sentences" in words
    assert 'class="f-cited"' in words
    assert "<script" not in words


def test_a_rated_answer_counts_for_what_it_quotes(with_demo, open_page):
    page = ask(open_page("ask"), "Who hated Barnaby Pellow?", model=False)
    [thumbs] = page.test.get("feedback")
    thumbs.set_value(1).run()
    with Project.open(with_demo / DEMO) as project:
        ratings = project.ratings()
        assert ratings and {one.query for one in ratings} == {"Who hated Barnaby Pellow?"}
        assert {one.rating for one in ratings} == {1.0}


def test_a_made_up_answer_is_not_shown(with_demo, open_page, says):
    says("The capital of Peru is Lima. The lamp wanted oil [1].", "The capital of Peru is Lima.")
    page = ask(open_page("ask"), "What did the lamp want?")
    assert "wanted oil" in page.words and "Lima" not in page.words
    assert "up to chapter 9" in page.words and 'class="f-cited"' in page.words and "<mark>" in page.words
    assert "Lima" not in ask(page, "Who kept the lamp?").words


def test_a_model_is_no_markup(with_demo, open_page, says):
    says(f"The lamp wanted oil [1]. {EVIL}")
    page = ask(open_page("ask"), f"What did the lamp want? {EVIL}")
    assert "<script" not in page.words
    assert not any("lamp" in one for one in page.spoken)


def test_answers_from_later_chapters_are_not_shown(with_demo, open_page, says):
    says("The lamp wanted oil [1].", "The lamp wanted oil [1].")
    page = ask(open_page("ask"), "What did the lamp want?")
    assert 'class="f-question"' not in page.read_up_to(3).words
    assert 'class="f-question"' in page.read_up_to(9).words
    assert 'class="f-question"' not in page.press("New conversation").words


def test_a_scene_can_be_accepted(with_demo, open_page, says):
    says(*["Harriet hid the zither under the floor."] * 3)
    page = open_page("ask").read_up_to(13)
    page = ask(page, "Write on: Harriet hides something.")
    assert "zither" in page.words
    page.press("Accept it")
    assert "Accepted: Chapter 14" in page.words
    assert "zither" in page.words and "<h1>Read</h1>" in page.words  # the app has gone to the new chapter
    page = ask(page.turn_to("ask"), "Who hid the zither?", model=False)
    assert "zither" in page.words and "Accept it" not in page.buttons


def test_the_switch_follows_the_settings_and_then_the_reader(with_demo, open_page):
    page = open_page("ask")
    assert not page.test.toggle[0].value
    (with_demo / "fabula.toml").write_text('[answering]\nmodel = "on"\n')
    assert page.run().test.toggle[0].value
    assert not ask(page, "Who kept the lamp?", model=False).run().test.toggle[0].value


def test_what_was_asked_is_kept_and_can_be_read_gone_on_with_and_deleted(with_demo, open_page, says):
    says()
    page = ask(open_page("ask"), f"Who kept the lamp? {EVIL}", model=False)
    page = page.press("New conversation")
    assert "Who kept the lamp? &lt;script&gt;" in page.words and "<script" not in page.words
    assert "Who kept the lamp?" not in page.read_up_to(3).words  # it was asked with more of the story known
    page.read_up_to(9).press("Continue it")
    assert "Earlier conversations" not in page.spoken
    ask(page, "And then?", model=False)
    page.press("New conversation")
    assert "And then?" in page.words and "Who kept the lamp?" in page.words
    assert "Who kept the lamp?" not in page.press("Delete it").words


def test_somebody_of_the_story_may_be_asked(with_demo, open_page, says):
    says()
    page = open_page("ask")
    box = page.one("selectbox", "Who answers")
    assert box.options[0] == "The story" and len(box.options) > 3
    box.set_value(box.options[1])
    words = ask(page, "Who kept the lamp?", model=False).words
    assert f"{box.options[1]} answers, from what was to be seen up to chapter 9" in words


def test_a_quote_opens_at_its_place_and_numbers_are_folded_away(with_demo, open_page):
    page = ask(open_page("ask"), "Who hated Barnaby Pellow?", model=False)
    assert 'href="read?story=the-bloom-line&amp;chapter=9&amp;read=' in page.words
    [answer] = [one.value for one in page.test.get("html") if "story&#39;s own sentences" in one.value]
    assert "%" not in answer and " s." not in answer


def test_questions_to_begin_with_tell_nothing_early(with_demo, open_page):
    page = open_page("ask")
    assert set(QUESTIONS) < set(page.buttons)
    assert not set(QUESTIONS) & set(page.read_up_to(3).buttons)
    [first, *_] = [one for one in page.buttons if one.startswith("Who is ")]
    assert f">{first.replace(chr(39), '&#39;')}</h2>" in page.press(first).words


def test_a_page_that_is_loaded_anew_goes_on_with_its_conversation(with_demo, open_page):
    page = ask(open_page("ask"), "Who kept the lamp?", model=False)
    talk = page.test.query_params["talk"]
    again = open_page("ask", talk=talk[0] if isinstance(talk, list) else talk)
    assert "Before that, in this conversation" in again.words and "Who kept the lamp?" in again.words
    assert "Who kept the lamp?" not in again.read_up_to(3).words


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


def test_a_comparison_that_was_interrupted_goes_on_and_asks_for_nothing_again(
    with_demo, monkeypatch, open_page
):
    def dies(*_):
        raise UsageError("the end")

    model = answering(*DRAFTS, DRAFTS[2])
    monkeypatch.setattr("fabula.llm.factory.make_generator", lambda _: model)
    with monkeypatch.context() as dying:
        dying.setattr(comparisons, "keep", dies)
        page = compare(open_page("compare", story="the-bloom-line", chapter=4), f"Harriet climbs up. {EVIL}")
    asked = len(model.calls)
    assert "This comparison was interrupted." in page.words and EVIL not in page.words and asked >= 3
    assert "was interrupted" not in open_page("compare", story="the-bloom-line", chapter=3).words
    words = open_page("compare", story="the-bloom-line", chapter=4).press("Go on with it").words
    assert DRAFTS[1] in words and "was interrupted" not in words and len(model.calls) == asked
    assert [one.suffix for one in (with_demo / DEMO / "comparisons").iterdir()] == [".json"]


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


def test_a_suggestion_becomes_the_prompt(with_demo, own_model, open_page, says):
    own_model()
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


def test_several_drafts_are_kept_and_a_blank_prompt_is_said(with_demo, scripted, open_page):
    page = open_page("compare")
    [seeds] = [one for one in page.test.get("button_group") if one.key == "seeds"]
    seeds.set_value(2)
    compare(page)
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
