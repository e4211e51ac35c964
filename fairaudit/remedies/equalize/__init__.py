"""Score distributions that are brought together."""
