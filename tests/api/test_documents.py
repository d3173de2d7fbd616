import time

import pytest
from tests.stories.book_files import endless_pdf

from fabula.api.settings import ServerSettings

from .conftest import STORY, serving


@pytest.mark.slow
def test_searches_are_answered_while_hostile_documents_are_read(root, until):
    (root / "fabula.toml").write_text("[documents]\nseconds = 1\n")
    content = endless_pdf()
    with serving(ServerSettings(root), timeout_s=30) as client:
        client.get(f"projects/{STORY}/search", q="letter", mode="lexical")
        jobs = [client.ingest(f"endless-{n}.pdf", content) for n in range(2)]
        asked, longest = 0, 0.0
        while any(client.get(f"jobs/{one['id']}")["status"] in ("queued", "running") for one in jobs):
            started = time.monotonic()
            assert client.get(f"projects/{STORY}/search", q="letter", mode="lexical")["passages"]
            asked, longest = asked + 1, max(longest, time.monotonic() - started)
            time.sleep(0.02)
        ended = [client.get(f"jobs/{one['id']}") for one in jobs]
    assert asked > 20 and longest < 2
    for n, job in enumerate(ended):
        assert job["status"] == "failed"
        assert job["problem"]["type"] == "urn:fabula:problem:not-a-story"
        assert job["problem"]["detail"].startswith(f"endless-{n}.pdf takes more than 1 s to read")
