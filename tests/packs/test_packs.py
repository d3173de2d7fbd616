import io
import json
import sys
from pathlib import Path

import jsonschema
import pytest
from starlette.testclient import TestClient
from tests.llm.chat_server import ChatServer, answer
from tests.scripted import ScriptedGenerator
from tests.stories.answering import over_http
from tests.stories.comparison_fakes import FakeEmbedder
from tests.tables import values

from fabula.api.app import create_app
from fabula.api.settings import ServerSettings
from fabula.config import Config
from fabula.core.embeddings import EmbeddingManager
from fabula.errors import DocumentError, ModelRefused, ModelTransient, ProjectError
from fabula.packs.asking import ask, conversation, suggest
from fabula.packs.items import Wanted, read_items, schema
from fabula.packs.pack import Pack, index_packs

HERE = Path(__file__).parent
ITEMS = json.loads((HERE / "items.json").read_text(encoding="utf-8"))
SIBLINGS = json.loads((HERE / "siblings.json").read_text(encoding="utf-8"))


class WordVectors(FakeEmbedder):
    """Keeps the ``texts`` that it embedded."""

    version, dimension = "words/1", 64
    refuses, fails_after = "", 1000

    def __init__(self):
        super().__init__()
        self.texts = []

    def embed_documents(self, texts):
        if len(self.texts) >= self.fails_after:
            raise ModelTransient("the endpoint is away")
        if self.refuses and any(self.refuses in text for text in texts):
            raise ModelRefused("too long")
        self.texts += texts
        return super().embed_documents(texts)

    def embed_query(self, text):
        return super().embed_documents([text])[0]

    def load(self): ...

    def close(self): ...


@pytest.fixture
def files(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "a.json").write_text(json.dumps(ITEMS[:2]), encoding="utf-8")
    lines = "\n".join(json.dumps(one) for one in ITEMS[2:])
    (tmp_path / "in" / "deep" / "b.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path / "in"


@pytest.fixture
def embedder():
    return WordVectors()


@pytest.fixture
def pack(files, tmp_path, embedder):
    report = index_packs([files], tmp_path / "p", embedder=embedder)
    assert (report.items, report.texts, report.embedded, report.skipped) == (4, 5, 5, ())
    return Pack(tmp_path / "p", embedder=embedder)


def keys(found):
    return [one.entry.key for one in found]


def test_both_shapes_are_read_and_what_is_embedded_is_what_they_say(pack, embedder):
    assert "how long is the guarantee" in embedder.texts
    assert not any("warranty" in text for text in embedder.texts)
    assert keys(pack.search("how long is the guarantee"))[0] == "warranty"
    [first, *_] = pack.search("toaster slices")
    assert (first.entry.chapter, first.entry.tags) == (5, (("product", "T9"),))
    for chunk in pack.chunks:
        assert chunk.span.of("\n\n".join(one.text for one in pack.chunks)) == chunk.text


def test_an_item_in_two_languages_is_found_once(pack):
    assert keys(pack.search("kettle vinegar Essig Kessel", 10)).count("descale") == 1
    [found] = pack.search("Essig", 1, wanted=Wanted(language="de"))
    assert found.entry.text.startswith("Entkalken")


def test_of_two_languages_that_fit_alike_the_first_in_the_file_is_shown(tmp_path, embedder):
    texts = {"en": "Descale it monthly.", "de": "Monatlich entkalken."}
    item = {"id": "x", "languageVariants": texts, "embeddingStrings": {"semantic": "how to remove lime"}}
    for name, order in ("a", ("en", "de")), ("b", ("de", "en")):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps([{**item, "languageVariants": {one: texts[one] for one in order}}]))
        index_packs([file], tmp_path / name, embedder=embedder)
        [found] = Pack(tmp_path / name, embedder=embedder).search("remove lime", 1)
        assert found.entry.language == order[0]


@pytest.mark.parametrize(("item", "key", "texts"), values(__file__, "numbers_are_ids_and_what_is.tsv"))
def test_numbers_are_ids_and_what_is_null_is_not_there(tmp_path, item, key, texts):
    (tmp_path / "a.json").write_text(json.dumps([item]), encoding="utf-8")
    entries, skipped = read_items([tmp_path / "a.json"])
    assert not skipped
    assert {one.key for one in entries} == {key}
    assert {one.language: one.text for one in entries} == texts
    assert all(Wanted(language=name.replace("-", "_")).admits(one) for name in texts for one in entries)


def test_filters_come_before_the_search(pack):
    def found(*tags, **more):
        return keys(pack.search("kettle", 10, wanted=Wanted(tags, **more)))

    assert "old" not in found() and "old" in found(all=True)
    assert found(("tag", "law")) == ["warranty"]
    assert found(("topic", "care"), ("topic", "kettle")) == found(section="Care") == ["descale"]
    assert found(("product", "T9")) == ["toaster"]


def test_nothing_of_a_later_chapter_is_found(pack):
    assert keys(pack.search("toaster slices", 10, as_of=4)).count("toaster") == 0
    assert "toaster" in keys(pack.search("toaster slices", 10, as_of=5))
    assert "toaster" not in ask(pack, "What does the toaster brown?", as_of=4).text


def test_only_what_changed_is_embedded_and_nothing_costs_nothing(files, tmp_path, pack, embedder):
    embedder.texts.clear()
    before = (tmp_path / "p" / "pack.json").read_bytes()
    again = index_packs([files], tmp_path / "p", embedder=embedder)
    assert (again.changed, again.embedded, embedder.texts) == (False, 0, [])
    assert (tmp_path / "p" / "pack.json").read_bytes() == before
    changed = [ITEMS[0] | {"tags": ["other"]}, *ITEMS[1:2], {"id": "new", "text": "A new lid fits."}]
    (files / "a.json").write_text(json.dumps({"items": changed}), encoding="utf-8")
    third = index_packs([files], tmp_path / "p", embedder=embedder)
    assert third.changed and embedder.texts == ["A new lid fits."]
    opened = Pack(tmp_path / "p", embedder=embedder)
    assert keys(opened.search("lid", 1)) == ["new"]
    assert len(list((tmp_path / "p").glob("index-*"))) == 1
    (files / "deep" / "b.jsonl").unlink()
    index_packs([files], tmp_path / "p", embedder=embedder)
    assert "toaster" not in keys(Pack(tmp_path / "p", embedder=embedder).search("toaster", 10))


def test_the_shapes_of_siblings_are_read():
    entries, skipped = read_items([HERE / "siblings.json"])
    assert skipped == []
    told = {(one.key, one.language): one for one in entries}
    assert told["opening_01", "it"].text == "Comincia da ciò che vedete entrambi."
    assert told["opening_01", "en"].semantic == "how to begin a conversation"
    assert told["opening_01", "en"].tags == (("goal", "rapport"), ("phase", "opening"), ("type", "tip"))
    mixed = [("mixed", "en"), ("mixed", "de"), ("given", "")]
    assert [key for key in told if key[0] in ("mixed", "given")] == mixed
    chapters = [(one.chapter, dict(one.tags).get("chapter")) for one in entries if one.key[0] == "c"]
    first = (1, "Introduction to ROS 2")
    assert chapters == [first, (2, "Nodes"), first, (7, None), (3, "Chapter 3: Services")]


def test_a_chapter_with_a_title_is_a_filter_and_a_horizon(tmp_path, embedder):
    index_packs([HERE / "siblings.json"], tmp_path / "p", embedder=embedder)
    opened = Pack(tmp_path / "p", embedder=embedder)
    wanted = Wanted((("chapter", "Introduction to ROS 2"),))
    assert set(keys(opened.search("ROS 2", 10, wanted=wanted))) == {"c1", "c3"}
    assert not {"c2", "c4", "c5"} & set(keys(opened.search("node process ROS 2", 10, as_of=1)))


def test_what_is_no_item_is_listed_with_its_reason(tmp_path):
    broken = json.loads((HERE / "broken.json").read_text(encoding="utf-8"))
    broken += [[{"id": "a" * 201, "text": "x"}, "id"], [{"id": "e", "text": "x" * 20_001}, "text"]]
    file = tmp_path / "x.json"
    file.write_text(json.dumps([*ITEMS, *(value for value, _ in broken)]), encoding="utf-8")
    entries, skipped = read_items([file])
    assert len({one.key for one in entries}) == 4 and len(skipped) == len(broken)
    for one, (value, reason) in zip(skipped, broken, strict=True):
        assert reason in one.reason, (value, one)
        assert one.file == "x.json" and one.id
    lines = tmp_path / "y.jsonl"
    lines.write_text('{"id": "a", "text": "One."}\n{oops\n{"id": "b", "text": "Two."}\n', encoding="utf-16")
    entries, skipped = read_items([lines])
    assert [one.key for one in entries] == ["a", "b"] and [one.id for one in skipped] == ["#2"]


@pytest.mark.parametrize("text", ["{", "7", '{"a": 1}', "[" * 100_000, '"x"', "\ufeff"])
def test_a_file_that_holds_no_list_is_refused_in_one_line(tmp_path, text):
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DocumentError) as error:
        read_items([file])
    assert "\n" not in str(error.value) and str(file) in str(error.value)


def test_the_schema_takes_what_is_taken(files):
    jsonschema.Draft202012Validator.check_schema(schema())
    for taken in (ITEMS, {"items": ITEMS}, SIBLINGS):
        jsonschema.validate(taken, schema())
    for value in ({"id": 5.5}, {"id": "a", "metadata": {"chapter": -1}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate([value], schema())


def test_one_that_the_model_refuses_costs_the_others_nothing(files, tmp_path, embedder):
    embedder.refuses = "slices"
    report = index_packs([files], tmp_path / "p", embedder=embedder)
    assert [(one.id, "refused" in one.reason) for one in report.skipped] == [("toaster", True)]
    assert report.items == 3


def test_what_was_embedded_before_a_failure_is_not_embedded_again(tmp_path, embedder):
    many = [{"id": f"i{n}", "text": f"Item number {n} of many."} for n in range(300)]
    (tmp_path / "x.json").write_text(json.dumps(many), encoding="utf-8")
    embedder.fails_after = 256
    with pytest.raises(ModelTransient):
        index_packs([tmp_path / "x.json"], tmp_path / "p", embedder=embedder)
    with pytest.raises(ProjectError, match="holds no pack"):
        Pack(tmp_path / "p", embedder=embedder)
    embedder.fails_after, embedder.texts = 1000, []
    report = index_packs([tmp_path / "x.json"], tmp_path / "p", embedder=embedder)
    assert len(embedder.texts) == report.embedded == 44 and report.items == 300


def test_damage_and_strangers_are_said(files, tmp_path, pack, embedder):
    [index] = (tmp_path / "p").glob("index-*")
    (index / "vectors.npy").write_bytes(b"no")
    with pytest.raises(ProjectError, match="index the pack again"):
        Pack(tmp_path / "p", embedder=embedder)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "novel.txt").write_text("x")
    with pytest.raises(ProjectError, match="something else"):
        index_packs([files], tmp_path / "other", embedder=embedder)
    embedder.version = "words/2"
    with pytest.raises(ProjectError, match="embedded with"):
        Pack(tmp_path / "p", embedder=embedder)


def test_the_command_answers_from_items_alone(files, tmp_path, done, refusal):
    pack = tmp_path / "p"
    assert "4 items" in done("packs", "index", files, "-o", pack)
    assert "nothing changed" in done("packs", "index", files, "-o", pack)
    found = done("packs", "search", pack, "guarantee", "--tag", "tag=law")
    assert found.startswith("1. warranty (Warranty, product=K2")
    told = done("packs", "ask", pack, "How long does the warranty of the kettle run?")
    assert "two years" in told and "warranty" in told
    assert not json.loads(done("packs", "ask", pack, "Who invented the wheel?", "--json"))["told"]
    assert json.loads(done("packs", "schema")) == schema()
    refusal("packs", "search", pack, "x", "--tag", "law")
    refusal("packs", "search", tmp_path, "x")


def test_a_semantic_string_is_found_by_what_it_means(files, tmp_path):
    embedder = EmbeddingManager()
    index_packs([files], tmp_path / "p", embedder=embedder)
    opened = Pack(tmp_path / "p", embedder=embedder)
    assert keys(opened.search("For what time is a repair free of charge?"))[0] == "warranty"


LIST = "1. Ask what she sees.\n2. **Ask the dog's name.**\n3. Say hello."


def told(body):
    return body["messages"][-1]["content"]


@pytest.fixture
def endpoint():
    """Answers a question by the first source, a wish for suggestions with a list."""

    def script(body):
        if "numbered 1." in told(body):
            return answer(LIST)
        return over_http("ROS 2 was released in 2017 [1]. It is written in Pascal [1].")(body)

    with ChatServer(script) as server:
        yield server


@pytest.fixture
def settings(endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    return connected(endpoint.url)


def connected(url):
    settings = ("provider=openai", "model=m", f"base_url={url}")
    return [word for one in settings for word in ("--set", f"generator.{one}")]


def made(folder, items):
    index_packs([Path(__file__).with_name(items)], folder, embedder=EmbeddingManager())
    return folder


def test_the_command_has_the_model_answer_and_checks_it(tmp_path, done, settings, endpoint):
    pack = made(tmp_path / "book", "textbook.json")
    asked = ["packs", "ask", pack, "When was ROS 2 released?", *settings, "--json"]
    found = done(*asked)
    facts = json.loads(found)
    assert facts["answer"] == "ROS 2 was released in 2017. [1]"
    assert facts["told"] and facts["model"].startswith("m@") and facts["supported"] == 0.5
    assert [one["label"] for one in facts["citations"]] == ["ros What it is"]
    assert "one sentence was left out" in facts["notices"][0]
    assert done(*asked) == found
    quoted = done(*asked, "--no-model")
    assert json.loads(quoted)["model"] == "" and "2017" in quoted
    assert len(endpoint.requests) == 2


def test_a_conversation_goes_into_the_next_question(tmp_path, done, refusal, settings, endpoint, monkeypatch):
    pack = made(tmp_path / "book", "textbook.json")
    asked = ["What is ROS 2?", "When was it released?"]
    for question in asked:
        done("packs", "ask", pack, question, "--conversation", "a", *settings)
    assert "What is ROS 2?" in told(endpoint.requests[-3])
    assert [question for question, _ in conversation(pack, "a", as_of=None)] == asked
    assert conversation(pack, "a", as_of=1) == conversation(pack, "b", as_of=None) == []
    monkeypatch.setattr(sys, "stdin", io.StringIO("What is a node?\n\nWhat is ROS 2 for?\n"))
    done("packs", "ask", pack, *settings)
    refusal("packs", "ask", pack, "x", "--conversation", "a b", *settings)


def test_suggestions_are_made_of_the_whole_conversation(tmp_path, done, refusal, settings, endpoint):
    pack = made(tmp_path / "tips", "tips.json")
    wishes = "-n 2 --style warm --in German --tag phase=opening".split()
    for _ in range(2):
        said = done("packs", "suggest", pack, "What now?", *wishes, "--twist", "a joke", *settings)
    assert said.splitlines() == ["1. Ask what she sees.", "2. **Ask the dog's name.**", "by open_1"]
    [request] = endpoint.requests
    assert "Suggest 2 things" in told(request)
    assert "The style: warm. If there is a twist, it is a joke. Write it in German." in told(request)
    assert "its name" not in told(request)
    assert "too small" in refusal("packs", "suggest", pack, "What now?")


def test_what_was_said_before_decides_which_items_are_shown(tmp_path, endpoint):
    pack = Pack(made(tmp_path / "tips", "tips.json"), embedder=EmbeddingManager())
    model = ScriptedGenerator([LIST, "only one"])
    history = [("I met somebody with a big dog in the park.", "Nice!")]
    found = suggest(pack, "And now?", model, history=history)
    assert found.sources[0].entry.key == "dog_1" and len(found.items) == 3
    for text in "- Ask.\n- Wait.", "1. Ask.\n2. Wait.", "Two ideas:\n\n* Ask.\n* Wait.", "1) Ask.\n2) Wait.":
        listed = suggest(pack, "x", ScriptedGenerator([text]), count=2)
        assert listed.items == ("Ask.", "Wait.") and not listed.notices
    few = suggest(pack, "x", model, count=2)
    assert few.items == ("only one",) and few.notices == ("the model gave 1 of 2",)


def test_a_model_that_is_away_leaves_the_quotes(tmp_path, done, monkeypatch):
    monkeypatch.setattr("fabula.llm.endpoint.EndpointClient.retries", 0)
    pack = made(tmp_path / "book", "textbook.json")
    said = done("packs", "ask", pack, "When was ROS 2 released?", *connected("http://127.0.0.1:9/v1"))
    assert "2017" in said and "language model failed" in said


def test_over_http_a_model_is_asked_where_it_is_wanted(tmp_path, endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    (tmp_path / ".packs").mkdir()
    made(tmp_path / ".packs" / "book", "textbook.json")
    made(tmp_path / ".packs" / "tips", "tips.json")
    app = create_app(ServerSettings(tmp_path))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        question = {"question": "When was ROS 2 released?"}
        quoted = client.post("/v1/packs/book/ask", json=question).json()
        assert quoted["model"] == "" and "2017" in quoted["text"]
        refused = client.post("/v1/packs/tips/suggest", json={"said": "What now?"})
        assert refused.status_code == 422 and "too small" in refused.json()["detail"]
        generator = {"provider": "openai", "model": "m", "base_url": endpoint.url}
        app.state.backend.packs._config = Config.model_validate({"generator": generator})
        assert client.post("/v1/packs/book/ask", json=question | {"model": False}).json()["told"]
        assert not endpoint.requests
        answers = [client.post("/v1/packs/book/ask", json=question) for _ in range(2)]
        assert answers[0].json() == answers[1].json() and len(endpoint.requests) == 2
        found = answers[0].json()
        assert found["text"] == "ROS 2 was released in 2017. [1]" and found["model"].startswith("m@")
        assert found["citations"][0]["chunk_id"].startswith("ros")
        before = [{"question": "What is ROS 2?", "answer": "A set of libraries."}]
        client.post("/v1/packs/book/ask", json={"question": "When was it released?", "history": before})
        assert any("A set of libraries." in told(one) for one in endpoint.requests[2:])
        asked = {"said": "What now?", "history": before, "count": 3, "style": "warm"}
        asked |= {"twist": "x", "spoken": "de"}
        made_of = [client.post("/v1/packs/tips/suggest", json=asked).json() for _ in range(2)]
        assert made_of[0] == made_of[1] and len(made_of[0]["items"]) == 3 and len(endpoint.requests) == 6
        assert made_of[0]["sources"][0]["entry"]["key"] == "open_1"
        assert client.post("/v1/packs/none/ask", json=question).status_code == 404
        assert client.post("/v1/packs/book/ask", json={"q": "x"}).status_code == 422
