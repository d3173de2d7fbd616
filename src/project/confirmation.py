"""The user's word for a folder: all that its settings and its index ask for, confirmed at once."""

from __future__ import annotations

from pathlib import Path

from ..config import masked
from .factories import made_with
from .storage.opening import holds_project, open_store
from .trust import index_models, trust, trust_index


def confirm_all(folder: Path) -> dict[str, object]:
    """Confirms what ``fabula.toml`` in the folder asks for, and the models that its index names where it
    holds one; returns all of it by name. Raises ConfigError, ProjectError, UsageError where it cannot be read
    or kept."""
    found = {
        name: masked(value) if isinstance(value, str) else value for name, value in trust(folder).items()
    }
    if holds_project(folder):
        with open_store(folder) as store:
            made = made_with(store.snapshot().settings)
        found |= {f"the index: {name}": model for name, model in index_models(made).items()}
        trust_index(folder, made)
    return found
