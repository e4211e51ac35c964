"""A threshold for each group."""
