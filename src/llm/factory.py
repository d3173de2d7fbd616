"""From settings to a generator. Nothing else in the package needs to know which kinds there are."""

from __future__ import annotations

from pathlib import Path

from ..config import Generator as GeneratorSettings
from ..core.interfaces import Generator
from ..errors import ConfigError
from .folder import FolderGenerator
from .kept_answers import KeptAnswers
from .local import LocalGenerator
from .openai_compatible import OpenAICompatibleGenerator


def make_generator(told: GeneratorSettings) -> Generator:
    """The model of the settings by itself: recording, prices and bounds are for who calls. ``model`` empty
    means the packaged one, which only ``local`` has.

    Raises ConfigError where a setting is missing, ModelMissing where the model, its package or its key is.
    """
    if told.provider == "local":
        return LocalGenerator(told.model, context_tokens=told.context_tokens, stop=told.stop)
    if told.provider == "folder":
        return FolderGenerator(told)
    if told.provider == "kept":
        return KeptAnswers.read(told.model or "kept answers", Path(told.folder))
    if not told.model:
        raise ConfigError(f"provider {told.provider} needs a model: name one that the endpoint serves")
    return OpenAICompatibleGenerator(told)
