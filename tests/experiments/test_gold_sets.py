import dataclasses
import json

import pytest

from experiments.user_view import novel_gold, story_sets

STORIES = story_sets.load_stories()
NOVELS = novel_gold.load_gold()


def test_every_story_is_as_described():
    assert [line for story in STORIES for line in story_sets.problems(story)] == []
    assert len({story.id for story in STORIES}) == len(STORIES) >= 400
    assert len({story.text for story in STORIES}) == len(STORIES)


@pytest.mark.parametrize(("split", "least"), [("train", 260), ("dev", 60), ("test", 80)])
def test_the_splits_are_large_and_mixed(split, least):
    stories = story_sets.load_stories(split)
    assert len(stories) >= least
    assert {story.writer for story in stories} <= set(story_sets.SPLITS[split])
    kinds = {c["kind"] for story in stories for c in story.contradictions}
    assert kinds == story_sets.KINDS
    clean = sum(story.clean for story in stories) / len(stories)
    assert 0.25 <= clean <= 0.42
    for difficulty in story_sets.DIFFICULTIES:
        own = [c for s in stories for c in s.contradictions if c["difficulty"] == difficulty]
        assert len(own) >= 0.2 * sum(len(s.contradictions) for s in stories)


def test_a_story_that_is_not_as_described_is_named():
    story = next(s for s in STORIES if s.contradictions)
    moved = json.loads(json.dumps(story.contradictions))
    moved[0]["earlier"]["start"] += 1
    said = story_sets.problems(dataclasses.replace(story, contradictions=moved))
    assert any("a contradiction's earlier says" in line for line in said)
    turned = [{**moved[0], "earlier": moved[0]["later"], "later": story.contradictions[0]["earlier"]}]
    said = story_sets.problems(dataclasses.replace(story, contradictions=turned))
    assert any("not before the later" in line for line in said)
    assert story_sets.problems(dataclasses.replace(story, text=story.text.replace("## 2", "## 7")))


def test_every_novel_is_as_described():
    assert [line for gold in NOVELS for line in novel_gold.problems(gold)] == []
    assert len(NOVELS) >= 20
    assert {gold.slug for gold in NOVELS} == {s for part in novel_gold.SPLITS.values() for s in part}
    assert {gold.about["century"] for gold in NOVELS} == {19, 20}
    assert all(15 <= len(gold.relations) <= 42 and len(gold.events) >= 12 for gold in NOVELS)
    second = novel_gold.load_gold(folder=novel_gold.NOVELS / "second")
    assert len(second) == 5
    assert [problem for gold in second for problem in novel_gold.problems(gold)] == []
    first = {gold.slug: gold for gold in NOVELS}
    assert all(gold.about["sha256"] == first[gold.slug].about["sha256"] for gold in second)


def test_a_novel_that_is_not_as_described_is_named():
    gold = NOVELS[0]
    other = dataclasses.replace(gold, relations=[{**gold.relations[0], "type": "nemesis"}])
    assert any("nemesis" in line for line in novel_gold.problems(other))
    short = dataclasses.replace(gold, questions=gold.questions[:9])
    assert any("questions with an answer" in line for line in novel_gold.problems(short))
    assert any("not the one" in line for line in novel_gold.problems(gold, "Another text."))


def test_a_name_of_two_characters_is_nobodys_alone():
    gold = dataclasses.replace(
        NOVELS[0],
        characters=[
            {"id": "a", "name": "Ann Hale", "also": ["Hale"]},
            {"id": "b", "name": "Bob Hale", "also": ["Hale", "Bob"]},
        ],
    )
    assert gold.surfaces == {"ann hale": "a", "bob hale": "b", "bob": "b"}
