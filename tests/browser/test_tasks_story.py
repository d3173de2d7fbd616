"""What a new user wants of the story pages, counted in clicks: each task starts on another page.

``FABULA_TASKS=tasks.toml`` runs the same on a project of one's own: ``project`` is its folder, ``who`` a
table from names to words that the card must say, ``two`` a list of ``[one, other, words …]``.
"""

import os
import shutil
import sys
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fabula.demo import reading_settings, save_story
from fabula.engine import config_of, index_book
from fabula.library.library import DEMO

READ = "bloom-read"
FEW, FEW_TO_MEND = 4, 5
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


@dataclass
class Task:
    """Counts what a hand does: a click, a field that is filled, a choice from a list."""

    seen: object
    clicks: int = 0
    began: float = field(default_factory=time.monotonic)

    def turn_to(self, title):
        self.clicks += 1
        self.seen.turn_to(title)

    def fill(self, label, words):
        self.clicks += 1
        box = self.seen.page.get_by_label(label, exact=True).first
        box.fill(words)
        box.press("Enter")
        self.seen.page.wait_for_timeout(300)
        self.seen.settle()

    def choose(self, label, name):
        self.clicks += 1
        self.seen.page.get_by_role("combobox", name=label).first.click()
        self.seen.page.keyboard.type(name)
        self.seen.page.keyboard.press("Enter")
        self.seen.page.keyboard.press("Tab")
        self.seen.page.wait_for_timeout(300)
        self.seen.settle()

    def click(self, words):
        self.clicks += 1
        self.seen.page.get_by_text(words, exact=True).first.click()
        self.seen.page.wait_for_timeout(300)
        self.seen.settle()

    def press(self, name):
        self.clicks += 1
        self.seen.press(name)

    def shows(self, place, words, *, most=FEW):
        for one in words:
            self.seen.page.locator(place, has_text=one).first.wait_for()
        seconds = time.monotonic() - self.began
        sys.stdout.write(f"{self.clicks} clicks, {seconds:.1f} s: {words[0]}\n")
        assert self.clicks <= most and seconds < 30


def who_is(seen, story, name, words, *, start="search"):
    seen.open(start, story=story)
    task = Task(seen)
    task.turn_to("Bible")
    task.fill("Who or what", name)
    task.shows(".c-card", words)


def how_two_stand(seen, story, one, other, *words):
    seen.open("read", story=story)
    task = Task(seen)
    task.turn_to("World")
    task.choose("One", one)
    task.choose("The other", other)
    task.shows(".c-history", words)
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
    seen.open("read", story=DEMO)
    task = Task(seen)
    task.turn_to("Bible")
    task.fill("Who or what", "Pip")
    task.click("Change this card")
    task.choose("It is the same as", "Mrs. Tolliver")
    task.press("Merge")
    task.shows(".f-note", ["Corrected.", "Mrs. Tolliver ("], most=FEW_TO_MEND)
    seen.open("read", story=DEMO)
    task = Task(seen)
    task.turn_to("Bible")
    task.click("Change this card")
    task.choose("Names that are somebody else’s", "Hattie")
    task.press("Split")
    task.shows(".f-note", ["Corrected.", "Hattie ("], most=FEW_TO_MEND)
    for _ in range(2):
        seen.page.locator("summary", has_text="Corrections").click()
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
