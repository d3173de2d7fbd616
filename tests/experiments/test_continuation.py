"""Stories written on, and the open benchmark: what is kept is whole, and the measures are right."""

from __future__ import annotations

import json

import pytest
from tests.tables import values

from experiments.critic.open_continuity import PUBLIC, public_texts
from experiments.pipelines.continued import ARMS, CHAPTERS, STORIES, drafts, plans
from experiments.pipelines.power import power
from fabula.bench.continuity import scored


def test_every_line_of_writing_is_whole_and_every_fact_stands_where_it_says():
    written = {(one.story, one.pipeline, one.chapter) for one in drafts()}
    every = {(s, p.name, n) for s in STORIES for p in ARMS for n in range(1, CHAPTERS + 1)}
    assert written == every
    for plan in plans().values():
        for probe in plan["probes"]:
            told = probe["told"]
            if told["in"] == "opening":
                assert told["quote"] in plan["chapters"][told["chapter"] - 1]["opening"]
                assert min(probe["at_stake"]) > told["chapter"]


@pytest.mark.parametrize("stories", [6, 20])
def test_where_there_is_no_difference_few_studies_rank(stories):
    spread = {"mean": 0.3, "stories": 0.1, "difference": 0.05}
    assert power(spread, stories=stories, facts=14, difference=0.0) < 0.065
    assert power(spread, stories=50, facts=28, difference=0.2) > 0.9


TEXT = "# T\n\n## 1\n\nAnna had blue eyes. Bert was tall.\n\n## 2\n\nHer brown eyes shone. Bert grew a beard."


def at(start, end):
    return TEXT[start:end]


@pytest.mark.parametrize(("name", "row", "sides"), values(__file__, "public_sets.tsv"))
def test_public_sets_have_the_sides_that_somebody_marked(tmp_path, name, row, sides):
    path = tmp_path / PUBLIC[name]
    path.parent.mkdir()
    told = {key: TEXT if value == "TEXT" else value for key, value in row.items()}
    path.write_text(json.dumps({"id": "t", "doc": "d"} | told), encoding="utf-8")
    texts = list(public_texts(name, tmp_path))
    found = [(at(*first), at(*second)) for text in texts for _, first, second in text.planted]
    assert (found if texts else None) == sides
    entry = {"story": "t", "earlier": "Anna had blue eyes.", "later": "Bert grew a beard."}
    summary = scored(texts, [entry])
    assert summary["either side"].get("hits", 0) == len(sides or ())
    assert summary["findings"] == len(texts)
