"""A codex that has something of all that a codex can hold."""

from tests.tables import file_text

CODEX = file_text(__file__, "world_codex.yaml")
