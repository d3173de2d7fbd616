"""The benchmark of continuity checkers: what meets a contradiction, what is read, what is refused."""

import json

from fabula.bench.continuity import Text, scored

TEXT = "# T\n\n## 1\n\nAnna had blue eyes. Bert was tall.\n\n## 2\n\nHer brown eyes shone. Bert grew a beard."


def at(words):
    return TEXT.index(words), TEXT.index(words) + len(words)


def test_a_finding_meets_with_both_sides_and_a_quote_that_does_not_stand_meets_nothing():
    planted = [("explicit", at("blue eyes"), at("brown eyes"))]
    text = Text("t", TEXT, planted, [(at("Bert was tall"), at("grew a beard"))])

    def said(earlier, later, prompt=""):
        return scored([text], [{"story": "t", "earlier": earlier, "later": later}], prompt)

    brown = "Her brown eyes shone."
    whole = said("Anna had blue eyes.", brown)
    assert whole["recall"]["all"]["hits"] == whole["findings that meet one"]["hits"] == 1
    half = said("Bert was tall.", brown)
    assert (half["recall"]["all"]["hits"], half["later side alone"]["hits"]) == (0, 1)
    made_up = said("Anna had green hair today.", brown, "She had green hair")
    assert (made_up["recall"]["all"]["hits"], made_up["quotes that stand"]["hits"]) == (0, 1)
    assert said("Bert was tall.", "Bert grew a beard.")["changes flagged"]["hits"] == 1
    example = "as in the example given"
    assert said(example, brown, example)["quotes copied from the prompt"] == 1


def test_the_command_checks_or_scores(tmp_path, done, refusal):
    sides = [dict(zip(("start", "end"), at(words), strict=True)) for words in ("blue eyes", "brown eyes")]
    gold = {"difficulty": "explicit", "earlier": sides[0], "later": sides[1]}
    stories, found = tmp_path / "set.jsonl", tmp_path / "found.jsonl"
    stories.write_text(json.dumps({"id": "t", "text": TEXT, "contradictions": [gold]}) + "\n")
    own = ("--set", "parsing.model_extractor=off", "-o", found)
    check = ("bench", "continuity", stories)
    assert done(*check, *own).startswith("recall: all ")
    entry = {"story": "t", "earlier": "Anna had blue eyes.", "later": "Her brown eyes shone."}
    found.write_text(json.dumps(entry))
    assert "all 1 of 1, 1.00" in done(*check, "--findings", found)
    found.write_text('{"story": "t", "earlier": 5, "later": "x"}')
    assert "line 1: an object with story, earlier, later" in refusal(*check, "--findings", found)
