"""Nothing told after chapter N changes a byte of what the server answers at horizon N."""

import shutil
from contextlib import ExitStack

import pytest

from fabula.engine import Project
from fabula.project.pictures import add_picture

from .conftest import STORY, application, fill, operations, painted, scripted

HORIZON = 8
SAID = "He hates her. He went home."
PICTURE = painted("navy")


PROJECT = "/v1/projects/{project_id}"
ASKED, WHY_NOT = operations()
READS = {one: asked for one, asked in ASKED.items() if not WHY_NOT[one]}
CASES = [(operation, number) for operation, asked in READS.items() for number in range(len(asked))]


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
                other = painted("red" if late[0] == "V" else "green")
                add_picture(project, other, "b.png", caption=late, from_chapter=HORIZON + 1)
            served = application(root, opener=scripted(lambda _: SAID, chosen=True))
            made.append(stack.enter_context(served))
        yield made


@pytest.fixture(scope="module")
def known(library):
    with Project.open(library / STORY) as project:
        name = project.view(HORIZON).entities()[0].name
        chunk = project.search("Who lied?", 3, as_of=HORIZON).passages[0].chunk.id
    return {"CHARACTER": name, "CHUNK": chunk}


def answered(client, operation, asked, as_of):
    method, path = operation
    asked = {**asked, "params": {**asked.get("params", {}), "as_of": as_of}}
    return client.request(method, path.format(project_id=STORY, conversation_id="talk"), **asked)


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "lexical"])
def test_search_all_reads_no_further_than_it_is_told(clients, mode):
    asked = {"q": "Who lied about the letter? Quillon, Varga", "k": 50, "mode": mode}
    here, there = (
        client.get("/v1/search", params={**asked, "read_to": f"{STORY}:{HORIZON}"}) for client in clients
    )
    assert here.json()["items"] and here.content == there.content
    assert len({client.get("/v1/search", params=asked).content for client in clients}) == 2


@pytest.mark.parametrize(("operation", "number"), CASES, ids=str)
def test_later_chapters_change_no_byte(clients, known, operation, number):
    asked = fill(READS[operation][number], known)
    here, there = (answered(client, operation, asked, HORIZON) for client in clients)
    assert here.status_code == there.status_code
    assert here.is_success, here.text
    assert here.content == there.content
    assert "Quillon" not in there.text and "Varga" not in there.text


@pytest.mark.parametrize("operation", READS, ids=str)
def test_a_book_and_its_chapter_are_looked_up_by_every_operation(clients, known, operation):
    said = answered(clients[0], operation, fill(READS[operation][0], known), f"1:{HORIZON}")
    assert (said.status_code, said.json()["detail"]) == (
        404,
        "The Bloom Line is one book, no series: name a chapter alone",
    )


@pytest.mark.parametrize(
    "operation",
    [("GET", f"{PROJECT}{path}") for path in ("", "/search", "/timeline", "/graph")],
    ids=str,
)
def test_the_test_would_see_a_leak(clients, known, operation):
    """The same edits do change what is told of the whole book."""
    asked = fill(READS[operation][0], known)
    here, there = (answered(client, operation, asked, 13) for client in clients)
    assert here.content != there.content


def test_every_operation_is_in_the_leak_test(reader):
    paths = reader.get("/v1/openapi.json").json()["paths"]
    there = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert there == ASKED.keys()
    for method, path in READS:
        names = {one["name"] for one in paths[path][method.lower()]["parameters"]}
        assert "as_of" in names, path
