import shutil
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from starlette.testclient import TestClient
from tests.api.conftest import HERE, IDLE_WORKER, STORY, scripted

from fabula.api.app import create_app
from fabula.api.settings import Limits, ServerSettings

pytestmark = pytest.mark.slow

FEW = settings(
    max_examples=settings.default.max_examples // 10,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
# what the schema allows may still name no story, chapter or file there is, and be told so; 413 refuses too
CHECKS = SchemathesisConfig.from_dict(
    {
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ["2xx", 404, 409, 422]},
            "negative_data_rejection": {"expected-statuses": ["4xx"]},
        }
    }
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
    app = create_app(
        ServerSettings(
            place / "library",
            host_names=("testserver",),  # as which schemathesis asks
            limits=Limits(queued=10_000),
            opener=scripted(replies=["He hated her."] * 10_000),
            worker=IDLE_WORKER,
        )
    )
    with TestClient(app, base_url=HERE):
        yield schemathesis.openapi.from_asgi("/v1/openapi.json", app, config=CHECKS)


@pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_described(described, method, path, mode):
    """All checks of schemathesis."""
    operation = described[path][method]

    @FEW
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case):
        if "project_id" in case.path_parameters and mode is GenerationMode.POSITIVE:
            case.path_parameters["project_id"] = "nothing" if path.endswith("_id}") else STORY
        case.call_and_validate()

    if mode is GenerationMode.NEGATIVE and not _takes_anything(described.raw_schema["paths"][path][method]):
        return  # nothing about it can be wrong
    run()


def _takes_anything(operation):
    return bool(operation.get("parameters") or operation.get("requestBody"))
