"""A decision tree of amounts."""
