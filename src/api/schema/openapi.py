"""The OpenAPI description, put right where the framework's own says less, or other, than what holds."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from ..problems import ProblemShown, documented

_ABOUT = """Graph-augmented hybrid retrieval and a blind continuity critic for long stories.

* **Horizon.** Every read takes `as_of`, a chapter: nothing told after it has any influence on the answer.
* **Evidence.** Every claim carries quotes with half-open character offsets into the original text.
* **Errors** are problem details (RFC 9457), `application/problem+json`; `type` is stable.
* **Pages.** Lists take `offset` and `limit` and give `total` and `next`, the way to the next page.
* **Idempotency.** Writes take an `Idempotency-Key`: the same request again gets the first answer again, with
  `Idempotency-Replayed: true`; another request under the same key is 422, one still in flight 409.
* **Names.** A request must name the server by a name that it knows (421), and pages of other origins that
  were not named to it may not write (403).
* **Heavy work** (asking, checking, comparing) is bounded: 429 with `Retry-After` when it is too much."""
_OPEN = {"/v1/health", "/v1/ready"}


def described(app: FastAPI, *, tokens: bool) -> dict[str, Any]:
    """The description of all operations; with ``tokens`` they ask for a bearer token."""
    found = get_openapi(
        title=app.title,
        version=app.version,
        description=_ABOUT,
        routes=app.routes,
        tags=[
            {"name": "projects", "description": "Stories and their indexes"},
            {"name": "jobs", "description": "Work that goes on after its request"},
            {"name": "search", "description": "Passages and answers"},
            {"name": "chapters", "description": "Drafts that become chapters"},
            {"name": "story", "description": "The graph, at a horizon"},
            {"name": "codex", "description": "What the author lays down"},
            {"name": "packs", "description": "Tagged pieces of text, by themselves"},
            {"name": "pictures", "description": "Portraits and maps"},
            {"name": "comparing", "description": "Pipelines and drafts"},
            {"name": "server", "description": "The server itself"},
        ],
    )
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    _add_problem(schemas)
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _put_right(operation, guarded=tokens and path not in _OPEN)
            refused = documented(421, 431) if method == "get" else documented(403, 421, 431)
            operation["responses"].update({str(status): one for status, one in refused.items()})
    if tokens:
        found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return found


def _add_problem(schemas: dict[str, Any]) -> None:
    made = TypeAdapter(ProblemShown).json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(made.pop("$defs", {}))
    schemas["ProblemShown"] = made


def _put_right(operation: dict[str, Any], *, guarded: bool) -> None:
    for parameter in operation.get("parameters", ()):
        schema = parameter.get("schema", {})
        options = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
        if len(options) == 1:  # a parameter is there or not; it is never null
            del schema["anyOf"]
            schema.update(options[0])
        if "default" in schema and schema["default"] is None:
            del schema["default"]
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        if status == "422" and "application/problem+json" in content:
            content.pop("application/json", None)
    if guarded:
        operation["security"] = [{"token": []}]
    else:
        operation["responses"].pop("401", None)
