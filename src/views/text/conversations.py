"""Kept conversations, as data and in words, for every door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.store.conversations import Conversation, KeptTurn
from .render import harmless

__all__ = [
    "ConversationShown",
    "ConversationsShown",
    "TurnShown",
    "conversation_shown",
    "conversation_text",
    "conversations_shown",
    "conversations_text",
    "deleted_text",
]


@dataclass(frozen=True, slots=True)
class TurnShown:
    """A question, its answer, and the chapter up to which the story was known; ``told`` is false where it did
    not answer."""

    question: str
    answer: str
    as_of: int
    told: bool


@dataclass(frozen=True, slots=True)
class ConversationShown:
    """One conversation, in order."""

    id: str
    turns: tuple[TurnShown, ...]


@dataclass(frozen=True, slots=True)
class ConversationsShown:
    """Those with questions that were asked at ``as_of`` or before, the one asked in last first."""

    as_of: int | None
    conversations: tuple[Conversation, ...]


def conversation_shown(id: str, turns: Sequence[KeptTurn]) -> ConversationShown:
    """The turns as data."""
    return ConversationShown(
        id, tuple(TurnShown(one.question, one.answer, one.chapter, one.told) for one in turns)
    )


def conversations_shown(found: Sequence[Conversation], as_of: int | None) -> ConversationsShown:
    """The list as data."""
    return ConversationsShown(as_of, tuple(found))


def conversations_text(shown: ConversationsShown) -> str:
    """A line each."""
    if not shown.conversations:
        return "no conversation is kept: ask with --conversation ID to begin one"
    return "\n".join(
        f"{one.id}  {one.turns} question{'s' * (one.turns != 1)}, first: {harmless(one.opened_with)}"
        for one in shown.conversations
    )


def conversation_text(shown: ConversationShown) -> str:
    """Questions with their answers."""
    if not shown.turns:
        return f"no conversation {shown.id} is kept"
    return "\n\n".join(
        f"{harmless(one.question)} (as of chapter {one.as_of})\n{harmless(one.answer)}" for one in shown.turns
    )


def deleted_text(id: str, turns: int) -> str:
    """How much was deleted."""
    return f"deleted {id}: {turns} question{'s' * (turns != 1)}" if turns else f"no conversation {id} is kept"
