from tests.ui.conftest import EVIL

from fabula.demo import QUESTIONS
from fabula.engine import Project
from fabula.library.library import DEMO


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
    assert 'class="f-question"' not in page.press("Begin anew").words


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
    page = page.press("Begin anew")
    assert "Who kept the lamp? &lt;script&gt;" in page.words and "<script" not in page.words
    assert "Who kept the lamp?" not in page.read_up_to(3).words  # it was asked with more of the story known
    page.read_up_to(9).press("Continue it")
    assert "Earlier conversations" not in page.spoken
    ask(page, "And then?", model=False)
    page.press("Begin anew")
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
