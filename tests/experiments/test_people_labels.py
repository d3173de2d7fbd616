import json

import pytest

from experiments.common.folders import DATA
from experiments.user_view.novel_gold import EVENTS, FATES, RELATION_TYPES, SPLITS

FOLDER = DATA / "people"
NOVELS = sorted((FOLDER / "novels").glob("*.json"))
STORIES = sorted((FOLDER / "stories").glob("*.jsonl"))


def _sound(people, row, types, length):
    ids = [one["id"] for one in people]
    assert len(set(ids)) == len(ids)
    assert all(one["fate"] in FATES and one["gender"] in ("f", "m", "") for one in people)
    for relation in row["relations"]:
        assert relation["type"] in types
        assert {relation["a"], relation["b"]} <= set(ids)
        assert relation["a"] != relation["b"]
    assert all(len(pair) == 2 and set(pair) <= set(ids) for pair in row["acquainted"])
    for event in row["events"]:
        assert event["type"] in EVENTS
        assert set(event["who"]) <= set(ids)
    for one in (*row["relations"], *row["events"]):
        if one["at"] is not None:
            assert 0 <= one["at"][0] < one["at"][1] <= (length or 10**8)


@pytest.mark.parametrize("path", NOVELS, ids=lambda path: path.stem)
def test_novels(path):
    row = json.loads(path.read_text(encoding="utf-8"))
    assert path.stem not in {slug for slugs in SPLITS.values() for slug in slugs}
    assert len(row["sha256"]) == 64
    _sound(row["characters"], row, set(RELATION_TYPES), None)


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_stories(path):
    assert path.stem not in ("w11", "w12")
    texts = {
        row["id"]: row["text"]
        for line in (DATA / "stories" / path.name).read_text(encoding="utf-8").splitlines()
        for row in [json.loads(line)]
    }
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {row["id"] for row in rows} == set(texts)
    for row in rows:
        _sound(row["people"], row, {*RELATION_TYPES, "colleague"}, len(texts[row["id"]]))


def test_there_is_enough():
    assert len(NOVELS) == 37
    assert len(STORIES) == 11
