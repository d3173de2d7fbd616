"""The way in for what is asked most: a search's query is read by its model at once.

The framework reads a query parameter by parameter and solves dependencies anew for each request, which takes
longer than a search in the words' index. The operation stays described, and behaves, as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, get_origin

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from .backend import Reading
from .schema.requests import SearchQuery

M = TypeVar("M", bound=BaseModel)


class QuickSearch(APIRoute):
    """For ``endpoint(asked: SearchQuery, reading: Reading)``. It runs in a thread, unless that would be most
    of what it costs: threads that take turns at the interpreter make each other wait."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        endpoint = self.endpoint

        async def handle(request: Request) -> Response:
            asked = read_query(SearchQuery, request)
            project = request.path_params["project_id"]
            reading = Reading(request.app.state.backend, request.state.access, project)
            if reading.is_instant(asked):
                found: Response = endpoint(asked, reading)
            else:
                found = await run_in_threadpool(endpoint, asked, reading)
            return found

        return handle


def read_query(model: type[M], request: Request) -> M:
    """The request's query as the model; of a name that is given twice and takes one value, the last counts.
    Raises RequestValidationError."""
    found: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        field = model.model_fields.get(name)
        if field is not None and get_origin(field.annotation) is list:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    try:
        return model.model_validate(found)
    except ValidationError as error:
        told = error.errors(include_url=False, include_input=False, include_context=False)
        raise RequestValidationError([{**one, "loc": ("query", *one["loc"])} for one in told]) from None
