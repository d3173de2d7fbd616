"""The user's word for a folder: all that its settings and its index ask for, confirmed at once."""

from __future__ import annotations

from pathlib import Path

from ..core.store.sqlite import ProjectStore
from .factories import made_with
from .trust import index_models, trust, trust_index

__all__ = ["confirm_all"]


def confirm_all(folder: Path) -> dict[str, object]:
    """Confirms what ``fabula.toml`` in the folder asks for, and the models that its index names where it
    holds one; returns all of it by name. Raises ConfigError, ProjectError, UsageError where it cannot be read
    or kept."""
    found = dict(trust(folder))
    if (folder / "fabula.db").is_file():
        with ProjectStore.open(folder) as store:
            made = made_with(store.snapshot().settings)
        found |= {f"the index: {name}": model for name, model in index_models(made).items()}
        trust_index(folder, made)
    return found
