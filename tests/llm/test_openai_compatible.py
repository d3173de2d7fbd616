import json
import re
import socket

import pytest
from tests.contracts.generator_contract import PROMPT, GeneratorContract
from tests.tables import values

from fabula.core.types import Prompt
from fabula.errors import ConfigError, ModelMissing, ModelRefused, ModelTransient, ModelUnusable
from fabula.llm.openai_compatible import estimate_tokens

from .chat_server import (
    ChatServer,
    Endless,
    Page,
    Status,
    answer,
    ask,
    chunk,
    events,
    generator_at,
    usage_chunk,
)

KEY = "sk-very-secret-key"
OK = ("The keeper", " is", " old.")
PLAIN = Prompt("", "Tell.", "v1")
FORM = Prompt("", "Tell.", "v1", '{"type": "object"}')


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("STORY_API_KEY", KEY)


def _by_prompt(body):
    pieces = re.findall(r" *[^ ]+", f"You asked: {body['messages'][-1]['content']}")
    given = pieces[: body["max_tokens"]]
    return answer(*given, finish="length" if len(given) < len(pieces) else "stop", usage=(30, len(given)))


class TestOpenAICompatible(GeneratorContract):
    @pytest.fixture
    def generator(self):
        with ChatServer(_by_prompt) as server:
            generator = generator_at(server.url)
            yield generator
            generator.close()

    fresh_generator = generator


def test_what_is_sent_and_what_comes_back():
    generation, server = ask(
        [answer(*OK), answer(*OK, usage=(33, 5))], PLAIN, PROMPT, api_key_env="STORY_API_KEY"
    )
    assert generation.text == "The keeper is old."
    assert (generation.prompt_tokens, generation.completion_tokens) == (33, 5)
    sampling = {"max_tokens": 50, "seed": 0, "temperature": 0.0}
    assert dict(generation.settings) == sampling | {"tokens": "reported"}
    plain, asked = server.requests
    system, user = ({"role": role, "content": getattr(PROMPT, role)} for role in ("system", "user"))
    streamed = {"stream": True, "stream_options": {"include_usage": True}}
    expected = {"path": "/v1/chat/completions", "model": "m", "messages": [system, user]}
    assert asked == expected | sampling | streamed
    assert plain["messages"] == [{"role": "user", "content": "Tell."}]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_without_a_usage_block_tokens_are_estimated():
    generation, _ = ask([answer("lamp灯台守", usage=None)])
    assert generation.completion_tokens == 5  # 4 + 9 bytes / 3, rounded up
    assert generation.prompt_tokens == estimate_tokens(PROMPT.system) + estimate_tokens(PROMPT.user)
    assert dict(generation.settings)["tokens"] == "estimated"
    running = [chunk("The"), usage_chunk(9, 1), chunk(" end."), chunk(finish="stop"), usage_chunk(9, 3)]
    generation, _ = ask([Page(events(*running))])  # one may come with every chunk
    assert (generation.prompt_tokens, generation.completion_tokens) == (9, 3)


STATUSES = [
    (Status(429, headers=[("Retry-After", "3600")]), ModelTransient, "answered 429"),  # nobody waits so long
    (Status(401), ModelUnusable, "set STORY_API_KEY to a valid one"),
    (Status(403), ModelUnusable, "set STORY_API_KEY"),
    (Status(402), ModelUnusable, "no credit left"),
    (Status(404), ModelMissing, "check generator.model and generator.base_url"),
    (Status(400, message="odd"), ModelUnusable, "odd.*fabula model"),
    (Status(418), ModelUnusable, "answered 418"),
    (Status(400, code="context_length_exceeded"), ModelRefused, "answered 400"),
    (Status(400, message="The prompt is too long"), ModelRefused, "too long"),
    (Status(400, code="content_filter"), ModelRefused, "answered 400"),
    (Status(413), ModelRefused, "answered 413"),
    (Status(429, code="insufficient_quota"), ModelUnusable, "no credit left"),
    (Page("<!doctype html><p>Welcome", "text/plain"), ModelUnusable, "check generator.base_url"),
    (Page("{}", "text/html"), ModelUnusable, "web page"),
]


@pytest.mark.parametrize(("status", "kind", "message"), STATUSES)
def test_what_trying_again_will_not_change_is_tried_once(status, kind, message):
    waits = []
    with pytest.raises(kind, match=message):
        ask([status], waits=waits, api_key_env="STORY_API_KEY")
    assert waits == []


@pytest.mark.parametrize(
    "page",
    [
        Page(events(chunk("The"), '{"choices": [{"del')),
        Page(events(chunk("The"), "not json")),
        Page(events(chunk("The"), done=False)),
        Page(events(chunk("The"), done=False), cut=True),
        Page(events(chunk("The"))),
        Page(events(chunk("The"), {"error": {"message": "overloaded", "code": 503}})),
    ],
)
def test_a_broken_stream_is_never_an_answer_nor_tried_again_after_text(page):
    pieces, waits = [], []
    with pytest.raises(ModelTransient):
        ask([page], on_text=pieces.append, waits=waits)
    assert (pieces, waits) == (["The"], [])


@pytest.mark.parametrize("body", [cell for (cell,) in values(__file__, "streams_without_sense.tsv")])
def test_a_stream_that_makes_no_sense_is_transient(body):
    with pytest.raises(ModelTransient):
        ask([Page(body)] * 5)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (answer(), "empty text"),
        (answer(" ", "\n"), "empty text"),
        (answer(finish="length"), "max_tokens was spent"),
        (answer("The", finish="content_filter"), "content filter"),
        (answer("The", finish="tool_calls"), "called a tool"),
        (Page(events({"error": {"message": "bad", "type": "invalid_request_error"}})), "broke off"),
        (answer("<think>Who is it?"), "empty text"),
    ],
)
def test_what_is_no_answer_is_refused(reply, message):
    with pytest.raises(ModelRefused, match=message):
        ask([reply])


def test_a_form_is_asked_for_where_there_is_one():
    items = {"type": "array", "maxItems": 2, "items": {"type": "string", "enum": ["Anna", "Tom"]}}
    schema = {"type": "object", "required": ["names"], "properties": {"names": items}}
    prompt = Prompt("You list names as JSON.", "Anna met Tom.", "v1", json.dumps(schema))
    _, server = ask([answer('{"names": []}'), answer(*OK)], prompt, PLAIN)
    form = server.requests[0]["response_format"]
    assert (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)
    del items["maxItems"]
    assert form["json_schema"]["schema"]["properties"]["names"] == items
    assert "response_format" not in server.requests[1]


@pytest.mark.parametrize(
    ("parameter", "said", "prompt"),
    [
        ("max_tokens", "Unsupported parameter: 'max_tokens' is not supported, use another", PLAIN),
        ("temperature", "Unsupported value: 'temperature' does not support 0.0 with this model", PLAIN),
        ("stop", "Unsupported parameter: 'stop' is not supported with this model.", PLAIN),
        ("response_format", "Unsupported parameter: 'response_format' is not supported.", FORM),
    ],
)
def test_a_parameter_that_a_model_does_not_take_is_left_out_from_then_on(parameter, said, prompt):
    script = [Status(400, message=said), answer(*OK), answer(*OK)]
    generation, server = ask(script, prompt, prompt, stop=["THE END"])
    assert dict(generation.settings)["unsupported"] == parameter
    assert [parameter in request for request in server.requests] == [True, False, False]
    instead = 50 if parameter == "max_tokens" else None
    assert [request.get("max_completion_tokens") for request in server.requests[1:]] == [instead, instead]


def test_an_exception_in_on_text_hangs_up():
    endless = Endless()

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask([endless], on_text=stop)
    assert endless.hung_up.wait(5)


def test_nobody_there():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    waits = []
    generator = generator_at(f"http://127.0.0.1:{port}/v1", waits=waits, retries=1, jitter=lambda: 0.0)
    with pytest.raises(ModelMissing, match=f"127.0.0.1:{port}/v1 cannot be reached .* after 2 tries"):
        generator.generate(PROMPT, max_tokens=5)
    assert waits == [0.25]  # 0.5 s at no jitter is halved
    generator.close()


def test_the_key_is_never_shown():
    with ChatServer([Status(401, message=f"Incorrect API key provided: {KEY}"), answer(*OK)]) as server:
        generator = generator_at(server.url, api_key_env="STORY_API_KEY")
        with pytest.raises(ModelUnusable, match=r"provided: \*\*\*") as caught:
            generator.generate(PROMPT, max_tokens=5)
        generation = generator.generate(PROMPT, max_tokens=5)
        generator.close()
    error = caught.value
    assert KEY not in repr((generator, generator.name, generation, error, str(error)))
    assert (error.__cause__, error.__context__) == (None, None)


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://127.0.0.1/v1", "http://", "http://127.0.0.1:x/v1"])
def test_an_address_that_is_none_is_refused_and_a_password_in_one_is_not_shown(url):
    with pytest.raises(ConfigError, match="is not an http"):
        generator_at(url)
    generator = generator_at("http://ann:pass@127.0.0.1:9/v1/")
    assert generator.name == "m@127.0.0.1:9/v1"
    generator.close()
