"""The three memories of a story."""
