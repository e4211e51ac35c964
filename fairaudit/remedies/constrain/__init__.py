"""A model that is trained to meet constraints."""
