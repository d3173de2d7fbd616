"""Pictures of a story that look like another picture, or like what words say, by a CLIP model that the reader
has in a folder (Radford et al. 2021)."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ConfigError, ModelMissing, ModelRefused
from .shelf import Hung, picture_data, pictures_at

if TYPE_CHECKING:
    from ..parts import OpenProject

__all__ = ["look_alike"]


def look_alike(
    project: OpenProject, asked: str | bytes, *, as_of: int | None = None, limit: int = 5
) -> tuple[tuple[Hung, float], ...]:
    """The ``limit`` pictures that may be seen at ``as_of`` and are nearest to a picture (its file as bytes)
    or to words, the nearest first, each with its cosine (-1 to 1). Raises ConfigError where
    ``pictures.model`` names no folder, ModelMissing and ModelRefused for a model that does not do it,
    DocumentError for a file that is no picture."""
    seen = pictures_at(project, as_of)
    model = _model(project.config.pictures.model)
    if not seen:
        return ()
    wanted = _draw(asked, project) if isinstance(asked, bytes) else asked
    images = [_image(picture_data(project, one.picture.id, as_of)[1]) for one in seen]
    try:
        rows = model.encode([*images], normalize_embeddings=True, show_progress_bar=False)
        row = model.encode([wanted], normalize_embeddings=True, show_progress_bar=False)[0]
    except (TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise ModelRefused(
            f"{project.config.pictures.model} takes no pictures ({error}): name the folder of a CLIP model"
        ) from error
    scores = np.asarray(rows, np.float32) @ np.asarray(row, np.float32)
    order = np.argsort(-scores, kind="stable")[:limit]
    return tuple((seen[at], round(float(scores[at]), 4)) for at in order)


def _model(folder: str) -> Any:
    if not folder:
        raise ConfigError(
            "pictures are compared by a CLIP model, none is packaged: name its folder in pictures.model"
        )
    if not Path(folder).expanduser().is_dir():
        raise ModelMissing(f"there is no folder {folder}: name that of a CLIP model in pictures.model")
    from sentence_transformers import SentenceTransformer

    try:
        return SentenceTransformer(str(Path(folder).expanduser()), device="cpu", local_files_only=True)
    except (OSError, ValueError, TypeError, KeyError, ImportError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelMissing(f"the model in {folder} cannot be loaded ({reason}): name a CLIP model") from error


def _draw(data: bytes, project: OpenProject) -> Any:
    from ...core.formats.images import draw_image

    return _image(draw_image(data, "the picture", limits=project.config.documents.limits).data)


def _image(data: bytes) -> Any:
    from PIL import Image

    with Image.open(io.BytesIO(data)) as opened:
        return opened.convert("RGB")
