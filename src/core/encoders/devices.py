"""What this machine computes on: the device, the precision that is fast there, and torch's own settings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import ModelMissing

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

_LEAST_MAPPED = 1_200_000_000  # bytes; torch and spaCy loaded with 1.3 GB and not with 1.15


def check_address_space() -> None:
    """Raises MemoryError where a limit (``ulimit -v``) leaves too little for torch and spaCy to load: they
    may end the process then, and raise nothing."""
    if sys.platform != "win32":
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY and limit < _LEAST_MAPPED:
            raise MemoryError(f"{limit} bytes may be mapped")


def torch_type(precision: str) -> torch.dtype:
    """torch's name for fp16 and bf16; float32 for any other."""
    check_address_space()
    import torch

    return {"fp16": torch.float16, "bf16": torch.bfloat16}.get(precision, torch.float32)


def accelerator() -> str:
    """The device that sentence-transformers would choose. torch, seconds to load, is asked only where its
    build can have one, and Linux has a driver for one."""
    drivers = (Path("/proc/driver/nvidia"), Path("/dev/kfd"), Path("/dev/dri"), Path("/dev/dxg"))
    bare = sys.platform == "linux" and not any(driver.exists() for driver in drivers)
    if bare or metadata.version("torch").endswith("+cpu"):
        return "cpu"
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def computes_in_bf16() -> bool:
    """Whether this machine's CPU multiplies in bfloat16."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        import torch

        able = torch.cpu.get_capabilities()
        return bool(able.get("amx_bf16") or able.get("avx512_bf16"))
    return "amx_bf16" in flags or "avx512_bf16" in flags


def refuse_missing(device: str) -> None:
    """Raises ModelMissing where torch cannot use the device here."""
    import torch

    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, ValueError) as error:  # each back end has its own
        first = str(error).partition("\n")[0]
        raise ModelMissing(
            f"the device {device!r} cannot be used here ({first}): set embedding.device to cpu or auto"
        ) from error


def cast_linear(model: SentenceTransformer, dtype: torch.dtype | None) -> None:
    """Casts once what autocast would cast again on every call; the vectors stay the same to the bit."""
    import torch

    for module in model.modules() if dtype is not None else ():
        if isinstance(module, torch.nn.Linear):
            module.to(dtype)


@contextmanager
def one_thread() -> Iterator[None]:
    """torch computes on one thread for as long as the block runs."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
