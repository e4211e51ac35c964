"""The plain model, which is no remedy."""
