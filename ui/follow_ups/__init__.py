"""What follows a verdict: what explains a gap, and whether it changed."""
