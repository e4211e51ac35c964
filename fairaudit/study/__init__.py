"""Remedies on the rows of one audit: divide them, try each remedy, judge all on the same held-out rows.

``rows`` reads and divides, ``relabel``, ``thresholds`` and ``equalize`` make a remedy each, ``trying`` is the door to
them, and ``findings`` holds what comes of it. Modules that begin with ``amount_`` do the same where the decision is an
amount. Nothing is imported here: findings are read where no model is fitted.
"""
