import shutil

import pytest
from lxml import html
from tests.stories.hostile_story import CANARY, hostile_project

from fabula.ui import navigation

NAME = "letters"
ACTIVE = set("script img iframe object embed form link base meta svg video audio".split())


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return hostile_project(tmp_path_factory.mktemp("hostile"), NAME)


@pytest.fixture
def with_hostile(home, hostile):
    shutil.copytree(hostile, home / NAME)
    return home


def is_safe(page):
    """No element that acts, no handler, no address that runs; and no story text in Streamlit's Markdown,
    which fetches pictures."""
    for element in html.fromstring(f"<div>{page.words}</div>").iter():
        assert element.tag not in ACTIVE
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert not value.strip().lower().startswith(("javascript:", "data:", "http:"))
    assert not [said for said in page.spoken if CANARY in said]
    labels = [one.label for kind in ("button", "expander", "tabs") for one in page.test.get(kind)]
    assert not [label for label in labels if CANARY in label or "<img" in label]
    return True


@pytest.mark.parametrize("info", navigation.PAGES, ids=lambda info: info.key)
def test_no_page_runs_what_a_story_says(with_hostile, open_page, info):
    page = open_page(info.key, story=NAME, chapter=3)
    assert is_safe(page)
    assert not info.needs_story or "alert(0)" in page.words  # the title, to be read


def test_answers_and_hits_are_words(with_hostile, open_page):
    page = open_page("search", story=NAME, chapter=3).fill("Look for", "letter CANARY").press("Search")
    assert is_safe(page)
    assert CANARY in page.words
