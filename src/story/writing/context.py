"""Contexts under a token budget: what a pipeline gives to the model, and what it had to leave out.

Tokens are counted with the generator's own ``count_tokens`` on the text as it is sent. The budget is an
upper bound; what is left over is reported (``StoryContext.unused``), never filled up.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...core.answering.grounding import covered
from ...core.chunks.chunking import scenes
from ...core.text.sentences import sentences
from ...core.types import Chunk, Context, Document, Evidence, Horizon, LeftOut, Note, Passage, Span
from ...errors import EvidenceError
from ..evidence.untrusted import neutralise

Count = Callable[[str], int]

# In the order in which the model reads them: what is next to the task weighs most.
SECTIONS = ("Story So Far", "Character Info", "World", "Previous Scene", "Constraints")

_DUPLICATE_SHARE = 0.5
_RECENT_OPENING = f"[{SECTIONS[0]}]\n"


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A note and the section it belongs to (one of ``SECTIONS``). With a ``head``, whom it is about, the
    model reads it behind that as what it ``said``: ten notes about one person name them once."""

    section: str
    note: Note
    head: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One thing the model was given. ``kind`` is ``"scene"``, ``"passage"`` or ``"note"``.

    ``chapter`` is where it was told (a note: its latest quote). ``tokens`` counts its rendered block alone,
    so the sources need not sum to the context's tokens exactly. ``text`` is the original, before
    neutralising.
    """

    kind: str
    section: str
    label: str
    chapter: int
    tokens: int
    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class StoryContext:
    """A context with its rendering. ``sources`` are in the order of ``text``; ``budget`` is in tokens."""

    context: Context
    scene: Evidence | None
    sources: tuple[Source, ...]
    text: str
    budget: int

    @property
    def unused(self) -> int:
        """Tokens of the budget that were not spent, 0 or more."""
        return self.budget - self.context.tokens


def previous_scene(document: Document, *, horizon: Horizon, max_tokens: int, count: Count) -> Evidence | None:
    """The end of the horizon's chapter: whole sentences of its last scene, at most ``max_tokens`` tokens.

    None where nothing was read yet, the chapter is empty, or not even its last sentence fits. Raises
    HorizonError where the story has no such chapter.
    """
    number = len(document.chapters) if horizon.chapter is None else horizon.chapter
    if number == 0:
        return None
    told = scenes(document, document.chapter(number))
    if not told:
        return None
    scene = told[-1]
    last = _last_sentences(scene.of(document.text), max_tokens, count)
    if last is None:
        return None
    return Evidence.of(document, number, last.moved(scene.start))


def recent_text(
    document: Document, horizon: Horizon, *, max_tokens: int, count: Count
) -> tuple[Passage, ...]:
    """The last whole sentences told up to the horizon, back over as many chapters as fit ``max_tokens``, the
    latest chapter first. Each chapter's part is a passage of its own, so that it has one place of telling."""
    number = len(document.chapters) if horizon.chapter is None else horizon.chapter
    found: list[Passage] = []
    left = max_tokens - count(_RECENT_OPENING)
    for chapter in reversed(document.chapters[:number]):
        own = count(f"[Passage ch. {chapter.number}]\n\n\n")
        last = _last_sentences(chapter.body.of(document.text), left - own, count)
        if last is None:
            break
        span = last.moved(chapter.body.start)
        chunk = Chunk.of(document, chapter.number, 0, span)
        found.append(Passage(chunk, 0.0, ()))
        left -= own + count(chunk.text)
        if len(span) < len(chapter.body.of(document.text).strip()):
            break
    return tuple(found)


def _last_sentences(text: str, max_tokens: int, count: Count) -> Span | None:
    """As many whole sentences at the end of the text as fit; None where not even the last one does."""
    inside = sentences(text)
    if not inside:
        return None
    end = inside[-1].end
    many = range(1, len(inside) + 1)  # by halving, since every count reads the text anew
    fitting = bisect_right(many, max_tokens, key=lambda last: count(text[inside[-last].start : end]))
    return Span(inside[-fitting].start, end) if fitting else None


def assemble(
    *,
    document: Document,
    horizon: Horizon,
    scene: Evidence | None,
    passages: Sequence[Passage],
    notes: Sequence[PlacedNote],
    budget: int,
    note_share: float,
    count: Count,
    place: Callable[[Span], str] = lambda _: "",
) -> StoryContext:
    """Packs the scene, then notes up to ``note_share`` of the rest, then passages, then the other notes.

    Passages and notes come best first and are taken while they fit; what is too long for the room that is
    left is recorded as LeftOut ``"budget"``, a passage of which half or more was already given as
    ``"duplicate"``. Passages are shown in order of telling. Raises EvidenceError where a quote is not in
    the document or was told after the horizon. ``place`` says where a passage is printed.
    """
    packer = _Packer(budget, count)
    wanted = [_of_note(placed, count) for placed in notes]
    found = [_of_passage(passage, count, place(passage.chunk.span)) for passage in passages]
    opening = [] if scene is None else [_of_scene(scene, count)]
    for block in (*opening, *wanted, *found):
        _verify(block.source, document, horizon)
    packer.drop(packer.take(opening, budget))
    late = packer.take(wanted, packer.used + int(note_share * (budget - packer.used)))
    for blocks in (found, late):
        packer.drop(packer.take(blocks, budget))
    return packer.finish()


@dataclass(frozen=True, slots=True)
class _Block:
    """A source as the model reads it, and what it is made of."""

    source: Source
    text: str
    item: Passage | Note | Evidence
    head: str = ""


class _Packer:
    """Takes blocks while there is room; one use."""

    def __init__(self, budget: int, count: Count) -> None:
        self._budget = budget
        self._count = count
        self._taken: list[_Block] = []
        self._left_out: list[LeftOut] = []
        self.used = 0

    def take(self, blocks: Sequence[_Block], limit: int) -> list[_Block]:
        """Those for which there is no room within the limit; what was given already is left out for good."""
        late = []
        for block in blocks:
            source = block.source
            known = any(other.source.section == source.section for other in self._taken)
            cost = source.tokens + (0 if known else self._count(f"[{source.section}]\n"))
            if block.head and all(block.head != other.head for other in self._taken):
                cost += self._count(f"- {block.head}: .\n")
            if self._is_given(block):
                self.drop([block], "duplicate")
            elif self.used + cost <= limit:
                self._taken.append(block)
                self.used += cost
            else:
                late.append(block)
        return late

    def drop(self, blocks: Sequence[_Block], reason: str = "budget") -> None:
        """Leaves them out, and says why."""
        self._left_out += [LeftOut(one.source.label, reason, one.source.tokens) for one in blocks]

    def finish(self) -> StoryContext:
        """Renders what was taken; tokens are counted on the whole, since blocks do not add up exactly."""
        while self._taken and self._count(_render(self._taken)) > self._budget:
            self.drop([self._taken.pop()])
        text, items = _render(self._taken), [block.item for block in self._taken]
        context = Context(
            passages=tuple(item for item in items if isinstance(item, Passage)),
            notes=tuple(item for item in items if isinstance(item, Note)),
            left_out=tuple(self._left_out),
            tokens=self._count(text) if text else 0,
        )
        sources = tuple(block.source for _, inside in _sections(self._taken) for block in inside)
        scene = next((item for item in items if isinstance(item, Evidence)), None)
        return StoryContext(context, scene, sources, text, self._budget)

    def _is_given(self, block: _Block) -> bool:
        if isinstance(block.item, Note):
            return any((block.head, block.text) == (other.head, other.text) for other in self._taken)
        taken = [one.source.evidence[0] for one in self._taken if not isinstance(one.item, Note)]
        return covered(block.source.evidence[0], taken) >= _DUPLICATE_SHARE


def _of_scene(scene: Evidence, count: Count) -> _Block:
    text = neutralise(scene.quote).strip()
    label, tokens = f"Previous Scene, ch. {scene.chapter}", count(text + "\n\n")
    source = Source("scene", "Previous Scene", label, scene.chapter, tokens, scene.quote, (scene,))
    return _Block(source, text, scene)


def _of_passage(passage: Passage, count: Count, place: str) -> _Block:
    chunk = passage.chunk
    label = f"Passage ch. {chunk.chapter}"
    printed = f" [Source: {place}]" if place else ""
    text = f"[{label}]{printed}\n{neutralise(chunk.text).strip()}"
    quote = Evidence(chunk.document_id, chunk.chapter, chunk.span, chunk.text)
    tokens = count(text + "\n\n")
    source = Source("passage", SECTIONS[0], label, chunk.chapter, tokens, chunk.text, (quote,))
    return _Block(source, text, passage)


def _of_note(placed: PlacedNote, count: Count) -> _Block:
    note = placed.note
    if not note.evidence:
        raise EvidenceError(f"the note {note.text!r} stands on no quote: give it evidence or leave it out")
    head, said = (neutralise(" ".join(words.split())) for words in (placed.head, placed.said))
    text = said if head else f"- {neutralise(' '.join(note.text.split()))}"
    chapter = max(quote.chapter for quote in note.evidence)
    tokens = count(f"; {text}" if head else f"{text}\n")
    source = Source("note", placed.section, note.text, chapter, tokens, note.text, note.evidence)
    return _Block(source, text, note, head)


def _verify(source: Source, document: Document, horizon: Horizon) -> None:
    for quote in source.evidence:
        if quote.document_id != document.id:
            continue
        if not horizon.admits(quote.chapter):
            raise EvidenceError(
                f"{source.label!r} was told in chapter {quote.chapter}, after the horizon "
                f"{horizon.chapter}: the part that gave it reads too far"
            )
        quote.verify(document.text)


def _sections(taken: Sequence[_Block]) -> Iterator[tuple[str, list[_Block]]]:
    """Passages by place in the telling, notes as they were ranked."""
    for section in SECTIONS:
        inside = [block for block in taken if block.source.section == section]
        if section == SECTIONS[0]:
            inside.sort(key=lambda one: (one.source.evidence[0].document_id, one.source.evidence[0].span))
        if inside:
            yield section, inside


def _render(taken: Sequence[_Block]) -> str:
    parts = []
    for section, inside in _sections(taken):
        glue = "\n\n" if section == SECTIONS[0] else "\n"
        heads: dict[str, list[str]] = {}
        for block in inside:
            heads.setdefault(f"- {block.head}: " if block.head else block.text, []).append(block.text)
        told = [f"{head}{'; '.join(said)}." if head != said[0] else head for head, said in heads.items()]
        parts.append(f"[{section}]\n{glue.join(told)}")
    return "\n\n".join(parts)
