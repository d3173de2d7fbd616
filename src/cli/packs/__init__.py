"""Commands of chunk packs."""
