"""Answers that come with a text are found by what they answer, whatever a machine's parser adds."""

from fabula.core.types import Prompt
from fabula.llm.kept_answers import KeptAnswers, key_of


def writing(material, task="Go on."):
    return Prompt("", f"<<<STORY\n{material}\nSTORY>>>\n\n{task}", "continue/1")


def test_a_draft_is_that_of_its_task_and_of_the_kinds_of_its_material():
    asked = writing("[Character Info]\n- Ann: is ten.")
    kept = KeptAnswers("m", {key_of(asked, loosely=True): "She ran."})
    assert kept.generate(writing("[Character Info]\n- Ann: is 10."), max_tokens=9).text == "She ran."
    for other in (writing("[Story So Far]\nAnn came."), writing("[Character Info]\n- Ann.", "Stop.")):
        assert not kept.holds(other)
