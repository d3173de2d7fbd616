"""Searching a story, or all of a library, and rating what was found."""
