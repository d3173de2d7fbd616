import csv
import io
import json

from experiments.judge_audit.table import Reading, read_judgements

TEXT = (
    "Anna’s eyes were grey — as grey as the river. She ran the ferry.\n"
    "It was cold. Years later her eyes were brown, and nobody said a word about it. The bell rang."
)


def table(path, *rows):
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    return path


def test_other_spellings_and_missing_columns(tmp_path):
    other = {
        "Story ID": "a",
        "subcategory": "time",
        "exact_quote": "x y",
        "contradiction_pair": "z",
        "reasoning": "w",
    }
    (one,) = read_judgements([table(tmp_path / "j.csv", other)]).findings
    assert (one.rule, one.quotes, one.message) == ("time", ("x y", "z"), "w")
    assert one.reading == Reading("a", "judge", "j")


def test_the_layout_of_constory_checker(tmp_path):
    item = {"exact_quote": "her eyes\nwere brown", "contradiction_pair": "eyes were grey", "context": "c"}
    story = {
        "id": "7",
        "generated_story": TEXT,
        "judge_model": "big",
        "evaluation_status": "completed",
        "factual_detail_appearance_mismatches": json.dumps([item, {"exact_quote": None}]),
        "timeline_plot_causeless_effects": "[]",
        "world_building_core_rules_violations": "ERROR: HTTP 500",
    }
    made = read_judgements([table(tmp_path / "j.csv", story)])
    (one,) = made.findings
    assert one.rule == "factual_detail_appearance_mismatches"
    assert (one.quote, one.other_quote) == ("her eyes were brown", "eyes were grey")
    assert made.texts == {("j", "7"): TEXT}
    assert made.damaged == 2


def test_an_evaluation_that_failed_is_no_praise(tmp_path):
    kinds = {"timeline_plot_causeless_effects": "[]", "narrative_style_style_shifts": "[]"}
    failed = dict.fromkeys(kinds, "ERROR: HTTP 500")
    partly = kinds | {"narrative_style_style_shifts": "ERROR: HTTP 500"}
    rows = [
        {"id": "1", "evaluation_status": "completed"} | kinds,
        {"id": "2", "evaluation_status": "error: no route"} | kinds,
        {"id": "3", "evaluation_status": "partial_0_5"} | failed,
        {"id": "4", "evaluation_status": "partial_4_5"} | partly,
        {"id": "", "evaluation_status": "completed"} | kinds,
    ]
    made = read_judgements([table(tmp_path / "j.csv", *rows)])
    assert [each.text_id for each in made.readings] == ["1", "4"]
    assert made.damaged == 1 + 2 + 1 + 1
