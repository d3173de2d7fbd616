import importlib
import itertools
from pathlib import Path

import pytest
from tests.stories.examples import rows
from tests.tables import values

from fabula.errors import ConfigError
from fabula.story.lexicon.verbs_and_nouns import OTHER_VERBS, VERBS, forms_of, verb_lemma
from fabula.story.model.predicates import PREDICATES
from fabula.story.passages.scenes_and_tones import stem
from fabula.story.tables import DATA, compiled, one_of, read_table, read_toml, share, text

MODULES = "emotions verbs_and_nouns words"
COLUMNS = {"verb": text, "predicate": one_of("predicate", PREDICATES), "confidence": share}
HEAD = "# Made up.\n# Licence: none.\nverb\tpredicate\tconfidence\n"


def _table(folder, rows, head=HEAD, **options):
    (folder / "made.tsv").write_text(head + rows, encoding="utf-8")
    return read_table("made.tsv", folder=folder, **options, **COLUMNS)


@pytest.mark.parametrize("module", [*(f"lexicon.{name}" for name in MODULES.split()), "names.lexicon"])
def test_the_real_tables_load_and_nothing_in_them_is_empty(module):
    loaded = importlib.import_module(f"fabula.story.{module}")
    words = {name: value for name, value in vars(loaded).items() if name.isupper()}
    assert all(words.values()), words


@pytest.mark.parametrize("path", sorted(DATA.glob("*.t*")), ids=lambda path: path.name)
def test_a_table_says_whose_it_is_and_stands_in_order(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    head = list(itertools.takewhile(lambda line: line.startswith("#"), lines))
    assert any("licence" in line.lower() for line in head)
    if path.suffix == ".tsv":
        assert max(map(len, head)) <= 110
        words = [line.split("\t")[0] for line in lines[len(head) + 1 :]]
        assert words == sorted(words) or any("In the order" in line for line in head)


def test_one_stem_is_one_cue_and_a_frame_says_one_thing():
    lines = (DATA / "scene_cues.tsv").read_text(encoding="utf-8").splitlines()
    words = [line.split("\t")[0] for line in lines if not line.startswith("#")][1:]
    assert len({stem(word) for word in words}) == len(words)
    for verb, rules in VERBS.items():
        frames = [(rule.slot, rule.target, rule.particle, rule.noun, rule.unable) for rule in rules]
        assert len(set(frames)) == len(frames), verb
    for verb, told in (("throttle", ("KILLS", 0.75)), ("pummel", ("ATTACKS", 0.75))):
        assert [(rule.predicate, rule.confidence) for rule in VERBS[verb]] == [told]


@pytest.mark.parametrize(("rows", "line", "what"), values(__file__, "damaged_row_is_refused_with_file.tsv"))
def test_a_damaged_row_is_refused_with_file_and_line(tmp_path, rows, line, what):
    with pytest.raises(ConfigError) as error:
        _table(tmp_path, rows)
    assert str(error.value).startswith(f"{tmp_path / 'made.tsv'}, line {line}: ")
    assert what in str(error.value)


@pytest.mark.parametrize(
    ("columns", "what"),
    [("verb\tpredicate\tsure", "unknown column 'sure'"), ("predicate\tverb", "another order")],
)
def test_other_columns_are_refused(tmp_path, columns, what):
    with pytest.raises(ConfigError, match=f"line 2: .*{what}"):
        _table(tmp_path, "", f"# Made up.\n{columns}\n")


def test_a_longer_key_lets_a_word_have_several_rows(tmp_path):
    (tmp_path / "again").mkdir()  # a table is read once
    rows = "love\tLOVES\t0.9\nlove\tADMIRES\t0.5\n"
    assert len(_table(tmp_path, rows, key=2).rows) == 2
    with pytest.raises(ConfigError, match=r"line 6: .* stands in line 4 already"):
        _table(tmp_path / "again", f"{rows}love\tLOVES\t0.7\n", key=2)


def _patterns(folder, wording):
    (folder / "made.toml").write_text(f"any = [\n'all along',\n'{wording}',\n]\n", encoding="utf-8")
    found = read_toml("made.toml", "any", folder=folder)
    return compiled("made.toml", found["any"], {"kin": "(?:aunt|uncle)"}, folder=folder)


def test_wordings_and_their_words(tmp_path):
    found = _patterns(tmp_path, "his <kin>").findall("this uncle was his uncle all along")
    assert found == ["his uncle", "all along"]


@pytest.mark.parametrize(
    ("wording", "what"), [("his (aunt", "unterminated|missing"), ("his <own>", "there is no <own>")]
)
def test_a_wording_that_does_not_compile_is_refused_with_file_and_line(tmp_path, wording, what):
    with pytest.raises(ConfigError, match=f"line 3: .*({what})"):
        _patterns(tmp_path, wording)


@pytest.mark.parametrize(("lemma", "forms"), rows(Path(__file__).with_name("forms.tsv")))
def test_forms(lemma, forms):
    assert forms_of(lemma) == set(forms.split())


def test_forms_go_to_the_lexicon_and_lead_back():
    assert verb_lemma("hated", "hat") == "hate"
    assert verb_lemma("lay", "lay") == "lie"
    assert verb_lemma("found", "find") == "find"
    assert verb_lemma("gleamed", "gleam") == "gleam"
    forms = [(lemma, form) for lemma in sorted(set(VERBS) | OTHER_VERBS) for form in forms_of(lemma)]
    assert [each for each in forms if verb_lemma(each[1], each[0]) != each[0]] == []
    assert [form for _, form in forms if form not in forms_of(verb_lemma(form, ""))] == []
