"""Short forms of English and Russian given names: which full names a Lizzy, a Jack or a Kostya may have."""

from __future__ import annotations

from types import MappingProxyType

from .tables import one_of, read_table, several, text

_TABLE = read_table(
    "short_forms.tsv",
    key=2,
    short=text,
    language=one_of("language", ("en", "ru")),
    full_names=several(text),
)


def _full_names() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for short, _, fulls in _TABLE.rows:
        found[short] = found.get(short, frozenset()).union(fulls)
    return found


SHORT_FORMS: MappingProxyType[str, frozenset[str]] = MappingProxyType(_full_names())
"""Short form → the full names it may stand for, lower case."""


def full_forms(name: str) -> frozenset[str]:
    """The full names that ``name`` (lower case) may stand for, itself always among them."""
    return SHORT_FORMS.get(name, frozenset()) | {name}
