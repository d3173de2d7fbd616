"""fabula: graph-augmented hybrid retrieval and a blind continuity critic for long stories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .config import Config
    from .core.types import Horizon
    from .engine import Project, index_book

__all__ = ["Config", "Horizon", "Project", "__version__", "index_book"]

__version__ = "0.1.0"

_HOMES = {
    "Config": ".config",
    "Horizon": ".core.types",
    "Project": ".engine",
    "index_book": ".engine",
}


def __getattr__(name: str) -> Any:
    """Public names are loaded when they are first asked for: importing fabula imports no model."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fabula' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name], __name__), name)
