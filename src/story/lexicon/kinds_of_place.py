"""Kinds of place without a name, by which is known that nobody can be at two of them at one moment."""

from __future__ import annotations

from .tables import one_of, read_table, text

__all__ = ["KINDS_OF_PLACE", "far_apart"]

_KIND = one_of(
    "kind",
    "church garden home law open play school sick trade water way yard".split(),
)
KINDS_OF_PLACE = read_table("kinds_of_place.tsv", place=text, kind=_KIND).column("kind")
_NEAR = {
    frozenset(pair.split())
    for pair in ("home garden", "home yard", "garden yard", "garden open", "open yard", "open way",
                 "way water", "church open", "school garden", "home sick")
}  # fmt: skip


def far_apart(one: str, other: str) -> bool:
    """Can nobody be at both of these places, given as ``"the theatre"``, at one moment? Of a place with a
    name and one without, it is not known."""
    first, second = (KINDS_OF_PLACE.get(place.removeprefix("the ")) for place in (one, other))
    if first is None or second is None:
        return False
    return first != second and frozenset((first, second)) not in _NEAR
