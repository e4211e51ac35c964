"""Watch: whether a gap is beyond the tolerance, batch by batch as they come."""
