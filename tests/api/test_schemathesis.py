"""Requests made up from the OpenAPI description: every answer is one that it promises, and none is a 5xx."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from starlette.testclient import TestClient
from tests.api.conftest import STORY, scripted

from fabula.api.app import create_app
from fabula.api.settings import Limits, ServerSettings

pytestmark = pytest.mark.slow

FEW = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
OPERATIONS = [
    (method, path)
    for path, item in create_app(ServerSettings(Path("nowhere"))).openapi()["paths"].items()
    for method in item
    if method in ("get", "post", "delete")
]


@pytest.fixture(scope="module")
def described(demo_project, tmp_path_factory):
    place = tmp_path_factory.mktemp("described")
    shutil.copytree(demo_project, place / "library" / STORY)
    idle = place / "worker.py"
    idle.write_text("import sys; sys.stdin.read()")
    app = create_app(
        ServerSettings(
            place / "library",
            limits=Limits(queued=10_000),
            opener=scripted(replies=["He hated her."] * 10_000),
            worker=(sys.executable, str(idle)),
        )
    )
    with TestClient(app):
        yield schemathesis.openapi.from_asgi("/v1/openapi.json", app)


@pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_described(described, method, path, mode):
    """All checks of schemathesis but one: whether a made-up name, chapter or text is one of the story is no
    matter of the schema, so what the schema allows may be refused."""
    operation = described[path][method]

    @FEW
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case):
        if "project_id" in case.path_parameters and mode is GenerationMode.POSITIVE:
            case.path_parameters["project_id"] = "nothing" if path.endswith("_id}") else STORY
        response = case.call()
        excluded = [positive_data_acceptance]
        if response.status_code == 413:  # a refusal too, which the check does not count as one
            excluded.append(negative_data_rejection)
        case.validate_response(response, excluded_checks=excluded)

    if mode is GenerationMode.NEGATIVE and not _takes_anything(described.raw_schema["paths"][path][method]):
        return  # nothing about it can be wrong
    run()


def _takes_anything(operation):
    return bool(operation.get("parameters") or operation.get("requestBody"))
