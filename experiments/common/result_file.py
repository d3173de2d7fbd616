"""Result files of experiments: two halves, one of facts that repeat byte for byte, one of the machine."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import subprocess
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import psutil

from experiments.common.folders import RESULTS, ROOT
from fabula.core.files.atomic import replace_file

__all__ = ["digest_of", "machine", "write_result"]

_PLAIN = re.compile(r"\[\n[^][{}]*\]")  # a string holds no line break as it is
_MACHINE = frozenset({"commit", "versions", "python", "cpu", "cores", "memory_gb"})
_PACKAGES = ("fabula", "torch", "sentence-transformers", "faiss-cpu", "spacy", "xllamacpp", "numpy")


def digest_of(value: object) -> str:
    """12 hex digits of a SHA-256 over canonical JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def machine(**more: object) -> dict[str, Any]:
    """Commit, versions, processor and memory, with what the caller measured."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    ).stdout.strip()
    return {
        "commit": commit,
        "versions": {name: metadata.version(name) for name in _PACKAGES},
        "python": platform.python_version(),
        "cpu": _cpu_name(),
        "cores": psutil.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 1024**3, 1),
        **more,
    }


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")


def write_result(
    name: str, *, facts: Mapping[str, Any], measured: Mapping[str, Any], folder: Path = RESULTS
) -> Path:
    """Replaces ``results/NAME.json`` (or the one in another folder) whole, never by halves. A file with these
    facts is left as it is, where nothing of the machine was measured."""
    content = _laid_out({"facts": facts, "machine": measured}) + "\n"
    target = folder / f"{name}.json"
    is_timed = bool(measured.keys() - _MACHINE)
    if is_timed or not target.exists() or _facts(target.read_text(encoding="utf-8")) != _facts(content):
        replace_file(target, content)
    return target


def _facts(content: str) -> object:
    return json.loads(content)["facts"]


def _laid_out(value: object) -> str:
    """JSON, a line a value, but lists of plain values on one: half the size, and easier to read."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    return _PLAIN.sub(
        lambda found: re.sub(r"\n *", " ", found[0]).replace("[ ", "[").replace(" ]", "]"), text
    )
