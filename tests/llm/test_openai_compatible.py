import json
import socket

import pytest
from tests.contracts.generator_contract import PROMPT, GeneratorContract

from fabula.core.types import Prompt
from fabula.errors import ConfigError, ModelMissing, ModelRefused, ModelTransient, ModelUnusable
from fabula.llm.openai_compatible import estimate_tokens

from .chat_server import (
    ChatServer,
    Endless,
    Page,
    Status,
    Stream,
    answer,
    ask,
    chunk,
    events,
    generator_at,
    usage_chunk,
)

KEY = "sk-very-secret-key"
OK = ("The keeper", " is", " old.")


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("STORY_API_KEY", KEY)


def _by_prompt(body):
    words = f"You asked: {body['messages'][-1]['content']}".split(" ")
    limit = body["max_tokens"]
    pieces = [words[0], *(f" {word}" for word in words[1:])]
    cut = len(pieces) > limit
    return answer(*pieces[:limit], finish="length" if cut else "stop", usage=(30, min(len(pieces), limit)))


class TestOpenAICompatible(GeneratorContract):
    @pytest.fixture
    def generator(self):
        with ChatServer(_by_prompt) as server:
            generator = generator_at(server.url)
            yield generator
            generator.close()

    fresh_generator = generator


def test_what_is_sent_and_what_comes_back():
    generation, server = ask([answer(*OK, usage=(33, 5))], api_key_env="STORY_API_KEY")
    assert generation.text == "The keeper is old."
    assert (generation.prompt_tokens, generation.completion_tokens) == (33, 5)
    assert dict(generation.settings) == {
        "max_tokens": 50,
        "seed": 0,
        "temperature": 0.0,
        "tokens": "reported",
    }
    assert server.requests == [
        {
            "path": "/v1/chat/completions",
            "model": "m",
            "messages": [
                {"role": "system", "content": PROMPT.system},
                {"role": "user", "content": PROMPT.user},
            ],
            "max_tokens": 50,
            "temperature": 0.0,
            "seed": 0,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_no_system_text_makes_no_system_message():
    _, server = ask([answer(*OK)], Prompt("", "Go on.", "v1"))
    assert server.requests[0]["messages"] == [{"role": "user", "content": "Go on."}]


def test_without_a_usage_block_tokens_are_estimated():
    generation, _ = ask([answer("lamp灯台守", usage=None)])
    assert generation.completion_tokens == 5  # 4 + 9 bytes / 3, rounded up
    assert generation.prompt_tokens == estimate_tokens(PROMPT.system) + estimate_tokens(PROMPT.user)
    assert dict(generation.settings)["tokens"] == "estimated"


def test_server_errors_until_exhaustion():
    waits = []
    with pytest.raises(ModelTransient, match=r"m at 127\.0\.0\.1:\d+/v1 answered 500 .* after 4 tries"):
        ask([Status(500)] * 4, waits=waits, max_retries=3)
    assert waits == [0.5, 1.0, 2.0]  # 0.5 * 2**n, times 1 at full jitter


def test_waits_longer_than_a_minute_are_not_waited():
    waits = []
    with pytest.raises(ModelTransient, match="answered 429"):
        ask([Status(429, headers=[("Retry-After", "3600")])], waits=waits)
    assert waits == []


STATUSES = [
    (Status(401), ModelUnusable, "set STORY_API_KEY to a valid one"),
    (Status(403), ModelUnusable, "set STORY_API_KEY to a valid one"),
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
    "body",
    [
        events(chunk("The"), '{"choices": [{"del'),
        events(chunk("The"), "not json"),
        events(chunk("The"), done=False),
        events(chunk("The")),
        events(chunk("The"), {"error": {"message": "overloaded", "code": 503}}),
    ],
)
def test_a_broken_stream_is_never_an_answer_nor_tried_again_after_text(body):
    pieces, waits = [], []
    with pytest.raises(ModelTransient):
        ask([Stream(body)], on_text=pieces.append, waits=waits)
    assert pieces == ["The"]
    assert waits == []


@pytest.mark.parametrize(
    "body",
    [
        events("[]", "3", '{"choices": 3}', '{"choices": [7]}', '{"choices": [{"delta": 3}]}', "null"),
        events('{"choices": [{"delta": {"content": 5}, "finish_reason": 4}], "usage": "much"}'),
        events(),
        "",
    ],
)
def test_a_stream_that_makes_no_sense_is_transient(body):
    with pytest.raises(ModelTransient):
        ask([Stream(body)] * 5)


def test_a_connection_lost_in_the_middle():
    with pytest.raises(ModelTransient, match="was lost"):
        ask([Stream(events(chunk("The"), done=False), cut=True)])


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (answer(), "empty text"),
        (answer(" ", "\n"), "empty text"),
        (answer(finish="length"), "max_tokens was spent"),
        (answer("The", finish="content_filter"), "content filter"),
        (answer("The", finish="tool_calls"), "called a tool"),
        (Stream(events({"error": {"message": "bad", "type": "invalid_request_error"}})), "broke off"),
        (answer("<think>Who is it?"), "empty text"),
    ],
)
def test_what_is_no_answer_is_refused(reply, message):
    with pytest.raises(ModelRefused, match=message):
        ask([reply])


PLAIN = Prompt("", "Tell.", "v1")
FORM = Prompt("", "Tell.", "v1", '{"type": "object"}')


def test_a_form_is_asked_for_where_there_is_one():
    items = {"type": "array", "maxItems": 2, "items": {"type": "string", "enum": ["Anna", "Tom"]}}
    schema = {"type": "object", "required": ["names"], "properties": {"names": items}}
    prompt = Prompt("You list names as JSON.", "Anna met Tom.", "v1", json.dumps(schema))
    _, server = ask([answer('{"names": []}'), answer(*OK)], prompt, PLAIN)
    form = server.requests[0]["response_format"]
    assert (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)
    assert form["json_schema"]["schema"]["properties"]["names"] == {
        "type": "array",
        "items": {"type": "string", "enum": ["Anna", "Tom"]},
    }
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
    assert generation.text == "The keeper is old."
    assert dict(generation.settings)["unsupported"] == parameter
    assert [parameter in request for request in server.requests] == [True, False, False]
    assert [request.get("max_completion_tokens") for request in server.requests][1:] == (
        [50, 50] if parameter == "max_tokens" else [None, None]
    )


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
    generator = generator_at(f"http://127.0.0.1:{port}/v1", waits=waits, max_retries=1, jitter=lambda: 0.0)
    with pytest.raises(ModelMissing, match=f"127.0.0.1:{port}/v1 cannot be reached .* after 2 tries"):
        generator.generate(PROMPT, max_tokens=5)
    assert waits == [0.25]  # 0.5 s at no jitter is halved
    generator.close()


def test_the_key_is_never_shown():
    echo = f"Incorrect API key provided: {KEY}"
    with ChatServer([Status(401, message=echo), answer(*OK)]) as server:
        generator = generator_at(server.url, api_key_env="STORY_API_KEY")
        with pytest.raises(ModelUnusable, match=r"provided: \*\*\*") as caught:
            generator.generate(PROMPT, max_tokens=5)
        generation = generator.generate(PROMPT, max_tokens=5)
        generator.close()
    error = caught.value
    shown = [repr(generator), generator.name, repr(generation), repr(error), str(error)]
    assert not any(KEY in text for text in shown)
    assert (error.__cause__, error.__context__) == (None, None)


def test_an_address_with_a_password_is_shown_without():
    generator = generator_at("http://ann:pass@127.0.0.1:9/v1/")
    assert generator.name == "m@127.0.0.1:9/v1"
    generator.close()


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://127.0.0.1/v1", "http://", "http://127.0.0.1:x/v1"])
def test_addresses_that_are_none(url):
    with pytest.raises(ConfigError, match="no http"):
        generator_at(url)


def test_usage_may_come_with_every_chunk():
    running = [chunk("The"), usage_chunk(9, 1), chunk(" end."), chunk(finish="stop"), usage_chunk(9, 3)]
    generation, _ = ask([Stream(events(*running))])
    assert (generation.prompt_tokens, generation.completion_tokens) == (9, 3)
