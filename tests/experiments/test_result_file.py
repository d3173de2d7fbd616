import json

from experiments.common.result_file import write_result


def test_a_file_holds_the_values_and_plain_lists_on_a_line(tmp_path):
    facts = {
        "a [ b ]": ["x [ y ]", "p\nq", " ] ", "[ ", "a  b"],
        "b": [[1, 2], [], [{"a": [None, True, 0.5]}]],
        "c": {},
    }
    text = write_result("r", facts=facts, measured={"s": 1.5}, folder=tmp_path).read_text(encoding="utf-8")
    assert json.loads(text) == {"facts": facts, "machine": {"s": 1.5}}
    assert "[1, 2],\n" in text
