"""A chat endpoint on this machine that answers as it is told to, one script for each request."""

import json
import threading
from collections.abc import Callable
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


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
    return Stream(events(*(chunk(piece) for piece in pieces), chunk(finish=finish), *counts))


class Stream:
    """A 200 with a body of events. ``cut`` promises more bytes than come."""

    def __init__(self, body, *, cut=False):
        self.body, self.cut = body.encode(), cut

    def send(self, handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        if self.cut:
            handler.send_header("Content-Length", str(len(self.body) + 100))
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(self.body)
        handler.close_connection = True


class Endless:
    """Sends words until the other side hangs up, and then sets ``hung_up``."""

    def __init__(self):
        self.hung_up = threading.Event()

    def send(self, handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        event = events(chunk("and "), done=False).encode()
        try:
            while not self.hung_up.wait(0.005):
                handler.wfile.write(event)
        except OSError:
            self.hung_up.set()
        handler.close_connection = True


class Status:
    def __init__(self, status, *, message="no", headers=(), **error):
        self.status, self.headers = status, tuple(headers)
        self.body = json.dumps({"error": {"message": message, **error}}).encode()

    def send(self, handler):
        handler.send_response(self.status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(self.body)))
        for name, value in self.headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(self.body)


class Hang:
    """Sends nothing until ``release`` is set."""

    def __init__(self):
        self.release = threading.Event()

    def send(self, handler):
        self.release.wait(10)
        handler.close_connection = True


class ChatServer:
    """``script`` is a list of answers, taken in order, or a function from the request's body to one."""

    def __init__(self, script: list | Callable):
        self.requests: list[dict] = []
        self.headers: list[Message] = []
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(handler):  # noqa: N805
                body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
                with lock:
                    self.requests.append({"path": handler.path, **body})
                    self.headers.append(handler.headers)
                    reply = script(body) if callable(script) else script.pop(0)
                reply.send(handler)

            def log_message(handler, *args):  # noqa: N805
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.handle_error = lambda *_: None  # whoever hangs up in the middle is meant to
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
