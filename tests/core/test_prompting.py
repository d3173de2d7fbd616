from typing import Literal

import pytest
from pydantic import BaseModel
from tests.tables import values

from fabula.core.prompting import load_template, read_answer, schema_of


class Item(BaseModel):
    name: str
    kind: Literal["x", "y"]
    quote: str


class Answer(BaseModel):
    items: list[Item] = []
    sure: bool = False


ONE = '{"items": [{"name": "it\'s", "kind": "x", "quote": "q"}], "sure": true}'


@pytest.mark.parametrize(("said", "names", "sure", "odd"), values(__file__, "answers_read.tsv"))
def test_an_answer_is_read_whatever_stands_around_it(said, names, sure, odd):
    read = read_answer(said.replace("ONE", ONE), Answer)
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
