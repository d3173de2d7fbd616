import pytest
from tests.api.api_client import ApiError
from tests.api.conftest import serving

from fabula.api.settings import ServerSettings

FIRST = b"# The First Light\n\n## Chapter 1\n\nAnna Vale came.\n\n## Chapter 2\n\nBoris Kane met Anna Vale.\n"
SECOND = b"# The Second Light\n\n## Chapter 1\n\nAnna Vale wept.\n\n## Chapter 2\n\nClara Finch came.\n"


def done(client, job):
    last = list(client.follow(job["id"]))[-1]
    return last.kind, last.data


@pytest.mark.slow
def test_a_book_is_put_in_and_taken_out(tmp_path):
    with serving(ServerSettings(tmp_path)) as client:
        assert done(client, client.ingest("light.md", FIRST))[0] == "done"
        kind, report = done(client, client.add_book("light", "second.md", SECOND))
        assert (kind, report["chapters"], report["read"]) == ("done", 4, 2)
        books = client.project("light")["books"]
        assert [(one["number"], one["id"], one["first"]) for one in books] == [
            (1, "light", 1),
            (2, "second", 3),
        ]
        assert [one["id"] for one in client.project("light", as_of=2)["books"]] == ["light"]
        found = client.search("light", "Anna", books=[2])["passages"]
        assert found and {one["chapter"] for one in found} <= {3, 4}
        with pytest.raises(ApiError, match="book 2 cannot be searched: ask for books 1 to 1"):
            client.search("light", "Anna", books=[2], as_of=2)
        assert client.search("light", "Anna", as_of="1:2") == client.search("light", "Anna", as_of=2)
        assert client.graph("light", as_of="2:1") == client.graph("light", as_of=3)
        with pytest.raises(ApiError, match="The First Light has chapters 1 to 2, not 3"):
            client.ask("light", "Who came?", as_of="1:3", model=False)
        with pytest.raises(ApiError, match="as_of"):
            client.graph("light", as_of="2:x")
        assert done(client, client.move_book("light", 2, 1))[0] == "done"
        assert [one["id"] for one in client.project("light")["books"]] == ["second", "light"]
        assert "Boris" not in str(client.graph("light", as_of="1:2"))
        assert done(client, client.move_book("light", 1, 5))[0] == "failed"
        assert (
            done(client, client.add_book("light", "third.md", b"# Third\n\nDora Bell sang.\n"))[0] == "done"
        )
        assert done(client, client.move_book("light", 3, 1))[0] == "done"
        assert [one["id"] for one in client.project("light")["books"]] == ["third", "second", "light"]
        assert done(client, client.remove_book("light", 1))[1]["read"] == 0
        assert done(client, client.remove_book("light", 7))[0] == "failed"
        assert done(client, client.remove_book("light", 1))[1]["read"] == 0
        assert len(client.project("light")["chapters"]) == 2
