"""Charts, each with a text alternative (``…_alt``)."""
