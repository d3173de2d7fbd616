"""Generations of an index: its parts, its folders, and who reads them."""
