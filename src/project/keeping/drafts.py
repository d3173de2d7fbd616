"""A folder to write in beside the place where the result goes, and an end to those of killed writers."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...core.store.index.holding import free, hold, release

__all__ = ["draft_folder"]


@contextmanager
def draft_folder(path: Path) -> Iterator[Path]:
    """A new folder beside ``path``, gone when the block ends; what killed ones left of theirs goes first.
    Folders above are made. Raises OSError."""
    prefix, suffix = f".{path.name}.", ".partial"
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.iterdir():
        if left.name.startswith(prefix) and left.suffix == suffix and not left.is_symlink():
            with free(left) as is_left:
                if is_left:
                    shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix, suffix=suffix, dir=path.parent) as place:
        held = hold(Path(place))
        try:
            yield Path(place)
        finally:
            if held is not None:
                release(held)
