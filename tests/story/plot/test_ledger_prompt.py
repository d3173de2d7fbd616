import json

from fabula.story.plot.ledger import THREADS, claims_of, ledger_prompt


def test_the_form_of_the_answer_knows_every_kind_of_thread():
    planted = json.loads(ledger_prompt("", threads=()).schema)["properties"]["planted"]["items"]
    assert planted["properties"]["kind"]["enum"] == list(THREADS)


def test_items_that_are_whole_are_read_from_an_answer_that_broke_off():
    moved = {"thread": 1, "step": "resolved", "quote": "She paid the debt."}
    planted = {"kind": "threat", "what": "A\u202e storm", "quote": "Clouds rose.", "settled": False}
    odd = {"kind": "weather", "what": "rain", "quote": "It rained."}
    said = f"Here: {json.dumps({'planted': [planted, odd], 'moved': [moved]})[:-3]}"
    claims, broken = claims_of(f"{said} {json.dumps(moved)} {{")
    assert [(one.step, one.thread, one.what) for one in claims] == [
        ("resolved", 1, ""),
        ("planted", None, "A storm"),
    ]
    assert broken == 1
