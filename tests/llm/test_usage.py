import pytest
from tests.tables import rows

from fabula.core.types import Generation
from fabula.errors import ConfigError
from fabula.llm.usage import PriceTable, UsageLog

PRICES = PriceTable.from_toml(
    """
    ["big-model"]
    prompt = 2
    completion = 8.0

    [free]
    prompt = 0
    completion = 0
    """
)


def _generation(model, prompt_tokens, completion_tokens, seconds=1.0, settings=()):
    return Generation("text", model, prompt_tokens, completion_tokens, seconds, settings=settings)


def test_costs_are_dollars_per_million_tokens():
    log = UsageLog()
    log.record(_generation("big-model", 1000, 500, 0.5))
    log.record(_generation("big-model@api.example.com/v1", 2000, 0, 0.25))
    totals = log.totals(PRICES)
    assert totals.cost == pytest.approx((1000 * 2 + 500 * 8 + 2000 * 2) / 1_000_000)
    assert (totals.calls, totals.prompt_tokens, totals.completion_tokens) == (2, 3000, 500)
    assert totals.seconds == 0.75
    assert not totals.estimated


def test_one_unknown_price_makes_the_total_unknown():
    log = UsageLog()
    log.record(_generation("free", 10, 10))
    assert log.totals(PRICES).cost == 0.0
    log.record(_generation("someone's model", 10, 10))
    assert log.totals(PRICES).cost is None
    assert [(model, totals.cost) for model, totals in log.by_model(PRICES)] == [
        ("free", 0.0),
        ("someone's model", None),
    ]


def test_estimates_are_marked():
    log = UsageLog()
    call = log.record(_generation("free", 10, 10, settings=(("tokens", "estimated"),)))
    assert call.estimated
    assert log.totals(PRICES).estimated


def test_nothing_costs_nothing():
    totals = UsageLog().totals(PriceTable())
    assert (totals.calls, totals.cost, totals.seconds) == (0, 0.0, 0.0)


@pytest.mark.parametrize(("text", "message"), rows(__file__, "bad_prices.tsv"))
def test_bad_price_lists_are_refused(text, message):
    with pytest.raises(ConfigError, match=message):
        PriceTable.from_toml(text)
