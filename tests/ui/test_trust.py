from fabula.engine import Project
from fabula.library.library import Library
from fabula.project.connecting import save_settings
from fabula.project.trust import folder_settings

ASKS = '[generator]\nprovider = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n'


def test_a_story_asks_and_is_confirmed_by_a_button(with_demo, open_page):
    [entry] = Library(with_demo).entries()
    (entry.folder / "fabula.toml").write_text(ASKS)
    page = open_page("search")
    assert "fabula trust" in page.words and "127.0.0.1:9" in page.words
    page.press("Confirm these settings")
    assert "is confirmed" in page.words and "fabula trust" not in page.words
    with Project.open(entry.folder) as project:
        assert project.config.generator.base_url == "http://127.0.0.1:9/v1"


def test_the_library_asks_too(with_demo, open_page):
    (with_demo / "fabula.toml").write_text(ASKS)
    page = open_page("library")
    assert "fabula trust" in page.words
    page.press("Confirm these settings")
    assert not folder_settings(with_demo).withheld


def test_what_is_set_by_hand_is_confirmed(with_demo, open_page):
    page = open_page("settings")
    page.fill("Address for vectors", "http://127.0.0.1:9/v1")
    page.test.button(key="FormSubmitter:settings-Reading-Save").click().run()
    assert "saved" in page.words and "fabula trust" not in page.words
    assert not folder_settings(with_demo).withheld


def test_setting_one_thing_confirms_no_other(tmp_path):
    (tmp_path / "fabula.toml").write_text(ASKS)
    save_settings(tmp_path / "fabula.toml", {"generator": {"context_tokens": 8192}})
    assert "generator.base_url" in folder_settings(tmp_path).withheld
