"""The command line: one module per subject; ``main`` runs it."""

from .commands import main

__all__ = ["main"]
