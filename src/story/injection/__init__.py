"""Slips put into novels on purpose, to measure what the critic finds and what it flags without reason.

Deterministic and seeded, with every edit's place known to the character. It shares no code and no lists of
words with the rules that it tests.
"""

from .injector import inject
from .phrasings import Half, families
from .types import Edit, GoldSide, InjectedBook, Injection

__all__ = ["Edit", "GoldSide", "Half", "InjectedBook", "Injection", "families", "inject"]
