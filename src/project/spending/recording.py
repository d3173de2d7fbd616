"""Calls of models kept in a project as they are answered; answers that were kept before cost nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...core.store.usage import UsageKind
from ...errors import ProjectError

if TYPE_CHECKING:
    from ...config import Config
    from ...core.interfaces import Generator
    from ...core.store.seam import Store
    from ...llm.usage import Call

__all__ = ["counted", "recorder"]

_log = logging.getLogger(__name__)


def recorder(store: Store, kind: UsageKind, *, free: bool = False) -> Callable[[Call], None]:
    """What keeps a call in the project. What cannot be kept is logged: an answer that was paid for is not
    lost for it."""
    from ...llm.request import without_stop

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
    from ...llm.metered import CountedGenerator
    from ...llm.recorded import RecordedGenerator

    record = recorder(store, "language", free=config.generator.provider != "openai")
    if isinstance(made, RecordedGenerator):
        made.listen(record)
        return made
    return CountedGenerator(made, record)
