"""A set of rules to be read aloud."""
