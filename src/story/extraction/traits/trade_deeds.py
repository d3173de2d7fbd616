"""The trade of somebody, told by what is done for a living: "kept the inn", "lived by her needle"."""

from __future__ import annotations

import re

__all__ = ["DEED_TRIGGER", "trade_by_deed"]

DEED_TRIGGER = (
    r"kept|keeps?|keeping|ran|runs|owned|owns|taught|teaches|teach|lived|lives|drove|drives|lodgings|lodgers|bread|living|"
    r"livelihood|boots|shoes|horses|portraits|washing|opera|concerts|novels|shop"
)
_KEPT = (
    r"(?:(?<!well )(?<!nicely )kept|keeps?|keeping|ran|runs|owned|owns|managed|manages|carried on)"
    r" (?:the|an?|his|her|my|their) (?:[\w’'-]+ ){0,3}?"
)
_SHOP = r"(?:[’']s)?[- ]?(?:shop|business|stall)"
_EARNED = (
    r"(?:liv(?:ed|es|e|ing)|(?:earn(?:ed|s|ing)?|made|makes?|making|got|gets|gained) "
    r"(?:the|an?|his|her|my|their) (?:\w+ )?(?:living|bread|livelihood|money|keep)) "
    r"(?:\w+ )?(?:by|with|from) (?:the|his|her|my) "
)
_SCHOOLED = r"(?:school|academy|college|comprehensive|seminary|grammar school|board school)"
_FOR_A_LIVING = r"[^.;]{0,30} for (?:a|his|her|my|the) (?:living|livelihood|bread)"
_DEEDS = tuple(
    (field, re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE))
    for field, pattern in (
        ("inn", rf"{_KEPT}(?:inn|tavern|alehouse|ale-house|public[- ]house|pub|hotel|posting-house)"),
        ("post", rf"{_KEPT}post[- ]office"),
        ("bread", rf"{_KEPT}(?:bakery|bakehouse|baker{_SHOP}|bread{_SHOP})"),
        ("meat", rf"{_KEPT}butcher{_SHOP}"),
        ("chemist", rf"{_KEPT}(?:pharmacy|(?:chemist|druggist|apothecary){_SHOP})"),
        ("dairy", rf"{_KEPT}dairy"),
        ("mill", rf"{_KEPT}(?:flour|corn|water|wind)[- ]?mill"),
        ("smith", rf"{_KEPT}(?:forge|smithy)|shod (?:the |all the )?horses{_FOR_A_LIVING}"),
        ("teaching", rf"{_KEPT}(?:girls|boys|dame|village|infant)?(?:[’'])?s?[- ]?{_SCHOOLED}(?= |[,.;])"),
        ("cloth", rf"{_KEPT}(?:(?:hat|bonnet|dress|glove)[- ]shop|(?:draper|tailor|milliner|hatter){_SHOP})"),
        ("trade", rf"{_KEPT}(?:(?:grocer|ironmonger|stationer|tobacconist|fishmonger|greengrocer){_SHOP})"),
        ("print", rf"{_KEPT}(?:book[- ]?shop|bookseller{_SHOP}|printing[- ]house|printing[- ]press)"),
        ("machines", rf"{_KEPT}garage"),
        ("lodgings", rf"{_KEPT}(?:boarding|lodging)[- ]house|let lodgings|lets lodgings|took in lodgers"),
        ("teaching", rf"(?:taught|teaches|teach) (?:[\w-]+ ){{1,3}}(?:at|in) (?:the|"
                     rf"an?) (?:[\w’'-]+ )?{_SCHOOLED}"),
        ("driving", r"(?:drove|drives|driven|drive) an? (?:hackney |hansom |taxi[- ]|school |city |night )?"
                    rf"(?:cab|bus|omnibus|hansom|taxi|lorry|truck|van|tram)(?:{_FOR_A_LIVING}|"
                    rf" for \w+ years)"),
        ("cloth", rf"{_EARNED}needle(?:work)?|sew(?:ed|s){_FOR_A_LIVING}"),
        ("writing", rf"{_EARNED}(?:pen|novels|books)|wr(?:ote|ites|itten) [^.;]{{0,30}}(?:novels|"
                    rf"books){_FOR_A_LIVING}"),
        ("music", rf"{_EARNED}(?:fiddle|violin|voice|music|singing)|"
                  rf"(?:s[au]ng|sings|play(?:ed|s)){_FOR_A_LIVING}|(?:s[au]ng|"
                  rf"sings?) at (?:the opera|concerts)"),
        ("land", rf"{_EARNED}plough|till(?:ed|s) the (?:soil|land){_FOR_A_LIVING}"),
        ("sea", rf"{_EARNED}(?:nets?|fishing)|fish(?:ed|es){_FOR_A_LIVING}"),
        ("shoes", rf"(?:made|makes|mended|mends|cobbled|cobbles) (?:boots|shoes)(?:{_FOR_A_LIVING})?"),
        ("painting", rf"paint(?:ed|s|ing) (?:portraits|pictures|landscapes)(?:{_FOR_A_LIVING})"),
        ("painting", rf"{_EARNED}brush"),
        ("bread", rf"bake(?:d|s) (?:the )?bread{_FOR_A_LIVING}"),
        ("laundry", rf"(?:took|takes|taking) in washing|{_EARNED}(?:washtub|wash-tub|washing)"),
    )
)  # fmt: skip

_GATE = re.compile(rf"\b(?:{DEED_TRIGGER})\b", re.IGNORECASE)


def trade_by_deed(text: str) -> tuple[str, int] | None:
    """(field of trade as in ``FIELDS``, where in the sentence its wording begins); None where it tells
    none or two."""
    if _GATE.search(text) is None:
        return None
    found = [(field, match.start()) for field, deed in _DEEDS if (match := deed.search(text))]
    return found[0] if len({field for field, _ in found}) == 1 else None
