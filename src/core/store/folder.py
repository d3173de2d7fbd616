"""The folder of a project, whichever store keeps what is in it."""

from __future__ import annotations

from pathlib import Path

from ...errors import ProjectError
from ..files.atomic import sweep_drafts

__all__ = ["DATABASE", "prepare_folder", "sweep_settings"]

DATABASE = "fabula.db"
_OURS = frozenset(
    "fabula.toml fabula.db fabula.db-wal fabula.db-shm fabula.db-journal suppressions.toml index graphs "
    "corrections.toml codex.yaml codex.yml codex.json".split()
)


def prepare_folder(folder: Path) -> None:
    """Makes the folder where there is none. Raises ProjectError where it cannot be made, or holds other
    things and no project, so that nobody's files get mixed with an index."""
    try:
        if folder.exists() and (not folder.is_dir() or _holds_others(folder)):
            raise ProjectError(f"{folder} holds other files: choose an empty or a new folder")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ProjectError(f"the folder {folder} cannot be made: {error.strerror}") from error


def sweep_settings(folder: Path) -> None:
    """Removes what a killed writer left of the files that people write."""
    for file in ("fabula.toml", "suppressions.toml", "corrections.toml"):
        sweep_drafts(folder / file)


def _holds_others(folder: Path) -> bool:
    """Whether there is no project yet, and files that are none of ours; hidden files do not count."""
    if (folder / DATABASE).exists():
        return False
    return any(
        path.name not in _OURS and not (path.name.startswith(".") and path.is_file())
        for path in folder.iterdir()
    )
