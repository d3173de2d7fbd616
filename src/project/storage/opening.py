"""Which store keeps a project: SQLite and files in its folder, or the PostgreSQL server of ``[store]``."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ...config import Config, read_settings
from ...core.store.folder import DATABASE, prepare_folder
from ...core.store.store import Store
from ...errors import ConfigError, ProjectError, UntrustedSettings
from ..connecting import save_settings
from ..factories import config_of
from ..trust import folder_settings

if TYPE_CHECKING:
    from ...core.store.sqlite import ProjectStore
    from ...sections import Store as StoreSettings

_FILE = "fabula.toml"
_LONGEST = 48  # characters of a folder's name in the key of its book


def open_store(folder: Path, config: Config | None = None) -> Store:
    """Opens the project in ``folder``; ``config`` is by default that of the user and the folder.

    Raises ProjectError where there is none, or one that cannot be read; UntrustedSettings where the folder
    names a server that nobody confirmed."""
    from ...core.store.sqlite import ProjectStore

    if store := _on_server(folder, config):
        from ...core.store.postgres.store import PostgresStore

        return PostgresStore.open(folder, store.target())
    if (folder / DATABASE).is_file():
        return ProjectStore.open(folder)
    own = folder_settings(folder)
    if "store.url" in own.withheld:
        raise UntrustedSettings(own.notices[0])
    return ProjectStore.open(folder)  # says that there is none


def open_here(folder: Path) -> ProjectStore:
    """Opens the project that lies in ``folder``. Raises ProjectError where there is none, or on a server."""
    from ...core.store.sqlite import ProjectStore

    if _on_server(folder):
        raise ProjectError(
            f"the project in {folder} is kept on a PostgreSQL server, which has tools of its own: "
            "pg_dump --schema fabula for a backup, VACUUM to compact; fabula doctor reads its index whole"
        )
    return ProjectStore.open(folder)


def create_store(folder: Path, config: Config) -> Store:
    """Opens the project in ``folder`` to be written, made now if there is none. Where the settings name a
    server, ``fabula.toml`` in the folder names it from now on, with the key of the book there.

    Raises ProjectError where the project is kept elsewhere, or its place cannot be used."""
    from ...core.store.sqlite import ProjectStore

    if not config.store.url:
        return ProjectStore.create(folder)
    if (folder / DATABASE).exists():
        raise ProjectError(
            f"the project in {folder} is kept in its folder, and store.url names a server: "
            'index the book into a new folder, or leave the setting out (--set store.url="")'
        )
    from ...core.store.postgres.store import PostgresStore

    prepare_folder(folder)
    named = config.store.model_dump(exclude_defaults=True)
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-")[:_LONGEST]
    named["book"] = config.store.book or f"{name or 'book'}-{secrets.token_hex(4)}"
    own = None
    with suppress(ConfigError):
        own = read_settings(folder / _FILE).get("store") if (folder / _FILE).is_file() else None
    if own != named:
        kept = save_settings(folder / _FILE, {"store": named})
        config = config.model_copy(update={"store": kept.store})
    return PostgresStore.create(folder, config.store.target())


def holds_project(folder: Path) -> bool:
    """Is there a project in the folder, or one on the server that it names?"""
    return (folder / DATABASE).is_file() or _on_server(folder) is not None


def _on_server(folder: Path, config: Config | None = None) -> StoreSettings | None:
    """Where the server is that keeps the project; None where none does."""
    if (folder / DATABASE).is_file():
        return None
    store = (config or config_of(folder)[0]).store
    return store if store.url and store.book else None


def erase_remote(folder: Path) -> None:
    """Deletes what a server keeps of the project in ``folder``; nothing where it is kept in the folder.
    Raises ProjectError where the server cannot be asked."""
    if store := _on_server(folder):
        from ...core.store.postgres.store import PostgresStore

        with PostgresStore.open(folder, store.target()) as opened:
            opened.erase()
