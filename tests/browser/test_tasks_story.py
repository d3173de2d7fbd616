"""What a new user wants of the story pages, counted in clicks: each task starts on another page.

``FABULA_TASKS=tasks.toml`` runs the same on a project of one's own: ``project`` is its folder, ``who`` a
table from names to words that the card must say, ``two`` a list of ``[one, other, words …]``.
"""

import os
import shutil
import tomllib
from pathlib import Path

import pytest

from fabula.demo import reading_settings, save_story
from fabula.engine import config_of, index_book
from fabula.library.library import DEMO

from .conftest import Task

READ = "bloom-read"
FEW_TO_MEND = 5
MENDED = (
    ("Pip", "It is the same as", "Mrs. Tolliver", "Merge", "Mrs. Tolliver ("),
    ("", "Names that are somebody else’s", "Hattie", "Split", "Hattie ("),
)
WHO = {
    "Barnaby": ["Bee-master of the Bloom Line", "Barnaby dies on the trestle"],
    "Len Bray": ["Fireman of Clementine", "Leonard Bray", "Wilf loves Len Bray"],
    "Agnes": ["Ambrose's sister", "Agnes Mary Keating"],
}
TWO = [
    ["Wilf", "Len Bray", "Len Bray is a friend of Wilf", "no longer:", "Wilf resents Len Bray"],
    [
        "Harriet Pellow",
        "Nat Crewe",
        "Nat Crewe is a rival of Harriet Pellow",
        "Harriet Pellow loves Nat Crewe",
    ],
]


def who_is(seen, story, name, words, *, start="search"):
    seen.open(start, story=story)
    with Task(seen) as task:
        task.turn_to("Bible")
        task.fill("Who or what", name)
        for one in words:
            task.shows(".c-card", one)


def how_two_stand(seen, story, one, other, *words):
    seen.open("read", story=story)
    with Task(seen) as task:
        task.turn_to("World")
        task.choose("One", one)
        task.choose("The other", other)
        for told in words:
            task.shows(".c-history", told)
    assert seen.page.locator(".c-history a.c-cite, .c-history cite a").count() > 0


@pytest.fixture(scope="module")
def read_story(app, tmp_path_factory):
    """The demo story as a strong model read it, in the library while these tests run."""
    place = app.home / READ
    config, _ = config_of(place, assignments=reading_settings())
    index_book(save_story(tmp_path_factory.mktemp("read")), place, config=config)
    yield READ
    shutil.rmtree(place)


def test_who_is_somebody_from_any_page(visit, read_story):
    seen = visit()
    for start, (name, words) in zip(("search", "timeline", "ask"), WHO.items(), strict=True):
        who_is(seen, read_story, name, words, start=start)
    assert seen.page.locator(".f-alert").count() == 0


def test_how_two_stand_over_time(visit, read_story):
    seen = visit()
    for pair in TWO:
        how_two_stand(seen, read_story, *pair)
    seen.page.locator(".c-history a").first.click()
    seen.page.locator(".f-chapter mark").first.wait_for()


def test_a_card_that_is_two_and_two_that_are_one_are_mended(visit):
    seen = visit()
    for name, label, to, button, told in MENDED:
        seen.open("read", story=DEMO)
        with Task(seen, FEW_TO_MEND) as task:
            task.turn_to("Bible")
            if name:
                task.fill("Who or what", name)
            task.click("Change this card")
            task.choose(label, to)
            task.press(button)
            task.shows(".f-note", "Corrected.")
            task.shows(".f-note", told)
    for left in (2, 1):
        seen.page.locator("summary", has_text=f"Corrections: {left}").click()
        seen.press("Undo")
    assert seen.page.locator("summary", has_text="Corrections").count() == 0


def test_without_a_model_the_pages_say_what_was_not_read(visit):
    seen = visit()
    who_is(seen, DEMO, "Ambrose", ["Ambrose Keating hates Barnaby Pellow"])
    for key in ("bible", "timeline", "arcs"):
        seen.open(key, story=DEMO)
        assert "need a language model" in seen.words
        assert seen.page.get_by_role("link", name="Connect a language model").count() == 1


def test_the_same_on_a_known_novel(visit, app):
    given = os.environ.get("FABULA_TASKS")
    if not given:
        pytest.skip("FABULA_TASKS names no file of tasks")
    tasks = tomllib.loads(Path(given).read_text(encoding="utf-8"))
    story = "known-novel"
    shutil.copytree(tasks["project"], app.home / story)
    try:
        seen = visit()
        for name, words in tasks.get("who", {}).items():
            who_is(seen, story, name, words)
        for pair in tasks.get("two", ()):
            how_two_stand(seen, story, *pair)
    finally:
        shutil.rmtree(app.home / story)
