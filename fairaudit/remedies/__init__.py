"""What can be tried against a gap: one package for each kind of remedy, found through the registry."""
