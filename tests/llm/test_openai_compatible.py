import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.contracts.generator_contract import PROMPT, GeneratorContract
from tests.tables import values

from fabula import errors
from fabula.core.types import Prompt
from fabula.errors import ConfigError, ModelError, ModelMissing, ModelRefused, ModelTransient, ModelUnusable
from fabula.llm import openai_compatible
from fabula.llm.openai_compatible import estimate_tokens
from fabula.llm.recorded import RecordedGenerator

from .chat_server import (
    ChatServer,
    Endless,
    Hang,
    Page,
    Reset,
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
    *(
        (Status(of, **how), getattr(errors, kind), said)
        for of, how, kind, said in values(__file__, "statuses.tsv")
    ),
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


@pytest.mark.parametrize(("pieces", "finish", "message"), values(__file__, "no_answers.tsv"))
def test_what_is_no_answer_is_refused(pieces, finish, message):
    with pytest.raises(ModelRefused, match=message):
        ask([answer(*pieces, finish=finish)])
    with pytest.raises(ModelRefused, match="broke off"):
        ask([Page(events({"error": {"message": "bad", "type": "invalid_request_error"}}))])


def test_a_form_is_asked_for_where_there_is_one():
    items = {"type": "array", "items": {"type": "string", "enum": ["Anna", "Tom"]}}
    schema = {"type": "object", "required": ["names"], "properties": {"names": items}}
    prompt = Prompt("You list names as JSON.", "Anna met Tom.", "v1", json.dumps(schema))
    _, server = ask([answer('{"names": []}'), answer(*OK)], prompt, PLAIN)
    form = server.requests[0]["response_format"]
    assert (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)
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
    assert endless.hung_up.wait(60)


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


def test_a_bad_day_ends_with_one_answer():
    waits = []
    day = [Status(429, headers=[("Retry-After", "2")]), Status(503), Reset(), Page("\x00", "text/plain")]
    generation, server = ask([*day, answer("It", " rained."), answer("So.")], PROMPT, OTHER, waits=waits)
    assert (generation.text, waits) == ("So.", [2.0, 1.0, 2.0, 4.0])
    keys = [headers["Idempotency-Key"] for headers in server.headers]
    assert len(keys) == 6 and keys[0] == keys[4] != keys[5]  # each call has a key of its own


OTHER = Prompt("", "Tell.", "v1")


@pytest.mark.parametrize("ending", [Reset, lambda body: Page(body, cut=True)], ids=["reset", "cut"])
def test_an_answer_that_came_whole_is_kept_however_its_connection_ends(ending):
    whole = events(chunk("It rained."), chunk(finish="stop"), done=False)
    generation, server = ask([ending(whole)])
    assert generation.text == "It rained."
    assert dict(generation.settings)["tokens"] == "estimated"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Status(500),
        Page(json.dumps({"choices": [{"message": {"content": "It rained."}}]}), "application/json"),
        Page("\x00\x01\x02", "application/octet-stream"),
        Page("", "text/plain"),
    ],
)
def test_what_is_no_stream_is_tried_again_and_then_refused(reply):
    waits = []
    with pytest.raises(ModelTransient, match=r"m at 127\.0\.0\.1:\d+/v1 .* after 4 tries"):
        ask([reply] * 4, retries=3, waits=waits)
    assert waits == [0.5, 1.0, 2.0]  # 0.5 * 2**n, times 1 at full jitter


@pytest.mark.parametrize(
    ("event", "bound"),
    [
        (": still here\n\n", r"for more than 0\.2 s"),
        (events(chunk("and " * 500), done=False), r"more than 0\.2 MB"),
        ("data: " + "x" * 4000, r"more than 0\.2 MB"),
    ],
    ids=["a drip", "events", "one event"],
)
def test_a_body_without_end_is_bounded_and_hung_up_on(event, bound, monkeypatch):
    monkeypatch.setattr(openai_compatible, "_MOST_BYTES", 200_000)
    drips = event.startswith(":")
    endless = Endless(event, pause_s=0.02 if drips else 0.0005)
    with pytest.raises(ModelRefused, match=rf"without end \({bound}\)"):
        ask([endless], longest_s=0.2 if drips else 60)
    assert endless.hung_up.wait(60)
    with pytest.raises(ModelRefused, match="without end"):
        ask([Status(500, message="x" * 400_000)])


def test_silence_is_bounded_at_every_try():
    hangs = [Hang(), Hang()]
    with pytest.raises(ModelTransient, match=r"sent nothing for 0\.1 s.* after 2 tries"):
        ask(list(hangs), timeout_s=0.1, retries=1)
    for hang in hangs:
        hang.release.set()


def prompts(count):
    return [Prompt("Be brief.", f"Prompt {number}.", "v1") for number in range(count)]


def faulty(served, faults):
    """A script: each prompt meets its faults first, and is then answered; ``served`` counts the answers."""
    left = {}

    def script(body):
        asked = body["messages"][-1]["content"]
        queue = left.setdefault(asked, list(faults))
        if queue:
            return queue.pop(0)
        served.append(asked)
        return Page(events(chunk(f"On {asked}"), chunk(finish="stop"), usage_chunk(9, 3)))

    return script


def test_a_recorded_run_through_faults_pays_once_a_request(tmp_path):
    served = []
    cut = Page(events(chunk("On"), done=False), cut=True)
    script = faulty(served, [Status(500), cut, Reset()])
    with ChatServer(script) as server:
        for _ in range(4):  # each run goes on where the one before failed
            recorded = RecordedGenerator(tmp_path / "run.sqlite", lambda: generator_at(server.url))
            answers = []
            for prompt in prompts(3):
                try:
                    answers.append(recorded.generate(prompt, max_tokens=50).text)
                except ModelError:
                    break
            recorded.close()
            if len(answers) == 3:
                break
    assert answers == [f"On Prompt {number}." for number in range(3)]
    assert sorted(served) == [f"Prompt {number}." for number in range(3)]


def test_two_threads_that_ask_the_same_pay_once(tmp_path):
    served = []
    with ChatServer(faulty(served, [])) as server:
        recorded = RecordedGenerator(tmp_path / "run.sqlite", lambda: generator_at(server.url))
        [prompt] = prompts(1)
        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda _: recorded.generate(prompt, max_tokens=50).text, range(8)))
        recorded.close()
    assert made == ["On Prompt 0."] * 8
    assert served == ["Prompt 0."]
