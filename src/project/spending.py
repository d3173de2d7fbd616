"""What a project's models are asked, and what it costs: kept call by call, by day and model with dollars."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.store.usage import UsageKind, UsageRow
from ..core.types import Call
from ..errors import ConfigError, ProjectError

if TYPE_CHECKING:
    from ..config import Config
    from ..core.runtime.model_requests import ModelPlan
    from ..core.store.store import Store
    from ..llm.usage import PriceTable

_log = logging.getLogger(__name__)
_ADDED_UP = ("calls", "estimated", "prompt_tokens", "completion_tokens", "seconds")


@dataclass(frozen=True, slots=True)
class UsageReport:
    """``lines`` by day (UTC), then model; ``models`` the same over all days. ``dollars`` is what is known;
    the models in ``unpriced`` are not in it. ``prices`` says where prices come from."""

    lines: tuple[UsageRow, ...]
    models: tuple[UsageRow, ...]
    dollars: float
    unpriced: tuple[str, ...]
    prices: str = ""


def usage_report(rows: Iterable[UsageRow], prices: str | Path = "") -> UsageReport:
    """``prices`` is the file of a price list (see :class:`~fabula.llm.usage.PriceTable`), before public ones.
    Raises ConfigError where it cannot be read."""
    from ..llm.usage import public_prices

    table, own = read_prices(prices), f"{prices}, else " if str(prices) else ""
    lines = tuple(_priced(row, table) for row in rows)
    names = sorted({(line.kind, line.model) for line in lines})
    models = tuple(_sum([line for line in lines if (line.kind, line.model) == name]) for name in names)
    return UsageReport(
        lines,
        models,
        math.fsum(line.dollars or 0.0 for line in lines),
        tuple(sorted({line.model for line in lines if line.dollars is None})),
        own + public_prices(),
    )


def _priced(row: UsageRow, prices: PriceTable) -> UsageRow:
    call = Call(row.model, row.prompt_tokens, row.completion_tokens, row.seconds)
    return replace(row, dollars=0.0 if row.free else prices.cost(call))


def _sum(lines: list[UsageRow]) -> UsageRow:
    sums = {name: sum(getattr(line, name) for line in lines) for name in _ADDED_UP}
    costs = [line.dollars for line in lines if line.dollars is not None]
    return replace(lines[0], day="", **sums, dollars=math.fsum(costs) if len(costs) == len(lines) else None)


def recorder(store: Store, kind: UsageKind, *, free: bool = False) -> Callable[[Call], None]:
    """What keeps a call in the project. What cannot be kept is logged: an answer that was paid for is not
    lost for it."""
    from ..llm.request import without_stop

    usage = store.usage()

    def record(call: Call) -> None:
        try:
            usage.add(replace(call, model=without_stop(call.model)), kind, free=free)
        except ProjectError as error:
            _log.warning("a call of %s is not in the project's usage (%s)", call.model, error)

    return record


def read_prices(file: str | Path) -> PriceTable:
    """The user's price list, empty without a file. Raises ConfigError where it cannot be read."""
    from ..llm.usage import PriceTable

    try:
        return PriceTable.from_toml(Path(file).read_text(encoding="utf-8") if str(file) else "")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the price list {file} cannot be read ({error})") from error


def with_cost(plan: ModelPlan, config: Config) -> ModelPlan:
    """The plan with the most that it can cost, where its model has a price, and whose price that is."""
    from ..llm.usage import public_prices

    call = Call(plan.model, plan.prompt_tokens, plan.answer_tokens, 0.0)
    cost = read_prices(config.generator.prices).cost(call)
    source = config.generator.prices or ("" if cost is None else public_prices())
    return replace(plan, cost=cost, prices=source)
