import gc
import mmap
import os
import subprocess
import sys

import pytest
from tests.tables import rows

from fabula.core.runtime.memory_limits import (
    available_memory,
    collection_put_off,
    control_group_limit,
    give_back_free_memory,
    own_limit,
    used_memory,
)

GIB = 1024**3
NONE = 1 << 60


@pytest.mark.parametrize(("own", "limits", "expected"), rows(__file__, "control_groups.tsv"))
def test_the_smallest_limit_of_the_own_group_and_those_above_it(tmp_path, own, limits, expected):
    assert control_group_limit(root=tmp_path, own=tmp_path / "none") > NONE  # where there are no groups
    for name, limit in (pair.split("=") for pair in limits.split()):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        number = int(limit[:-1]) * GIB if limit.endswith("G") else limit
        (tmp_path / name).write_text(f"{number}\n")
    (tmp_path / "own").write_text(own)
    found = control_group_limit(root=tmp_path, own=tmp_path / "own")
    assert found > NONE if expected == "none" else found == int(expected[:-1]) * GIB


@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_a_process_heeds_its_own_limits(kind):
    code = (
        "import resource\n"
        "from fabula.core.runtime.memory_limits import available_memory, own_limit\n"
        "from fabula.core.runtime.memory_monitor import default_budget\n"
        f"resource.setrlimit(resource.{kind}, (1 << 30, resource.RLIM_INFINITY))\n"
        "print(own_limit(), available_memory() <= 1 << 30, default_budget() <= 3 << 28)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(1 << 30), "True", "True"]
    assert own_limit() > 0 and available_memory() > 0


def test_pages_of_a_mapped_file_do_not_count(tmp_path):
    file = tmp_path / "large"
    file.write_bytes(b"x" * 200_000_000)
    before = used_memory(os.getpid())
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert mapped[:: mmap.PAGESIZE].count(b"x") > 40_000  # every page was touched
        assert used_memory(os.getpid()) - before < 20_000_000
    held = bytearray(100_000_000)
    held[:: mmap.PAGESIZE] = b"x" * len(held[:: mmap.PAGESIZE])
    assert used_memory(os.getpid()) - before > 80_000_000


def test_without_such_a_table_all_resident_memory_counts(tmp_path):
    assert used_memory(os.getpid(), proc=tmp_path) >= used_memory(os.getpid()) // 2
    assert used_memory(2**22 + 1) == 0


def test_freed_memory_goes_back():
    before = used_memory(os.getpid())
    held = [bytes(10_000) for _ in range(10_000)]  # each below what the C library maps by itself
    keep = held[-1]
    del held
    give_back_free_memory()
    assert used_memory(os.getpid()) - before < 50_000_000
    assert keep


@pytest.fixture(autouse=True)
def as_it_was():
    gc.enable()
    yield
    gc.enable()


def test_collecting_is_put_off_until_the_last_block_ends_or_fails():
    first, second = collection_put_off(), collection_put_off()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()
    with pytest.raises(ValueError, match="lost"), collection_put_off():
        raise ValueError("lost")
    assert gc.isenabled()
    gc.disable()
    with collection_put_off():
        pass
    assert not gc.isenabled()
