"""The shape of the code: who may import whom, what importing costs, what the package lists."""

import ast
import hashlib
import importlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.tables import values

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"
SCRIPTS = {"ui/entry/visit.py"}  # run by Streamlit as files of no package


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


def test_requirements_and_package_metadata_name_the_same_packages():
    def names(lines):
        return {re.split(r"[=<>~\[; ]", line)[0].lower() for line in lines if line and line[0] not in "#-"}

    required = names((ROOT / "requirements.txt").read_text().splitlines())
    declared = names(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])
    assert required - {"pytest"} == declared


def _run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("module", ["fabula", "fabula.cli.commands"])
def test_importing_loads_nothing_heavy_before_a_command_runs(module):
    heavy = (
        "torch faiss spacy streamlit numpy sqlalchemy transformers openai pydantic fastapi uvicorn".split()
    )
    assert _run(f"import sys, {module}; print([m for m in {heavy} if m in sys.modules])").strip() == "[]"


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
