"""Keeps settings in a ``fabula.toml``: what is not asked to change stays as it was written, comments too."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from ..config import Config, Source, load_config, named_settings
from ..core.files.atomic import changing, replace_file
from ..core.files.toml import TomlError, parse_toml
from ..errors import ConfigError
from .trust import folder_settings, trust

Change = Mapping[str, Mapping[str, str | int | float | bool | Sequence[str] | None]]


def save_settings(file: Path, change: Change) -> Config:
    """Writes ``change`` (section → key → value; None takes the key out) into ``file``, made where there is
    none, and gives the settings that it now holds. The file is replaced whole, and only where everything in
    it is valid; who writes at the same time waits. What is set so counts as confirmed (see
    :mod:`.project.trust`), unless the file held something that was not.

    Raises ConfigError for a setting that does not exist or is out of range, or a file that is no TOML;
    UsageError where it cannot be written. Then nothing has changed.
    """
    with changing(file):
        try:
            text = file.read_text(encoding="utf-8") if file.is_file() else ""
            parse_toml(text)  # within limits, or it is not read
            document = tomlkit.parse(text)
            for section, values in change.items():
                if any(value is not None for value in values.values()):
                    document.setdefault(section, tomlkit.table())
                inside = document.get(section, {})
                if not isinstance(inside, MutableMapping):
                    raise ConfigError(f"{section} is no section of settings")
                for key, value in values.items():
                    inside.pop(key, None) if value is None else inside.update({key: value})
            new = tomlkit.dumps(document)
            config = load_config(parse_toml(new))
        except (OSError, UnicodeDecodeError, TomlError, TOMLKitError) as error:
            raise ConfigError(f"{file.name} cannot be read ({error}): mend or remove it") from error
        if new != text:
            known = not folder_settings(file.parent).withheld
            replace_file(file, new)
            if known:
                trust(file.parent)
    return config


def keep_generator(folder: Path, settings: Sequence[Source], assignments: Sequence[str]) -> None:
    """Writes the language model that was named for this project alone into its own settings, so that it holds
    for whatever is done with the project later. Files are named from here on by their whole path."""
    named = named_settings(settings, assignments).get("generator", {})
    for key in named.keys() & {"folder", "recording", "prices"}:
        named[key] = str(Path(named[key]).resolve()) if named[key] else ""
    if named:
        save_settings(folder / "fabula.toml", {"generator": named})
