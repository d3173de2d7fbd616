"""Zip archives from outside (epub, docx, folders), read in memory within limits, never unpacked to disk."""

from __future__ import annotations

import io
import posixpath
import stat
import struct
import unicodedata
import zipfile
import zlib
from urllib.parse import unquote

from ...errors import DocumentError

MAX_MEMBERS = 10_000
MAX_DECLARED = 2_000_000_000
"""Bytes that all members may say they hold together; pictures count, though they are never read."""
MAX_MEMBER = 32_000_000
"""Bytes of one member that is read: a novel of half a million words takes some 3 million."""
MAX_READ = 96_000_000
"""Bytes of all members that are read."""
MAX_RATIO = 200
"""Prose shrinks about threefold, text that repeats itself some fiftyfold, a bomb a thousandfold."""
_RATIO_FROM = 1_000_000  # bytes below which any ratio is harmless
_DIRECTORY = 8_000_000  # bytes of the archive's directory, which is read whole
_END, _END64 = b"PK\x05\x06", b"PK\x06\x07"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PIECE = 1 << 16


class Archive:
    """The members of a zip archive in ``data``; ``name`` is what errors call the file.

    Raises DocumentError for what is no whole archive, or one that is far larger than a book: too many
    members, too much declared, a name given twice or leading out of the archive, a symbolic link.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self._name = name
        self._read = 0
        _check_directory(data, name)
        try:
            self._zip = _opened(data)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error) as error:
            raise self._broken(error) from None
        self._members: dict[str, zipfile.ZipInfo] = {}
        self._check_members()
        self._alike = {_alike(member): member for member in reversed(self._members)}

    @property
    def names(self) -> tuple[str, ...]:
        """The members that are files, in the archive's order."""
        return tuple(name for name in self._members if not name.endswith("/"))

    def __contains__(self, member: str) -> bool:
        return member in self._members

    def find(self, path: str) -> str | None:
        """The member of that name, else the first that differs from it in capitals, slashes, percent signs or
        the Unicode form alone; None where there is none."""
        return path if path in self._members else self._alike.get(_alike(path))

    def read(self, member: str) -> bytes:
        """The member's bytes, read piece by piece so that a lie about its size is found out early.

        Raises DocumentError where it is missing, encrypted, damaged, or larger than a book's text.
        """
        info = self._members.get(member)
        if info is None:
            raise DocumentError(f"{self._name} lacks its part {_shown(member)}: get a whole copy of the file")
        if info.flag_bits & 0x1:
            raise DocumentError(f"{self._name} is encrypted: save an unprotected copy and index that")
        if info.compress_type not in _METHODS:
            raise DocumentError(
                f"{self._name} is packed by method {info.compress_type}, not read here: pack it as plain zip"
            )
        self._check_size(info, info.file_size)
        return self._whole(info)

    def _whole(self, info: zipfile.ZipInfo) -> bytes:
        pieces: list[bytes] = []
        size = 0
        try:
            with self._zip.open(info) as opened:
                while piece := opened.read(_PIECE):
                    size += len(piece)
                    self._check_size(info, size)
                    pieces.append(piece)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
            raise self._broken(error) from None
        self._read += size
        return b"".join(pieces)

    def _check_members(self) -> None:
        infos = self._zip.infolist()
        if len(infos) > MAX_MEMBERS:
            raise self._bomb(f"it has {len(infos):,} members, and {MAX_MEMBERS:,} is the maximum")
        declared = sum(info.file_size for info in infos)
        if declared > MAX_DECLARED:
            raise self._bomb(f"unpacked it would have {declared:,} bytes and {MAX_DECLARED:,} is the maximum")
        for info in infos:
            name = info.filename
            if name in self._members:
                raise DocumentError(f"{self._name} holds {_shown(name)} twice: make the file again")
            parts = name.replace("\\", "/").split("/")
            leads_out = not parts[0] or ".." in parts or ":" in parts[0]
            if leads_out or stat.S_ISLNK(info.external_attr >> 16):
                raise DocumentError(
                    f"{self._name} holds {_shown(name)}, which leads out of it: make the file again"
                )
            self._members[name] = info

    def _check_size(self, info: zipfile.ZipInfo, size: int) -> None:
        if size > MAX_MEMBER or self._read + size > MAX_READ:
            raise self._bomb(f"{_shown(info.filename)} holds more text than any book")
        if size > _RATIO_FROM and size > MAX_RATIO * max(1, info.compress_size):
            raise self._bomb(f"{_shown(info.filename)} is packed more than {MAX_RATIO}-fold")

    def _bomb(self, why: str) -> DocumentError:
        return DocumentError(f"{self._name} is no book ({why}): save the story alone and index that")

    def _broken(self, error: Exception) -> DocumentError:
        said = " ".join(str(error).split())[:80] or type(error).__name__
        return DocumentError(f"{self._name} is damaged ({said}): get a whole copy of the file")


def _check_directory(data: bytes, name: str) -> None:
    """The directory's size before it is read: a short file can declare millions of members."""
    at = data.rfind(_END, max(0, len(data) - 65_557))
    if at < 0 or len(data) < at + 22:
        raise DocumentError(f"{name} is damaged (no archive inside): get a whole copy of the file")
    (size,) = struct.unpack_from("<L", data, at + 12)
    if size > _DIRECTORY or data[max(0, at - 20) : at].startswith(_END64):
        raise DocumentError(f"{name} is no book (its directory is too large): save the story alone")


def _opened(data: bytes) -> zipfile.ZipFile:
    """Names are in UTF-8, whether that is said or not; in the old encoding of zip where they are not."""
    try:
        return zipfile.ZipFile(io.BytesIO(data), metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return zipfile.ZipFile(io.BytesIO(data))


def _alike(name: str) -> str:
    plain = unicodedata.normalize("NFC", unquote(name)).replace("\\", "/")
    return posixpath.normpath(plain).casefold()


def _shown(member: str) -> str:
    return repr(member if len(member) <= 60 else f"{member[:57]}...")
