import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from io import StringIO

import pytest
from tests.tables import values

from fabula.config import load_config
from fabula.core.types import Prompt
from fabula.errors import ModelUnusable
from fabula.llm.connecting import endpoints
from fabula.llm.endpoint import Pace, retry_after
from fabula.project.factories import config_of

from .chat_server import ChatServer, Hang, Page, Status, answer, ask, generator_at, ollama

KEY = "sk-very-secret"
RIGHT = {"brother": "Oskar Kell", "quote": "she let him cross against his silver watch", "colour": "not told"}
LOOSE = {**RIGHT, "quote": "she let him over for a silver watch"}
INVENTS = {**LOOSE, "colour": "brown"}
CHAPTERS = ("Rosa kept the ferry." + " It snowed on it." * 40, "Rosa left.", "Emil came.", "It was May.")
STORY = "".join(f"# Chapter {n}\n\n{text}\n\n" for n, text in enumerate(CHAPTERS, start=1))
MODELS = {"data": [{"id": "big:8b"}, {"id": "nomic-embed-text"}]}
SHOWN = {"model_info": {"llama.context_length": 131072, "llama.block_count": 32}}
LOADED = [{"id": "x", "max_context_length": 1}, {"id": "big:8b", "max_context_length": 7}]
KINDS = {  # pages of each kind of server, and the context length that they come to
    "ollama": ({"/api/show": SHOWN}, 131072),
    "lmstudio": ({"/api/v0/models": {"data": LOADED}}, 7),
    "llamacpp": ({"/props": {"default_generation_settings": {"n_ctx": 8192}, "total_slots": 1}}, 8192),
    "vllm": ({"/v1/models": {"data": [{"id": "big:8b", "max_model_len": 32768}]}}, 32768),
    "koboldcpp": ({"/api/extra/true_max_context_length": {"value": 4096}}, 4096),
}


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The user's own settings; no key is in the environment."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    monkeypatch.chdir(tmp_path)
    for kind in endpoints.endpoint_kinds().values():
        if kind.key:
            monkeypatch.delenv(kind.key, raising=False)
    return tmp_path / "own/fabula/fabula.toml"


@pytest.fixture
def serve(monkeypatch):
    """Servers by kind, in place of those of the table; all other kinds have nobody there."""
    opened = []

    def start(servers):
        table = dict(endpoints.endpoint_kinds())
        for name, kind in table.items():
            url = servers[name].__enter__().url if name in servers else "http://127.0.0.1:9/v1"
            table[name] = replace(kind, base_url=url)
        opened.extend(servers.values())
        monkeypatch.setattr(endpoints, "endpoint_kinds", lambda: table)
        monkeypatch.setattr("fabula.project.connecting.endpoint_kinds", lambda: table)

    yield start
    for server in opened:
        server.__exit__()


def says(told):
    """A server of OpenAI's protocol that says this to everybody."""
    return ChatServer(lambda _: answer(told), {"/v1/models": MODELS})


def test_each_kind_of_server_is_found_with_its_context_and_sent_no_key(own, serve, run_cli, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    servers = {name: ChatServer([], {"/v1/models": MODELS, **pages}) for name, (pages, _) in KINDS.items()}
    serve(servers)
    ran = run_cli("model")
    rows = [re.split(r"  +", line.strip()) for line in ran.out.splitlines()[2:8]]
    expected = [f"{context:,} tokens" for _, context in KINDS.values()]
    assert [row[3] for row in rows[:5]] == expected and {row[2] for row in rows[:5]} == {"big:8b"}
    assert rows[5][:2] == ["6", "OpenAI"] and "OPENAI_API_KEY" in rows[5][2]
    assert "fabula model use ollama/big:8b" in ran.out and not own.exists()
    headers = [header for server in servers.values() for header in server.headers]
    assert headers and not any(KEY in str(header) for header in headers)


def test_who_is_slow_or_no_model_server_is_left_out(own, serve, run_cli):
    hang, page = Hang(), Page("<html>a web app</html>", "text/html")
    answers = {"llamacpp": hang, "vllm": page, "lmstudio": {"data": 3}}
    serve({name: ChatServer([], {"/v1/models": one}) for name, one in answers.items()})
    assert "no server on this machine answers" in run_cli("model").out
    hang.release.set()


class Terminal(StringIO):
    def isatty(self):
        return True


def test_one_number_connects(own, serve, run_cli, monkeypatch):
    serve({"ollama": ChatServer([], {"/v1/models": MODELS, **KINDS["ollama"][0]})})
    monkeypatch.setattr("sys.stdin", Terminal("7\n1\n"))
    ran = run_cli("model")
    assert ran.code == 0 and "there is no model 7" in ran.out and "16,384 tokens of context" in ran.out
    told = load_config(own).generator
    assert (told.provider, told.model, told.context_tokens, told.api_key_env) == (
        "ollama",
        "big:8b",
        16384,
        "",
    )
    assert run_cli("model", "off").code == 0
    assert load_config(own).generator.is_packaged


def test_a_provider_is_asked_with_its_key_once_it_is_chosen(own, serve, run_cli, monkeypatch):
    monkeypatch.setenv("MISTRAL_API_KEY", KEY)
    priced = {"data": [{"id": "mistral-embed"}, {"id": "new"}, {"id": "old", "max_context_length": 131072}]}
    server = ChatServer([], {"/v1/models": priced})
    serve({"mistral": server})
    run_cli("model")
    assert server.requests == []
    ran = run_cli("model", "use", "mistral")
    assert ran.code == 2 and "name one, as mistral/MODEL" in ran.err and "old" in ran.out
    assert server.headers[-1]["Authorization"] == f"Bearer {KEY}"
    assert run_cli("model", "use", "mistral/old").code == 0
    told = load_config(own).generator
    assert (told.model, told.api_key_env, told.context_tokens) == ("old", "MISTRAL_API_KEY", 65536)
    assert KEY not in own.read_text() and KEY not in repr(told)
    for wrong in ("mistral/none", "groq/x"):
        ran = run_cli("model", "use", wrong)
        assert ran.code == 2 and ran.err.count("\n") == 1 and KEY not in ran.err


@pytest.mark.parametrize("name", ["2", "big", "big:8b", "lmstudio/big:8b"])
def test_names_that_find_a_model(own, serve, run_cli, name):
    serve({"lmstudio": ChatServer([], {"/v1/models": {"data": [{"id": "else"}, {"id": "big:8b"}]}})})
    assert run_cli("model", "use", name).code == 0
    assert load_config(own).generator.model == "big:8b"


def test_a_server_at_another_address(own, run_cli):
    with ChatServer([], {"/v1/models": {"data": [{"id": "else"}, {"id": "big:8b"}]}}) as server:
        ran = run_cli("model", "use", server.url.removesuffix("/v1"))
        assert ran.code == 2 and f"name one, as MODEL@{server.url}" in ran.err and "big:8b" in ran.out
        assert run_cli("model", "use", f"big:8b@{server.url}/").code == 0
        told = load_config(own).generator
        assert (told.provider, told.model, told.base_url) == ("openai", "big:8b", server.url)
        assert not any("Authorization" in header for header in server.headers)
        ran = run_cli("model", "use", f"small@{server.url}")
    assert ran.code == 2 and "there is no model small" in ran.err
    assert "cannot be reached" in run_cli("model", "use", f"big:8b@{server.url}").err
    assert "not an http(s) address" in run_cli("model", "use", "http://").err


BOTH = "fit to read chapters and to answer"


@pytest.mark.parametrize(("told", "code", "verdict"), values(__file__, "what_a_model_is_fit_for.tsv"))
def test_a_test_says_what_a_model_is_fit_for(own, serve, run_cli, told, code, verdict, tmp_path):
    serve({"vllm": says(told)})
    run_cli("model", "use", "vllm")
    ran = run_cli("model", "test")
    assert (ran.code, verdict in ran.out, "tokens a second" in ran.out) == (code, True, True)
    assert verdict in run_cli("model").out and verdict in run_cli("doctor").out
    (tmp_path / "story.md").write_text(STORY)
    if code == 0:
        assert "4 requests" in run_cli("model", "test", tmp_path / "story.md").out


@pytest.mark.parametrize("held", [Status(400, message="bad"), answer(json.dumps(INVENTS))])
def test_where_a_schema_does_harm_the_form_is_told_in_words(own, serve, run_cli, held):
    right = answer(json.dumps(RIGHT))
    pages = {"/v1/models": MODELS}
    serve({"vllm": ChatServer(lambda body: held if "response_format" in body else right, pages)})
    run_cli("model", "use", "vllm")
    assert "fit to read chapters" in run_cli("model", "test").out
    assert load_config(own).generator.json_schema == isinstance(held, Status)


def index(run_cli, place, *more):
    (place / "story.md").write_text(STORY)
    settings = ("--set", "parsing.model_extractor=true", "--set", "generator.concurrency=1", "--yes")
    return run_cli("index", place / "story.md", "-o", place / "project", *settings, *more)


def test_an_unfit_model_reads_only_where_it_is_forced(own, serve, run_cli, tmp_path):
    serve({"vllm": says(json.dumps(INVENTS))})
    run_cli("model", "use", "vllm")
    run_cli("model", "test")
    ran = index(run_cli, tmp_path)
    assert ran.code == 2 and "is not fit to read chapters" in ran.err and "--force" in ran.err
    assert index(run_cli, tmp_path, "--force").code == 0


def settings_of(server, **more):
    told = {"provider": "openai", "model": "m", "base_url": server.url} | more
    return [part for key, value in told.items() for part in ("--set", f"generator.{key}={value}")]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Status(401, message=f"no {KEY}"), r"set STORY_API_KEY to a valid one"),
        (Status(400, message="odd"), r"answered 400 \(odd\): check generator.model"),
        (answer(""), r"gave an empty answer 3 times in a row: try fabula model test"),
        (answer("{}", usage=(512, 3)), r"read only the last 512 of about [\d,]+ tokens: load"),
    ],
    ids=["wrong key", "bad request", "nothing", "a cut prompt"],
)
def test_what_no_further_request_cures_ends_the_run_in_one_line(
    own, run_cli, tmp_path, monkeypatch, reply, said
):
    monkeypatch.setenv("STORY_API_KEY", KEY)
    with ChatServer(lambda _: reply) as server:
        told = settings_of(server, api_key_env="STORY_API_KEY", context_tokens=32768)
        ran = index(run_cli, tmp_path, *told)
        assert len(server.requests) <= 4  # of three that go wrong one more may be on its way
    lines = [line for line in ran.err.splitlines() if "will be sent" not in line]
    assert ran.code == 2 and re.search(said, lines[-1]) and KEY not in ran.out + ran.err
    assert not [line for line in lines[:-1] if not line.startswith("WARNING")]


def test_what_a_filter_stops_is_passed_over_and_settings_hold_from_then_on(own, run_cli, tmp_path):
    with ChatServer(lambda _: Status(400, code="content_filter")) as server:
        ran = index(run_cli, tmp_path, *settings_of(server))
        assert ran.code == 0 and "refused" in ran.out
        kept, notices = config_of(tmp_path / "project")
        assert (kept.generator.model, kept.generator.base_url) == ("m", server.url) and not notices.notices


TELL = Prompt("Be brief.", "Tell.", "v1")
FORM = Prompt("", "List.", "v1", json.dumps({"type": "object", "title": "Names"}))


def test_every_request_in_flight_is_asked_again_without_a_schema():
    gate = threading.Barrier(4, timeout=60)
    refuses = Status(400, message="This response_format type is unavailable now")
    with ChatServer(lambda body: refuses if "response_format" in body else answer('{"a": 1}')) as server:
        generator = generator_at(server.url)

        def at_once(_):
            gate.wait()
            return generator.generate(FORM, max_tokens=50).text

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(at_once, range(4))) == ['{"a": 1}'] * 4
        before = len(server.requests)
        generator.generate(FORM, max_tokens=50)
        generator.close()
    assert len(server.requests) == before + 1
    assert server.requests[-1]["messages"][-1]["content"].endswith(FORM.schema)


def test_ollama_is_asked_by_its_own_protocol_for_the_whole_context():
    with ChatServer([ollama("It ", "rained."), ollama("{}", finish="length")]) as server:
        generator = generator_at(server.url, provider="ollama", context_tokens=8192, stop=["END"])
        made = generator.generate(TELL, max_tokens=50, seed=3)
        held = generator.generate(FORM, max_tokens=5)
        generator.close()
    assert (made.text, made.prompt_tokens, made.completion_tokens) == ("It rained.", 21, 2)
    assert held.finish_reason == "length"
    first, second = server.requests
    assert first["path"] == "/api/chat" and first["think"] is False and "format" not in first
    sampling = {"num_predict": 50, "temperature": 0.0, "seed": 3, "stop": ["END"]}
    assert first["options"] == {"num_ctx": 8192, **sampling}
    assert second["format"] == json.loads(FORM.schema)


LONG = "Rosa took the oar, and the ferry went over the river in the dark. " * 470  # some 7,400 tokens


@pytest.mark.parametrize(("wire", "tokens", "cut"), values(__file__, "cut_prompts.tsv"))
def test_an_answer_to_a_cut_prompt_is_refused(wire, tokens, cut):
    reply = ollama("So.", tokens=tokens) if wire == "ollama" else answer("So.", usage=(tokens, 2))
    said = rf"read only the last {tokens:,} of about 7,400 tokens: .*{cut}"
    with ChatServer([reply]) as server:
        generator = generator_at(server.url, provider=wire, context_tokens=32768)
        with pytest.raises(ModelUnusable, match=said) if cut else nullcontext():
            assert generator.generate(Prompt("", LONG, "v1"), max_tokens=50).text == "So."
        generator.close()


def test_a_429_holds_back_all_requests_and_says_so(caplog):
    limits = {"limit": "6000", "remaining": "0", "reset": "1m2.5s"}
    headers = [(f"x-ratelimit-{name}-tokens", value) for name, value in limits.items()]
    script, waits = [Status(429, headers=[("retry-after", "12"), *headers]), answer("So."), answer("So.")], []
    ask(script, TELL, TELL, waits=waits)
    assert waits[0] == 12 and "the next request waits 12 s" in caplog.text
    assert "allows 6,000 tokens per minute" in caplog.text


def test_a_bucket_of_tokens():
    waits = []
    pace = Pace("m")
    pace.sleep, pace.clock = waits.append, lambda: sum(waits)
    pace.slow(0, 600)  # ten a second
    pace.give_back(600)
    for tokens in (500, 100, 50, 900):
        pace.take(tokens)
    assert waits == [5.0, 60.0]  # 50 / 10; a request larger than a minute's waits for a full bucket
    pace.give_back(900)
    pace.take(100)
    assert len(waits) == 2


@pytest.mark.parametrize(("headers", "seconds"), values(__file__, "how_long_to_wait.tsv"))
def test_how_long_to_wait(headers, seconds):
    assert retry_after(headers, now=100.0) == seconds
