"""People of history, legend and other books, of whom stories only speak: their names are lent to nobody."""

from __future__ import annotations

from .person_name import PersonName

__all__ = ["is_figure"]

_FIGURES = frozenset(
    name.replace("_", " ")
    for name in """jack_robinson jack_frost tommy_atkins john_doe richard_roe
    tom_thumb tom_tiddler jack_ketch jack_sheppard jack_straw jack_cade jack_horner john_bull
    peter_piper peter_pan robinson_crusoe adam_smith julius_caesar mark_antony don_quixote sancho_panza
    ben_hur tom_jones george_eliot george_sand jane_austen charlotte_bronte charlotte_corday
    marie_antoinette oliver_cromwell guy_fawkes dick_turpin dick_whittington simon_pure joe_miller
    davy_jones jim_crow robin_hood maid_marian william_shakespeare john_milton walter_scott isaac_newton
    francis_bacon john_knox john_wesley john_keats john_dryden john_bunyan john_ruskin
    john_stuart_mill robert_burns robert_browning alfred_tennyson bernard_shaw oscar_wilde
    henry_fielding samuel_johnson samuel_richardson alexander_pope jonathan_swift thomas_carlyle
    thomas_hobbes thomas_aquinas thomas_becket martin_luther george_washington abraham_lincoln
    benjamin_franklin thomas_jefferson napoleon_bonaparte william_tell william_wordsworth william_blake
    charles_darwin charles_dickens sherlock_holmes paul_pry paul_bunyan anne_hathaway anne_boleyn
    jane_grey jane_shore nell_gwynn mary_stuart guy_mannering charles_grandison clarissa_harlowe
    baron_munchausen horace_walpole edmund_burke david_hume david_garrick
    christopher_columbus walter_raleigh francis_drake judas_iscariot pontius_pilate
    john_baptist simon_peter mary_magdalene harriet_martineau florence_nightingale dorothy_wordsworth
    ben_jonson kit_marlowe inigo_jones matthew_arnold mark_twain victor_hugo anatole_france""".split()
)


def is_figure(name: PersonName) -> bool:
    """Is it the full name of one who is known outside the story?"""
    return name.full and f"{name.given} {name.surname}" in _FIGURES
