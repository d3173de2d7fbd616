import json
import shutil

import pytest

from experiments.judge_audit import judge_audit
from fabula.errors import UsageError

JUDGED = """text_id,judge,run,system,rule,quote,other_quote,message
a,big,1,x,time,It was cold.,,
a,big,2,x,time,it was cold,Nobody of that name,
b,big,1,y,,,,
"""


@pytest.fixture
def audit(capsys):
    def run(*words):
        judge_audit.main(judge_audit.parser().parse_args([str(word) for word in words]))
        return capsys.readouterr().out

    return run


def test_an_audit_of_judges(audit, tmp_path):
    file = tmp_path / "judged.csv"
    file.write_text(JUDGED, encoding="utf-8")
    texts = tmp_path / "texts"
    (texts / "y").mkdir(parents=True)
    (texts / "a.txt").write_text("It was cold. Anna ran the ferry.", encoding="utf-8")
    (texts / "y" / "b.txt").write_text("It rained.", encoding="utf-8")
    call = (file, "--texts", texts, "--no-critic")
    assert "Do the quotes stand in the texts?" in audit(*call)
    data = json.loads(audit(*call, "--json"))
    (quotes,) = data["quotes"]
    assert (quotes["quotes"], quotes["exact"], quotes["normalised"], quotes["absent"]) == (3, 1, 1, 1)
    assert data["texts"] == 2 and data["runs"][0]["jaccard"] == 1.0
    with pytest.raises(UsageError, match="no folder"):
        audit(file, "--texts", tmp_path / "y")
    shutil.rmtree(texts)
    texts.mkdir()
    with pytest.raises(UsageError, match="holds none of the texts"):
        audit(*call)
    assert json.loads(audit(file, "--json"))["texts"] == 0


def test_an_audit_beside_the_rules(audit, tmp_path):
    (tmp_path / "a.txt").write_text("Tom loved Anna. Tom hated Anna.", encoding="utf-8")
    file = tmp_path / "judged.csv"
    file.write_text("text_id,quote,other_quote\na,Tom hated Anna.,Tom loved Anna.\n", encoding="utf-8")
    data = json.loads(audit(file, "--texts", tmp_path, "--json"))
    (beside,) = data["critic"]
    assert (beside["findings"], beside["rule_findings"]) == (1, beside["shared_rules"])
    assert beside["shared_judge"] == 1
