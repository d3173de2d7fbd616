import json
import logging

import pytest

from .conftest import STORY, application, scripted

ASKED = "Who hated Barnaby Pellow?"


@pytest.mark.parametrize("queries", [False, True])
def test_a_line_says_how_each_was_answered(root, caplog, queries):
    caplog.set_level(logging.INFO, logger="fabula.api.retrieval")
    with application(root, opener=scripted(), log_queries=queries) as client:
        shown = client.get(f"/v1/projects/{STORY}/search", params={"q": ASKED, "k": 3}).json()
        client.get(f"/v1/projects/{STORY}/search", params={"q": "zqxj", "mode": "lexical"})
        client.post(f"/v1/projects/{STORY}/ask", json={"question": ASKED, "model": False})
        client.post(f"/v1/projects/{STORY}/ask", json={"question": "Who is king of Peru?", "model": False})
    lines = [json.loads(one.message) for one in caplog.records if one.name == "fabula.api.retrieval"]
    first, empty, told, untold = lines
    assert (first["event"], first["project"], first["count"]) == ("search", STORY, 3)
    assert first["top_score"] == pytest.approx(shown["passages"][0]["score"], abs=1e-4)
    assert first["query_class"] == shown["query_class"] and first["ms"] > 0
    weights = [shown["weights"][name] for name in ("lexical", "semantic")]
    assert first["weights"] == pytest.approx(weights, abs=1e-4)
    assert (empty["count"], empty["top_score"], empty["mode"]) == (0, None, "lexical")
    assert (told["outcome"], untold["outcome"]) == ("told", "not told") and told["citations"] > 0
    assert all(("query" in one) == queries for one in lines) and (ASKED in caplog.text) == queries


def test_ratings_are_reported_as_they_were_given(client, root, run_cli):
    def report(*how):
        return json.loads(run_cli("search", root / STORY, "--ratings", "--json", *how).out)

    base = f"/v1/projects/{STORY}"
    found = client.get(f"{base}/search", params={"q": "the letter", "as_of": 8}).json()["passages"]
    for passage, rating in zip(found, (1.0, 0.2), strict=False):
        given = {"query": "the letter", "chunk_id": passage["chunk_id"], "rating": rating}
        kept = client.post(f"{base}/feedback", params={"as_of": 8}, json=given).json()
        assert (kept["chunk_id"], kept["rating"]) == (passage["chunk_id"], rating)
    told = report()
    assert (told["ratings"], told["mean"]) == (2, 0.6) and told["by_class"][0]["ratings"] == 2
    assert [(one["query"], one["rating"]) for one in told["poor"]] == [("the letter", 0.2)]
    assert report("--as-of", "7")["ratings"] == 0
