"""The folder of a project, whichever store keeps what is in it."""

from __future__ import annotations

from pathlib import Path

from ...errors import ProjectError
from ..files.atomic import sweep_drafts

DATABASE = "fabula.db"
_OURS = frozenset(
    "fabula.toml fabula.db fabula.db-wal fabula.db-shm fabula.db-journal suppressions.toml index graphs "
    "corrections.toml codex.yaml codex.yml codex.json".split()
)
_WRITTEN = ("fabula.db*", "answers-*.sqlite*", "index", "index/*", "pictures", "book")


def prepare_folder(folder: Path) -> None:
    """Makes the folder where there is none. Raises ProjectError where it cannot be made, or holds other
    things and no project, so that nobody's files get mixed with an index; and as :func:`refuse_links`."""
    try:
        if folder.exists() and (not folder.is_dir() or _holds_others(folder)):
            raise ProjectError(f"{folder} holds other files: choose an empty or a new folder")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ProjectError(f"the folder {folder} cannot be made: {error.strerror}") from error
    refuse_links(folder)


def refuse_links(folder: Path) -> None:
    """Raises ProjectError where something that fabula writes to, or removes, in a project's folder is a link:
    what it leads to may be anybody's. The folder itself may be one."""
    for pattern in _WRITTEN:
        for path in sorted(folder.glob(pattern)):
            if path.is_symlink():
                raise ProjectError(
                    f"{path} is a link, and fabula writes and removes files there: put the real one in its "
                    "place, or move the whole project and link its folder"
                )


def sweep_settings(folder: Path) -> None:
    """Removes what a killed writer left of the files that people write."""
    for file in ("fabula.toml", "suppressions.toml", "corrections.toml"):
        sweep_drafts(folder / file)


def _holds_others(folder: Path) -> bool:
    if (folder / DATABASE).exists():
        return False
    return any(
        path.name not in _OURS and not (path.name.startswith(".") and path.is_file())
        for path in folder.iterdir()
    )
