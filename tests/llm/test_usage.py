import pytest
from tests.tables import rows

from fabula.errors import ConfigError
from fabula.llm.usage import Call, PriceTable, public_context, public_prices

PRICES = PriceTable.from_toml(
    """
    ["big-model"]
    prompt = 2
    completion = 8.0

    ["gpt-4o"]
    prompt = 0
    completion = 0
    """
)


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        ("big-model", 2 + 8.0),
        ("big-model@api.example.com/v1", 2 + 8.0),
        ("gpt-4o@api.openai.com/v1", 0),  # the user's own price stands above a public one
        ("gpt-4o-mini@api.openai.com/v1", 0.15 + 0.6),  # public
        ("gpt-4o-mini@127.0.0.1:1234/v1", None),
        ("gpt-4o-mini", None),
        ("someone's model@api.openai.com/v1", None),
    ],
)
def test_costs_are_dollars_per_million_tokens(model, dollars):
    assert PRICES.cost(Call(model, 1_000_000, 1_000_000, 0.0)) == (dollars and pytest.approx(dollars))


def test_public_prices_name_their_source_and_date():
    assert public_prices().startswith("public prices of genai-prices 0.")
    assert "last change 20" in public_prices()
    assert public_context("gpt-4o-mini", "https://api.openai.com/v1") == 128_000
    assert public_context("gpt-4o-mini", "http://127.0.0.1:1/v1") is None


@pytest.mark.parametrize(("text", "message"), rows(__file__, "bad_prices.tsv"))
def test_bad_price_lists_are_refused(text, message):
    with pytest.raises(ConfigError, match=message):
        PriceTable.from_toml(text)
