from typing import Literal

import pytest
from pydantic import BaseModel

from fabula.core.prompting import load_template, read_answer, schema_of


class Item(BaseModel):
    name: str
    kind: Literal["x", "y"]
    quote: str


class Answer(BaseModel):
    items: list[Item] = []
    sure: bool = False


ONE = '{"items": [{"name": "it\'s", "kind": "x", "quote": "q"}], "sure": true}'


@pytest.mark.parametrize(
    ("said", "names", "sure", "odd"),
    [
        (ONE, ["it's"], True, 0),
        (f"```json\n{ONE}\n```", ["it's"], True, 0),
        (f"<think>{{'items': []}} or so</think>Here it is [1]: {ONE}", ["it's"], True, 0),
        (f'I might say {{"items": []}}, but no: {ONE}', ["it's"], True, 0),
        ("{'items': [{'name': 'a', 'kind': 'y', 'quote': 'q',},], 'sure': True}", ["a"], True, 0),
        ('{"items": [{"name": "a", "kind": "y", "quote": "q"}] "sure": true}', ["a"], True, 0),
        (ONE.replace('"x"', '"z"'), [], True, 1),
        (ONE[:-16] + ', {"name": "b", "kind', ["it's"], False, 1),
        ("I cannot help with that.", [], False, 1),
        ('{"answer": 3}', [], False, 1),
        ('{"items": "none", "sure": "perhaps"}', [], False, 2),
        ("{" * 5000, [], False, 1),
    ],
)
def test_an_answer_is_read_whatever_stands_around_it(
    said: str, names: list[str], sure: bool, odd: int
) -> None:
    read = read_answer(said, Answer)
    assert [item.name for item in read.value.items] == names
    assert (read.value.sure, read.odd) == (sure, odd)


def test_a_schema_is_strict_and_has_no_references() -> None:
    assert schema_of(Answer) == (
        '{"properties": {"items": {"items": {"properties": {"name": {"type": "string"}, "kind": {"enum": '
        '["x", "y"], "type": "string"}, "quote": {"type": "string"}}, "required": ["name", "kind", "quote"], '
        '"type": "object", "additionalProperties": false}, "type": "array"}, "sure": {"type": "boolean"}}, '
        '"type": "object", "additionalProperties": false, "required": ["items", "sure"]}'
    )


def test_a_prompt_file_is_filled_in_and_known_by_its_digest(tmp_path) -> None:
    (tmp_path / "ask.md").write_text("# System\nBe brief.\n\n# User\nWho is {{name}}? {{name}}!\n")
    template = load_template(tmp_path / "ask.md", mark="guard/1")
    prompt = template.fill(Answer, name="{{other}}")
    assert (prompt.system, prompt.user) == ("Be brief.", "Who is {{other}}? {{other}}!")
    assert prompt.version == template.version and prompt.schema == schema_of(Answer)
    assert template.version.startswith("ask/") and template.version.endswith(" guard/1")
    (tmp_path / "again.md").write_text("# User\nWho?\n")
    with pytest.raises(ValueError, match=r"again\.md needs the parts"):
        load_template(tmp_path / "again.md")
