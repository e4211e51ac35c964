"""What remedies are called: the name in the plan, or the settings in words."""

from __future__ import annotations

from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.estimators.models import MODEL_WORDS
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.naming import tree_name
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.names import amount_remedy_name
from fairaudit.study.rates_alike import FAIRNESS_WORDS, limit_text


def remedy_name(remedy: RemedyPlan, *, amount: bool = False) -> str:
    """Return what a remedy is called: the name in its plan, or its settings in words.

    Examples
    --------
    >>> remedy_name(PlainPlan())
    'Plain logistic regression'
    >>> remedy_name(ConstrainPlan(constraints=('sp by ["age < 25" as "young", "age >= 25" as "old"] <= 0.1',), scale=2))
    'Constrained logistic regression, allowed gaps times 2 (sp by young, old <= 0.1)'
    """
    if amount:
        return amount_remedy_name(remedy)
    if remedy.name:
        return remedy.name
    match remedy:
        case PlainPlan():
            return f"Plain {MODEL_WORDS[remedy.model]}"
        case RelabelPlan():
            algorithm = {"risk_adjustment": "risk adjustment", "risk_flipping": "risk-based flipping"}
            models = f"{MODEL_WORDS[remedy.risk_model]}, then {MODEL_WORDS[remedy.final_model]}"
            return f"Retraining after {algorithm[remedy.algorithm]} ({models})"
        case ThresholdsPlan():
            search = {"exact": "", "pso": ", particle swarm", "chosen": ", chosen by hand"}[remedy.search]
            weight = "" if remedy.search == "chosen" else f", fairness weight {remedy.fairness_weight:g}"
            return f"Thresholds by group ({MODEL_WORDS[remedy.model]}{weight}{search})"
        case EqualizePlan():
            return f"Equalized distributions (accuracy weight {remedy.accuracy_weight:g})"
        case ConstrainPlan():
            picked = "" if remedy.scale == 1 else f", allowed gaps times {remedy.scale:.3g}"
            asked = "; ".join(_asked(FairnessSpec.parse(text)) for text in remedy.constraints)
            return f"Constrained {MODEL_WORDS[remedy.model]}{picked} ({asked})"
        case RulesPlan(rules=()):
            alike = "" if remedy.fairness is None else f", {FAIRNESS_WORDS[remedy.fairness]}{_within(remedy)}"
            return f"Rule set (complexity up to {remedy.max_complexity}{alike}{_searched(remedy)})"
        case RulesPlan():
            return f"Rule set chosen by hand ({len(remedy.rules)} rule{'' if len(remedy.rules) == 1 else 's'})"
        case TreesPlan():
            return tree_name(remedy)


def _within(remedy: RulesPlan) -> str:
    margin = f" with a margin of {limit_text(remedy.margin)}" if remedy.margin else ""
    return f" within {limit_text(remedy.max_difference)}{margin}"


def _searched(remedy: RulesPlan) -> str:
    """Return how a rule set is searched for, where that is not as usual."""
    longest = remedy.max_rule_length
    length = "" if longest is None else f", rules of {'1 condition' if longest == 1 else f'up to {longest} conditions'}"
    groups = ", also by columns that tell the groups" if remedy.use_sensitive else ""
    loss = "" if remedy.objective == "hamming" else ", each wrong row counted once"
    usual = RulesPlan.model_fields["time_limit"].default
    limit = "" if remedy.time_limit == usual else f", time limit {remedy.time_limit:g} s"
    return f"{length}{groups}{loss}{limit}"


def _asked(spec: FairnessSpec) -> str:
    """Return a constraint as it is written, with the names of groups in place of their conditions."""
    if spec.columns is not None:
        return str(spec)
    return f"{spec.measure.name} by {', '.join(spec.group_names)} <= {spec.max_difference!r}"
