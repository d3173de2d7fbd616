"""Nothing told after chapter N changes a byte of what the server answers at horizon N."""

import hashlib
import json
import shutil
from contextlib import ExitStack

import pytest
from starlette.testclient import TestClient

from fabula.api.app import create_app
from fabula.api.settings import ServerSettings
from fabula.core.formats.images import draw_image
from fabula.engine import Project
from fabula.project.pictures import add_picture

from .conftest import HERE, STORY, painted, scripted

HORIZON = 8
SAID = "He hates her. He went home."
PICTURE = painted("navy")
PICTURE_ID = hashlib.sha256(draw_image(PICTURE, "a.png").data).hexdigest()[:16]


def model_says(prompt):
    """A model that plants what it reads first in a chapter."""
    words = prompt.user.split("[Draft]")[-1].split()[:8]
    if "ledger" not in prompt.version:
        return SAID
    item = {"kind": "goal", "what": "what comes of it", "quote": " ".join(words)}
    return json.dumps({"moved": [], "planted": [item]})


P = "/v1/projects/{project_id}"

# every operation that reads a story, with what is asked of it; as_of is added to each
READS = {
    ("GET", P): [{}],
    ("GET", f"{P}/embeddings"): [{}],
    ("GET", f"{P}/search"): [
        {"params": {"q": "Who lied about the letter?", "k": 8, "mode": mode}}
        for mode in ("hybrid", "semantic", "lexical")
    ]
    + [
        {"params": {"q": "stationmaster murdered", "k": 8, "min_importance": 4}},
        {"params": {"q": "the letter", "characters": "CHARACTER", "tones": "tense", "without_chapters": 2}},
        {"params": {"q": "the letter", "known_to": "CHARACTER", "k": 8}},
        {"params": {"q": "the letter", "chapters": "3-", "scene_types": "dialogue", "semantic_weight": 0.3}},
    ],
    ("GET", f"{P}/memories"): [
        {"params": {"q": "Who lied about the letter?", "limit": 50}},
        {"params": {"q": "CHARACTER", "collections": "characters", "limit": 100}},
        {"params": {"q": "Varga and the funeral of Quillon", "collections": "pictures", "limit": 100}},
    ],
    ("GET", f"{P}/graph"): [
        {"params": {"limit": 1000, "min_confidence": 0}},
        {"params": {"around": "CHARACTER", "kinds": ["character", "location"]}},
    ],
    ("GET", f"{P}/arcs"): [{}, {"params": {"names": "CHARACTER", "turns": 20}}],
    ("GET", f"{P}/timeline"): [{"params": {"limit": 2000}}, {"params": {"entity": "CHARACTER"}}],
    ("GET", f"{P}/recap"): [{"params": {"length": "long"}}, {"params": {"length": "short", "model": True}}],
    ("GET", f"{P}/ledger"): [{}],
    ("GET", f"{P}/suspects"): [{"params": {"limit": 200}}],
    ("GET", f"{P}/impact"): [
        {"params": {"q": "Harriet Pellow", "limit": 100}},
        {"params": {"q": "Wilf", "chapter": 1, "limit": 100}},
    ],
    ("GET", f"{P}/check"): [{"params": {"context": 5}}],
    ("POST", f"{P}/check"): [
        {"json": {"draft": "CHARACTER was dead. CHARACTER sat on the train to nowhere."}}
    ],
    ("POST", f"{P}/ask"): [
        {"json": {"question": "Who lied about the letter?", "model": False, "k": 8}},
        {"json": {"question": "How does CHARACTER feel about the railway?", "model": True}},
        {"json": {"question": "Write on from here.", "model": True}},
        {"json": {"question": "Who lied about the letter?", "model": False, "conversation_id": "talk"}},
        {"json": {"question": "And where was he then?", "model": False, "conversation_id": "talk"}},
        {"json": {"question": "Who lied?", "model": False, "filter": {"known_to": "CHARACTER"}}},
    ],
    ("GET", f"{P}/conversations"): [{}],
    ("GET", f"{P}/conversations/{{conversation_id}}"): [{}],
    ("POST", f"{P}/ask/stream"): [{"json": {"question": "What did CHARACTER do?", "model": True}}],
    ("POST", f"{P}/compare"): [{"json": {"prompt": "CHARACTER meets a stranger on the stairs.", "seed": 1}}],
    ("POST", f"{P}/score"): [
        {
            "json": {
                "prompt": "They meet on the stairs.",
                "drafts": {"mine": "CHARACTER sat down. Nobody spoke."},
            }
        }
    ],
    ("POST", f"{P}/suggestions"): [{"json": {"wish": "CHARACTER meets a stranger.", "count": 2}}],
    ("POST", f"{P}/feedback"): [{"json": {"query": "Who lied?", "chunk_id": "CHUNK", "rating": 1.0}}],
    ("GET", f"{P}/feedback"): [{}],  # the one just given
    ("POST", f"{P}/corrections"): [
        {"json": {"kind": "rename", "who": "CHARACTER", "to": "The Guest", "from_chapter": 2}}
    ],
    ("GET", f"{P}/corrections"): [{}],  # the one just made
    ("GET", f"{P}/pictures"): [{}],
    ("GET", f"{P}/pictures/{{picture_id}}"): [{}],
}
# what tells nothing of a story, or is about the whole of it by what it is for, and why
NOT_READS = {
    ("GET", "/v1/health"): "the server",
    ("GET", "/v1/ready"): "the server",
    ("GET", "/metrics"): "the server",
    ("GET", "/v1/projects"): "ids and titles",
    ("GET", "/v1/search"): "stories, each with a horizon of its own: test_search_all",
    ("GET", f"{P}/usage"): "what was paid, over all times",
    ("POST", "/v1/projects"): "takes a text",
    ("POST", "/v1/demo"): "takes a text",
    ("DELETE", P): "removes",
    ("GET", f"{P}/verify"): "counts of the whole, and what is broken",
    ("POST", f"{P}/embeddings/rebuild"): "starts a job",
    ("POST", f"{P}/books"): "takes a text",
    ("PATCH", f"{P}/books/{{number}}"): "starts a job",
    ("DELETE", f"{P}/books/{{number}}"): "removes",
    ("POST", f"{P}/chapters"): "takes a text, as the book's next chapter: its number is that of the book",
    ("DELETE", f"{P}/chapters/{{number}}"): "removes",
    ("DELETE", f"{P}/feedback"): "removes",
    ("DELETE", f"{P}/conversations/{{conversation_id}}"): "removes",
    ("DELETE", f"{P}/corrections/{{correction_id}}"): "removes",
    ("POST", f"{P}/pictures"): "takes a picture",
    ("GET", f"{P}/codex"): "the author's own text, of no chapter",
    ("PUT", f"{P}/codex"): "takes a text, and gives it back",
    ("POST", f"{P}/codex/{{table}}"): "the author's own text, of no chapter",
    ("GET", "/v1/packs"): "ids",
    ("POST", "/v1/packs/{pack_id}"): "takes a pack",
    ("DELETE", "/v1/packs/{pack_id}"): "removes",
    ("GET", "/v1/packs/{pack_id}"): "no story: names of tags and sections",
    ("GET", "/v1/packs/{pack_id}/search"): "no story; items of later chapters: test_packs",
    ("GET", "/v1/packs/{pack_id}/ask"): "no story; items of later chapters: test_packs",
    ("POST", "/v1/packs/{pack_id}/ask"): "no story; items of later chapters: test_packs",
    ("POST", "/v1/packs/{pack_id}/suggest"): "no story; items of later chapters: test_packs",
    ("DELETE", f"{P}/pictures/{{picture_id}}"): "removes",
    ("GET", "/v1/jobs"): "for those who brought the text: how long it is",
    ("GET", "/v1/jobs/{job_id}"): "for those who brought the text",
    ("GET", "/v1/jobs/{job_id}/events"): "for those who brought the text",
    ("POST", "/v1/jobs/{job_id}/cancel"): "for those who brought the text",
}


@pytest.fixture(scope="module")
def other(story_told_otherwise, tmp_path_factory):
    """A library with the same story but for what is told after the horizon."""
    root = tmp_path_factory.mktemp("other")
    shutil.copytree(story_told_otherwise, root / STORY)
    return root


@pytest.fixture(scope="module")
def clients(library, other, tmp_path_factory):
    """One for each library; copies, since feedback is written."""
    with ExitStack() as stack:
        made = []
        for source, late in (library, "Varga at her desk"), (other, "Quillon's funeral"):
            root = tmp_path_factory.mktemp("served") / "root"
            shutil.copytree(source, root, ignore=shutil.ignore_patterns(".server"))
            with Project.open(root / STORY) as project:
                add_picture(project, PICTURE, "a.png", of=["Harriet Pellow"], caption="in her blue coat")
                add_picture(
                    project,
                    painted("red" if late[0] == "V" else "green"),
                    "b.png",
                    caption=late,
                    from_chapter=HORIZON + 1,
                )
            app = create_app(ServerSettings(root, opener=scripted(model_says, chosen=True)))
            made.append(stack.enter_context(TestClient(app, base_url=HERE)))
        yield made


@pytest.fixture(scope="module")
def known(library):
    with Project.open(library / STORY) as project:
        name = project.view(HORIZON).entities()[0].name
        chunk = project.search("Who lied?", 3, as_of=HORIZON).passages[0].chunk.id
    return {"CHARACTER": name, "CHUNK": chunk}


def filled(asked, known):
    text = json.dumps(asked)
    for word, value in known.items():
        text = text.replace(word, value)
    return json.loads(text)


def answered(client, operation, asked, as_of):
    method, path = operation
    asked = {**asked, "params": {**asked.get("params", {}), "as_of": as_of}}
    return client.request(
        method, path.format(project_id=STORY, conversation_id="talk", picture_id=PICTURE_ID), **asked
    )


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "lexical"])
def test_search_all_reads_no_further_than_it_is_told(clients, mode):
    asked = {"q": "Who lied about the letter? Quillon, Varga", "k": 50, "mode": mode}
    here, there = (
        client.get("/v1/search", params={**asked, "read_to": f"{STORY}:{HORIZON}"}) for client in clients
    )
    assert here.json()["items"] and here.content == there.content
    assert len({client.get("/v1/search", params=asked).content for client in clients}) == 2


CASES = [(operation, number) for operation, asked in READS.items() for number in range(len(asked))]


@pytest.mark.parametrize(("operation", "number"), CASES, ids=str)
def test_later_chapters_change_no_byte(clients, known, operation, number):
    asked = filled(READS[operation][number], known)
    here, there = (answered(client, operation, asked, HORIZON) for client in clients)
    assert here.status_code == there.status_code
    assert here.is_success, here.text
    assert here.content == there.content
    assert "Quillon" not in there.text and "Varga" not in there.text


@pytest.mark.parametrize("operation", READS, ids=str)
def test_a_book_and_its_chapter_are_looked_up_by_every_operation(clients, known, operation):
    said = answered(clients[0], operation, filled(READS[operation][0], known), f"1:{HORIZON}")
    assert (said.status_code, said.json()["detail"]) == (
        404,
        "The Bloom Line is one book, no series: name a chapter alone",
    )


@pytest.mark.parametrize(
    "operation",
    [
        ("GET", P),
        ("GET", f"{P}/search"),
        ("GET", f"{P}/timeline"),
        ("GET", f"{P}/graph"),
        ("GET", f"{P}/pictures"),
    ],
    ids=str,
)
def test_the_test_would_see_a_leak(clients, known, operation):
    """The same edits do change what is told of the whole book."""
    asked = filled(READS[operation][0], known)
    here, there = (answered(client, operation, asked, 13) for client in clients)
    assert here.content != there.content


def test_every_operation_is_in_the_leak_test(reader):
    paths = reader.get("/v1/openapi.json").json()["paths"]
    operations = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert operations == READS.keys() | NOT_READS.keys()
    for method, path in READS:
        names = {one["name"] for one in paths[path][method.lower()]["parameters"]}
        assert "as_of" in names, path
