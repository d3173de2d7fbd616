"""Text for a terminal: what answers share, and searches, indexes and graphs in words."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...core.text.sentences import in_marks

if TYPE_CHECKING:
    from ...core.runtime.model_requests import ModelPlan, ModelReport
    from ...core.search import SearchResult
    from ...core.types import Evidence, PagePlace, Passage, Share
    from ...library.searching import LibraryHit
    from ...project.indexing import IndexReport
    from ...story.graph_rag.story_graph import StoryView
    from ...story.model.types import CharacterState, Relation, StoryEntity, Transition

WIDTH = 100
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def table(
    rows: Iterable[Sequence[object]], *, header: Sequence[str], right: Iterable[int] = (), rule: bool = True
) -> str:
    """Aligned columns two spaces apart; ``right`` names the columns that are set flush right, ``rule`` puts a
    line of dashes below the header."""
    cells = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    flush = set(right)
    lines = [
        "  ".join(
            cell.rjust(widths[i]) if i in flush else cell.ljust(widths[i]) for i, cell in enumerate(row)
        ).rstrip()
        for row in cells
    ]
    dashes = ["  ".join("-" * width for width in widths)] if rule else []
    return "\n".join([lines[0], *dashes, *lines[1:]])


def harmless(text: str) -> str:
    """Without what could move the cursor, colour the terminal or turn the writing direction: stories, drafts
    and tables come from outside."""
    return _CONTROL.sub("", text)


def harmless_json(text: str) -> str:
    """The same for JSON, where nothing is lost: such characters stand in strings alone, and are escaped."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def wrapped(text: str, *, indent: str = "", hang: str | None = None) -> str:
    """The text on lines of the terminal's width, harmless to it; ``hang`` indents all lines but the first."""
    flat = " ".join(harmless(text).split())
    rest = indent if hang is None else hang
    return textwrap.fill(flat, WIDTH, initial_indent=indent, subsequent_indent=rest)


def counted(n: int, word: str) -> str:
    """Like "1 finding", "1,204 findings"."""
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def quote_text(evidence: Evidence, *, indent: str = "    ") -> str:
    """The quote in quotation marks, with its chapter (or "the draft", or "the codex"), wrapped."""
    from ..quotes import quote_shown

    quote = quote_shown(evidence)
    return wrapped(f"{in_marks(quote.words)} ({quote.place})", indent=indent)


def index_text(report: IndexReport, *, folder: str) -> str:
    """What indexing did, in which seconds by stage, and the project's ``folder``."""
    rate = report.embedded_chunks / report.seconds["embed"] if report.embedded_chunks else 0.0
    kept = min(report.embedded, report.read) < report.chapters
    lines = [
        f"{report.title}: {report.chapters} chapters, {report.words:,} words, {report.chunks:,} chunks",
        f"processed {report.embedded} chapters for search and {report.read} for the story graph"
        f"{'; the others were there already' if kept else ''}",
        "seconds: " + ", ".join(f"{stage} {s:.1f}" for stage, s in report.seconds.items() if s >= 0.05),
    ]
    if rate:
        lines.append(f"embedding: {rate:.1f} chunks a second")
    lines += _model_lines(report.model) if report.model is not None else []
    return "\n".join([*lines, f"project: {folder}"])


def _model_lines(model: ModelReport) -> list[str]:
    dropped = sum(count for _, count in model.dropped)
    lines = [
        f"{model.model}: {counted(model.requests, 'request')}, {model.prompt_tokens:,} tokens in, "
        f"{model.answer_tokens:,} out; {model.claimed:,} facts, {dropped:,} left out"
    ]
    lines += [f"  {count:,} {reason}" for reason, count in model.dropped]
    if model.refused:
        refused = f"{counted(model.refused, 'request')} {'was' if model.refused == 1 else 'were'} refused"
        lines.append(f"  {refused} ({model.refusal}): rules alone read those passages until you index again")
    return lines


def cost_words(dollars: float | None) -> str:
    """The most that something costs, or that nobody knows."""
    return "its price is not known" if dollars is None else f"at most {dollars:.2f} dollars"


def plan_text(plan: ModelPlan) -> str:
    """What a language model is to be asked, or an embedding model to be sent, and the most that it costs."""
    cost = "" if plan.cost is None else f", at most {plan.cost:.2f} dollars by {plan.prices}"
    kept = f" ({plan.answered:,} more are answered already)" if plan.answered else ""
    requests = counted(plan.requests, "request")
    if not plan.answer_tokens:
        return (
            f"the book will be sent to {plan.model} for its vectors: {requests}{kept}, "
            f"some {plan.prompt_tokens:,} tokens{cost}"
        )
    return (
        f"{plan.model} will be sent {requests}{kept}: "
        f"{plan.prompt_tokens:,} tokens in, at most {plan.answer_tokens:,} out{cost}"
    )


def search_text(result: SearchResult) -> str:
    """How the query was read and weighed, then the passages."""
    lines = list(result.notices)
    if result.answered:
        lines.append(f"kept from the question {result.answered!r}")
    if result.decision is not None:
        weight = result.decision
        shares = f"{100 * weight.lexical:.3g}% lexical, {100 * weight.semantic:.3g}% semantic"
        lines.append(f"{shares}: {'; '.join(weight.reasons)}")
        lines.append(f"read as {result.analysis.kind}: {'; '.join(result.analysis.reasons)}")
    shown = passages_text(result.passages, result.places)
    return "\n".join([*(wrapped(line, indent="  ") for line in lines), shown])


def _share(share: Share) -> str:
    via = f" via {share.via}" if share.via else ""
    return f"{share.retriever}{via} gives {share.share:.3f} (rank {share.rank}, scored {share.score:.3f})"


def passages_text(passages: Sequence[Passage], places: Sequence[Sequence[PagePlace]] = ()) -> str:
    """The passages, numbered, with place (of a printed book the ``places`` of each), score and what each
    retriever gave; each text cut at 500 characters."""
    if not passages:
        return "nothing found"
    from ...core.formats.pdf.places import in_words

    out = []
    for number, passage in enumerate(passages, start=1):
        chunk = passage.chunk
        shares = ", ".join(_share(s) for s in passage.shares)
        printed = f"{in_words(places[number - 1])}, " if places else ""
        out.append(f"{number}. chapter {chunk.chapter}, {printed}score {passage.score:.4f}")
        out.append(wrapped(shares, indent="   "))
        out.append(wrapped(textwrap.shorten(chunk.text, 500, placeholder=" …"), indent="   "))
    return "\n".join(out)


def hits_text(hits: Sequence[LibraryHit]) -> str:
    """Passages of several stories, each with the story's title and folder."""
    out = []
    for number, hit in enumerate(hits, start=1):
        chunk = hit.passage.chunk
        folder = "" if hit.story == hit.title.casefold() else f" ({hit.story})"
        place = f"{hit.title}{folder}, chapter {chunk.chapter}, score {hit.passage.score:.4f}"
        out.append(wrapped(f"{number}. {place}"))
        out.append(wrapped(textwrap.shorten(chunk.text, 500, placeholder=" …"), indent="   "))
    return "\n".join(out) or "nothing found"


def entities_text(entities: Sequence[StoryEntity]) -> str:
    """A table with a row for each entity: name, kind, first chapter, mentions, other names."""
    rows = [
        (e.name, e.kind.value, e.first_appearance, e.mentions, ", ".join(a for a in e.aliases if a != e.name))
        for e in entities
    ]
    return table(rows, header=("name", "kind", "first", "mentions", "also called"), right=(2, 3))


def relations_text(view: StoryView, relations: Sequence[Relation]) -> str:
    """One sentence for each relation, with its chapter and confidence, and at most two of its quotes."""
    from ...story.graph_rag.views.ties import ending
    from ..quotes import told_quotes

    lines = []
    for r in relations:
        said = view.worded(r.subject, r.predicate, r.object) + ending(r)
        lines.append(f"{said}  [ch. {r.told}, confidence {r.confidence:.2f}]")
        lines += [quote_text(e) for e in told_quotes(r)[:2]]
    return "\n".join(lines) if lines else "no relations"


def arcs_text(
    view: StoryView,
    arcs: Mapping[str, tuple[Sequence[CharacterState], Sequence[Transition]]],
) -> str:
    """A table for each character, with a row for each chapter. ``arcs`` holds states and moves by entity."""
    out = []
    for entity, (states, transitions) in arcs.items():
        moves = {t.to_chapter: t for t in transitions}
        rows = []
        for s in states:
            move = moves.get(s.chapter)
            rows.append(
                (
                    s.chapter,
                    _bar(s.valence),
                    s.emotional_state,
                    s.arc_phase,
                    f"{move.kind} {move.magnitude:.2f}" if move else "",
                    view.name(s.location) if s.location else "",
                    textwrap.shorten("; ".join(s.active_goals), 40, placeholder=" …"),
                )
            )
        header = ("ch", "− mood +", "state", "phase", "change", "place", "goals")
        out.append(f"{view.name(entity)}\n{table(rows, header=header, right=(0,))}")
    return "\n\n".join(out) if out else "no characters found"


def findings_text(groups: Mapping[str, Sequence[tuple[str, Sequence[Evidence]]]]) -> str:
    """Each group with its number and its findings: a sentence, then at most four of its quotes."""
    lines = []
    for title, found in groups.items():
        lines.append(f"{title.replace('_', ' ')}: {len(found)}")
        for sentence, evidence in found:
            lines.append(wrapped(sentence, indent="  "))
            lines += [quote_text(quote, indent="      ") for quote in evidence[:4]]
    return "\n".join(lines)


def _bar(valence: float, half: int = 5) -> str:
    """A signed bar: middle 0, one cell 0.2."""
    cells = round(valence * half)
    left = "█" * -cells if cells < 0 else ""
    right = "█" * cells if cells > 0 else ""
    return f"{left:>{half}}│{right:<{half}}"


@dataclass(frozen=True, slots=True)
class Answer:
    """``data`` has a plain JSON form, ``text`` says the same for a terminal."""

    data: Any
    text: str
