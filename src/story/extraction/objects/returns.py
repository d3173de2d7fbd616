"""Wordings by which a thing that was gone is back, or whole again: "gave him ¤ back", "¤ came to light". The
thing is masked as "¤", people as "§" (``objects.wordings``)."""

from __future__ import annotations

import re

__all__ = ["RETURNED", "SURE"]

_SOME = r"(?:(?!never\b|not\b|no\b)[\w§’']+ ){0,3}?"
_TO = r"(?:§ |him |her |me |them |us )?"
_MENDED = (
    r"(?:mended|repaired|patched|soldered|glued|stitched|darned|restrung|rebuilt|riveted|re-?set|"
    r"put together|put right|set right|made (?:good|whole)|as good as (?:new|ever))"
)
_FOUND = (
    r"(?:returned|restored|recovered|found|retrieved|rescued|salvaged|redeemed|unearthed|traced|recogni[sz]ed|"
    r"fished (?:up|out)|dredged up|dug up|washed (?:up|ashore)|cast up|delivered|"
    r"(?:handed|given|sent|brought|bought|carried|paid) (?:back|home))"
)
_MENDERS = (
    r"(?:jeweller|watchmaker|clockmaker|smith|blacksmith|silversmith|goldsmith|tinker|cobbler|carpenter|"
    r"joiner|bookbinder|saddler|pawnbroker|finder|fisherman|fishermen|diver|constable|policeman|police|carrier)"
)
_WILDS = (
    r"(?:\w+ )?(?:sea|river|lake|water|mud|ashes|well|pond|ditch|wreck|ruins|hay|snow|stream|grass|dust|sand)"
)

SURE = 2
RETURNED = tuple(
    re.compile(words)
    for words in (
        r"\b(?:got|had|have|has|won|brought|brings?|gave|given|giving|gives|handed|sent|carried|bought|fetched|"
        rf"took|taken|coaxed|yielded|cast|threw|washed|spat|paid|found) {_TO}¤ (?:to (?:§|him|her|me|them) )?"
        r"(?:back|home)\b(?! (?:in|into|on|upon|under|among|down)\b)",
        r"\b(?:got|had|has|have|found|owned|wore|held) ¤ (?:safe |whole )?(?:once more|again)\b",
        rf"¤ (?:was|were|had been|has been|is|being) {_SOME}(?:{_FOUND}|{_MENDED})\b",
        r"¤,? (?:had |has )?(?:\w+ ){0,2}?(?:turned up|c[ao]me to light|reappeared|c[ao]me (?:back|home)|"
        r"(?:found|made) its way (?:back|home|to)|went as well as|(?:was|were) none the worse|"
        r"was safe after all)\b",
        r"\b(?:came upon|came across|stumbled (?:up)?on|lit (?:up)?on|hit upon|chanced (?:up)?on|unearthed|"
        r"retrieved|recovered|rescued|salvaged|redeemed|reclaimed|regained|restored|mended|repaired|"
        r"patched|soldered|glued|stitched|pieced together|put together) ¤",
        r"\b(?:fished|dredged|dug|hauled|pulled|drew|dragged|picked) ¤ (?:up |out )?(?:of|from) the "
        rf"{_WILDS}\b",
        rf"\b{_MENDERS}\b(?:(?!\b(?:took|taken|carried|sold)\b)[^.;]){{0,60}} ¤|"
        rf"¤ (?:was |were |came |had )?[^.;]{{0,30}}\b(?:from|by) the {_MENDERS}\b",
        r"\b(?:only|merely|but|been) (?:mislaid|misplaced)\b|"
        r"\b(?:finding|discovery|return|recovery|mending|repair) of ¤",
        r"¤ (?:was|were|is) (?:his|hers|mine|theirs|§[’']s|whole|sound|in (?:his|her|§[’']s) "
        r"(?:hands?|keeping|possession|pocket)) (?:once more|again|after all)\b|"
        r"\b(?:once more|again)(?: the)? (?:owner|master|mistress|possessor) of ¤|"
        r"\bpossession of ¤ (?:again|once more)\b",
    )
)
"""One of these in a sentence tells it, the first ``SURE`` of them whatever else the sentence tells of it."""
