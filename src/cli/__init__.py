"""The command line: a module a command; ``main`` runs it."""

from .commands import main

__all__ = ["main"]
