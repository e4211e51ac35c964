"""Alternatives that discriminate less: what is in use, and all that is tried beside it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.data.given import SaidCounts, SaidLabels, as_table, documented
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import FairauditError, GroupError, InputError, quote, require
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.models import iter_fit_model, scores_of
from fairaudit.estimators.relabeling import RelabeledClassifier
from fairaudit.estimators.rules.near_optimal import NearOptimalRuleSets, iter_near_optimal_rule_sets
from fairaudit.estimators.trees.near_optimal import NearOptimalTrees, iter_near_optimal_trees
from fairaudit.events import STOP, Command, Event, Finished, Incumbent, Progress, Started, iter_relay, result_of
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.models import MODEL_WORDS, Learner, ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import outcome_of, uncounted
from fairaudit.sections.alternatives.finding import AlternativesFinding, Form, NearlyBest, Origin
from fairaudit.sections.alternatives.plan import AlternativesPlan, AsGoodBy, Used
from fairaudit.sections.alternatives.pool import Pool
from fairaudit.study.constraint_check import similar_cases
from fairaudit.study.fitting import StagedRun, iter_plain_model, new_model, plain_answers, score_in_use
from fairaudit.study.judging.results import Judged
from fairaudit.study.reading import study_of
from fairaudit.study.rows import Study

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]
Fitting = Generator[Event, Command | None, None]

WITHOUT: Final[Learner] = "logistic_regression"
"""The learner that is fitted anew without each column, to limits, and on changed labels: it takes the least time."""
DEPTHS: Final[Mapping[Form, int]] = {"tree": 2, "list": 3, "rules": 3}
"""Questions on the way to an answer: of trees, and of lists of rules; rules of a set, of two conditions each."""
NEARLY: Final = 0.01
"""By how much more often such a tree may be wrong than the best, on the rows that are learned from."""
NEAR_WORK: Final = 30.0
"""Work on each of these searches."""
MOST_LISTED: Final = 200
"""Of these, so many with the smallest gaps are tried."""
MOST_WITHOUT: Final = 40
"""Columns that are left out in turn."""
SCALES: Final = (1.0, 1.5, 2.0, 3.0, 4.0)
"""How many times the strictest limit models are picked for from one search."""
TARGETS: Final = (0.5, 0.0)
"""What is left of the gap where labels are changed."""
NEARER: Final = (0.25, 0.5, 0.75, 1.0)
"""How far thresholds by group bring the shares of both groups together."""


@dataclass(frozen=True, eq=False)
class Deciding:
    """What is in use. Shapes: all (n,), of all rows of a study; a score is None where there is none."""

    used: Used
    learner: str
    prediction: Labels
    score: Floats | None = None

    def about(self, rows: NDArray[np.int64]) -> Judged:
        """Return what it says of some rows."""
        return Judged(self.prediction[rows], None if self.score is None else self.score[rows])


def used_by(plan: AuditPlan, asked: AlternativesPlan) -> Used:
    """Return what is in use: what is asked for, or the first that the audit names."""
    if asked.in_use is not None:
        return asked.in_use
    return "prediction" if plan.prediction is not None else "score" if plan.score is not None else "model"


def iter_alternatives(table: Table, plan: AuditPlan, asked: AlternativesPlan) -> Fitting:
    """Answer one question about alternatives, yielding events. Send `STOP` to finish with what was tried so far."""
    with uncounted(plan):
        study = study_of(table, plan)
        if not isinstance(study, Study):
            raise InputError("Alternatives are looked for where decisions have a favourable result, not an amount.")
        yield from _iter_tried(study, table, asked)


def _iter_tried(study: Study, table: Table, asked: AlternativesPlan) -> Fitting:
    course, steps = StagedRun(), _steps(study, asked)
    total = len(steps) + 1
    course.stopped = (yield Started("Alternatives", total)) is STOP
    sides = study.protected[study.split.tune][study.population[study.split.tune]]
    if sides.all() or not sides.any():
        raise GroupError(
            "The cases that models are compared on are of one group alone.",
            hint="Bring more cases of the other.",
        )
    strata = _strata(study, asked)
    deciding = yield from _iter_deciding(study, table, asked, course, total)
    tune, held = study.split.tune, study.split.held_out
    if asked.measure == "auc" and deciding.score is None:
        raise InputError(
            "Models are to be compared by how well they rank, and the prediction in use gives no score.",
            hint="Name the score that is in use, or compare by another measure.",
        )
    pool = Pool(study, deciding.about(tune), deciding.about(held), asked.loss, asked.measure, strata)
    if strata is not None and not np.isfinite([pool.gap, pool.in_use().gap]).all():
        raise GroupError(
            "No similar cases of both groups are among the cases that models are compared on.",
            hint="Choose what makes cases similar more broadly, or bring more cases.",
        )
    tries, n_skipped = Tries(study, deciding, pool), 0
    for number, (words, step) in enumerate(steps, start=1):
        if course.stopped:
            break
        # That one of many cannot be made, say for lack of rows, is no reason to give up the others.
        try:
            yield from course.part(step(tries), start=number, end=number + 1, total=total, words=words)
        except FairauditError:
            n_skipped += not course.stopped
    yield Finished(
        AlternativesFinding(
            plan=asked,
            facts=study.facts,
            used=deciding.used,
            n_tried=pool.n_tried,
            n_as_good=pool.n_as_good,
            n_unclear=pool.n_unclear,
            in_use=pool.in_use(),
            alternatives=pool.judged(),
            otherwise=pool.decided_otherwise(),
            spread=pool.spread(),
            nearly_best=tuple(tries.sets),
            n_skipped=n_skipped,
            stopped=course.stopped,
        )
    )


def _strata(study: Study, asked: AlternativesPlan) -> NDArray[np.int64] | None:
    """Return a number for each row that similar cases share; None where the gap is that of all together."""
    if not asked.among_similar:
        return None
    inside = study.inside
    if inside is None:
        raise InputError(
            "The gap is to be that among similar cases, and no check of the same groups says what makes cases similar.",
            hint="Give a check of these groups 'strata', or leave out 'among_similar'.",
        )
    return similar_cases(replace(study, sensitive=inside.columns), tuple(inside.columns), inside.cuts)


def _iter_deciding(
    study: Study, table: Table, asked: AlternativesPlan, course: StagedRun, total: int
) -> Generator[Event, Command | None, Deciding]:
    """Read the prediction or score in use, or fit the model that stands for it."""
    used = used_by(study.plan, asked)
    match used:
        case "prediction":
            return Deciding(used, "", _prediction_of(study, table))
        case "score":
            values, threshold = score_in_use(study)
            _refuse_missing(study, ~np.isfinite(values), f"score {quote(require(study.plan.score).column)}")
            return Deciding(used, "", (values >= threshold).astype(np.int64), values)
        case "model":
            model = yield from iter_plain_model(study, asked.model, None, course, end=1)
            return Deciding(used, asked.model, *plain_answers(model, study.X))


def _prediction_of(study: Study, table: Table) -> Labels:
    part: OutcomePlan | None = study.plan.prediction
    if part is None:
        raise InputError(
            "The prediction in use is asked for, and the audit names none.",
            hint="Name the column of the prediction, or take another.",
        )
    condition: Condition = outcome_of(table, part).condition
    columns = list(condition.columns)
    known = condition.truth(study.reading(table, columns).sensitive[columns])
    _refuse_missing(study, known.isna().to_numpy(), f"prediction {quote(part.column)}")
    return known.fillna(False).to_numpy(dtype=np.int64)


def _refuse_missing(study: Study, missing: NDArray[np.bool_], what: str) -> None:
    if missing[np.concatenate([study.split.tune, study.split.held_out])].any():
        raise InputError(
            f"The {what} is missing for some cases, so no model can be compared with it.",
            hint="Narrow the data to cases that have one, or take a model of past decisions.",
        )


Step = tuple[str, Callable[["Tries"], Fitting]]


def _steps(study: Study, asked: AlternativesPlan) -> list[Step]:
    """Return all that is tried, in words and as work."""
    in_use = asked.model if used_by(study.plan, asked) == "model" else None
    features = study.X.columns[:MOST_WITHOUT] if study.X.shape[1] > 1 else ()
    steps: list[Step] = [("Other thresholds", Tries.other_thresholds)]
    steps += [
        (MODEL_WORDS[name].capitalize(), partial(Tries.learner, name=name))
        for name in get_args(Learner)
        if name != in_use
    ]
    steps += [("Without a column", partial(Tries.without, column=each)) for each in features]
    steps += [
        ("Trained to limits", Tries.constrained),
        ("Trained on changed labels", Tries.retrained),
        ("Small trees", partial(Tries.near_optimal, form="tree")),
        ("Lists of rules", partial(Tries.near_optimal, form="list")),
        ("Sets of rules", Tries.near_optimal_rules),
    ]
    return [*steps, ("Thresholds by group", Tries.by_group)] if asked.by_group else steps


@dataclass(frozen=True, eq=False)
class Tries:
    """All that is tried beside what is in use; each offers what it makes to the pool."""

    study: Study
    deciding: Deciding
    pool: Pool
    sets: list[NearlyBest] = field(default_factory=list)

    def offer(self, origin: Origin, prediction: Labels) -> None:
        """Offer a model by what it says of all rows. Shapes: `prediction` (n,)."""
        split = self.study.split
        self.pool.offer(origin, Judged(prediction[split.tune]), Judged(prediction[split.held_out]))

    def offer_cuts(self, origin: Origin, score: Floats) -> None:
        """Offer a score with thresholds for all. Shapes: `score` (n,)."""
        self.pool.offer_score(origin, score[self.study.split.tune], score[self.study.split.held_out])

    def other_thresholds(self) -> Fitting:
        """Try the score in use with other thresholds for all."""
        yield Finished(None)
        if self.deciding.score is not None:
            self.offer_cuts(Origin("model", self.deciding.learner, ""), self.deciding.score)

    def learner(self, name: Learner) -> Fitting:
        """Fit a learner, and try it with several thresholds."""
        prediction, score = yield from self._answers(name, self.study.X)
        self.offer(Origin("model", name, ""), prediction)
        self.offer_cuts(Origin("model", name, ""), score)

    def without(self, column: str) -> Fitting:
        """Fit the quickest learner without one column, and try it with several thresholds."""
        prediction, score = yield from self._answers(WITHOUT, self.study.X.drop(columns=[column]))
        self.offer(Origin("without", WITHOUT, column), prediction)
        self.offer_cuts(Origin("without", WITHOUT, column), score)

    def _answers(self, name: Learner, X: pd.DataFrame) -> Generator[Event, Command | None, tuple[Labels, Floats]]:
        """Fit a learner to the training rows, and return its predictions and scores of all rows."""
        model, rows = new_model(self.study, name), self.study.split.train
        yield from iter_fit_model(model, X.iloc[rows], self.study.y[rows])
        return plain_answers(model, X)

    def constrained(self) -> Fitting:
        """Train to limits on the gap, from a strict one on; the rows are those that are compared."""
        study, split = self.study, self.study.split
        rows = split.learning[study.population[split.learning]]
        limit = max(min(study.models.tolerance, abs(self.pool.gap) / 2), 0.005)
        classifier = ConstrainedClassifier(
            new_model(study, WITHOUT), FairnessSpec("demographic_parity", "group", limit), random_state=study.seed
        )
        yield from classifier.iter_fit(
            study.X.iloc[rows],
            study.y[rows],
            sensitive_features=pd.DataFrame({"group": study.protected[rows]}),
            validation=np.isin(rows, split.tune),
            strata=None if self.pool.strata is None else self.pool.strata[rows],
        )
        origin = Origin("constrained", WITHOUT, "")
        for scale in SCALES:
            picked = classifier.pick(scale)
            self.offer(origin, np.asarray(picked.predict(study.X), dtype=np.int64))
            # Where as many are to be approved, each is cut to that; else its threshold is a part of what was found.
            if self.pool.measure != "accuracy":
                self.offer_cuts(origin, scores_of(picked, study.X))

    def retrained(self) -> Fitting:
        """Train on labels that are changed until a part of the gap is left."""
        study, rows = self.study, self.study.split.learning
        for target in TARGETS:
            classifier = RelabeledClassifier(
                risk_model=new_model(study, WITHOUT),
                final_model=new_model(study, WITHOUT),
                random_state=study.seed,
                target_gap=target * abs(self.pool.gap),
            )
            yield from classifier.iter_fit(
                study.X.iloc[rows],
                study.y[rows],
                sensitive_features=study.protected[rows],
                population=study.population[rows],
                tuning=np.isin(rows, study.split.tune),
            )
            origin = Origin("retrained", WITHOUT, "")
            self.offer(origin, np.asarray(classifier.predict(study.X), dtype=np.int64))
            self.offer_cuts(origin, scores_of(classifier, study.X))

    def near_optimal(self, form: Literal["tree", "list"]) -> Fitting:
        """Try the trees, or lists of rules, that are within 1 % of the best: those with the smallest gaps."""
        study = self.study
        rows = study.split.train[study.population[study.split.train]]
        events = iter_near_optimal_trees(
            study.X.iloc[rows],
            study.y[rows],
            sensitive_features=study.protected[rows],
            form=form,
            max_depth=DEPTHS[form],
            within=NEARLY,
            n_listed=MOST_LISTED,
            n_drawn=0,
            time_limit=NEAR_WORK,
            random_state=study.seed,
        )
        found: NearOptimalTrees = yield from _iter_ended(events)
        for each in found.trees:
            self.offer(Origin(form, "", ""), each.tree.predict(study.X).astype(np.int64))
        self.sets.append(
            NearlyBest(
                form=form,
                n_rules=DEPTHS[form],
                n_questions=found.n_splits_considered,
                n=found.n_trees,
                is_proven=found.complete,
                smallest_gap=found.smallest_gap,
                smallest_bound=found.smallest_gap_bound,
                largest_gap=found.largest_gap,
                decided_both_ways=float(found.decides_both(self._judged_rows()).mean()),
            )
        )

    def near_optimal_rules(self) -> Fitting:
        """Try the rule sets that are within 1 % of the best: those with the smallest gaps."""
        study = self.study
        rows = study.split.train[study.population[study.split.train]]
        events = iter_near_optimal_rule_sets(
            study.X.iloc[rows],
            study.y[rows],
            sensitive_features=study.protected[rows],
            max_rules=DEPTHS["rules"],
            within=NEARLY,
            n_listed=MOST_LISTED,
            time_limit=NEAR_WORK,
            random_state=study.seed,
        )
        found: NearOptimalRuleSets = yield from _iter_ended(events)
        for each in found.sets:
            self.offer(Origin("rules", "", ""), each.rules.predict(study.X))
        # Of sets of fewer rules than were asked for, these are all, too.
        if found.max_rules:
            self.sets.append(
                NearlyBest(
                    form="rules",
                    n_rules=found.max_rules,
                    n_questions=found.n_splits_considered,
                    n=found.n_sets,
                    is_proven=True,
                    smallest_gap=found.smallest_gap,
                    smallest_bound=found.smallest_gap,
                    largest_gap=found.largest_gap,
                    decided_both_ways=float(found.decides_both(self._judged_rows()).mean()),
                )
            )

    def _judged_rows(self) -> pd.DataFrame:
        held = self.study.split.held_out
        return self.study.X.iloc[held[self.study.population[held]]]

    def by_group(self) -> Fitting:
        """Try thresholds by group that bring shares together, on the score in use or on a plain model."""
        study, tune = self.study, self.study.split.tune
        learner, score, decided = self.deciding.learner, self.deciding.score, self.deciding.prediction
        if score is None:
            learner = WITHOUT
            decided, score = yield from self._answers(WITHOUT, study.X)
        yield Finished(None)
        sides = [study.population & (study.protected == side) for side in (True, False)]
        h = decided[tune]
        shares = [h[side[tune]].mean() for side in sides]
        middle = h[(sides[0] | sides[1])[tune]].mean()
        for part in NEARER:
            prediction = decided.copy()
            for side, share in zip(sides, shares, strict=True):
                tuned = np.sort(score[tune][side[tune]])
                place = round(len(tuned) * (1 - share - part * (middle - share)))
                least = np.inf if place >= len(tuned) else tuned[max(place, 0)]
                prediction[side] = score[side] >= least
            self.offer(Origin("by_group", learner, ""), prediction)


def _iter_ended(events: Fitting) -> Generator[Event, Command | None, Any]:
    """Pass on the progress of a search, and return its result."""
    ends: list[Any] = []

    def passed_on(event: Event) -> Progress | Incumbent | None:
        if isinstance(event, Finished):
            ends.append(event.result)
        return event if isinstance(event, Progress | Incumbent) else None

    yield from iter_relay(events, passed_on)
    [found] = ends
    return found


@documented()
def find_alternatives(
    table: object,
    *,
    decision: str,
    favorable: object,
    protected: str | Condition,
    features: Sequence[str],
    strata: Sequence[str] = (),
    prediction: str | Condition | None = None,
    score: str | None = None,
    cut: float | None = None,
    higher_is_favorable: bool = True,
    where: str | Condition | None = None,
    model: Learner = "logistic_regression",
    measure: AsGoodBy = "accuracy",
    loss: float = 0.02,
    by_group: bool = False,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    random_state: int = 0,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> AlternativesFinding:
    """Find models that serve as well as the one in use, with a smaller gap.

    Parameters
    ----------
    table : Table, path, or frame of pandas, polars, Arrow or DuckDB
        One row a case; text columns and missing values are taken.
    decision : str
        The column of the decision, or of what happened, by which a model is right or wrong.
    favorable : object
        Its good outcome: a value, or a condition.
    protected : str or Condition
        Who is protected.
    features : sequence of str
        The columns that models may learn from.
    strata : sequence of str
        Columns whose values make cases similar: the gap is then the average over these, see
        :func:`fairaudit.check_strata`. Empty: that of all people together.
    prediction : str or Condition, optional
        Who is given the good outcome by what is in use; without it and a `score`, by a plain `model` of the decision.
    score : str, optional
        The column of a score that is in use.
    cut : float, optional
        The score from which on the good outcome is given; below it where `higher_is_favorable` is False. Without it,
        the one that is right most often.
    higher_is_favorable : bool
        Whether a higher score speaks for the good outcome.
    where : str or Condition, optional
        Among whom the gap is measured.
    model : str
        The learner that stands for what is in use, see :func:`fairaudit.estimators.make_model`.
    measure : {"accuracy", "auc", "approvals"}
        By what a model is equally good: how often it is right; the area under the ROC curve, where what is in use has a
        score; or how many of those approved are good. The last two cut each score so that as many are approved.
    loss : float
        By how much an equally good model may be worse by that measure, as a share, 0 to 0.2.
    by_group : bool
        Whether thresholds by group are tried, too; the answer is never about them.
    tolerance : float
        The largest gap that counts as alike, 0 to 1.
    confidence : float
        Of the intervals and tests, 0.5 or above and below 1.
    random_state : int
        The seed of the division of the rows and of all models.

    Returns
    -------
    AlternativesFinding
        How many models were tried, which count as equally good, and the few that were judged on test cases.

    Raises
    ------
    InputError
        If a setting is out of range, or the prediction is missing for some case.
    GroupError
        If there are too few rows of a group.

    Notes
    -----
    Models are compared on tuning rows; of each kind the one with the smallest gap is judged once on held-out rows, and
    p-values of "its gap is no smaller" are adjusted by Holm's method. Of alternatives that are all as unfair as the
    model in use, one is called better in at most ``1 - confidence`` of all tables. The intervals of the gaps that were
    judged hold together with that confidence, so that they hold for whichever is picked. Differences between models
    are paired by row; those of areas under the ROC curve are DeLong's.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), "Comparing the areas under two or more correlated receiver operating
    characteristic curves".

    Examples
    --------
    >>> from fairaudit import find_alternatives, read_table
    >>> found = find_alternatives(
    ...     read_table("sample_data/recidivism.csv"), decision="reoffended_within_two_years", favorable="no",
    ...     protected="race = 'African-American'", features=["age", "prior_offences", "charge_degree"],
    ... )  # doctest: +SKIP
    >>> found.n_as_good, [round(each.size_change, 3) for each in found.alternatives]  # doctest: +SKIP
    """
    table = as_table(table, counts=counts, labels=labels)
    predicted, where_text = table.condition(prediction), None if where is None else str(where)
    plan = AuditPlan(
        data=DataPlan(source="table"),
        decision=OutcomePlan(column=decision, **_good(favorable)),
        prediction=None
        if predicted is None
        else OutcomePlan(column=predicted.columns[0], favorable_when=str(predicted)),
        score=None if score is None else ScorePlan(column=score, cut=cut, higher_is_favorable=higher_is_favorable),
        models=ModelsPlan(
            features=tuple(features),
            protected=str(protected),
            where=where_text,
            tolerance=tolerance,
            confidence=confidence,
        ),
        checks=(CheckPlan(protected=str(protected), where=where_text, strata=tuple(strata)),) if strata else (),
        alternatives=(
            AlternativesPlan(model=model, measure=measure, among_similar=bool(strata), loss=loss, by_group=by_group),
        ),
        seed=random_state,
    )
    finding: AlternativesFinding = result_of(iter_alternatives(table, plan, plan.alternatives[0]))
    return finding


def _good(favorable: object) -> dict[str, Any]:
    if isinstance(favorable, Condition):
        return {"favorable_when": str(favorable)}
    return {"favorable": tuple(favorable) if isinstance(favorable, list | tuple) else (favorable,)}
