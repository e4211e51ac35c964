"""A tree as people and programs read it, with the counts of its nodes."""
