from starlette.testclient import TestClient

from fabula.api.app import create_app
from fabula.api.settings import ServerSettings

from .conftest import HERE, STORY, scripted

BASE = f"/v1/projects/{STORY}"


def test_new_work_is_refused_and_taken_again(library):
    app = create_app(ServerSettings(library, opener=scripted()))
    with TestClient(app, base_url=HERE) as client:
        assert client.get(f"{BASE}/search?q=letter&mode=lexical").status_code == 200
        monitor = app.state.backend.shelf.monitor
        budget, monitor.budget = monitor.budget, 1
        monitor.check()
        for path in ("search?q=letter&mode=lexical", "search?q=letter", "check"):
            refused = client.get(f"{BASE}/{path}")
            assert refused.status_code == 503, path
            assert refused.headers["content-type"] == "application/problem+json"
            assert int(refused.headers["retry-after"]) > 0
            assert refused.json()["type"] == "urn:fabula:problem:memory-short"
            assert "memory.budget_gb" in refused.json()["detail"]
        monitor.budget = budget
        monitor.check()
        assert client.get(f"{BASE}/search?q=letter").status_code == 200
