import http.client
import socket

import pytest
from tests.browser.streamlit_app import StreamlitApp
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from fabula.library.library import DEMO
from fabula.project.connecting import save_settings
from fabula.project.trust import folder_settings

SOCKET = "/_stcore/stream"


@pytest.fixture(scope="module", params=["fabula app", "streamlit run"])
def app(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("app")
    with StreamlitApp(place / "home", log=place / "log.txt", by_streamlit="run" in request.param) as running:
        yield running


def status(app, path, method="GET", **headers):
    line = http.client.HTTPConnection("127.0.0.1", app.port, timeout=10)
    try:
        line.putrequest(method, path, skip_host=True)
        for name, value in headers.items():
            line.putheader(name.replace("_", "-"), value)
        line.putheader("Content-Length", "0")
        line.endheaders()
        return line.getresponse().status
    finally:
        line.close()


def socket_opens(app, *, host, origin):
    try:
        line = socket.create_connection(("127.0.0.1", app.port), timeout=60)
        with connect(f"ws://{host}:{app.port}{SOCKET}", origin=origin, sock=line, proxy=None):
            return True
    except InvalidStatus as refused:
        assert refused.response.status_code == 403
        return False


def test_a_borrowed_name_is_shown_nothing_and_a_page_of_others_uploads_nothing(app):
    for path in ("/", "/_stcore/health", "/_stcore/host-config"):
        assert status(app, path, Host=f"rebound.example:{app.port}") == 421
        assert status(app, path, Host=f"localhost:{app.port}") == 200
    told = {"Host": f"127.0.0.1:{app.port}", "Origin": "https://evil.example"}
    assert status(app, "/_stcore/upload_file/a/b", "PUT", **told) == 403


def test_the_socket_opens_for_its_own_page_alone(app):
    port = app.port
    assert socket_opens(app, host="127.0.0.1", origin=f"http://127.0.0.1:{port}")
    assert socket_opens(app, host="localhost", origin=f"http://localhost:{port}")
    for origin in ("https://evil.example", "http://localhost:1", "http://0.0.0.0", "null"):
        assert not socket_opens(app, host="127.0.0.1", origin=origin)
    assert not socket_opens(app, host="rebound.example", origin=f"http://rebound.example:{port}")


ASKS = '[generator]\nprovider = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n'


@pytest.mark.parametrize("asks", ["search", "library"])
def test_a_folder_asks_and_is_confirmed_by_a_button(with_demo, open_page, asks):
    folder = with_demo / DEMO if asks == "search" else with_demo
    (folder / "fabula.toml").write_text(ASKS)
    page = open_page(asks)
    assert "fabula trust" in page.words and "127.0.0.1:9" in page.words
    page.press("Confirm these settings")
    assert "are confirmed" in page.words and "fabula trust" not in page.words
    assert not folder_settings(folder).withheld


def test_what_is_set_by_hand_is_confirmed(with_demo, open_page):
    page = open_page("settings")
    page.fill("Address for vectors", "http://127.0.0.1:9/v1")
    page.test.button(key="FormSubmitter:settings-Reading-Save").click().run()
    assert "saved" in page.words and "fabula trust" not in page.words
    assert not folder_settings(with_demo).withheld


def test_setting_one_thing_confirms_no_other(tmp_path):
    (tmp_path / "fabula.toml").write_text(ASKS)
    save_settings(tmp_path / "fabula.toml", {"generator": {"context_tokens": 8192}})
    assert "generator.base_url" in folder_settings(tmp_path).withheld
