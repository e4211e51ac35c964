"""A model without any remedy, to compare with."""
