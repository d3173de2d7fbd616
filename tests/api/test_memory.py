from .conftest import STORY, application, scripted

BASE = f"/v1/projects/{STORY}"


def test_new_work_is_refused_and_taken_again(library):
    with application(library, opener=scripted()) as client:
        assert client.get(f"{BASE}/search?q=letter&mode=lexical").status_code == 200
        monitor = client.app.state.backend.shelf.monitor
        budget, monitor.budget = monitor.budget, 1
        monitor.check()
        for path, body in (("search?q=letter&mode=lexical", None), ("search?q=letter", None), ("check", {})):
            refused = client.request("GET" if body is None else "POST", f"{BASE}/{path}", json=body)
            assert refused.status_code == 503, path
            assert refused.headers["content-type"] == "application/problem+json"
            assert int(refused.headers["retry-after"]) > 0
            assert refused.json()["type"] == "urn:fabula:problem:memory-short"
            assert "memory.budget_gb" in refused.json()["detail"]
        monitor.budget = budget
        monitor.check()
        assert client.get(f"{BASE}/search?q=letter").status_code == 200
