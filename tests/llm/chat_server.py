"""A chat endpoint on this machine that answers as it is told to, one script for each request."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.contracts.generator_contract import PROMPT

from fabula.config import Generator
from fabula.llm.openai_compatible import OpenAICompatibleGenerator


def chunk(text=None, finish=None):
    choice = {"index": 0, "delta": {} if text is None else {"content": text}, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def usage_chunk(prompt_tokens, completion_tokens):
    counts = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    return {**chunk(), "choices": [], "usage": {**counts, "total_tokens": sum(counts.values())}}


def events(*data, done=True):
    """Each item as one server-sent event; a string goes out as it is."""
    lines = [item if isinstance(item, str) else json.dumps(item) for item in data]
    return "".join(f"data: {line}\n\n" for line in [*lines, *(["[DONE]"] if done else [])])


def answer(*pieces, finish="stop", usage=(21, 4)):
    counts = [usage_chunk(*usage)] if usage else []
    return Page(events(*(chunk(piece) for piece in pieces), chunk(finish=finish), *counts))


def send_head(handler, status, headers):
    handler.send_response(status)
    for name, value in headers:
        handler.send_header(name, value)
    handler.end_headers()


class Page:
    """A 200 with this ``body``. ``cut`` promises more bytes than come."""

    def __init__(self, body, kind="text/event-stream", *, cut=False):
        self.body, self.kind, self.promised = body.encode(), kind, len(body.encode()) + 100 * cut

    def send(self, handler):
        length = ("Content-Length", str(self.promised))
        send_head(handler, 200, [("Content-Type", self.kind), length, ("Connection", "close")])
        handler.wfile.write(self.body)
        handler.close_connection = True


class Reset:
    """Sends ``body``, then resets the connection."""

    def __init__(self, body=""):
        self.body = body

    def send(self, handler):
        if self.body:
            Page(self.body, cut=True).send(handler)
            handler.wfile.flush()
            time.sleep(0.05)
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.connection.close()
        handler.close_connection = True


AND = events(chunk("and "), done=False)


class Endless:
    """Sends ``data`` until the other side hangs up, and then sets ``hung_up``."""

    def __init__(self, data=AND, pause_s=0.005):
        self.data, self.pause_s, self.hung_up = data.encode(), pause_s, threading.Event()

    def send(self, handler):
        send_head(handler, 200, [("Content-Type", "text/event-stream"), ("Connection", "close")])
        try:
            while not self.hung_up.wait(self.pause_s):
                handler.wfile.write(self.data)
        except OSError:
            self.hung_up.set()
        handler.close_connection = True


class Status:
    def __init__(self, status, *, message="no", headers=(), **error):
        self.status, self.headers = status, tuple(headers)
        self.body = json.dumps({"error": {"message": message, **error}}).encode()

    def send(self, handler):
        head = [("Content-Type", "application/json"), ("Content-Length", str(len(self.body)))]
        send_head(handler, self.status, [*head, *self.headers])
        handler.wfile.write(self.body)


class Hang:
    def __init__(self):
        self.release = threading.Event()

    def send(self, handler):
        self.release.wait(10)
        handler.close_connection = True


class LocalServer:
    """An HTTP server of this machine, which gives each request to ``reply`` as (handler, body)."""

    def __init__(self, reply: Callable):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(handler):  # noqa: N805
                reply(handler, json.loads(handler.rfile.read(int(handler.headers["Content-Length"]))))

            def do_GET(handler):  # noqa: N805
                reply(handler, {})

            def log_message(handler, *args):  # noqa: N805
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.handle_error = lambda *_: None  # whoever hangs up in the middle is meant to
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self.address = f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class ChatServer(LocalServer):
    """``script`` is a list of answers, taken in order, or a function from the request's body to one;
    ``pages`` are answers, or JSON, by path."""

    def __init__(self, script: list | Callable, pages: dict | None = None):
        super().__init__(self._reply)
        self.url = f"{self.address}/v1"
        self.pages = pages or {}
        self.requests: list[dict] = []
        self.headers: list[Message] = []
        self._script, self._lock = script, threading.Lock()

    def _reply(self, handler, body):
        with self._lock:
            self.requests.append({"path": handler.path, **body})
            self.headers.append(handler.headers)
            if handler.path in self.pages:
                page = self.pages[handler.path]
                page = page if hasattr(page, "send") else Page(json.dumps(page), "application/json")
                return page.send(handler)
            if handler.command == "GET":
                return Status(404).send(handler)
            reply = self._script(body) if callable(self._script) else self._script.pop(0)
        return reply.send(handler)


def ollama(*pieces, tokens=21, finish="stop"):
    """Pieces of an answer in Ollama's own protocol."""
    lines = [{"message": {"content": piece}, "done": False} for piece in pieces]
    lines.append(
        {"done": True, "done_reason": finish, "prompt_eval_count": tokens, "eval_count": len(pieces)}
    )
    return Page("".join(json.dumps(line) + "\n" for line in lines), "application/x-ndjson")


def generator_at(url, *, waits=None, **settings):
    """A generator that notes its ``waits`` in place of waiting: its clock knows no other time."""
    settings = {"model": "m", "base_url": url, "provider": "openai", "context_tokens": 512} | settings
    waits = [] if waits is None else waits
    how = {name: settings.pop(name) for name in ("retries", "longest_s", "jitter") if name in settings}
    made = OpenAICompatibleGenerator(Generator(**{"timeout_s": 5.0, **settings}))
    vars(made.client).update({"sleep": waits.append, "jitter": lambda: 1.0, **how})
    vars(made.pace).update(sleep=waits.append, clock=lambda: sum(waits))
    return made


def ask(script, *prompts, on_text=None, **settings):
    """The answer to the last of the prompts, and the server that gave it."""
    with ChatServer(script) as server:
        generator = generator_at(server.url, **settings)
        try:
            for prompt in prompts or (PROMPT,):
                answered = generator.generate(prompt, max_tokens=50, on_text=on_text)
            return answered, server
        finally:
            generator.close()
