import importlib
import multiprocessing
import sys

import pytest
from tests.stories.hostile_files import INPUTS

READS = "tests.stories.limited_reading"  # it loads the models: only where something is read
SECONDS, MEGABYTES = 60, 1_200


@pytest.fixture(scope="module")
def server():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([READS])
    return context


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("name", INPUTS)
def test_a_hostile_input_is_read_or_refused_within_limits(server, name, tmp_path, capfd):
    files = INPUTS[name].files()
    for file, content in files.items():
        written = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        (tmp_path / file).write_bytes(written)
    answer, sent = server.Pipe(duplex=False)
    order = (INPUTS[name].kind, tmp_path / next(iter(files)), tmp_path, SECONDS, MEGABYTES)
    reader = server.Process(target=importlib.import_module(READS).read_limited, args=(sent, *order))
    reader.start()
    sent.close()
    try:
        done = answer.recv()
    except EOFError:
        reader.join()
        pytest.fail(f"{name}: ended by {reader.exitcode}")
    reader.join()
    line = f"{done['seconds']:7.1f} s {done['peak_mb']:6} MB  {name}: {done['said'][:150]}"
    with capfd.disabled():
        sys.stdout.write(f"\n{line}")
    assert done["code"] in (0, 2), line
    converted = "s to read: take the book as .txt" in done["said"]  # by the converter's own limit
    assert done["seconds"] < SECONDS + 3 * converted, line
    assert done["peak_mb"] < MEGABYTES, line
