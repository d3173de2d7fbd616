"""Ways in which a story could go on."""
