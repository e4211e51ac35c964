"""The integer problem of a tree, and its search through SCIP."""
