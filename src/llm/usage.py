"""What a call of a model costs: by the price list that the user keeps, else by public prices."""

from __future__ import annotations

import datetime
import importlib.metadata
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ..core.files.toml import TomlError, parse_toml
from ..core.types import Generation
from ..errors import ConfigError
from .request import without_stop

_TOKENS_PER_PRICE = 1_000_000
_PACKAGE = "genai-prices"


@dataclass(frozen=True, slots=True)
class Call:
    """One call. ``estimated`` says that the endpoint reported no token counts of its own."""

    model: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    estimated: bool = False

    @classmethod
    def of(cls, generation: Generation) -> Call:
        """The call that gave this text."""
        estimated = ("tokens", "estimated") in generation.settings
        tokens = generation.prompt_tokens, generation.completion_tokens
        return cls(generation.model, *tokens, generation.seconds, estimated)


@dataclass(frozen=True, slots=True)
class PriceTable:
    """The user's own prices of a prompt's and an answer's tokens, in dollars per million, by model: under its
    whole name or the part before ``@``."""

    prices: tuple[tuple[str, float, float], ...] = ()

    @classmethod
    def from_toml(cls, text: str) -> PriceTable:
        """One table a model, in dollars per million tokens::

            ["some-model"]
            prompt = 0.15
            completion = 0.60

        Raises ConfigError, naming the model, where a price is missing, negative or no number.
        """
        try:
            tables = parse_toml(text)
        except TomlError as error:
            raise ConfigError(f"the price list cannot be read: {error}") from error
        return cls(tuple((model, *_prices(model, tables[model])) for model in sorted(tables)))

    def cost(self, call: Call) -> float | None:
        """Dollars for one call, None where the model has no price in this table, nor in public ones for the
        address behind its ``@``."""
        name = without_stop(call.model)
        own = {model: prices for model, *prices in self.prices}
        found = own.get(name) or own.get(name.partition("@")[0])
        if found is None:
            return _public_cost(name, call.prompt_tokens, call.completion_tokens)
        return (call.prompt_tokens * found[0] + call.completion_tokens * found[1]) / _TOKENS_PER_PRICE


def _public_cost(name: str, prompt_tokens: int, completion_tokens: int) -> float | None:
    from genai_prices import Usage, calc_price

    model, _, where = name.partition("@")
    usage = Usage(input_tokens=prompt_tokens, output_tokens=completion_tokens)
    try:
        return float(calc_price(usage, model, provider_api_url=f"https://{where}").total_price)
    except LookupError:
        return None


def public_context(model: str, url: str) -> int | None:
    """How many tokens a provider's model can hold, as far as it is known."""
    from genai_prices.data_snapshot import get_snapshot

    try:
        return get_snapshot().find_provider_model(model, None, None, url)[1].context_window
    except LookupError:
        return None


@cache
def public_prices() -> str:
    """Where public prices come from, and the date of the last change among them."""
    from genai_prices.data_snapshot import get_snapshot

    dates = (
        getattr(price.constraint, "start_date", None)
        for provider in get_snapshot().providers
        for model in provider.models
        if isinstance(model.prices, list)
        for price in model.prices
    )
    today = datetime.datetime.now(tz=datetime.UTC).date()
    latest = max((day for day in dates if day is not None and day <= today), default=None)
    until = f", last change {latest.isoformat()}" if latest else ""
    return f"public prices of {_PACKAGE} {importlib.metadata.version(_PACKAGE)}{until}"


def _prices(model: str, table: object) -> tuple[float, float]:
    values = table if isinstance(table, Mapping) else {}
    numbers = []
    for key in ("prompt", "completion"):
        value = values.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise ConfigError(
                f"the price list has no valid {key} for {model}: give dollars per million tokens, 0 or more"
            )
        numbers.append(float(value))
    return numbers[0], numbers[1]
