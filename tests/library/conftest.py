from tests.project.conftest import refusal  # noqa: F401
