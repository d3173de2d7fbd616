"""What must not change the findings: other names, a scene that has nothing to do with them, the order of
sentences that do not hang together, where lines break, another run. On small stories with slips of several
families."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from tests.stories.novel import novel, view_of
from tests.stories.reading import FILLER, OPENING, document, told

from fabula.core.documents import document_from_text
from fabula.core.files.plain_json import plain
from fabula.core.types import Document, Horizon
from fabula.demo import story_text
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.injection import Half, inject
from fabula.story.linking.linker import Linker
from fabula.story.model.findings import Violation

NAMES = ("Marcus Hale", "Elena Voss", "Tobias Crane", "Reed")
OTHERS = {
    "Marcus Hale": "Edmund Thorpe",
    "Elena Voss": "Clara Whitlow",
    "Tobias Crane": "Arthur Benn",
    "Reed": "Farrow",
}
MORE = {
    "Marcus Hale": "Stephen Ashby",
    "Elena Voss": "Judith Marlow",
    "Tobias Crane": "Gilbert Stone",
    "Reed": "Pryor",
}
FAR = (
    "Beyond the hills the harvest had been got in. The roads were white with dust, and the carts came home "
    "late. In the evenings there was talk of the price of oats, and of little else."
)
SCENES = (
    FAR,
    "A storm broke over the sea that night. The lighthouse was dark, and the waves beat on the rocks.",
)

# family → the sentences of its two sides, told in chapters 2 and 4
SLIPS: dict[str, tuple[str, str]] = {
    "attribute_conflict": (
        "Elena's grey eyes rested on the fire.",
        "Elena lifted her brown eyes from the book.",
    ),
    "count_conflict": ("Tobias had three brothers.", "Tobias had five brothers, and no other kin."),
    "dead_then_acts": (
        "Marcus died in the night, before the doctor could cross the water.",
        "Marcus came in at ten with his boots full of sand.",
    ),
    "kinship_conflict": ("Elena was the daughter of Mr. Reed.", "Elena was the sister of Mr. Reed."),
}


def tale(
    family: str, *, names: Mapping[str, str] | None = None, scene: str = "", swap: bool = False
) -> Document:
    """Four chapters; ``scene`` is put into the third, ``swap`` turns round the sentences of the fillers."""
    early, late = SLIPS[family]
    filler = " ".join(reversed(_sentences(FILLER))) if swap else FILLER
    bodies = [OPENING, f"{early} {filler}", f"{filler}", f"The ice went out. {late} {filler}"]
    if scene:
        bodies[2] = f"{bodies[2]}\n\n* * *\n\n{scene}"
    return document(*(_renamed(body, names or {}) for body in bodies))


def _sentences(text: str) -> list[str]:
    return re.findall(r"[^.]+\.", text.replace(". ", "."))


def _renamed(text: str, names: Mapping[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new)
        for one, other in zip(old.split(), new.split(), strict=True):
            text = re.sub(rf"\b{one}\b", other, text)
    return text


def findings(story: Document) -> Sequence[Violation]:
    return ContinuityCritic().check(told(story), words=len(story.text.split())).violations


def shapes(found: Sequence[Violation], names: Mapping[str, str] | None = None) -> list[tuple[object, ...]]:
    """All of a finding but its offsets and the ids that names make, the names as they were."""
    back = {new: old for old, new in (names or {}).items()}
    return [
        (
            each.rule,
            each.severity,
            _renamed(each.message, back),
            len(each.entities),
            [(quote.chapter, _renamed(quote.quote, back)) for quote in each.evidence],
        )
        for each in found
    ]


@pytest.mark.parametrize("family", SLIPS)
def test_the_slip_is_found_to_begin_with(family) -> None:
    assert family in [each.rule for each in findings(tale(family))]


@pytest.mark.parametrize("names", [OTHERS, MORE], ids=["others", "more"])
@pytest.mark.parametrize("family", SLIPS)
def test_other_names_give_the_same_findings(family, names) -> None:
    assert shapes(findings(tale(family, names=names)), names) == shapes(findings(tale(family)))


@pytest.mark.parametrize("scene", SCENES, ids=["harvest", "storm"])
@pytest.mark.parametrize("family", SLIPS)
def test_a_scene_that_has_nothing_to_do_with_it_changes_nothing(family, scene) -> None:
    assert shapes(findings(tale(family, scene=scene))) == shapes(findings(tale(family)))


@pytest.mark.parametrize("family", SLIPS)
def test_sentences_that_do_not_hang_together_may_change_places(family) -> None:
    assert shapes(findings(tale(family, swap=True))) == shapes(findings(tale(family)))


def test_slips_of_several_families_are_found_together_as_alone() -> None:
    both = ("attribute_conflict", "count_conflict")
    early, late = (" ".join(SLIPS[family][side] for family in both) for side in (0, 1))
    story = document(OPENING, f"{early} {FILLER}", FILLER, f"The ice went out. {late} {FILLER}")
    alone = {shape[0] for family in both for shape in shapes(findings(tale(family)))}
    assert {each.rule for each in findings(story)} == alone


def _bytes(story: Document) -> str:
    """The report as text, of a reader and a linker of its own."""
    reader, linker = StoryReader(), Linker()
    for chapter in story.chapters:
        linker.add(story, chapter, reader.read(chapter.body.of(story.text)))
    view = StoryKnowledgeGraph.from_log(linker.log).as_of(Horizon(None))
    return json.dumps(plain(ContinuityCritic().check(view, words=100)))


def test_the_same_text_gives_the_same_bytes() -> None:
    story = tale("attribute_conflict", scene=FAR)
    assert _bytes(story) == _bytes(story)


def _the_demo(cut: str = "") -> Document:
    """The demo story, with ``cut`` put behind its last chapter but one."""
    text = story_text()
    whole = document_from_text(text, id="the-bloom-line", title="The Bloom Line")
    if not cut:
        return whole
    at = whole.chapters[-2].body.end
    longer = f"{text[:at].rstrip()}\n\n{cut}\n\n{text[at:].lstrip()}"
    return document_from_text(longer, id=whole.id, title=whole.title)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_where_the_lines_break_changes_nothing(seed) -> None:
    clean = novel()
    story = inject(clean, view=view_of(clean), seed=seed, half=Half.ALL).document
    whole, broken = (
        replace(story, text=re.sub(r"(?<=\S)[ \n](?=\S)", blank, story.text)) for blank in (" ", "\n")
    )
    told_whole = shapes(findings(whole))
    assert len(told_whole) > 10
    assert _in_lines(shapes(findings(broken))) == _in_lines(told_whole)


def _in_lines(found: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [
        (*rest, [(chapter, " ".join(quote.split())) for chapter, quote in evidence])
        for *rest, evidence in found
    ]


@pytest.mark.slow
def test_the_demo_story_with_a_scene_more_gives_the_same_findings() -> None:
    assert shapes(findings(_the_demo(FAR))) == shapes(findings(_the_demo()))
