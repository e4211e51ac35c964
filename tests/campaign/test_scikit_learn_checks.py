"""The checks of scikit-learn for other settings than the usual ones, which the tests of each estimator check."""

from __future__ import annotations

from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit.estimators.base import TablePreparation
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.equalized import EqualizedDistributionClassifier
from fairaudit.estimators.relabeling import RelabeledClassifier
from fairaudit.estimators.rules.binarizer import Binarizer
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.thresholds import GroupThresholdClassifier

OTHER_SETTINGS = [
    Binarizer(n_bins=3, add_negations=False),
    ConstrainedClassifier(LinearSVC(dual=False), random_state=0),
    EqualizedDistributionClassifier(0.5, method="momentum", max_iter=200),
    GroupThresholdClassifier(n_particles=5, n_iterations=5, random_state=0),
    RelabeledClassifier(random_state=0),
    # The 0-1 form takes minutes to prove what is best for random numbers cut at deciles.
    RuleSetClassifier(4, objective="zero_one", binarizer=Binarizer(n_bins=2), random_state=0),
    TablePreparation(n_components=2),
]

DIVIDES = "the rows are divided at random, and of rows written out copies come into both parts"


def expected_failures(estimator):
    divides = isinstance(estimator, GroupThresholdClassifier | RelabeledClassifier)
    return {"check_sample_weight_equivalence_on_dense_data": DIVIDES} if divides else {}


@parametrize_with_checks(OTHER_SETTINGS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks_of_other_settings(estimator, check):
    check(estimator)
