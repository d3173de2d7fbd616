import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.scripted import ScriptedGenerator

from fabula.config import load_config
from fabula.core.types import Prompt
from fabula.errors import ConfigError, ModelTransient, ModelUnusable
from fabula.llm.usage import MeteredGenerator, PriceTable
from fabula.project.factories import make_generator

# 100,000 dollars a million prompt tokens and 1,000,000 a million completed ones: .1 and 1 a token
PRICES = PriceTable.from_toml("[scripted]\nprompt = 100_000.0\ncompletion = 1_000_000.0\n")
TEN_WORDS = Prompt("", "one two three four five six seven eight nine ten", "v")


def metered(replies, max_cost):
    calls = []
    made = MeteredGenerator(ScriptedGenerator(replies), record=calls.append, prices=PRICES, max_cost=max_cost)
    return made, calls


def test_a_call_that_could_pass_the_bound_is_not_made():
    # 10 tokens of prompt are 1 dollar, 4 of completion 4: 5 at most; the reply of 2 words costs 3
    made, calls = metered(["yes indeed", "not asked"], max_cost=7.5)
    made.generate(TEN_WORDS, max_tokens=4)
    assert made.spent == pytest.approx(3.0)
    with pytest.raises(ModelUnusable, match=r"5.0000 dollars, and 4.5000 of 7.5 are left"):
        made.generate(TEN_WORDS, max_tokens=4)
    made.generate(TEN_WORDS, max_tokens=3)
    assert len(calls) == 2
    assert made.spent <= 7.5


def test_a_failed_call_is_charged_for_its_prompt():
    made, _ = metered([ModelTransient("gone"), "yes indeed"], max_cost=100)
    with pytest.raises(ModelTransient):
        made.generate(TEN_WORDS, max_tokens=4)
    assert made.spent == pytest.approx(1.0)
    made.generate(TEN_WORDS, max_tokens=4)
    assert made.spent == pytest.approx(4.0)


def test_calls_side_by_side_cannot_pass_it_together():
    gate = threading.Barrier(2, timeout=10)

    def slow(prompt):
        gate.wait()
        return "yes indeed"

    made, _ = metered(slow, max_cost=10.5)  # room for two calls of 5 at most; after them 6 are spent
    outcomes = []

    def ask(_):
        try:
            made.generate(TEN_WORDS, max_tokens=4)
            outcomes.append("made")
        except ModelUnusable:
            outcomes.append("refused")

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(ask, range(3)))
    assert sorted(outcomes) == ["made", "made", "refused"]


def test_what_has_no_price_cannot_be_bounded(tmp_path):
    with pytest.raises(ConfigError, match="has no price"):
        MeteredGenerator(ScriptedGenerator([], name="other"), prices=PRICES, max_cost=1)
    missing = [f'generator.prices="{tmp_path / "none.toml"}"', "generator.max_cost=1"]
    endpoint = [
        'generator.provider="openai"',
        'generator.model="m"',
        'generator.base_url="http://127.0.0.1:1/v1"',
    ]
    with pytest.raises(ConfigError, match="cannot be read"):
        make_generator(load_config(assignments=[*missing, *endpoint]))
    (tmp_path / "prices.toml").write_text("[m]\nprompt = 1\ncompletion = 2\n")
    priced = [f'generator.prices="{tmp_path / "prices.toml"}"', "generator.max_cost=1", *endpoint]
    made = make_generator(load_config(assignments=priced))
    assert made.name.startswith("m@")
    made.close()
