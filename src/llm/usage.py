"""What a call of a model costs: by the price list that the user keeps, else by public prices."""

from __future__ import annotations

import datetime
import importlib.metadata
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Unpack

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ..core.files.toml import TomlError, parse_toml
from ..core.interfaces import Asking, Generator
from ..core.types import Call, Generation, Prompt
from ..errors import ConfigError, ModelUnusable
from .request import without_stop

_TOKENS_PER_PRICE = 1_000_000
_PACKAGE = "genai-prices"


class _Price(BaseModel):
    """Dollars per million tokens."""

    model_config = ConfigDict(strict=True)
    prompt: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    completion: Annotated[float, Field(ge=0, allow_inf_nan=False)]


_PRICES = TypeAdapter(dict[str, _Price])


@dataclass(frozen=True, slots=True)
class PriceTable:
    """The user's own prices of a prompt's and an answer's tokens, by model: under its whole name or the part
    before ``@``."""

    prices: Mapping[str, _Price] = field(default_factory=dict)

    @classmethod
    def from_toml(cls, text: str) -> PriceTable:
        """One table a model, in dollars per million tokens::

            ["some-model"]
            prompt = 0.15
            completion = 0.60

        Raises ConfigError, naming the model, where a price is missing, negative or no number.
        """
        try:
            return cls(_PRICES.validate_python(parse_toml(text)))
        except TomlError as error:
            raise ConfigError(f"the price list cannot be read: {error}") from error
        except ValidationError as error:
            model, *key = error.errors()[0]["loc"]
            raise ConfigError(
                f"the price list has no valid {key[0] if key else 'prompt'} for {model}: give dollars per "
                "million tokens, 0 or more"
            ) from None

    def cost(self, call: Call) -> float | None:
        """Dollars for one call, None where the model has no price in this table, nor in public ones for the
        address behind its ``@``."""
        name = without_stop(call.model)
        own = self.prices.get(name) or self.prices.get(name.partition("@")[0])
        if own is None:
            return _public_cost(name, call.prompt_tokens, call.completion_tokens)
        return (call.prompt_tokens * own.prompt + call.completion_tokens * own.completion) / _TOKENS_PER_PRICE


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


class MeteredGenerator:
    """``inner``; ``record`` hears of every call that was answered, and none is made that could pass
    ``max_cost`` (dollars, 0 for no bound).

    Before a call the most that it can cost is set aside: the prompt's tokens as the generator counts them and
    all of ``max_tokens``; after it, what it did cost. So calls side by side cannot pass the bound together,
    and a run may stop a little before it. A call that fails is charged for its prompt, since an endpoint may
    do so. Raises ConfigError where a bound is set and the model has no price: what cannot be counted cannot
    be bounded.
    """

    def __init__(
        self,
        inner: Generator,
        *,
        record: Callable[[Call], None] = lambda _: None,
        prices: PriceTable | None = None,
        max_cost: float = 0.0,
    ) -> None:
        self._inner = inner
        self.name = inner.name
        self.concurrency = inner.concurrency
        self.context_tokens = inner.context_tokens
        self._record = record
        self._prices = prices or PriceTable()
        self._max_cost = max_cost
        self.spent = 0.0
        self._aside = 0.0
        self._lock = threading.Lock()
        if max_cost and self._prices.cost(Call(inner.name, 1, 1, 0.0)) is None:
            raise ConfigError(
                f"{inner.name} has no price, so max_cost cannot be enforced: set generator.prices"
            )

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)

    def generate(self, prompt: Prompt, **how: Unpack[Asking]) -> Generation:
        """As the model. Raises ModelUnusable where the call could pass the bound, without making it."""
        most = charged = 0.0
        if self._max_cost:
            tokens = self._inner.count_tokens(f"{prompt.system}\n{prompt.user}{prompt.schema}")
            most = self._cost(Call(self.name, tokens, max(how["max_tokens"], 0), 0.0))
            charged = self._cost(Call(self.name, tokens, 0, 0.0))
        with self._lock:
            if most and self.spent + self._aside + most > self._max_cost:
                raise ModelUnusable(
                    f"this call could cost {most:.4f} dollars, and {self._max_cost - self.spent:.4f} of "
                    f"{self._max_cost:g} are left: raise generator.max_cost, or ask for less"
                )
            self._aside += most
        try:
            made = self._inner.generate(prompt, **how)
            estimated = ("tokens", "estimated") in made.settings
            call = Call(made.model, made.prompt_tokens, made.completion_tokens, made.seconds, estimated)
            charged = self._cost(call)
            self._record(call)
        finally:
            with self._lock:
                self._aside -= most
                self.spent += charged
        return made

    def _cost(self, call: Call) -> float:
        return (self._prices.cost(call) or 0.0) if self._max_cost else 0.0

    def close(self) -> None:
        self._inner.close()
