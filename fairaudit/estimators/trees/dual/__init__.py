"""The search by the Lagrangian dual, for numbers and for indices with many forms."""
