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
    made, _ = metered(lambda _: gate.wait() is not None and "yes indeed", max_cost=10.5)  # room for two

    def is_made(_):
        try:
            return bool(made.generate(TEN_WORDS, max_tokens=4))
        except ModelUnusable:
            return False

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(is_made, range(3))) == [False, True, True]


def test_what_has_no_price_cannot_be_bounded(tmp_path):
    with pytest.raises(ConfigError, match="has no price"):
        MeteredGenerator(ScriptedGenerator([], name="other"), prices=PRICES, max_cost=1)
    (tmp_path / "prices.toml").write_text("[m]\nprompt = 1\ncompletion = 2\n")

    def bounded_by(prices):
        place = {"provider": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"}
        told = {**place, "prices": str(tmp_path / prices), "max_cost": 1}
        return make_generator(load_config(assignments=[f"generator.{k}={v!r}" for k, v in told.items()]))

    with pytest.raises(ConfigError, match="cannot be read"):
        bounded_by("none.toml")
    bounded_by("prices.toml").close()
