"""Generators that know what they spend: one tells of each call, one stops before it spends too much."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..core.interfaces import Generator
from ..core.types import Generation, Prompt
from ..errors import ConfigError, ModelRefused
from .usage import Call, PriceTable, UsageLog


class CountedGenerator:
    """``inner``; ``record`` hears of every call that was answered."""

    def __init__(self, inner: Generator, record: Callable[[Call], None]) -> None:
        self._inner = inner
        self._record = record

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def concurrency(self) -> int:
        return self._inner.concurrency

    @property
    def context_tokens(self) -> int:
        return self._inner.context_tokens

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)

    def generate(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int = 0,
        on_text: Callable[[str], None] | None = None,
    ) -> Generation:
        """As the model."""
        made = self._inner.generate(
            prompt, max_tokens=max_tokens, temperature=temperature, seed=seed, on_text=on_text
        )
        self._record(Call.of(made))
        return made

    def close(self) -> None:
        self._inner.close()


class MeteredGenerator:
    """``inner``, with every call in ``usage`` and none that could pass ``max_cost`` (dollars).

    Before a call the most that it can cost is set aside: the prompt's tokens as the generator counts them and
    all of ``max_tokens``; after it, what it did cost. So calls side by side cannot pass the bound together,
    and a run may stop a little before it. A call that fails is charged for its prompt, since an endpoint may
    do so. Raises ConfigError where the model has no price: what cannot be counted cannot be bounded.
    """

    def __init__(self, inner: Generator, *, prices: PriceTable, max_cost: float) -> None:
        if not max_cost > 0:
            raise ConfigError(f"max_cost is {max_cost}: give dollars above 0")
        if prices.cost(Call(inner.name, 1, 1, 0.0)) is None:
            raise ConfigError(
                f"{inner.name} has no price, so max_cost cannot be kept: add it to the price list"
            )
        self.usage = UsageLog()
        self._inner = inner
        self._prices = prices
        self._max_cost = max_cost
        self._spent = 0.0
        self._aside = 0.0
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def concurrency(self) -> int:
        return self._inner.concurrency

    @property
    def context_tokens(self) -> int:
        return self._inner.context_tokens

    @property
    def spent(self) -> float:
        """Dollars so far."""
        return self._spent

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)

    def generate(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int = 0,
        on_text: Callable[[str], None] | None = None,
    ) -> Generation:
        """As the model. Raises ModelRefused where the call could pass the bound, without making it."""
        tokens = self._inner.count_tokens(f"{prompt.system}\n{prompt.user}{prompt.schema}")
        most = self._cost(tokens, max(max_tokens, 0))
        with self._lock:
            if self._spent + self._aside + most > self._max_cost:
                raise ModelRefused(
                    f"this call could cost {most:.4f} dollars, and {self._max_cost - self._spent:.4f} of "
                    f"{self._max_cost:g} are left: raise generator.max_cost, or ask for less"
                )
            self._aside += most
        charged = self._cost(tokens, 0)
        try:
            made = self._inner.generate(
                prompt, max_tokens=max_tokens, temperature=temperature, seed=seed, on_text=on_text
            )
            charged = self._prices.cost(self.usage.record(made)) or 0.0
        finally:
            with self._lock:
                self._aside -= most
                self._spent += charged
        return made

    def _cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        return self._prices.cost(Call(self.name, prompt_tokens, completion_tokens, 0.0)) or 0.0

    def close(self) -> None:
        self._inner.close()
