from tests.project.conftest import done, refusal  # noqa: F401
