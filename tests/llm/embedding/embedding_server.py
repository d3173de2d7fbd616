"""An endpoint on this machine that speaks OpenAI's, Gemini's and Ollama's embedding protocols, strictly, and
fails as it is told to."""

import hashlib
import json
import re
import threading
import time
from functools import cache

import numpy as np
from tests.llm.chat_server import Endless, LocalServer, send_head

WIDTH = 48
KEY = "sk-not-a-real-key"
TASKS = {"RETRIEVAL_DOCUMENT", "RETRIEVAL_QUERY"}


def vector_of(text, width=WIDTH):
    """Words drawn by their digest and summed, so that texts which share words are near; not of length 1."""
    total = np.zeros(width)
    for word in re.findall(r"\w+", text.lower()):
        total += drawn(word, width)
    return (total if total.any() else np.ones(width)).tolist()


@cache
def drawn(word, width):
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(width)


class RefusedError(Exception):
    """A request that the real endpoint would refuse."""


def openai(body, headers, path):
    if path != "/openai/embeddings" or set(body) - {"model", "input", "encoding_format", "dimensions"}:
        raise RefusedError(f"no such request: {path} {sorted(body)}")
    if headers["Authorization"] != f"Bearer {KEY}":
        return 401, {"error": {"message": f"Incorrect API key {headers['Authorization']}", "code": "bad"}}
    if not all(isinstance(text, str) and text for text in body["input"]) or len(body["input"]) > 2048:
        raise RefusedError("input")
    width = body.get("dimensions", WIDTH)
    data = [
        {"object": "embedding", "index": i, "embedding": vector_of(text, width)}
        for i, text in enumerate(body["input"])
    ]
    tokens = sum(len(text.split()) for text in body["input"])
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return 200, {"object": "list", "data": data, "model": body["model"], "usage": usage}


def gemini(body, headers, path):
    found = re.fullmatch(r"/gemini/models/([\w.-]+):batchEmbedContents", path)
    if not found or set(body) != {"requests"} or len(body["requests"]) > 100:
        raise RefusedError(path)
    if headers["x-goog-api-key"] != KEY:
        return 400, {"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}
    rows = []
    for one in body["requests"]:
        if one["model"] != f"models/{found[1]}" or one["taskType"] not in TASKS:
            raise RefusedError(str(one)[:80])
        [part] = one["content"]["parts"]
        rows.append({"values": vector_of(part["text"], one.get("outputDimensionality", WIDTH))})
    return 200, {"embeddings": rows}


def ollama(body, headers, path):
    if path != "/ollama/api/embed" or set(body) - {"model", "input", "truncate", "dimensions"}:
        raise RefusedError(path)
    width = body.get("dimensions", WIDTH)
    rows = [vector_of(text, width) for text in body["input"]]
    units = [(np.array(row) / np.linalg.norm(row)).tolist() for row in rows]
    tokens = sum(len(text.split()) for text in body["input"])
    return 200, {"model": body["model"], "embeddings": units, "prompt_eval_count": tokens}


PROTOCOLS = {"openai": openai, "gemini": gemini, "ollama": ollama}


class EmbeddingServer(LocalServer):
    """``faults`` are functions of ``(handler, status, answer)``, taken in order, one a request; each sends
    something in place of the right answer, or gives back what is to be sent. ``url(provider)`` is an
    address. ``texts`` are all that were sent to it; ``most_at_once`` the most requests beside each other."""

    def __init__(self, *, slow=0.0):
        super().__init__(self._reply)
        self.faults = []
        self.requests = []
        self.headers = []
        self.most_at_once = 0
        self._now, self._slow, self._lock = 0, slow, threading.Lock()

    def _reply(self, handler, body):
        with self._lock:
            self.requests.append(body)
            self.headers.append(handler.headers)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            fault = self.faults.pop(0) if self.faults else None
        time.sleep(self._slow)
        try:
            status, answer = PROTOCOLS[handler.path.split("/")[1]](body, handler.headers, handler.path)
        except (RefusedError, KeyError, TypeError, ValueError) as error:
            status, answer = 400, {"error": {"message": f"malformed: {error!r}"}}
        with self._lock:
            self._now -= 1
        sent = fault(handler, status, answer) if fault else (status, answer)
        if sent is not None:
            send(handler, *sent)

    def url(self, provider):
        return f"{self.address}/{provider}"

    @property
    def texts(self):
        return [text for body in self.requests for text in sent_texts(body)]


def sent_texts(body):
    if "requests" in body:
        return [one["content"]["parts"][0]["text"] for one in body["requests"]]
    return body["input"]


def send(handler, status, answer, headers=()):
    raw = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
    length = ("Content-Length", str(len(raw)))
    send_head(handler, status, [("Content-Type", "application/json"), length, *headers])
    handler.wfile.write(raw)


def says(status, answer, *headers):
    return lambda *_: (status, answer, headers)


def hangs_up(handler, *_):
    handler.close_connection = True


def breaks_off(handler, *_):
    send_head(handler, 200, [("Content-Length", "1000")])
    handler.wfile.write(b'{"data": [')
    handler.close_connection = True


def sleeps(handler, *_):
    time.sleep(1.0)
    handler.close_connection = True


def drips(handler, *_):
    Endless(" ", pause_s=0.02).send(handler)


def rows_of(answer):
    """The list of vectors in an answer of any protocol, to be changed, with how each is held."""
    if "data" in answer:
        return answer["data"], "embedding"
    held = answer["embeddings"]
    return held, "values" if isinstance(held[0], dict) else None


def spoils(change):
    """The right answer with one row changed: ``change`` gets the last row and gives what stands there."""

    def fault(_handler, status, answer):
        rows, name = rows_of(answer)
        if name is None:
            rows[-1] = change(rows[-1])
        else:
            rows[-1][name] = change(rows[-1][name])
        return status, answer

    return fault


def changes_rows(change):
    """The right answer after ``change`` has got the list of its vectors."""

    def fault(_handler, status, answer):
        change(rows_of(answer)[0])
        return status, answer

    return fault


drops_one = changes_rows(list.pop)
adds_one = changes_rows(lambda rows: rows.append(rows[0]))
shuffles = changes_rows(list.reverse)
repeats_an_index = changes_rows(lambda rows: [row.update(index=0) for row in rows])
