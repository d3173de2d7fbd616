"""Fusing ranked lists: pure functions over hits, the rules, and named presets of them.

A rule takes named lists, each best first, and a weight for each name. A list of weight 0 is dropped, and a
chunk that no other list holds is left out. Fused chunks come best first, ties by ordinal, and the shares
of a chunk sum to its score, to the bit.
"""

from __future__ import annotations
