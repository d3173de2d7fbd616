import json

import pytest
from tests.tables import values

from experiments.judge_audit import judge_audit
from experiments.judge_audit.table import read_public
from fabula.errors import UsageError

STORY = "It was cold — as cold as iron. Anna ran the ferry.\n\nNobody of that name had ever run it."
PROMPT = "Example: “The car was red.” against “The car was blue.”"


@pytest.fixture
def audit(capsys):
    def run(*words):
        judge_audit.main(judge_audit.parser().parse_args([str(word) for word in words]))
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize(("quote", "how"), values(__file__, "how_a_quote_stands.tsv"))
def test_how_a_quote_stands(tmp_path, quote, how):
    path = tmp_path / "public.jsonl"
    errors = [[quote], ["Her coat was torn at the sleeve"], []]
    with path.open("w", encoding="utf-8") as file:
        for number, quotes in enumerate(errors):
            found = [
                {"category": "timeline_plot_x", "quote": one, "contradicts": "", "context": ""}
                for one in quotes
            ]
            row = {"doc": f"d{number}", "judge_model": "j", "story_model": "m", "errors": found}
            file.write(json.dumps(row | {"story": "" if number == 2 else STORY}) + "\n")
    judged = read_public(path)
    assert len(judged.readings) == 2  # a blank story was not read
    rows = judge_audit.audited(judged, judged.texts, [PROMPT])
    assert (rows[0]["how"], rows[0]["group"], rows[0]["story"]) == ([how], "timeline plot", "m/d0")
    grounded = judge_audit.summed(rows[:1])["all"]["grounded"]
    assert grounded["hits"] == (how in ("verbatim", "loosely", "nearly"))


def test_files_of_findings_and_texts_beside_them(audit, tmp_path):
    file = tmp_path / "judged.csv"
    file.write_text(
        "text_id,system,quote,other_quote\na,x,It was cold,Anna sold it\nb,y,,\n", encoding="utf-8"
    )
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "a.txt").write_text(STORY, encoding="utf-8")
    said = audit(file, "--texts", tmp_path)
    assert "2 readings" in said and "grounded: {'n': 1, 'hits': 0" in said
    with pytest.raises(UsageError, match="holds none of the texts"):
        audit(file, "--texts", tmp_path / "y")
    with pytest.raises(UsageError, match="name files"):
        audit()
