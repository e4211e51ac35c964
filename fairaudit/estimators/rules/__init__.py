"""Boolean rule sets: "predict repeat offence if ... or if ...", found by integer programming under constraints."""
