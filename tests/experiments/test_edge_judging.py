import json

import pytest

from experiments.story_model import edge_judging


@pytest.fixture
def folder(tmp_path):
    """Three relations and a decoy, two readers who differ on one, and who decides."""
    key = [
        {"book": "tale", "start": k, "end": k + 5, "predicate": "KNOWS", "pair": "00", "confidence": 0.9}
        for k in range(4)
    ]
    key[3]["decoy"] = True
    (tmp_path / "key.json").write_text(json.dumps([{"decoy": False, **row} for row in key]))
    (tmp_path / "data.json").write_text(json.dumps({"question": "?", "edges": []}))
    put_down(tmp_path / "one", [(0, True, ""), (1, False, "S"), (2, True, ""), (3, False, "O")])
    put_down(tmp_path / "other", [(0, True, ""), (1, False, "S"), (2, False, "P"), (3, True, "")])
    put_down(tmp_path / "third", [(2, False, "E")])
    return tmp_path


def put_down(path, verdicts):
    lines = [json.dumps({"id": k, "right": right, "reason": why}) for k, right, why in verdicts]
    path.write_text("\n".join(lines) + "\n")


def fold(folder, sample="all", names=("one", "other", "third")):
    readers = [folder / name for name in names]
    return edge_judging.fold(folder, readers, sample, file=folder / "data.json")


def test_the_third_decides_and_decoys_are_not_counted(folder):
    read = fold(folder)
    assert read == {
        "relations": 3,
        "right": [2, 1],
        "decoys": 1,
        "decoys_refused": [1, 0],
        "readers": {"n": 3, "agree": 0.6667, "kappa": 0.4},
        "earlier": None,
    }
    kept = json.loads((folder / "data.json").read_text())
    assert [(edge["start"], edge["right"], edge["reason"]) for edge in kept["edges"]] == [
        (0, True, ""),
        (1, False, "S"),
        (2, False, "E"),
    ]
    assert kept["readings"] == {"all": read}
    assert all("decoy" not in edge for edge in kept["edges"])


def test_one_reader_is_set_beside_earlier_verdicts(folder):
    fold(folder)  # right, S, E
    read = fold(folder, "again", names=["one"])  # right, S, right
    assert read["readers"] is None
    assert read["right"] == [2] and read["decoys_refused"] == [1]
    assert read["earlier"] == {"n": 3, "agree": 0.6667, "kappa": 0.4}
    with pytest.raises(ValueError, match="one reader's file"):
        fold(folder, "more", names=["one", "other"])


def test_a_sample_is_folded_once_and_whole(folder):
    put_down(folder / "third", [])
    before = (folder / "data.json").read_text()
    with pytest.raises(ValueError, match="no verdict on \\[2\\]"):
        fold(folder)
    assert (folder / "data.json").read_text() == before
    put_down(folder / "third", [(2, True, "")])
    fold(folder)
    with pytest.raises(ValueError, match="already"):
        fold(folder)


def test_agreement_by_chance_is_taken_off():
    half = edge_judging.agreement([True, True, False, False], [True, False, True, False])
    assert half == {"n": 4, "agree": 0.5, "kappa": 0.0}
    assert edge_judging.agreement([True, True], [True, True]) == {"n": 2, "agree": 1.0, "kappa": 1.0}
    assert edge_judging.agreement([], []) is None
