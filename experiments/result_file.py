"""Result files of experiments: two halves, one of facts that repeat byte for byte, one of the machine."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import psutil

__all__ = ["RESULTS", "bootstrap_interval", "digest_of", "machine", "sign_flip_test", "write_result"]

RESULTS = Path(__file__).parent / "results"
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
        cwd=Path(__file__).parent,
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


def write_result(name: str, *, facts: Mapping[str, Any], measured: Mapping[str, Any]) -> Path:
    """Replaces ``results/NAME.json`` whole, never by halves."""
    RESULTS.mkdir(exist_ok=True)
    content = json.dumps({"facts": facts, "machine": measured}, indent=1, ensure_ascii=False) + "\n"
    with tempfile.NamedTemporaryFile("w", dir=RESULTS, delete=False, encoding="utf-8") as draft:
        draft.write(content)
        draft.flush()
        os.fsync(draft.fileno())
    target = RESULTS / f"{name}.json"
    Path(draft.name).chmod(0o644)
    Path(draft.name).replace(target)
    return target


def bootstrap_interval(
    values: Sequence[float], *, groups: Sequence[str], seed: int = 0, draws: int = 2000
) -> tuple[float, float]:
    """95 % percentile interval of the mean (Efron & Tibshirani 1993, ch. 13), resampling whole groups, so
    that several runs of one prompt do not count as several prompts."""
    names = sorted(set(groups))
    means = {g: [v for v, own in zip(values, groups, strict=True) if own == g] for g in names}
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(draws):
        picked = [v for i in rng.integers(0, len(names), len(names)) for v in means[names[i]]]
        drawn.append(float(np.mean(picked)))
    low, high = np.percentile(drawn, [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)


def sign_flip_test(differences: Sequence[float], *, seed: int = 0, draws: int = 10_000) -> float:
    """Two-sided p of a paired permutation test on the mean difference: exact up to 2^13 sign patterns,
    else Monte Carlo with the observed pattern counted (Phipson & Smyth 2010)."""
    d = np.asarray(differences, dtype=np.float64)
    if len(d) == 0 or not d.any():
        return 1.0
    observed = abs(d.mean()) - 1e-12
    if len(d) <= 13:
        signs = 1 - 2 * ((np.arange(2 ** len(d))[:, None] >> np.arange(len(d))) & 1)
        return float(np.mean(np.abs((signs * d).mean(axis=1)) >= observed))
    signs = np.random.default_rng(seed).choice([-1, 1], size=(draws, len(d)))
    return float((np.sum(np.abs((signs * d).mean(axis=1)) >= observed) + 1) / (draws + 1))
