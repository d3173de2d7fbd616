import pytest

from fabula.config import load_config
from fabula.errors import ConfigError


def test_defaults_files_and_assignments_in_that_order(tmp_path):
    file = tmp_path / "fabula.toml"
    file.write_text("[retrieval]\nk = 7\nrrf_k = 10\n")
    config = load_config(file, assignments=["retrieval.k=9", "generator.model=gpt-x"])
    assert (config.retrieval.k, config.retrieval.rrf_k, config.retrieval.depth) == (9, 10, 3)
    assert config.generator.model == "gpt-x"
    assert config.chunking.size == 540


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        (
            "retrieval.semantic_wieght=.5",
            "no setting retrieval.semantic_wieght; did you mean semantic_weight",
        ),
        ("retreival.k=5", "no setting retreival; did you mean retrieval"),
        ("retrieval.k=0", "retrieval.k = 0: Input should be greater"),
        ("retrieval.k=many", "retrieval.k = 'many': Input should be a valid integer"),
        ("chunking.overlap=1000", "overlap .1000. must be smaller than size .540."),
        ("k=5", "write section.key=value"),
        ("retrieval.zzzzzz=1", "known here: backend, bm25_b"),
    ],
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
