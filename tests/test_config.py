import pytest
from tests.tables import values

from fabula.config import load_config
from fabula.errors import ConfigError


def test_defaults_files_and_assignments_in_that_order(tmp_path):
    file = tmp_path / "fabula.toml"
    file.write_text("[retrieval]\nk = 7\nsemantic_weight = 0.5\n")
    config = load_config(file, assignments=["retrieval.k=9", "generator.model=gpt-x"])
    assert (config.retrieval.k, config.retrieval.semantic_weight, config.retrieval.cache) == (9, 0.5, False)
    assert config.generator.model == "gpt-x"
    assert config.chunking.size == 540


@pytest.mark.parametrize(
    ("assignment", "message"),
    values(__file__, "wrong_settings_say_what_and_where.tsv"),
)
def test_wrong_settings_say_what_and_where(assignment, message):
    with pytest.raises(ConfigError, match=message):
        load_config(assignments=[assignment])


def test_unreadable_file(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "missing.toml")
    (tmp_path / "bad.toml").write_text("k = = 2")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "bad.toml")
