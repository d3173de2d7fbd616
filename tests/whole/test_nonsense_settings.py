from pathlib import Path

import pytest
from pydantic import BaseModel
from tests.tables import values

from fabula.config import Config, load_config
from fabula.errors import ConfigError, FabulaError
from fabula.project.factories import make_embedder, make_generator, make_monitor, make_reader
from fabula.project.searching import bm25_settings, make_reranker, preset_of

NONSENSE = [
    *Path(__file__).with_name("nonsense.txt").read_text(encoding="utf-8").splitlines(),
    *(str(10**30), f'"{"x" * 5000}"', "1" * 5000, "[" * 5000),
]


def _every_setting():
    for name, field in Config.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from (f"{name}.{key}" for key in field.annotation.model_fields)


SETTINGS = list(_every_setting())


def _make_parts(config):
    """What the settings lead to, as far as it goes without a model: each part is asked for what it is."""
    make_monitor(config)
    bm25_settings(config), preset_of(config), make_reranker(config)
    assert make_reader(config.model_copy(update={"generator": Config().generator})).version
    assert make_embedder(config).version
    make_generator(config).close()


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_is_refused_in_a_line_or_taken(setting, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some name files
    for value in NONSENSE:
        try:
            config = load_config(assignments=[f"{setting}={value}"])
            _make_parts(config)
        except FabulaError as error:
            assert "\n" not in str(error), (setting, value)
            assert len(str(error)) < 500, (setting, value)


@pytest.mark.parametrize("value", ["inf", "nan", "-inf", "1e300"])
@pytest.mark.parametrize(
    "setting", ["memory.budget_gb", "generator.timeout_s", "comparison.temperature", "generator.max_cost"]
)
def test_a_number_without_end_is_no_setting(setting, value):
    with pytest.raises(ConfigError, match=setting.replace(".", r"\.")):
        load_config(assignments=[f"{setting}={value}"])


@pytest.mark.parametrize("top", ["codex", "retrieval", "memory", "nothing"])
@pytest.mark.parametrize("value", ["1", "inf", "[]", '"x"', "[[1]]", "2020-01-01", '"a\\u0000b"'])
def test_a_whole_section_of_nonsense(tmp_path, top, value):
    file = tmp_path / "mine.toml"
    file.write_text(f"{top} = {value}\n")
    try:
        load_config(file)
    except ConfigError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(("setting", "said"), values(__file__, "no_parser_or_device.tsv"))
def test_a_parser_or_device_that_is_none_is_named(refusal, tmp_path, setting, said):
    book = tmp_path / "tale.md"
    book.write_text("# One\n\nAda met Wilf.\n")
    assert said in refusal("index", book, "-o", tmp_path / "p", "--set", setting)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_search_of_a_project_with_nonsense_in_its_settings(run_cli, demo_copy, setting):
    """Through the command, with one word of nonsense a kind: whatever is accepted does its work."""
    section, key = setting.split(".")
    for value in ("inf", "-1", str(10**30), '"os"', "true", "[1]", '"a\\u0000b"'):
        (demo_copy.project / "fabula.toml").write_text(f"[{section}]\n{key} = {value}\n")
        asked = run_cli("search", demo_copy.project, "telegram", "--mode", "lexical")
        assert asked.code in (0, 2), (value, asked.err)
        assert asked.err.count("\n") <= 1, (value, asked.err)
