"""What else a passage touches."""
