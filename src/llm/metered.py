"""A generator that tells of each call, and stops before it spends too much."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..core.interfaces import Generator
from ..core.types import Generation, Prompt
from ..errors import ConfigError, ModelUnusable
from .usage import Call, PriceTable


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
        self._record = record
        self._prices = prices or PriceTable()
        self._max_cost = max_cost
        self._spent = 0.0
        self._aside = 0.0
        self._lock = threading.Lock()
        if max_cost and self._prices.cost(Call(inner.name, 1, 1, 0.0)) is None:
            raise ConfigError(
                f"{inner.name} has no price, so max_cost cannot be kept: name a list by generator.prices"
            )

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
        """Dollars so far, where there is a bound."""
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
        """As the model. Raises ModelUnusable where the call could pass the bound, without making it."""
        most = charged = 0.0
        if self._max_cost:
            tokens = self._inner.count_tokens(f"{prompt.system}\n{prompt.user}{prompt.schema}")
            most = self._cost(Call(self.name, tokens, max(max_tokens, 0), 0.0))
            charged = self._cost(Call(self.name, tokens, 0, 0.0))
        with self._lock:
            if most and self._spent + self._aside + most > self._max_cost:
                raise ModelUnusable(
                    f"this call could cost {most:.4f} dollars, and {self._max_cost - self._spent:.4f} of "
                    f"{self._max_cost:g} are left: raise generator.max_cost, or ask for less"
                )
            self._aside += most
        try:
            made = self._inner.generate(
                prompt, max_tokens=max_tokens, temperature=temperature, seed=seed, on_text=on_text
            )
            call = Call.of(made)
            charged = self._cost(call)
            self._record(call)
        finally:
            with self._lock:
                self._aside -= most
                self._spent += charged
        return made

    def _cost(self, call: Call) -> float:
        return (self._prices.cost(call) or 0.0) if self._max_cost else 0.0

    def close(self) -> None:
        self._inner.close()
