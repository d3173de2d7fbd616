import json

import pytest

from fabula.core.types import Prompt
from fabula.llm.local import LocalGenerator
from fabula.llm.request import response_format
from fabula.llm.scripted import ScriptedGenerator

from .chat_server import answer, ask

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["names"],
    "properties": {
        "names": {"type": "array", "maxItems": 2, "items": {"type": "string", "enum": ["Anna", "Tom"]}},
    },
}
PROMPT = Prompt("You list names as JSON.", "Anna met Tom.", "v1", json.dumps(SCHEMA))


def test_an_endpoint_is_asked_for_the_form():
    _, server = ask([answer('{"names": []}')], PROMPT)
    form = server.requests[0]["response_format"]
    assert form == response_format(PROMPT)
    assert form["type"] == "json_schema"
    assert form["json_schema"]["strict"] is True
    items = form["json_schema"]["schema"]["properties"]["names"]
    assert items == {"type": "array", "items": {"type": "string", "enum": ["Anna", "Tom"]}}


def test_prose_is_asked_for_as_before():
    _, server = ask([answer("Well.")], Prompt("", "Go on.", "v1"))
    assert "response_format" not in server.requests[0]


def test_a_script_sees_the_form():
    generator = ScriptedGenerator(lambda prompt: prompt.schema)
    assert json.loads(generator.generate(PROMPT, max_tokens=200).text) == SCHEMA


@pytest.mark.local_model
def test_llama_cpp_keeps_to_the_form():
    generator = LocalGenerator(context_tokens=256)
    try:
        held = generator.generate(PROMPT, max_tokens=40)
        assert set(json.loads(held.text)["names"]) <= {"Anna", "Tom"}
        assert dict(held.settings)["sampling"] == "json/1"
        again = generator.generate(PROMPT, max_tokens=40)
        assert again.text == held.text
    finally:
        generator.close()
