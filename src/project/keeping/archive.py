"""The format of a backup: a zip of a project's files with a manifest of their sizes and checksums.

What a backup may hold is listed here, by name, so that nothing of another archive is written anywhere.
"""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...core.store.index.generations import read_manifest
from ...errors import ProjectError

__all__ = ["DATABASE", "MANIFEST", "Contents", "may_hold", "open_archive", "read_contents"]

MANIFEST = "manifest.json"
DATABASE = "fabula.db"
_FORMAT, _SCHEMA = "fabula backup", 1
_PLAIN = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}"
_NAMES = re.compile(
    rf"{re.escape(DATABASE)}|{_PLAIN}\.(?:toml|yaml|yml)|codex\.json|graphs/[a-z0-9][a-z0-9-]{{0,39}}\.json|"
    rf"pictures/[0-9a-f]{{16}}\.(?:png|jpg)|answers-[0-9a-f]{{12}}\.sqlite|index/[0-9]{{6,12}}/{_PLAIN}"
)
_LARGEST_MANIFEST = 4 * 1024 * 1024
_MOST_FILES = 10_000
_MOST_PACKED, _LITTLE = 100, 50_000_000  # how many times smaller a project gets; bytes that never matter
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Contents:
    """What a manifest says: the book's title, and the size and SHA-256 of each file by name."""

    title: str
    made_by: str
    files: Mapping[str, tuple[int, str]]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(size for size, _ in self.files.values())

    def to_json(self) -> str:
        """As it stands in the archive."""
        files = {name: {"bytes": size, "sha256": sha} for name, (size, sha) in sorted(self.files.items())}
        head = {"format": _FORMAT, "schema": _SCHEMA, "title": self.title, "made_by": self.made_by}
        return json.dumps({**head, "files": files}, indent=1, ensure_ascii=False)


def may_hold(name: str) -> bool:
    """Is it the name of a file that a backup holds?"""
    return _NAMES.fullmatch(name) is not None and ".." not in name


def open_archive(file: Path) -> zipfile.ZipFile:
    """Raises ProjectError where it is no archive."""
    try:
        return zipfile.ZipFile(file)
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile) as error:
        reason = getattr(error, "strerror", None) or error
        raise ProjectError(f"{file} is no backup of fabula ({reason}): name another file") from error


def read_contents(archive: zipfile.ZipFile, file: Path) -> Contents:
    """The manifest, where the archive holds what it and the index's own say, and nothing else. Raises
    ProjectError."""
    try:
        infos = archive.infolist()
        if len(infos) > _MOST_FILES:
            raise ValueError("it holds more than a project does")
        told = json.loads(_read(archive, MANIFEST))
        if told["format"] != _FORMAT or told["schema"] != _SCHEMA:
            raise ValueError(f"its manifest is of {told['format']!r}, schema {told['schema']!r}")
        files = {str(name): (int(one["bytes"]), str(one["sha256"])) for name, one in told["files"].items()}
        contents = Contents(str(told["title"]), str(told["made_by"]), files)
        indexes = {name.rpartition("/")[0] for name in files if name.startswith("index/")}
        indexed = {
            f"{index}/{name}": about
            for index in indexes
            for name, about in read_manifest(_read(archive, f"{index}/{MANIFEST}"), index[6:]).items()
        }
    except (
        KeyError,
        TypeError,
        AttributeError,
        ValueError,
        OSError,
        RecursionError,
        NotImplementedError,
        RuntimeError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise ProjectError(f"{file} is no backup of fabula ({error}): name another file") from error
    _check(infos, contents, indexed, file)
    return contents


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    """A manifest. Raises ValueError where it is larger than one can be."""
    with archive.open(name) as stream:
        raw = stream.read(_LARGEST_MANIFEST + 1)
    if len(raw) > _LARGEST_MANIFEST:
        raise ValueError(f"its {name} is larger than such a file can be")
    return raw


def _check(
    infos: list[zipfile.ZipInfo], contents: Contents, indexed: Mapping[str, tuple[int, str]], file: Path
) -> None:
    held = sorted(info.filename for info in infos)
    if held != sorted([MANIFEST, *contents.files]):
        raise ProjectError(f"{file} does not hold the files that its manifest names: use another backup")
    for name, (size, sha) in contents.files.items():
        if not may_hold(name):
            raise ProjectError(
                f"{file} holds {name[:80]!r}, which is no file of a project: it is not restored"
            )
        in_index = name.startswith("index/") and not name.endswith(f"/{MANIFEST}")
        if in_index and indexed.get(name) != (size, sha):
            raise ProjectError(
                f"{file} holds {name}, which the index's own manifest does not know so: it is not restored"
            )
        if size < 0 or not _DIGEST.fullmatch(sha):
            raise ProjectError(f"{file} has a manifest that is damaged at {name}: use another backup")
    for info in infos:
        if info.filename in contents.files and info.file_size != contents.files[info.filename][0]:
            raise ProjectError(
                f"{file}: {info.filename} has not the size that the manifest names: use another"
            )
    if contents.size > max(_LITTLE, _MOST_PACKED * file.stat().st_size):
        raise ProjectError(
            f"{file} unpacks to {contents.size / 1e6:,.0f} MB, more than {_MOST_PACKED} times its own size: "
            "it is not restored"
        )
    if DATABASE not in contents.files:
        raise ProjectError(f"{file} holds no {DATABASE}: use another backup")
