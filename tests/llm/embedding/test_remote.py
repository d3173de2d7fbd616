import numpy as np
import pytest
from tests.contracts.embedder_contract import EmbedderContract
from tests.llm.embedding import embedding_server as faulty
from tests.llm.embedding.embedding_server import KEY, WIDTH, EmbeddingServer, says, sent_texts, vector_of

from fabula.config import Embedding
from fabula.core.encoders.prefixes import Prefixes, prefixes_of
from fabula.errors import ModelMissing, ModelRefused, ModelTransient, ModelUnusable
from fabula.llm.embedding import RemoteEmbedder
from fabula.llm.endpoint import EndpointClient

PROVIDERS = ("openai", "gemini", "ollama")
MODELS = {"openai": "text-embedding-3-small", "gemini": "text-embedding-004", "ollama": "nomic-embed-text"}
HOW = ("batch_size", "concurrency")
TEXTS = ["The ferry left.", "Nobody saw it leave.", "Salt."]


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("TEST_API_KEY", KEY)
    with EmbeddingServer() as running:
        yield running


@pytest.fixture
def made(server, monkeypatch):
    """Embedders of this server, or of another; they are closed in the end."""
    opened = []

    def make(provider, *, waits=None, prefixes=None, server=server, retries=4, **settings):
        how = {name: settings.pop(name) for name in HOW if name in settings}
        place = {"model": MODELS[provider], "base_url": server.url(provider), "api_key_env": "TEST_API_KEY"}
        if prefixes is not None:
            place |= {"query_prefix": prefixes.query, "document_prefix": prefixes.document}
        sleep = (waits if waits is not None else []).append
        monkeypatch.setattr(EndpointClient, "sleep", staticmethod(sleep))
        monkeypatch.setattr(EndpointClient, "retries", retries)
        opened.append(RemoteEmbedder(Embedding(provider=provider, **place | settings)))
        vars(opened[-1]).update(how)
        return opened[-1]

    yield make
    for embedder in opened:
        embedder.close()


def units(texts, width=WIDTH):
    vectors = np.array([vector_of(text, width) for text in texts])
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("provider", PROVIDERS)
class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, made, provider):
        return made(provider, batch_size=3)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_vectors_are_those_that_were_sent_made_unit(made, provider):
    embedder = made(provider, prefixes=Prefixes())
    np.testing.assert_allclose(embedder.embed_documents(TEXTS), units(TEXTS), atol=1e-6)
    np.testing.assert_allclose(embedder.embed_query(TEXTS[0]), units(TEXTS)[0], atol=1e-6)


def test_gemini_tells_documents_from_queries_by_task_and_nomic_by_prefixes(server, made):
    for provider in ("gemini", "ollama"):
        embedder = made(provider)
        embedder.embed_documents(["a b"])
        embedder.embed_query("c")
    assert embedder.name.startswith("ollama:nomic-embed-text+")
    kinds = [one["taskType"] for body in server.requests[:2] for one in body["requests"]]
    assert kinds == ["RETRIEVAL_DOCUMENT", "RETRIEVAL_QUERY"]
    assert server.headers[0]["x-goog-api-key"] == KEY
    assert server.texts[2:] == ["search_document: a b", "search_query: c"]
    assert not server.requests[2]["truncate"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_fewer_numbers_are_asked_for(server, made, provider):
    embedder = made(provider, dimensions=16)
    assert embedder.dimension == 16
    assert server.requests == []  # known without asking
    assert embedder.embed_query("a").shape == (16,)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_batches_cross_units_and_are_as_large_as_asked(server, made, provider):
    given = [[f"word{n} in unit {u}" for n in range(u)] for u in (7, 1, 60, 33)]
    found = list(made(provider, batch_size=50).embed_units(iter(given)))
    assert sorted(len(sent_texts(body)) for body in server.requests) == [1, 50, 50]
    before = prefixes_of(MODELS[provider]).document
    for texts, vectors in zip(given, found, strict=True):
        np.testing.assert_allclose(vectors, units([before + text for text in texts]), atol=1e-6)


@pytest.mark.parametrize(
    ("provider", "texts", "sent"),
    [
        ("gemini", [f"text {n}" for n in range(250)], [50, 100, 100]),
        ("openai", ["sea " * 50_000] * 7, [1, 3, 3]),
    ],
)
def test_gemini_takes_a_hundred_at_most_and_openai_so_many_tokens(server, made, provider, texts, sent):
    made(provider, batch_size=200).embed_documents(texts)
    assert sorted(len(sent_texts(body)) for body in server.requests) == sent


def test_a_query_is_asked_once(server, made):
    embedder = made("openai")
    for _ in range(3):
        embedder.embed_query("who left?")
    assert len(server.requests) == 1


def test_several_requests_at_once_and_no_more(made, monkeypatch):
    monkeypatch.setenv("TEST_API_KEY", KEY)
    with EmbeddingServer(slow=0.05) as server:
        made("openai", server=server, batch_size=2, concurrency=3).embed_documents(["a"] * 20)
        assert server.most_at_once == 3


NO_JSON = says(200, "we are down")
NO_CREDIT = says(429, {"error": {"message": "pay", "code": "insufficient_quota"}})
RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "7s"}
QUOTA = {"error": {"code": 429, "message": "none", "status": "RESOURCE_EXHAUSTED", "details": [RETRY]}}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("fault", "wait"),
    [
        (says(429, {"error": {"message": "slow down"}}, ("Retry-After", "3")), 3.0),
        (says(429, QUOTA), 7.0),
        (says(503, "busy"), None),
        (says(500, {"error": "boom"}), None),
        (says(408, ""), None),
        (faulty.hangs_up, None),
        (faulty.breaks_off, None),
        (NO_JSON, None),
        (says(200, ""), None),
    ],
)
def test_what_passes_is_waited_for(server, made, provider, fault, wait):
    waits = []
    server.faults = [fault, fault]
    assert made(provider, waits=waits).embed_documents(TEXTS).shape == (3, WIDTH)
    assert len(server.requests) == 3
    if wait is None:
        assert 0.25 <= waits[0] <= 0.5 <= waits[1] <= 1.0  # exponential, with jitter
    else:
        assert waits == [wait, wait]


@pytest.mark.parametrize(
    ("fault", "tries", "error", "said"),
    [
        (says(429, {"error": {"message": "slow"}}), 3, ModelTransient, r"429 \(slow\) after 3 tries"),
        (says(429, {}, ("Retry-After", "3600")), 1, ModelTransient, "answered 429"),
        (NO_JSON, 3, ModelTransient, r"not JSON \(we are down\): try again after 3 tries"),
        (faulty.hangs_up, 3, ModelTransient, "was lost"),
        (faulty.sleeps, 3, ModelTransient, "sent nothing for 0.2 s: raise embedding.timeout_s"),
        (says(404, {"error": "no model, try pulling it first"}), 1, ModelMissing, "try pulling it first"),
        (NO_CREDIT, 1, ModelUnusable, "no credit left"),
        (says(200, "<html>sign in</html>"), 1, ModelUnusable, "web page .* check embedding.base_url"),
    ],
)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_does_not_pass_is_one_line(server, made, provider, fault, tries, error, said):
    server.faults = [fault] * 3
    embedder = made(provider, retries=2, timeout_s=0.2 if fault is faulty.sleeps else 30)
    with pytest.raises(error, match=said) as raised:
        embedder.embed_documents(TEXTS)
    assert "\n" not in str(raised.value)
    assert len(server.requests) == tries


def test_an_answer_without_end_is_cut_off(server, made):
    server.faults = [faulty.drips]
    embedder = made("openai", timeout_s=0.06)
    with pytest.raises(ModelRefused, match="without end"):
        embedder.embed_documents(TEXTS)


LAST = "in the vector for text 2"
REFUSED = {
    "short": (faulty.drops_one, "holds 2 vectors for 3 texts"),
    "long": (faulty.adds_one, "holds 4 vectors for 3 texts"),
    "NaN": (faulty.spoils(lambda row: [float("nan"), *row[1:]]), f"not finite {LAST}"),
    "too large": (faulty.spoils(lambda row: [10**400, *row[1:]]), f"not finite {LAST}"),
    "zeros": (faulty.spoils(lambda row: [0.0] * len(row)), f"only zeros {LAST}"),
    "null": (faulty.spoils(lambda row: [None, *row[1:]]), f"no number {LAST}"),
    "true": (faulty.spoils(lambda row: [True, *row[1:]]), f"no number {LAST}"),
    "words": (faulty.spoils(lambda row: ["0.5", *row[1:]]), f"no number {LAST}"),
    "base64": (faulty.spoils(lambda row: "AAAAPwAAAD8="), "no vector for text 2"),
    "missing": (faulty.spoils(lambda row: None), "no vector for text 2"),
    "empty": (faulty.spoils(lambda row: []), "no vector for text 2"),
    "shorter": (faulty.spoils(lambda row: row[:-1]), "47 numbers, not of 48, for text 2"),
    "other shape": (says(200, {"result": []}), "has no list"),
    "a list": (says(200, []), "has no list"),
    "a number": (says(200, "7"), "has no list"),
}


@pytest.mark.parametrize("fault", REFUSED)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_wrong_vectors_are_refused_and_never_zeros(server, made, provider, fault):
    spoil, said = REFUSED[fault]
    server.faults = [spoil]
    embedder = made(provider)
    with pytest.raises(ModelRefused, match=said) as raised:
        embedder.embed_documents(TEXTS)
    assert "\n" not in str(raised.value) and MODELS[provider] in str(raised.value)
    assert len(server.requests) == 1  # asking again would be paid again and give the same
    assert embedder.embed_documents(TEXTS).shape == (3, WIDTH)  # the embedder is none the worse for it


def test_vectors_out_of_order_are_put_in_order_by_their_index(server, made):
    server.faults = [faulty.shuffles]
    embedder = made("openai")
    np.testing.assert_allclose(embedder.embed_documents(TEXTS), units(TEXTS), atol=1e-6)
    server.faults = [faulty.repeats_an_index]
    with pytest.raises(ModelRefused, match="wrong or repeated index"):
        embedder.embed_documents(TEXTS)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_another_dimension_than_before_is_refused(server, made, provider):
    embedder = made(provider)
    embedder.embed_query("a")
    server.faults = [faulty.spoils(lambda row: row[:24])]
    with pytest.raises(ModelRefused, match="vector of 24 numbers, not of 48"):
        embedder.embed_query("b")


def test_what_was_answered_before_a_failure_is_given(server, made):
    server.faults = [lambda _, *sent: sent, says(400, {"error": {"message": "too long"}})]
    embedder = made("openai", batch_size=2, concurrency=1)
    units = embedder.embed_units([["a b", "c"], ["d", "e"], ["f", "g"]])
    assert next(units).shape == (2, WIDTH)
    with pytest.raises(ModelRefused, match="too long"):
        next(units)


@pytest.mark.parametrize(
    ("key", "error", "said"),
    [
        ("sk-wrong-and-secret", ModelUnusable, "key"),
        ("sk-secret\nX-Other: 1", ModelMissing, "TEST_API_KEY does not hold a valid key"),
        ("sk-secret-ключ", ModelMissing, "TEST_API_KEY does not hold a valid key"),
    ],
)
@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_a_wrong_key_is_said_and_never_shown(made, provider, monkeypatch, key, error, said):
    monkeypatch.setenv("TEST_API_KEY", key)
    embedder = made(provider)
    with pytest.raises(error, match=said) as raised:
        embedder.embed_query("a")
    assert "secret" not in str(raised.value) + repr(embedder)


@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_a_providers_own_address_needs_its_key(provider, monkeypatch):
    monkeypatch.delenv(f"{provider.upper()}_API_KEY", raising=False)
    embedder = RemoteEmbedder(Embedding(provider=provider, model="m"))
    assert embedder.name == f"{provider}:m"
    with pytest.raises(ModelMissing, match=f"set {provider.upper()}_API_KEY"):
        embedder.embed_query("a")


def test_a_key_goes_to_no_address_that_it_was_not_named_for(server, made, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    embedder = made("openai", api_key_env="")
    with pytest.raises(ModelUnusable):
        embedder.embed_query("a")
    assert server.headers[0]["Authorization"] is None


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_empty_text_is_not_sent(server, made, provider):
    embedder = made(provider, prefixes=Prefixes())
    with pytest.raises(ModelRefused, match="text 1 of a request is empty"):
        embedder.embed_documents(["a", " \n"])
    assert server.requests == []


@pytest.mark.parametrize(
    "use",
    [
        lambda embedder: embedder.load(),
        lambda embedder: embedder.dimension,
        lambda embedder: embedder.embed_query("a"),
        lambda embedder: embedder.embed_documents(["a"]),
    ],
)
def test_what_may_not_be_sent_is_not(server, use):
    place = Embedding(provider="openai", model="m", base_url=server.url("openai"))
    with pytest.raises(ModelRefused, match="nobody confirmed it"):
        use(RemoteEmbedder(place, withheld="nobody confirmed it"))
    assert server.requests == []


@pytest.mark.parametrize(
    ("provider", "tokens"), [("openai", [8, 2]), ("gemini", [14, 3]), ("ollama", [8, 2])]
)
def test_calls_are_told_with_the_tokens_that_the_endpoint_counted(server, made, provider, tokens):
    calls = []
    embedder = made(provider, prefixes=Prefixes())
    embedder._record = calls.append
    embedder.embed_documents(TEXTS)
    for _ in range(2):
        embedder.embed_query("who left?")  # is asked once
    assert [call.prompt_tokens for call in calls] == tokens
    where = server.url(provider).removeprefix("http://")
    for call in calls:
        assert call.estimated == (provider == "gemini")
        assert call.model == f"{MODELS[provider]}@{where}"
        assert call.completion_tokens == 0 and call.seconds > 0


def test_a_plan_counts_requests_and_sends_none(server, made):
    embedder = made("openai", batch_size=50)
    plan = embedder.plan([["a b c"] * 70, ["d"] * 31])
    assert (plan.requests, plan.answered, plan.answer_tokens) == (3, 0, 0)
    assert plan.prompt_tokens == 70 * 2 + 31
    assert server.requests == []
