import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import values

from fabula.config import load_config
from fabula.errors import ConfigError
from fabula.project.connecting import save_settings


@pytest.fixture
def file(tmp_path):
    return tmp_path / "home" / "fabula.toml"


def written(file, text):
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def test_what_stands_there_stays_and_none_takes_a_setting_out(file):
    config = save_settings(file, {"retrieval": {"k": 8}, "generator": {"model": "m"}})
    assert file.read_text() == '[retrieval]\nk = 8\n\n[generator]\nmodel = "m"\n'
    assert (config.retrieval.k, config.generator.model) == (8, "m")
    assert load_config(file) == config
    before = "# mine\n[retrieval] # search\nk = {} # eight\ngraph = false\n{}\n[memory]\nbudget_gb = 2.0\n"
    save_settings(written(file, before.format(8, "")), {"retrieval": {"k": 9, "cache": True}})
    assert file.read_text() == before.format(9, "cache = true\n")
    save_settings(file, {"retrieval": {"k": None}})
    assert load_config(file).retrieval.k == 5
    assert not load_config(file).retrieval.graph
    save_settings(file, {"retrieval": {"graph": None, "cache": None}, "memory": {"budget_gb": None}})
    assert not any(tomllib.loads(file.read_text()).values())


@pytest.mark.parametrize(("change", "words"), values(__file__, "what_is_not_valid_changes_nothing.tsv"))
def test_what_is_not_valid_changes_nothing(file, change, words):
    before = "[memory]\nbudget_gb = 2.0\n"
    with pytest.raises(ConfigError, match=words.replace(".", r"\.")):
        save_settings(written(file, before), change)
    assert file.read_text() == before


def test_a_file_that_is_broken_is_left_alone_and_one_written_otherwise_is_not(file):
    with pytest.raises(ConfigError, match=r"fabula\.toml cannot be read"):
        save_settings(written(file, "[retrieval\n"), {"retrieval": {"k": 9}})
    assert file.read_text() == "[retrieval\n"
    save_settings(written(file, "retrieval.k = 8\n"), {"retrieval": {"k": 9}})
    assert file.read_text() == "retrieval.k = 9\n"


OWN = ['"""', "\\", "\x7f", "a\nb", "]\n[memory]\nbudget_gb = 1", "🙂"]


@given(st.sampled_from(OWN) | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30))
def test_any_text_comes_back_and_none_can_write_settings_of_its_own(tmp_path_factory, text):
    file = tmp_path_factory.mktemp("settings") / "fabula.toml"
    assert save_settings(file, {"generator": {"model": text}}).generator.model == text
    assert tomllib.loads(file.read_text()) == {"generator": {"model": text}}
    assert load_config(file).generator.model == text
