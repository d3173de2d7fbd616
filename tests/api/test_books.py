import pytest
from tests.api.api_client import ApiError
from tests.api.conftest import serving

from fabula.api.settings import ServerSettings

FIRST = b"# The First Light\n\n## Chapter 1\n\nAnna Vale came.\n\n## Chapter 2\n\nBoris Kane met Anna Vale.\n"
SECOND = b"# The Second Light\n\n## Chapter 1\n\nAnna Vale wept.\n\n## Chapter 2\n\nClara Finch came.\n"


@pytest.mark.slow
def test_a_book_is_put_in(tmp_path):
    with serving(ServerSettings(tmp_path)) as client:
        assert client.ended(client.ingest("light.md", FIRST))[0] == "done"
        kind, report = client.ended(client.upload("projects/light/books", "second.md", SECOND))
        assert (kind, report["chapters"], report["read"]) == ("done", 4, 2)
        books = client.get("projects/light")["books"]
        places = [(one["number"], one["id"], one["first"]) for one in books]
        assert places == [(1, "light", 1), (2, "second", 3)]
        assert [one["id"] for one in client.get("projects/light", as_of=2)["books"]] == ["light"]
        found = client.get("projects/light/search", q="Anna", books=[2])["passages"]
        assert found and {one["chapter"] for one in found} <= {3, 4}
        with pytest.raises(ApiError, match="book 2 cannot be searched: ask for books 1 to 1"):
            client.get("projects/light/search", q="Anna", books=[2], as_of=2)
        first = [client.get("projects/light/search", q="Anna", as_of=upto) for upto in ("1:2", 2)]
        assert first[0] == first[1]
        assert client.get("projects/light/graph", as_of="2:1") == client.get("projects/light/graph", as_of=3)
        with pytest.raises(ApiError, match="The First Light has chapters 1 to 2, not 3"):
            client.send("POST", "projects/light/ask", question="Who came?", as_of="1:3", model=False)
        with pytest.raises(ApiError, match="as_of"):
            client.get("projects/light/graph", as_of="2:x")
