"""What a project's models are asked: kept call by call, told by day and model with dollars."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.store.usage import UsageKind
from ..errors import ProjectError
from .factories import read_prices

if TYPE_CHECKING:
    from ..config import Config
    from ..core.interfaces import Generator
    from ..core.store.store import Store
    from ..core.store.usage import UsageRow
    from ..llm.usage import Call, PriceTable

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UsageLine:
    """``day`` is empty in sums over all days. ``dollars`` is None where the model has no price, 0 for one
    that ran here. ``estimated``: some of the tokens are estimates, since the model reported none."""

    day: str
    model: str
    kind: UsageKind
    calls: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    estimated: bool
    dollars: float | None


@dataclass(frozen=True, slots=True)
class UsageReport:
    """``lines`` by day (UTC), then model; ``models`` the same over all days. ``dollars`` is what is known;
    the models in ``unpriced`` are not in it. ``prices`` says where prices come from."""

    lines: tuple[UsageLine, ...]
    models: tuple[UsageLine, ...]
    dollars: float
    unpriced: tuple[str, ...]
    prices: str = ""


def usage_report(rows: Sequence[UsageRow], prices: str | Path = "") -> UsageReport:
    """``prices`` is the file of a price list (see :class:`~fabula.llm.usage.PriceTable`), before public ones.
    Raises ConfigError where it cannot be read."""
    from ..llm.usage import public_prices

    table, own = read_prices(prices), f"{prices}, else " if str(prices) else ""
    lines = tuple(_line(row, table) for row in rows)
    names = sorted({(line.kind, line.model) for line in lines})
    models = tuple(_sum(line for line in lines if (line.kind, line.model) == name) for name in names)
    return UsageReport(
        lines,
        models,
        math.fsum(line.dollars or 0.0 for line in lines),
        tuple(sorted({line.model for line in lines if line.dollars is None})),
        own + public_prices(),
    )


def _line(row: UsageRow, prices: PriceTable) -> UsageLine:
    from ..llm.usage import Call

    call = Call(row.model, row.prompt_tokens, row.completion_tokens, row.seconds)
    return UsageLine(
        row.day,
        row.model,
        row.kind,
        row.calls,
        row.prompt_tokens,
        row.completion_tokens,
        row.seconds,
        row.estimated > 0,
        0.0 if row.free else prices.cost(call),
    )


def _sum(lines: Iterable[UsageLine]) -> UsageLine:
    every = tuple(lines)
    costs = [line.dollars for line in every if line.dollars is not None]
    return UsageLine(
        "",
        every[0].model,
        every[0].kind,
        sum(line.calls for line in every),
        sum(line.prompt_tokens for line in every),
        sum(line.completion_tokens for line in every),
        math.fsum(line.seconds for line in every),
        any(line.estimated for line in every),
        math.fsum(costs) if len(costs) == len(every) else None,
    )


def recorder(store: Store, kind: UsageKind, *, free: bool = False) -> Callable[[Call], None]:
    """What keeps a call in the project. What cannot be kept is logged: an answer that was paid for is not
    lost for it."""
    from ..llm.request import without_stop

    usage = store.usage()

    def record(call: Call) -> None:
        try:
            usage.add(
                without_stop(call.model),
                kind,
                prompt_tokens=call.prompt_tokens,
                completion_tokens=call.completion_tokens,
                seconds=call.seconds,
                estimated=call.estimated,
                free=free,
            )
        except ProjectError as error:
            _log.warning("a call of %s is not in the project's usage (%s)", call.model, error)

    return record


def counted(made: Generator, config: Config, store: Store) -> Generator:
    """The generator of the settings with every call that it answers kept in the project."""
    from ..llm.recorded import RecordedGenerator
    from ..llm.usage import MeteredGenerator

    record = recorder(store, "language", free=not config.generator.is_endpoint)
    if isinstance(made, RecordedGenerator):
        made.listen(record)
        return made
    return MeteredGenerator(made, record=record)
