"""The flow form of the integer problem, with the way from a solution to a tree and back."""

from __future__ import annotations

import numpy as np

from fairaudit.estimators.trees.formulation.flow_decoding import decode_flow
from fairaudit.estimators.trees.formulation.flow_encoding import start_values
from fairaudit.estimators.trees.formulation.flow_rows import FlowRows
from fairaudit.estimators.trees.formulation.parts import Decoded
from fairaudit.estimators.trees.formulation.patterns import Floats
from fairaudit.estimators.trees.shape import TreeShape


class FlowForm(FlowRows):
    """The variables and rows of the flow form, and which tree their values stand for."""

    def decode(self, values: Floats) -> Decoded:
        """Return the tree that values of the first `n_choices` variables stand for."""
        return decode_flow(self, np.asarray(values))

    def rounded(self, values: Floats) -> TreeShape:
        """Return the tree that values of the first `n_choices` variables are near to, which may be fractions."""
        return decode_flow(self, np.asarray(values)).shape

    def encode(self, shape: TreeShape) -> Floats | None:
        """Return the values of all variables for a tree; None where no solution stands for it."""
        return start_values(self, shape)
