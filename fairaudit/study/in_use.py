"""The prediction that the data hold, judged on the held-out rows beside the models of an audit."""

from __future__ import annotations

import numpy as np

from fairaudit.conditions.condition import Condition
from fairaudit.data.table import Table
from fairaudit.study.judging.results import Evaluation
from fairaudit.study.rows import Study

IN_USE = "The prediction in use"


def prediction_in_use(study: Study, table: Table, condition: Condition) -> Evaluation | None:
    """Judge who is predicted the good outcome by a condition; None where some held-out row has no prediction."""
    columns = list(condition.columns)
    rows = study.reading(table, columns).sensitive[columns].iloc[study.split.held_out]
    predicted = condition.truth(rows)
    if predicted.isna().any():
        return None
    return study.held_out.evaluate(IN_USE, predicted.to_numpy(dtype=np.int64))
