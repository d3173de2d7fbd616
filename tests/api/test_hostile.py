import contextlib
import hashlib
import json
import shutil
import socket
import sqlite3
import stat
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.api.conftest import HERE, IDLE_WORKER, STORY, scripted, serving
from tests.stories.book_files import CONTAINER, epub, package, page, pdf, zipped
from tests.stories.examples import rows
from tests.tables import rows as table_rows
from tests.tables import values

from fabula.api.app import create_app
from fabula.api.jobs.worker import work
from fabula.api.settings import Limits, ServerSettings
from fabula.core.documents import read_document
from fabula.errors import DocumentError

BASE = f"/v1/projects/{STORY}"
REFUSED = frozenset({400, 404, 405, 409, 411, 413, 415, 422, 431})
TALE = b"Anna went to sea. She came home.\n"
MEGABYTE = 1_000_000
LIMITS = Limits(body=2 * MEGABYTE, upload=6 * MEGABYTE, queued=1000)


def attack(name, path, *right, method="POST", **sent):
    """A request, and the answers that are right for it."""
    called = f"{path.rpartition('/')[2][:12]} {name}"
    return pytest.param(method, path, frozenset(right) or REFUSED, sent, id=called)


def upload(name, file, content, *right):
    return attack(name, "/v1/projects", *right, files={"file": (file, content)})


def unread(name, file, content):
    """It is taken: only reading it, which is the job's, shows what it is."""
    UNREADABLE[name] = file, content
    return upload(name, file, content, 202)


UNREADABLE: dict[str, tuple[str, bytes]] = {}


def form(name, body, *, kind="multipart/form-data; boundary=b"):
    return attack(name, "/v1/projects", content=body, headers={"Content-Type": kind})


def body(name, content, *right, path="/ask", kind="application/json"):
    raw = content.encode() if isinstance(content, str) else content
    return attack(name, BASE + path, *right, content=raw, headers={"Content-Type": kind})


def plain(name, path, *right, **sent):
    return attack(name, path, *right, method="GET", **sent)


def headed(name, path, header, value):
    return attack(name, BASE + path, headers={header: value}, content=b"{}")


def laughs():
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    html = f'<!DOCTYPE html [<!ENTITY e0 "ha">{entities}]><html><body><p>Anna &e9;</p></body></html>'
    return epub({"a.xhtml": html})


META = "META-INF/container.xml"
LINK = zipfile.ZipInfo(META)
LINK.external_attr = (stat.S_IFLNK | 0o777) << 16
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
OUTSIDE = (
    '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    f"<w:document {W}><w:body><w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:body></w:document>"
)
OPF = "OEBPS/content.opf"
FAR = '<item id="z" href="../../../etc/passwd" media-type="application/xhtml+xml"/>'
FIELD = b'--b\r\nContent-Disposition: form-data; name="file"'
BOMB = epub({"a.xhtml": page(f"<p>{'a' * 20_000_000}</p>")})

FILES = [
    *(upload(*told, *right) for *told, right in values(__file__, "hostile_uploads.tsv")),
    unread("a zip bomb", "bomb.epub", BOMB),
    unread("a member that leads out", "out.epub", zipped({"../../evil": "x", META: CONTAINER})),
    unread("a symbolic link in an archive", "link.epub", zipped({LINK: "/etc/passwd"})),
    upload("a link out of it", "far.epub", epub({"a.xhtml": page("<p>Anna.</p>")}, extra=FAR), 202),
    upload("entities within entities", "laughs.epub", laughs(), 202),
    unread("an archive in an archive", "nested.epub", zipped({"a.epub": BOMB})),
    unread("a torn archive", "torn.epub", BOMB[: len(BOMB) // 2]),
    unread("no pages", "gone.epub", zipped({META: CONTAINER, OPF: package(["gone.xhtml"])})),
    unread("an entity of another file", "entity.docx", zipped({"word/document.xml": OUTSIDE})),
    unread("an encrypted Word file", "locked.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
    unread("a PDF of nothing", "x.pdf", b"%PDF-1.7\n%%EOF"),
    unread("a PDF without text", "scan.pdf", pdf([[]])),
    upload("deep HTML", "deep.html", b"<div>" * 200_000 + TALE, 202, 422),
    unread("HTML of scripts alone", "evil.html", b"<script>fetch('http://127.0.0.1')</script>"),
    upload("ten thousand letters as a name", "n" * 10_000 + ".txt", TALE),
    upload("five hundred letters as a name", "n" * 500 + ".txt", TALE, 202),
    upload("one line of 5 MB", "line.txt", b"a" * (5 * MEGABYTE), 202),
    upload("more than is taken", "big.txt", b"a" * (7 * MEGABYTE), 413),
    form("a form without a file", b"--b--\r\n"),
    form("a form that breaks off", FIELD + b'; filename="a.txt"\r\n\r\nAn'),
    form("a form without a boundary", b"x", kind="multipart/form-data"),
    form("a file that is a field", FIELD + b"\r\n\r\nAnna\r\n--b--\r\n"),
    form("five thousand fields", (FIELD + b"\r\n\r\nx\r\n") * 5000 + b"--b--\r\n"),
    form("JSON in place of a form", b'{"file": "a"}', kind="application/json"),
]  # fmt: skip

NAMES = [f"{'d' * (1 + n // 26)}{'abcdefghijklmnopqrstuvwxyz'[n % 26]}" for n in range(1000)]
TURN = {"question": "a", "answer": "b"}

BODIES = [
    *(
        body(name, sent, *map(int, right.strip("-").split()), path=path, kind=kind)
        for name, path, kind, right, sent in table_rows(__file__, "hostile_bodies.tsv")
    ),
    body("no body", b""),
    body("bytes that are no UTF-8", b'{"question": "\xff\xfe"}'),
    body("UTF-16", '{"question": "Who?", "model": false}'.encode("utf-16"), 200, 400, 422),
    body("depth", '{"question":' * 50_000 + "1" + "}" * 50_000),
    body("brackets", "[" * 200_000),
    body("an integer of 400 digits", f'{{"question": "Who?", "k": {"9" * 400}}}'),
    body("an integer of 5,000 digits", f'{{"question": "Who?", "k": {"9" * 5000}}}'),
    body("too long a question", json.dumps({"question": "a" * 3000})),
    body("too long a prompt", json.dumps({"prompt": "a" * 5000}), path="/compare"),
    body("many drafts", json.dumps({"prompt": "a", "drafts": dict.fromkeys(NAMES, "x")}), path="/compare"),
    body("a path as a name", json.dumps({"prompt": "a", "drafts": {"../../x": "x"}}), path="/compare"),
    body("a thousand turns", json.dumps({"question": "a", "history": [TURN] * 1000})),
    body("more than is taken", b" " * (3 * MEGABYTE), 413),
    body("marks upon marks", json.dumps({"question": "Z" + "\u0301" * 1500, "model": False}), 200),
]  # fmt: skip

QUERIES = [
    *(
        attack(name, path.replace("~", BASE), *map(int, right.strip("-").split()), method=method)
        for name, method, path, right in rows(Path(__file__).with_name("hostile_queries.tsv"))
    ),
    plain("a pattern that runs away", f"{BASE}/search?q=%28a%2B%29%2B%24{'a' * 1000}", 200),
    plain("a query of 50,000 letters", f"{BASE}/search?q={'a' * 50_000}"),
    plain("a horizon past all numbers", f"{BASE}/search?q=a&as_of={'9' * 5000}"),
    plain("a project of 10,000 letters", "/v1/projects/" + "a" * 10_000),
    plain("an entity of 10,000 letters", f"{BASE}/graph?around={'a' * 10_000}"),
    plain("another host", f"{BASE}/graph?limit=1", 421, headers={"Host": "evil"}),
    headed("a key with a tab", "/embeddings/rebuild", "Idempotency-Key", "a\tb"),
    headed("a key of 10,000 letters", "/embeddings/rebuild", "Idempotency-Key", "a" * 10_000),
    headed("a length that is none", "/ask", "Content-Length", "ten"),
]  # fmt: skip


def contents(root):
    """The demo project: its files, and what its database says (SQLite moves pages as it likes)."""
    found = {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((root / STORY).rglob("*"))
        if path.is_file() and not path.name.startswith("fabula.db")
    }
    with contextlib.closing(sqlite3.connect(root / STORY / "fabula.db")) as database:
        found["fabula.db"] = hashlib.sha256("\n".join(database.iterdump()).encode()).hexdigest()
    return found


@pytest.fixture(scope="module")
def attacked(demo_project, tmp_path_factory):
    place = tmp_path_factory.mktemp("attacked")
    root = place / "library"
    shutil.copytree(demo_project, root / STORY)
    settings = ServerSettings(root, limits=LIMITS, opener=scripted(), worker=IDLE_WORKER)
    with TestClient(create_app(settings), base_url=HERE, raise_server_exceptions=False) as client:
        client.get(f"{BASE}/search?q=letter&mode=lexical")  # makes the table of ratings
        before = contents(root)
        yield client, root
    assert contents(root) == before
    assert [path.name for path in place.iterdir()] == ["library"]


def is_one_line_of_no_place(text):
    return "\n" not in text and tempfile.gettempdir() not in text


def checked(answer):
    """A refusal is a problem that says what to do, and names nothing of this machine."""
    assert tempfile.gettempdir() not in answer.text and "Traceback" not in answer.text
    if answer.status_code < 400 or answer.request.method == "HEAD":
        assert answer.headers["content-type"].startswith("application/json")
        return
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["detail"] and is_one_line_of_no_place(problem["detail"])


# The framework leaves the file of a form that breaks off to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("method", "path", "right", "sent"), [*FILES, *BODIES, *QUERIES])
def test_hostile_requests(attacked, method, path, right, sent):
    client, root = attacked
    answer = client.request(method, path, **sent)
    assert answer.status_code in right
    checked(answer)
    if answer.status_code == 202:
        project = answer.json()["project"]
        assert project == Path(project).name
        assert project != STORY
    assert sorted(path.name for path in root.iterdir()) == [".server", STORY]


@pytest.mark.parametrize(("file", "content"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_cannot_be_read_fails_its_job_with_one_line(tmp_path, file, content):
    (tmp_path / "sent").write_bytes(content)
    said: list[Any] = []
    root = tmp_path / "library"
    sent = {"name": file, "file": str(tmp_path / "sent")}
    work({"kind": "ingest", "root": str(root), "budget": None, **sent}, said.append)
    problem = said[-1]["problem"]
    assert problem["status"] == 422
    assert file in problem["detail"] and is_one_line_of_no_place(problem["detail"])
    assert not root.exists()


def test_two_forms_of_one_name_are_one_project(attacked):
    found = [
        attacked[0].post("/v1/projects", files={"file": (name, TALE)}).json()
        for name in ("caf\u00e9.txt", "cafe\u0301.txt", "CAFE\u0301.TXT")
    ]
    assert [one.get("project") for one in found] == ["cafe", "cafe", None]
    assert found[2]["status"] == 409  # another name: not taken for the same book


PLAIN = "GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HEAD = f"POST {BASE}/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
CHUNK = "10000\r\n" + "a" * 65536 + "\r\n"
RAW = {
    "a header of 1 MB": f"{PLAIN}X-Big: {'a' * MEGABYTE}\r\n\r\n",
    "20,000 headers": PLAIN + "".join(f"X-{n}: {n}\r\n" for n in range(20_000)) + "\r\n",
    "a path of 1 MB": f"GET /{'a' * MEGABYTE} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a length below nothing": f"{HEAD}Content-Length: -5\r\n\r\n",
    "a length past all numbers": f"{HEAD}Content-Length: {'9' * 40}\r\n\r\n",
    "two lengths": f"{HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}x",
    "a chunk that is no number": f"{HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n",
    "chunks past the limit": f"{HEAD}Transfer-Encoding: chunked\r\n\r\n{CHUNK * 61}",
    "no HTTP": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\0" * 200 + "\r\n\r\n",
    "a line end in a header": f"{PLAIN}X-A: a\x00b\r\n\r\n",
}


def exchanged(port, sent):
    """What the server answers until it closes; b"" where it closes at once."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        with contextlib.suppress(OSError):  # it has heard enough
            line.sendall(sent.encode("latin-1"))
        answered = b""
        with contextlib.suppress(ConnectionResetError):
            while b"\r\n\r\n" not in answered and (piece := line.recv(65536)):
                answered += piece
    return answered


@pytest.fixture(scope="module")
def served(library):
    with serving(ServerSettings(library, limits=LIMITS, opener=scripted())) as client:
        yield int(client._http.base_url.port)


@pytest.mark.parametrize("sent", RAW.values(), ids=RAW.keys())
def test_hostile_bytes(served, sent):
    answered = exchanged(served, sent)
    status = int(answered.split()[1]) if answered else 0
    assert status in {0, *REFUSED}
    assert exchanged(served, f"{PLAIN}Connection: close\r\n\r\n").startswith(b"HTTP/1.1 200")


@pytest.mark.slow
def test_a_line_of_100_mb_is_refused_at_once(attacked, tmp_path):
    book = tmp_path / "line.txt"
    book.write_bytes(b"a" * (100 * MEGABYTE))
    with pytest.raises(DocumentError, match="index it in parts"):
        read_document(book)
    answer = attacked[0].post("/v1/projects", files={"file": ("line.txt", book.read_bytes())})
    assert answer.status_code == 413
