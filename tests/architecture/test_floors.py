"""The plan of the house: which room may import which, no circle between two."""

import ast
from functools import cache
from pathlib import Path

import networkx
import pytest

SRC = Path(__file__).parents[2] / "src"
MODULES = {".".join(p.relative_to(SRC).with_suffix("").parts) for p in SRC.rglob("*.py")}

# from the ground up: a room imports from its own floor's rooms below it, never from a higher floor
FLOORS = [
    floor.split()
    for floor in (
        "errors callers",
        "demo story.time",
        "core",
        "sections config llm story.tables story.model story.evidence story.lexicon story.names"
        " story.corrections story.pairs",
        "story.prose story.graph_rag story.writing",
        "story.metrics story.plot story.extraction story.bible",
        "story.linking story.passages",
        "story.continuity",
        "story.codex",
        "story.comparison story.memories story.calibration",
        "project",
        "engine",
        "__init__ cluster library packs views",
        "api bench integrations",
        "ui",
        "cli",
        "__main__",
    )
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
# rooms of extraction that others may open; everybody else goes by the door, extraction/reader.py
OPEN = {"story.extraction.reader", "story.extraction.combined_reader"}


def imports_of_its_own():
    """(module, imported module) of every import of the package's own."""
    for path in SRC.rglob("*.py"):
        parts = path.relative_to(SRC).with_suffix("").parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = [*parts[: len(parts) - node.level], *(node.module or "").split(".")]
                base = [part for part in base if part]
                for alias in node.names:
                    whole = ".".join([*base, alias.name])
                    found = whole if whole in MODULES else ".".join(base)
                    if found not in MODULES:
                        found = f"{found}.__init__".lstrip(".")
                    yield ".".join(parts), found


@pytest.fixture(scope="module")
def imports():
    return sorted(set(imports_of_its_own()))


def room(module):
    """The room of a floor: a folder of src, or of src/story; a file in one of the two is a room itself."""
    parts = module.split(".")
    deep = 2 if parts[0] == "story" else 1
    return ".".join(parts[:deep])


@cache
def node(module):
    """A folder; a file beside folders is one by itself, as it may compose them."""
    folder = SRC / Path(*module.split(".")[:-1])
    beside = any((child / "__init__.py").exists() for child in folder.iterdir())
    return module if beside else module.rpartition(".")[0]


def test_every_room_is_on_a_floor():
    rooms = {room(module) for module in MODULES if module != "story.__init__"}
    assert rooms == set(FLOOR)


def test_no_room_imports_from_a_higher_floor(imports):
    wrong = [
        f"{one} imports {other}"
        for one, other in imports
        if FLOOR.get(room(other), -1) > FLOOR.get(room(one), len(FLOORS))
    ]
    assert not wrong, "\n".join(wrong)


def test_no_circle_between_folders_and_one_would_be_seen(imports):
    graph = networkx.DiGraph((node(one), node(other)) for one, other in imports if node(one) != node(other))
    assert [sorted(knot) for knot in networkx.strongly_connected_components(graph) if len(knot) > 1] == []
    graph = networkx.DiGraph((node(one), node(other)) for one, other in imports)
    graph.add_edge(node("core.types"), node("engine"))
    assert any(len(knot) > 1 for knot in networkx.strongly_connected_components(graph))


def test_extraction_has_one_door(imports):
    wrong = [
        f"{one} imports {other}"
        for one, other in imports
        if other.startswith("story.extraction.")
        and room(one) not in ("story.extraction", "story.linking", "project")
        and other not in OPEN
    ]
    assert not wrong


def test_a_module_says_what_it_is():
    """The first line names the field's term."""
    wrong = [
        path.relative_to(SRC).as_posix()
        for path in sorted(SRC.rglob("*.py"))
        if path.stem != "__main__"
        and (text := path.read_text(encoding="utf-8")).strip()
        and not ast.get_docstring(ast.parse(text))
    ]
    assert not wrong, "\n".join(wrong)
