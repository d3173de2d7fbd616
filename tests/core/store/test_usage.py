import subprocess
import sys
from dataclasses import replace

from fabula.core.store.sqlite import ProjectStore
from fabula.core.store.usage import UsageRow, UsageStore
from fabula.core.types import Call

DAY = 86_400
CALL = Call("m", 10, 2, 0.5)


def test_calls_add_up_by_day_model_and_kind(tmp_path):
    with ProjectStore.create(tmp_path / "p") as store:
        assert store.usage().rows() == ()
        now = [DAY * 20_000 - 1.0]  # a second before midnight, UTC
        usage = UsageStore(store.database, clock=lambda: now[0])
        usage.add(CALL, "language")
        usage.add(replace(CALL, estimated=True), "language")
        usage.add(CALL, "embedding")
        usage.add(replace(CALL, model="a"), "language", free=True)
        now[0] += 1
        usage.add(CALL, "language")
        assert store.usage().rows() == (
            UsageRow("2024-10-03", "a", "language", True, 1, 0, 10, 2, 0.5),
            UsageRow("2024-10-03", "m", "embedding", False, 1, 0, 10, 2, 0.5),
            UsageRow("2024-10-03", "m", "language", False, 2, 1, 20, 4, 1.0),
            UsageRow("2024-10-04", "m", "language", False, 1, 0, 10, 2, 0.5),
        )


def test_processes_lose_nothing(tmp_path):
    with ProjectStore.create(tmp_path / "p") as store:
        code = (
            "import sys; from pathlib import Path; from fabula.core.store.sqlite import ProjectStore\n"
            "with ProjectStore.open(Path(sys.argv[1])) as store:\n"
            "    from fabula.core.types import Call\n"
            "    for _ in range(20): store.usage().add(Call('m', 10, 2, 0.5), 'language')"
        )
        others = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "p")]) for _ in range(2)]
        assert [other.wait() for other in others] == [0, 0]
        [row] = store.usage().rows()
        assert (row.calls, row.prompt_tokens) == (40, 400)
