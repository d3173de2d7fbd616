"""What is told in the words of a blow and is none: reproaches ("threw it in his face"), caresses ("flung
herself on his breast"), gifts ("thrust the letter into her hand")."""

from __future__ import annotations

import re

from .words import REPROACHES

__all__ = ["harmless"]

_CAST_UP = re.compile(
    rf"\b(?:flung|threw|thrown|hurled|tossed) [^.;]*?\b{REPROACHES.pattern} (?:[^.;]*? )?"
    r"in(?:to)? §\d's (?:\w+ )?(?:face|teeth)\b"
)
_TARGET = (
    r"(?:hands?|fingers?|arms?|hair|breast|bosom|chest|shoulders?|neck|knees?|lap|face|head|mouth|lips?|side|"
    r"cheeks?|brow)"
)
_SOFT = (
    r"(?:(?:his|her|my|§\d's) (?:\w+ )?(?:face|arms?|hands?|fingers?|head|cheek|lips)|himself|herself|myself|"
    r"shawls?|cloaks?|coats?|rugs?|blankets?|scarf|veil|flowers?|rose|ribbons?|letters?|notes?|purse|money|"
    r"coins?|papers?|books?|glances?|looks?|kiss\w*|wreath|garland|crown|chain|ring|petals?|baby|child|plates?|"
    r"cups?|sovereigns?|shillings?|guineas?|keys?)"
)
_CARESS = re.compile(
    r"\b(?:flung|threw|thrown|tossed|thrust|stuck|buried|brought|ran|sank|put|pressed|laid|drew) "
    rf"(?:(?!of\b)[\w§']+ ){{0,3}}?{_SOFT}\b[^.;]*? §\d's (?:\w+ )?{_TARGET}\b|"
    r"\b(?:broke|broken|breaking|wrung) §\d's (?:\w+ )?(?:heart|hands?|fingers)\b"
)


def harmless(said: str) -> bool:
    """``said`` are masked words (``masked``) from the verb's clause to the end of the wording."""
    return _CAST_UP.search(said) is not None or _CARESS.search(said) is not None
