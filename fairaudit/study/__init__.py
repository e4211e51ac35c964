"""Remedies on the rows of one audit: divide them, try each remedy, judge all on the same held-out rows.

``rows`` reads and divides, ``trying`` makes the remedies of a plan, ``judging`` judges them, and ``findings`` holds the
results; ``amounts`` does the same where the decision is an amount. Nothing is imported here: findings are read where no
model is fitted.
"""
