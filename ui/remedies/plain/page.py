"""How the app shows a plain model: beside the remedies, without a page of its own."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

PLAIN = RemedyPage(method="plain", work="Fitting", point="no remedy")
