"""Every error that fabula raises on purpose.

::

    FabulaError
    ├── UsageError            the caller can fix it: the message says how (exit code 2)
    │   ├── ConfigError       a setting that does not exist or has a value out of range
    │   │   └── UntrustedSettings  a folder asks for something that the user has not confirmed
    │   ├── DocumentError     a text that cannot be read as a story
    │   ├── NameTaken         the name belongs to another file's project
    │   ├── UnknownName       nobody and nothing in the story so far has that name
    │   └── HorizonError      a chapter that the story does not have
    ├── ProjectError          a project folder that is missing, busy, damaged or of another version
    │   └── NoProject         there is no project, or it was never finished
    ├── ModelError            a language, embedding or parsing model failed
    │   ├── ModelMissing      it is not installed, or not reachable
    │   ├── ModelRefused      it answered with an error that trying again will not change
    │   ├── ModelUnusable     it answers no request until something is fixed
    │   └── ModelTransient    it failed, but trying again may help
    ├── MemoryBudgetError     more memory is in use than the budget allows: no new work is started
    └── EvidenceError         a quote that is not in the text at the place it names
"""

from __future__ import annotations


class FabulaError(Exception):
    """Base of all errors raised on purpose; the message says what was wrong and what to do."""


class UsageError(FabulaError):
    """The caller can fix it."""


class ConfigError(UsageError):
    """A setting that does not exist or has a value out of range."""


class UntrustedSettings(ConfigError):  # noqa: N818 (reads as a state)
    """A folder's own settings, or its index, ask for something that the user has not confirmed."""


class DocumentError(UsageError):
    """A file or text that cannot be read as a story."""


class NameTaken(UsageError):  # noqa: N818 (reads as a state)
    """The name belongs to a project made from another file."""


class UnknownName(UsageError):  # noqa: N818 (reads as a state)
    """Nobody and nothing in the story so far has that name."""


class HorizonError(UsageError):
    """A chapter that the story does not have."""


class ProjectError(FabulaError):
    """A project folder that is missing, busy, damaged or of another version."""


class NoProject(ProjectError):  # noqa: N818 (reads as a state)
    """There is no project in the folder, or it was never finished."""


class ModelError(FabulaError):
    """A language, embedding or parsing model failed."""


class ModelMissing(ModelError):  # noqa: N818 (reads as a state, like httpx's ReadTimeout)
    """The model is not installed, or not reachable."""


class ModelRefused(ModelError):  # noqa: N818
    """The model answered with an error, and trying again will not help."""


class ModelUnusable(ModelError):  # noqa: N818
    """The model answers no request until something is fixed: a wrong key, no credit, a wrong address."""


class ModelTransient(ModelError):  # noqa: N818
    """The model failed, but trying again may help."""


class MemoryBudgetError(FabulaError):
    """More memory is in use than the budget allows, and none can be freed: no new work is started."""


class EvidenceError(FabulaError):
    """A quote that is not in the text at the place it names."""
