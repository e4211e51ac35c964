"""Alternatives that discriminate less: whether another model serves as well with a smaller gap."""
