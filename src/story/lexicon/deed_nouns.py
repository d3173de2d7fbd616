"""Nouns of deed and their verbs, where the stem does not show it (after NOMLEX, Macleod et al. 1998)."""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["DEEDS"]

DEEDS: MappingProxyType[str, str] = MappingProxyType({
    noun: verb
    for verb, nouns in {
        "marry": "marriage wedding remarriage", "sell": "sale", "die": "death", "steal": "theft thief stolen",
        "lose": "loss", "give": "gift", "flee": "flight", "write": "author authorship writer",
        "forge": "forgery forger", "betray": "betrayal traitor", "bury": "burial", "arrive": "arrival",
        "depart": "departure", "refuse": "refusal", "propose": "proposal", "deny": "denial",
        "prison": "imprison imprisonment imprisoned jail gaol", "engage": "engagement",
        "serve": "service servant",
        "elope": "elopement", "choose": "choice", "speak": "speech", "believe": "belief", "prove": "proof",
        "live": "life", "fail": "failure", "discover": "discovery", "murder": "murderer",
        "burgle": "burglary",
        "bribe": "bribery", "inherit": "inheritance heir heiress", "rob": "robbery robber",
        "wreck": "shipwreck",
        "destroy": "destruction", "poison": "poisoner", "adopt": "adoption", "born": "birth",
        "divorce": "divorcee", "hang": "gallows", "smuggle": "smuggler", "gamble": "gambler",
        "enlist": "enlistment",
        "desert": "desertion deserter", "confess": "confession", "pay": "payment", "punish": "punishment",
        "pursue": "pursuit", "rescue": "rescuer", "perjure": "perjury", "visit": "visitor", "shoot": "shot",
        "treat": "treatment", "hide": "concealment conceal", "bankrupt": "bankruptcy",
        "fight": "fighter duel",
    }.items()
    for noun in nouns.split()
})  # fmt: skip
"""Noun (lower case) → the base of its verb."""
