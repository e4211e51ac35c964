"""Estimators of others at work: their errors become ours, and none of them swallows Ctrl-C."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import current_thread, main_thread
from typing import Any, Final, TypeVar

from sklearn.pipeline import Pipeline

from fairaudit.errors import FairauditError, InputError

T = TypeVar("T")

LIBRARIES: Final = ("sklearn", "scipy", "numpy", "pandas")

SWALLOWED: Final = "Training interrupted by user"
"""What scikit-learn warns of in place of a `KeyboardInterrupt`, before it returns a half-trained perceptron."""


def run_base_learner(estimator: object, what: str, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Do the work of an estimator; of its error the kind is shown, and its text as far as it holds no data.

    Raises
    ------
    InputError
        If it raises an error of its own.
    """
    try:
        # Only the main thread is interrupted, and filters of warnings are those of all threads.
        with _interruptible() if current_thread() is main_thread() else nullcontext():
            return work(*args, **kwargs)
    except (FairauditError, MemoryError):
        raise
    except Exception as error:
        last = estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator
        missing = " The table has missing values (NaN), which it does not take." if "NaN" in str(error) else ""
        raise InputError(
            f"The estimator {type(last).__name__} could not {what}: it raised {type(error).__name__}"
            f"{_cause(error)}.{missing}",
            hint="Fit it on the same table without constraints to see why.",
        ) from error


@contextmanager
def _interruptible() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=SWALLOWED)
        try:
            yield
        except UserWarning as warning:
            if SWALLOWED in str(warning):
                raise KeyboardInterrupt from None
            raise


def _cause(error: Exception) -> str:
    """Return the beginning of a library's error in brackets, up to the first value that it may quote from the table.

    The text of anybody else may hold the content of a row anywhere.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0] not in LIBRARIES:
        return ""
    text = re.split(r"[\n:;\d'\"\[{(`“‘]", str(error), maxsplit=1)[0].strip(" .,")
    return f" ({text})" if len(text.split()) > 1 else ""
