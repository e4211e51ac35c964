"""What the pages share: the audit's state, the frame around a page, and how results are drawn."""
