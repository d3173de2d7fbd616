"""Repeated tellings of one relation, as one; records by whom they are of."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from ...model.predicates import PREDICATES
from ...model.types import Relation

_T = TypeVar("_T")


def grouped(relations: Iterable[Relation]) -> tuple[Relation, ...]:
    """Repeated tellings as one: the first told, with all evidence and the highest confidence.

    Symmetric predicates group both ways round, inverse ones together; another modality stays apart.
    """
    groups: dict[Hashable, list[Relation]] = {}
    for relation in relations:
        groups.setdefault((*_canonical(relation), relation.modality), []).append(relation)
    return tuple(
        replace(
            group[0],
            evidence=tuple(dict.fromkeys(quote for one in group for quote in one.evidence)),
            confidence=max(one.confidence for one in group),
        )
        for group in groups.values()
    )


def _canonical(relation: Relation) -> tuple[str, str, str]:
    row = PREDICATES[relation.predicate]
    one, other = relation.subject, relation.object
    if row.symmetric and other < one:
        return other, row.name, one
    if row.inverse is not None and row.inverse < row.name:
        return other, row.inverse, one
    return one, row.name, other


def indexed(records: Iterable[_T], keys: Callable[[_T], Iterable[str]]) -> Mapping[str, tuple[_T, ...]]:
    """The records of each key, in their order."""
    index: dict[str, list[_T]] = {}
    for record in records:
        for key in keys(record):
            index.setdefault(key, []).append(record)
    return {key: tuple(found) for key, found in index.items()}
