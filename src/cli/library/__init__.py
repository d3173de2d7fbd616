"""Libraries: many books at once."""
