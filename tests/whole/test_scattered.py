import pytest
from tests.postgres_server import start_server

from fabula.engine import Project
from fabula.library.searching import search_stories, stories_in

pytestmark = pytest.mark.postgres

TALES = {
    "mill": "# One\n\nWilf sent Ada a letter from the old mill.\n\n# Two\n\nThe mill burned. Nobody wrote.\n",
    "harbour": "# One\n\nLen kept the harbour.\n\n# Two\n\nA letter came to the harbour, then another.\n",
    "moor": "# One\n\nThe moor was wet.\n\n# Two\n\nIda crossed the moor without a letter to anybody.\n",
}


@pytest.fixture(scope="module")
def servers():
    """Three of them: how many there are is what is tried."""
    made = []
    try:
        for _ in TALES:
            made.append(start_server())
        yield made
    finally:
        for server in made:
            server.stop()
            server.remove()


@pytest.fixture(scope="module")
def libraries(servers, done, tmp_path_factory):
    """The same stories in folders, and each on a server of its own."""
    place = tmp_path_factory.mktemp("scattered")
    for (name, text), server in zip(TALES.items(), servers, strict=True):
        (place / f"{name}.md").write_text(text)
        there = ("--set", f"store.url={server.new_database()}")
        for library, settings in (("folders", ()), ("servers", there)):
            done("index", place / f"{name}.md", "-o", place / library / name, *settings)
    return place / "folders", place / "servers"


def read(entry):
    return Project.open(entry.folder)


@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid"])
@pytest.mark.parametrize("read_to", [{}, {"harbour": 1}])
def test_they_answer_as_stories_in_folders_do(libraries, mode, read_to):
    def hits(home):
        found = search_stories(stories_in(home), read, "a letter to the mill", 9, mode=mode, read_to=read_to)
        return [(hit.story, hit.passage.chunk.id, hit.passage.score) for hit in found]

    in_folders, on_servers = map(hits, libraries)
    if mode == "lexical":
        assert on_servers == in_folders
    else:
        assert [one[:2] for one in on_servers] == [one[:2] for one in in_folders]
        assert [one[2] for one in on_servers] == pytest.approx([one[2] for one in in_folders], abs=1e-6)
    assert {story for story, *_ in on_servers} >= {"mill", "moor"}


def test_a_server_that_is_down_is_one_line_and_no_half_answer(libraries, servers, done, refusal):
    servers[1].stop()
    try:
        assert "harbour" in refusal("search", libraries[1], "a letter")
    finally:
        servers[1].start()
    done("search", libraries[1], "a letter")
