"""Settings of a folder that reach beyond it, which hold only once the user has confirmed them.

A project is a folder that people hand to each other. Its ``fabula.toml`` may say how to search and what to
show; which model is asked, where, with whose key, and what is loaded that may hold code, is for the user to
say: in a file of their own, on the command line, on the app's page Settings, or by ``fabula trust FOLDER``.
The same goes for the models that an index names as its makers. What is confirmed stands outside the folder,
under the user's configuration, by the folder's path and a digest of all that it asks for.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..config import Config, read_settings, shortened
from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json
from ..errors import ConfigError

_FILE = "fabula.toml"
_WHOLE = ("generator", "store", "wishes")  # sections of which every setting reaches out, or into prompts
_HARMLESS: Mapping[str, tuple[object, ...]] = {  # of those that may reach out, the values that do not
    "embedding.model": (Config().embedding.model,),
    "embedding.provider": ("local",),
    "embedding.base_url": ("",),
    "embedding.api_key_env": ("",),
    "parsing.model": (Config().parsing.model,),
    "parsing.model_extractor": ("auto", "off"),
}
_OF_AN_INDEX = (
    *(f"embedding.{key}" for key in ("model", "provider", "base_url", "api_key_env")),
    "parsing.model",
)


@dataclass(frozen=True, slots=True)
class FolderSettings:
    """What a folder's own ``fabula.toml`` says: ``allowed`` holds, as a table; ``withheld`` reaches out and
    is not confirmed, by names like ``generator.base_url``."""

    folder: Path
    allowed: Mapping[str, Any]
    withheld: Mapping[str, object]

    @property
    def notices(self) -> tuple[str, ...]:
        """One line, or none."""
        if not self.withheld:
            return ()
        asked = ", ".join(f"{name} = {shortened(value)}" for name, value in sorted(self.withheld.items()))
        return (
            f"ignored until you confirm it with fabula trust {self.folder}: its {_FILE} asks for {asked}",
        )


def user_settings() -> list[Path]:
    """The user's own settings for all projects, ``fabula/fabula.toml`` under ``$XDG_CONFIG_HOME``, if any."""
    file = user_folder() / _FILE
    return [file] if file.is_file() else []


def folder_settings(folder: Path) -> FolderSettings:
    """The settings that stand in a folder, parted. Raises ConfigError where its file cannot be read."""
    table = _table(folder)
    outward = _outward(table, folder)
    if not outward or _confirmed(folder).get("settings") == _digest(outward):
        return FolderSettings(folder, table, {})
    return FolderSettings(folder, _without(table, outward), outward)


def trust(folder: Path) -> Mapping[str, object]:
    """Confirms all that the folder's ``fabula.toml`` asks for now; returns it. Whatever changes there later
    has to be confirmed anew. Raises ConfigError, UsageError where that cannot be kept."""
    outward = _outward(_table(folder), folder)
    _confirm(folder, "settings", outward)
    return outward


def trust_index(folder: Path, made: Config) -> None:
    """Confirms the models that the folder's index was made with, but for the packaged ones."""
    _confirm(folder, "index", index_models(made))


def withheld_models(folder: Path, made: Config, *, asked: Config) -> Mapping[str, str]:
    """The models, by their settings' names, that an index says it was made with (``made``) and that nobody
    confirmed: neither packaged, nor in the user's own settings (``asked``); and where they are asked."""
    named = index_models(made)
    if not named or _confirmed(folder).get("index") == _digest(named):
        return {}
    return {name: value for name, value in named.items() if value != _value(asked, name)}


def index_models(made: Config) -> dict[str, str]:
    """An index's models and where they are asked, by their settings' names, but for the packaged ones."""
    return {name: value for name in _OF_AN_INDEX if (value := _value(made, name)) not in _HARMLESS[name]}


def _value(config: Config, name: str) -> str:
    section, _, key = name.partition(".")
    return str(getattr(getattr(config, section), key))


def _table(folder: Path) -> dict[str, Any]:
    file = folder / _FILE
    return read_settings(file) if file.is_file() else {}


def _outward(table: Mapping[str, Any], folder: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for section, inside in table.items():
        if not isinstance(inside, Mapping):
            found |= {section: inside} if section in _WHOLE else {}
            continue
        for key, value in inside.items():
            name = f"{section}.{key}"
            if section in _WHOLE or value not in _HARMLESS.get(name, (value,)):
                found[name] = value
    codex = table.get("codex")
    if isinstance(codex, str) and not _inside(folder / codex, folder):
        found["codex"] = codex
    return found


def _inside(path: Path, folder: Path) -> bool:
    with suppress(OSError, ValueError):
        return path.resolve().is_relative_to(folder.resolve())
    return False


def _without(table: Mapping[str, Any], names: Mapping[str, object]) -> dict[str, Any]:
    kept = {section: value for section, value in table.items() if section not in names}
    for section, value in kept.items():
        if isinstance(value, Mapping):
            kept[section] = {key: one for key, one in value.items() if f"{section}.{key}" not in names}
    return kept


def user_folder() -> Path:
    """Where the user's own settings lie, and what was confirmed. Read here, at every use: the command line,
    the server and the app all come through here."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".config") / "fabula"


def _all_confirmed() -> dict[str, dict[str, str]]:
    return read_user_table(user_folder() / "trusted.json", "what you confirmed")


def read_user_table(file: Path, what: str) -> dict[str, dict[str, Any]]:
    """The JSON that keeps ``what`` for the user, by name; empty where there is none. Raises ConfigError."""
    try:
        found = parse_json(file.read_text(encoding="utf-8"))
        return {str(name): dict(kept) for name, kept in found.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise ConfigError(f"{file}, which keeps {what}, cannot be read ({error}): remove it") from error


def _confirmed(folder: Path) -> dict[str, str]:
    return _all_confirmed().get(str(folder.resolve()), {})


def _confirm(folder: Path, kind: str, names: Mapping[str, object]) -> None:
    known = _all_confirmed()
    place = str(folder.resolve())
    before = known.get(place, {})
    after = {**before, kind: _digest(names)} if names else {k: one for k, one in before.items() if k != kind}
    if after != before:
        known[place] = after
        replace_file(user_folder() / "trusted.json", json.dumps(known, indent=1, sort_keys=True) + "\n")


def _digest(names: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(names, sort_keys=True, default=str).encode()).hexdigest()
