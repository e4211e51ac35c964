"""What the remedy pages share, and one package for each remedy."""
