import pytest
from tests.contracts.generator_contract import PROMPT, GeneratorContract

from fabula.core.types import Prompt
from fabula.errors import ModelRefused, ModelTransient
from fabula.llm.scripted import ScriptedGenerator


def _echo(prompt):
    return f"You asked: {prompt.user} The keeper is old."


class TestScripted(GeneratorContract):
    @pytest.fixture
    def generator(self):
        return ScriptedGenerator(_echo, context_tokens=64)

    fresh_generator = generator


def test_replies_in_order_and_then_none():
    generator = ScriptedGenerator(["One.", ModelTransient("busy"), "Two."])
    assert generator.generate(PROMPT, max_tokens=9).text == "One."
    with pytest.raises(ModelTransient, match="busy"):
        generator.generate(PROMPT, max_tokens=9)
    assert generator.generate(PROMPT, max_tokens=9).text == "Two."
    with pytest.raises(ModelRefused, match="holds 3 replies and this is call 4"):
        generator.generate(PROMPT, max_tokens=9)


def test_calls_are_recorded():
    generator = ScriptedGenerator(["One.", "Two."])
    generator.generate(PROMPT, max_tokens=9, temperature=0.5, seed=3)
    generator.generate(Prompt("", "And then?", "v2"), max_tokens=8)
    assert [prompt.user for prompt in generator.prompts] == [PROMPT.user, "And then?"]
    first = generator.calls[0]
    assert (first.max_tokens, first.temperature, first.seed) == (9, 0.5, 3)


def test_counts_and_cuts_words_and_marks():
    generator = ScriptedGenerator(["She left, alone."])
    generation = generator.generate(Prompt("Be brief.", "Why?", "v1"), max_tokens=3)
    assert generation.text == "She left,"  # She + left + ,
    assert (generation.completion_tokens, generation.finish_reason) == (3, "length")
    assert generation.prompt_tokens == 3 + 2  # Be brief . + Why ?


def test_an_empty_reply_is_refused():
    with pytest.raises(ModelRefused, match="empty text"):
        ScriptedGenerator([" \n"]).generate(PROMPT, max_tokens=9)
