"""Questions beside those of like cases, such as what explains a gap: all that is particular to each, by path."""
