"""Who stands among the first of lists."""
