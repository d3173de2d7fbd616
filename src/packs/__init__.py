"""Chunk packs: JSON files of tagged pieces of text, searched and asked by themselves, without a story."""
