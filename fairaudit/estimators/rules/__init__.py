"""Boolean rule sets: "predict repeat offence if ... or if ...", found by integer programming under constraints.

Names are imported when they are first asked for: SCIP and scikit-learn take a second, which those who only read results
need not wait for.
"""

from fairaudit.late import late_names

__all__ = ["Binarizer", "RuleSet", "RuleSetClassifier"]

__getattr__ = late_names(
    __name__,
    {
        "Binarizer": "fairaudit.estimators.rules.binarizer",
        "RuleSet": "fairaudit.estimators.rules.literals",
        "RuleSetClassifier": "fairaudit.estimators.rules.classifier",
    },
)
