"""What the models were asked and what it cost, from a price list that the user keeps."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable
from dataclasses import dataclass

from ..core.files.toml import TomlError, parse_toml
from ..core.types import Generation
from ..errors import ConfigError
from .request import without_stop

_TOKENS_PER_PRICE = 1_000_000


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
class Price:
    """Dollars for a million tokens."""

    prompt: float
    completion: float


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by model, sorted by name. A model counts under its whole name or the part before ``@``."""

    prices: tuple[tuple[str, Price], ...] = ()

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
        return cls(tuple((model, _price(model, tables[model])) for model in sorted(tables)))

    def cost(self, call: Call) -> float | None:
        """Dollars for one call, None where the model has no price."""
        prices, name = dict(self.prices), without_stop(call.model)
        price = prices.get(name) or prices.get(name.partition("@")[0])
        if price is None:
            return None
        spent = call.prompt_tokens * price.prompt + call.completion_tokens * price.completion
        return spent / _TOKENS_PER_PRICE


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums. ``cost`` is in dollars, None as soon as one call has no known price."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    cost: float | None
    estimated: bool

    @classmethod
    def of(cls, calls: Iterable[Call], *, prices: PriceTable) -> Totals:
        """Sums over the calls, at these prices."""
        listed = tuple(calls)
        costs = [prices.cost(call) for call in listed]
        known = [cost for cost in costs if cost is not None]
        return cls(
            calls=len(listed),
            prompt_tokens=sum(call.prompt_tokens for call in listed),
            completion_tokens=sum(call.completion_tokens for call in listed),
            seconds=math.fsum(call.seconds for call in listed),
            cost=math.fsum(known) if len(known) == len(listed) else None,
            estimated=any(call.estimated for call in listed),
        )


class UsageLog:
    """Collects calls in order. Safe in threads."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._lock = threading.Lock()

    def record(self, generation: Generation) -> Call:
        """Adds the call that gave this text, and returns it."""
        call = Call.of(generation)
        with self._lock:
            self._calls.append(call)
        return call

    @property
    def calls(self) -> tuple[Call, ...]:
        """All so far, in order."""
        with self._lock:
            return tuple(self._calls)

    def totals(self, prices: PriceTable) -> Totals:
        """Sums over all calls so far, at these prices."""
        return Totals.of(self.calls, prices=prices)

    def by_model(self, prices: PriceTable) -> tuple[tuple[str, Totals], ...]:
        """(model, totals), sorted by model."""
        calls = self.calls
        models = sorted({call.model for call in calls})
        return tuple(
            (model, Totals.of([call for call in calls if call.model == model], prices=prices))
            for model in models
        )


def _price(model: str, table: object) -> Price:
    values = table if isinstance(table, dict) else {}
    numbers = []
    for key in ("prompt", "completion"):
        value = values.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise ConfigError(
                f"the price list has no valid {key} for {model}: give dollars per million tokens, 0 or more"
            )
        numbers.append(float(value))
    return Price(*numbers)
