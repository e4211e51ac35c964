"""Declarative constraints."""
