import shutil

import numpy as np
import pytest
from tests.llm.embedding.embedding_server import KEY, EmbeddingServer, says, sent_texts, spoils, vector_of

from fabula.config import load_config
from fabula.core.encoders.prefixes import prefixes_of
from fabula.demo import save_story
from fabula.engine import Project, index_book
from fabula.errors import ModelUnusable, ProjectError
from fabula.llm.embedding import RemoteEmbedder
from fabula.project.checking import suspects
from fabula.project.recalling import recall

MODELS = {"openai": "text-embedding-3-small", "gemini": "text-embedding-004", "ollama": "nomic-embed-text"}
QUERIES = ["Who forged the telegram?", "a quarrel between old friends", "bees on the night train"]


@pytest.fixture(autouse=True)
def own_key(own_home, monkeypatch):
    monkeypatch.setenv("TEST_API_KEY", KEY)


@pytest.fixture
def server():
    with EmbeddingServer() as running:
        yield running


def told(server, provider, **more):
    settings = {"provider": provider, "base_url": server.url(provider), "api_key_env": "TEST_API_KEY", **more}
    return [f'embedding.{key}="{value}"' for key, value in settings.items()]


def by_hand(server, provider, **more):
    return [word for one in told(server, provider, **more) for word in ("--set", one)]


@pytest.fixture
def indexed(server, index_like_demo, tmp_path):
    """The demo story with the vectors of a provider."""

    def make(provider, name="project", **more):
        config = load_config(assignments=told(server, provider, **more))
        return index_like_demo(save_story(tmp_path), tmp_path / name, config=config), tmp_path / name

    return make


def index_again(server, place):
    config = load_config(assignments=told(server, "openai"))
    return index_book(place / "the-bloom-line.md", place / "project", config=config)


def unit(texts):
    vectors = np.array([vector_of(text) for text in texts])
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("provider", MODELS)
def test_ranking_equals_that_of_the_same_vectors_given_directly(indexed, provider):
    report, folder = indexed(provider)
    assert report.embedded == report.chapters
    prefixes = prefixes_of(MODELS[provider])
    with Project.open(folder) as project:
        held = unit([prefixes.document + chunk.text for chunk in project.chunks])
        for query in QUERIES:
            near = held @ unit([prefixes.query + query])[0]
            found = [p.chunk.ordinal for p in project.search(query, 20, mode="semantic").passages]
            np.testing.assert_allclose(near[found], np.sort(near)[::-1][:20], atol=1e-5)


def test_indexing_again_sends_nothing_and_a_changed_chapter_only_itself(indexed, server, tmp_path):
    report, folder = indexed("openai")
    sent = len(server.texts)
    assert sent == report.chunks
    assert max(len(sent_texts(body)) for body in server.requests) == 100
    again = index_again(server, tmp_path)
    assert (again.embedded, len(server.texts)) == (0, sent)
    with Project.open(folder) as project:
        project.search("bees", mode="semantic")
    assert server.texts[sent:] == ["bees"]


def test_what_was_paid_for_before_a_failure_is_kept(indexed, server, tmp_path, monkeypatch):
    for name, value in (("batch_size", 50), ("concurrency", 1)):
        monkeypatch.setattr(RemoteEmbedder, name, value)
    server.faults = [lambda _, *sent: sent, says(400, {"error": {"message": "no more"}})]
    with pytest.raises(ModelUnusable, match="no more"):
        indexed("openai")
    first = server.texts[:50]
    server.requests.clear()
    report = index_again(server, tmp_path)
    assert 0 < len(server.texts) < report.chunks
    assert set(server.texts).isdisjoint(first[:30])  # whole chapters that were answered are not sent again


def test_the_command_says_what_it_sends_and_waits_for_a_yes(server, tmp_path, run_cli, done):
    book = tmp_path / "tale.md"
    book.write_text("# One\n\nAda met Wilf by the harbour.\n\n# Two\n\nWilf left.\n")
    (tmp_path / "prices.toml").write_text('["text-embedding-3-small"]\nprompt = 20000.0\ncompletion = 0.0\n')
    priced = ("--set", f'generator.prices="{tmp_path / "prices.toml"}"')
    asked = ("index", book, "-o", tmp_path / "p", *by_hand(server, "openai"), *priced)
    refused = run_cli(*asked).err
    assert "the book will be sent to text-embedding-3-small@127.0.0.1" in refused and "add --yes" in refused
    assert "for its vectors: 1 request, some 14 tokens, at most 0.28 dollars" in refused
    assert server.requests == []
    done(*asked, "--yes")
    assert len(server.requests) == 1
    done("search", tmp_path / "p", "harbour")
    assert server.texts[-1] == "harbour"


OTHERS = ("model=text-embedding-3-large", "provider=ollama", "provider=local", "dimensions=256")


@pytest.mark.parametrize("other", [f"embedding.{one}" for one in (*OTHERS, 'query_prefix="query: "')])
def test_another_model_is_refused_with_the_way_out_also_on_a_search(indexed, refusal, other):
    _, folder = indexed("openai")
    refused = refusal("search", folder, "bees", "--set", other)
    assert f"was made with {other.partition('=')[0]}" in refused
    assert f"fabula index BOOK -o {folder} --set {other.partition('=')[0]}=" in refused


def test_a_packaged_index_is_not_searched_by_an_endpoint(demo_copy, refusal, server):
    refused = refusal("search", demo_copy.project, "bees", *by_hand(server, "openai"))
    assert "embedding.provider = 'local', not 'openai'" in refused
    assert server.requests == []


def test_another_dimension_under_the_same_name_is_refused(indexed, server, refusal):
    _, folder = indexed("ollama")
    server.faults = [spoils(lambda row: row[:24])]
    refused = refusal("search", folder, "bees", *by_hand(server, "ollama"))
    assert "vectors of 24 numbers, the index holds vectors of 48" in refused
    assert "--rebuild" in refused


def test_chapters_of_two_dimensions_make_no_index(indexed, server, tmp_path):
    _, folder = indexed("openai")
    book = tmp_path / "the-bloom-line.md"
    book.write_text(book.read_text() + "\n# Chapter the Last\n\nNobody came.\n")
    server.faults = [spoils(lambda row: row[:24])]
    with pytest.raises(ProjectError, match="vectors of 24 numbers to some chapters and of 48 to others"):
        index_again(server, tmp_path)
    with Project.open(folder) as project:  # what was there is whole
        assert project.search("bees", mode="semantic").passages


def test_a_dead_endpoint_is_one_line_and_words_still_find(indexed, server, done, refusal):
    _, folder = indexed("openai")
    server.faults = [says(401, {"error": {"message": "expired"}})] * 9
    dead = refusal("search", folder, "bees", "--mode", "semantic")
    assert "does not take the key (it says 401, expired)" in dead
    found = " ".join(done("search", folder, "bees").split())
    assert "words alone, since the embedding model failed" in found
    assert "401, expired)" in found and "1. chapter" in found
    done("search", folder, "bees", "--mode", "lexical")
    with Project.open(folder) as project:
        recalled = recall(project, "bees")
    assert recalled.chapters and recalled.characters and "words alone" in recalled.notices[0]


@pytest.mark.parametrize("named", [(), ("--set", "embedding.provider=openai")])
def test_an_endpoint_that_moved_with_and_without_its_name(indexed, server, done, named):
    _, folder = indexed("openai")
    before = len(server.requests)
    with EmbeddingServer() as other:
        moved = ("--set", f'embedding.base_url="{other.url("openai")}"')
        done("search", folder, "bees", *named, *moved)
        assert other.texts == ["bees"] and len(server.requests) == before


def test_a_project_that_was_handed_over_sends_nothing_unconfirmed(indexed, server, run_cli, done, tmp_path):
    _, folder = indexed("openai")
    shutil.copytree(folder, tmp_path / "theirs")
    server.requests.clear()
    found = run_cli("search", tmp_path / "theirs", "bees")
    assert found.code == 0 and "chapter" in found.out
    [notice] = found.err.splitlines()
    for named in ("embedding.provider", "embedding.base_url", "embedding.api_key_env", "fabula trust"):
        assert named in notice
    refused = run_cli("search", tmp_path / "theirs", "bees", "--mode", "semantic")
    assert refused.code == 2 and "fabula trust" in refused.err
    assert server.requests == []
    assert server.url("openai") in done("trust", tmp_path / "theirs")
    assert run_cli("search", tmp_path / "theirs", "bees").err == ""
    assert server.texts == ["bees"]


def test_whole_stories_are_not_sent_to_be_compared(indexed, server):
    _, folder = indexed("openai")
    server.requests.clear()
    with Project.open(folder) as project:
        suspects(project, as_of=1, limit=3)
    assert server.requests == []
