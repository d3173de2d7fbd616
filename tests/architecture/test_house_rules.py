"""The shape of the code: who may import whom, what importing costs, what the package lists."""

import ast
import hashlib
import importlib
import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import networkx
import pytest
from tests.tables import values

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"
SCRIPTS = {"ui/pages/visit.py"}  # run by Streamlit as files of no package


@pytest.fixture(scope="module")
def modules():
    """Text and syntax tree of each module, by its path."""
    texts = {path.relative_to(SRC).as_posix(): path.read_text(encoding="utf-8") for path in SRC.rglob("*.py")}
    return {name: (texts[name], ast.parse(texts[name])) for name in sorted(texts)}


def imported_whole(tree):
    """The names of modules that are imported other than relatively."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module


def test_imports_inside_the_package_are_relative(modules):
    wrong = [
        f"{name} imports {whole}"
        for name, (_, tree) in modules.items()
        for whole in imported_whole(tree)
        if whole.split(".")[0] in ("fabula", "src") and name not in SCRIPTS
    ]
    assert not wrong, "\n".join(wrong)


def broken(name, text, tree):
    """The rules that a module does not keep."""
    if Path(name).stem in ("utils", "helpers"):
        yield "is not named for what it holds"
    if any(isinstance(node, ast.Assert) for node in ast.walk(tree)):
        yield "has an assert"
    if "pickle" in text.replace("allow_pickle=False", ""):
        yield "speaks of pickle"


def test_house_rules(modules):
    wrong = [f"{name} {what}" for name, module in modules.items() for what in broken(name, *module)]
    assert not wrong, "\n".join(wrong)


def test_what_the_package_lists_is_there():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = [
        ".".join(("fabula", *init.parent.relative_to(SRC).parts)) for init in sorted(SRC.rglob("__init__.py"))
    ]
    assert listed == sorted(found)
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    for target in scripts.values():
        module, _, name = target.partition(":")
        assert callable(getattr(importlib.import_module(module), name)), target
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    assert all(list(SRC.glob(pattern)) for pattern in listed["fabula"])
    held = {path for pattern in listed["fabula"] for path in SRC.glob(pattern)}
    kinds = {".npz", ".json", ".toml", ".tsv", ".html", ".md"}
    assert {path for path in SRC.rglob("*") if path.suffix in kinds} <= held
    line = next(x for x in (ROOT / "scripts/install.sh").read_text().splitlines() if x.startswith("files=("))
    assert all(list(ROOT.glob(pattern)) for pattern in line[7:-1].split())


def test_the_container_is_made_of_what_is_there_and_open_to_nobody_without_a_token(run_cli, tmp_path):
    text = (ROOT / "Containerfile").read_text()
    copied = {
        name for line in re.findall(r"^COPY (?!--)(.+) \S+$", text, re.MULTILINE) for name in line.split()
    }
    let_in = (ROOT / ".containerignore").read_text().splitlines()
    assert copied == {line[1:] for line in let_in if line[0] == "!"} and all(
        (ROOT / n).exists() for n in copied
    )
    assert text.index("\nUSER ") < text.index("\nCMD ")
    command = json.loads(re.search(r"^CMD (.+)$", text, re.MULTILINE)[1])
    refused = run_cli(*[str(tmp_path / "no-tokens") if "secrets" in one else one for one in command])
    assert refused.code == 2 and "no-tokens" in refused.err


def test_requirements_and_package_metadata_name_the_same_packages():
    def names(lines):
        return {re.split(r"[=<>~\[; ]", line)[0].lower() for line in lines if line and line[0] not in "#-"}

    required = names((ROOT / "requirements.txt").read_text().splitlines())
    declared = names(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])
    assert required - {"pytest"} == declared


def _run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("code", "unloaded"), values(__file__, "not_loaded.tsv"))
def test_nothing_is_loaded_before_it_is_needed(code, unloaded):
    assert _run(f"import sys, {code}; print({{*{unloaded.split()}}} & {{*sys.modules}})").strip() == "set()"


@pytest.mark.parametrize(("manifest", "weights", "most"), values(__file__, "weights.tsv"))
def test_packaged_weights_are_those_of_their_training_runs(manifest, weights, most):
    told = json.loads((ROOT / "training" / manifest).read_text(encoding="utf-8"))
    assert hashlib.sha256((SRC / weights).read_bytes()).hexdigest() == told["weights_sha256"]
    assert (SRC / weights).stat().st_size < most
    assert told.get("left_out", {}).get("auc", 1.0) > 0.8


def test_public_names_can_be_had():
    import fabula

    assert fabula.__all__ == sorted(fabula.__all__)
    for name in fabula.__all__:
        assert getattr(fabula, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = fabula.nothing


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
