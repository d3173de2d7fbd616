"""Puts slips and legitimate changes into a novel, by a seed, and says exactly where they are."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ...core.types import Document, Evidence, Span
from ...errors import UsageError
from ..graph_rag.views.story_view import StoryView
from ..model.predicates import PREDICATES
from ..model.types import CODEX_ID
from .against import AgainstTheNovel
from .cast import stage_of
from .inventions import Inventions
from .phrasings import Half, Variant, families, variants
from .planning import Plan, Planner
from .prose import manner_of, paragraphs
from .spots import Spots
from .types import GoldSide, InjectedBook, Injection
from .weaving import Woven

__all__ = ["inject"]


@dataclass(frozen=True, slots=True)
class _Planned:
    plan: Plan
    earlier: tuple[Evidence, ...] = ()  # what the novel itself tells, in the old text


def inject(
    document: Document,
    *,
    view: StoryView,
    families: Collection[str] | None = None,
    seed: int = 0,
    half: Half = Half.DEVELOPMENT,
    per_family: int = 2,
    controls: int = 8,
) -> InjectedBook:
    """An edited copy of the book: ``per_family`` slips of each family and ``controls`` legitimate changes,
    fewer where the book has no room for them (no narration, too few persons whose name means them alone).

    ``view`` is the clean book's, at its end; ``families`` are names of rules, all by default. The same
    arguments give the same bytes. Nobody's aspect and no pair of persons is used twice, so that slips do not
    meddle with one another. Costs a few seconds for a novel. Raises UsageError for an unknown family.
    """
    chosen = _chosen(families)
    rng = random.Random(f"{document.id}/{seed}/{half}")
    manner = manner_of(document)
    stage = stage_of(document, view, paragraphs(document, manner))
    spots = Spots(document, stage, manner, rng)
    inventions = Inventions(document.text, manner, rng)
    planner = Planner(spots, inventions, manner, rng, half, turns=_turns(view))
    against = AgainstTheNovel(spots, planner, view, rng, half)
    planned: list[_Planned] = []
    for family in chosen:
        planned += _family(family, planner, against, rng, per_family)
    legitimate = [one for one in variants() if one.control and one.family in chosen]
    kept = 0
    for variant in rng.sample(legitimate, len(legitimate)):
        plan = planner.plan(variant) if kept < controls else None
        if plan is not None:
            planned.append(_Planned(plan))
            kept += 1
    return _book(document, planned)


def _chosen(asked: Collection[str] | None) -> tuple[str, ...]:
    known = families()
    unknown = sorted(set(asked or ()) - set(known))
    if unknown:
        raise UsageError(f"there is no family {unknown[0]!r}: choose of {', '.join(known)}")
    return tuple(family for family in known if asked is None or family in asked)


def _turns(view: StoryView) -> dict[frozenset[str], list[int]]:
    """The chapters of the novel in which one does something to another that may turn their bond."""
    found: dict[frozenset[str], list[int]] = {}
    for event in view.events():
        if PREDICATES[event.predicate].turning:
            pair = frozenset(who for role, who in event.participants if role != "place")
            found.setdefault(pair, []).append(event.told)
    return found


def _family(
    family: str, planner: Planner, against: AgainstTheNovel, rng: random.Random, count: int
) -> list[_Planned]:
    """Up to ``count`` slips, of as many variants as there are."""
    plain = [variant for variant in variants() if variant.family == family and not variant.control]
    order: list[Variant | str] = [*rng.sample(plain, len(plain))]
    if family == "dead_then_acts":
        order = ["told death", *order]
    elif family == "name_drift":
        order.insert(rng.randrange(2), "spelling")
    found: list[_Planned] = []
    for each in [*order, *order, *order][: 3 * max(1, count)]:
        if len(found) == count:
            break
        if isinstance(each, Variant):
            plan = planner.plan(each)
            planned = _Planned(plan, against.on_stage(plan)) if plan else None
        else:
            made = against.misspelt() if each == "spelling" else against.risen(plain[0])
            planned = _Planned(*made) if made else None
        if planned is not None:
            found.append(planned)
    return found


def _book(document: Document, planned: Sequence[_Planned]) -> InjectedBook:
    drafts = [draft for one in planned for draft in one.plan.drafts]
    woven = Woven(document, drafts)
    codex, laid_down = _codex([one.plan for one in planned])
    injections, at = [], 0
    for number, one in enumerate(planned, start=1):
        plan, variant = one.plan, one.plan.variant
        edits = woven.edits[at : at + len(plan.drafts)]
        at += len(plan.drafts)
        sides = [
            GoldSide(edit.side, (Evidence(document.id, edit.chapter, edit.placed, edit.words),))
            for edit in edits
            if edit.side != "turn"
        ]
        moved = (woven.moved(quote) for quote in one.earlier)
        earlier = tuple(quote for quote in moved if quote.span.of(woven.document.text) == quote.quote)
        if plan.canon is not None:
            earlier = (laid_down[id(plan)],)
        if earlier:
            sides.insert(0, GoldSide("early", earlier))
        made = Injection(
            id=f"{number:03d}",
            family=variant.family,
            aspect=variant.control or variant.aspect,
            control=bool(variant.control),
            characters=plan.characters,
            edits=edits,
            gold=tuple(sides),
            source=plan.source,
        )
        injections.append(made)
    book = InjectedBook(woven.document, tuple(injections), codex)
    book.verify()
    return book


def _codex(plans: Sequence[Plan]) -> tuple[str, dict[int, Evidence]]:
    """The canon in YAML, and the line in it that each plan goes against."""
    bound = [(plan, plan.canon) for plan in plans if plan.canon is not None]
    if not bound:
        return "", {}
    towns = sorted({town for _, (_, _, _, towns) in bound for town in towns})
    text = "title: Canon\nplaces: [" + ", ".join(towns) + "]\ncharacters:\n"
    lines = {}
    for plan, (name, gender, line, _) in bound:
        text += f"  - name: {name}\n    gender: {gender}\n    "
        lines[id(plan)] = Evidence(CODEX_ID, 0, Span(len(text), len(text) + len(line)), line)
        text += f"{line}\n"
    return text, lines
