"""The constraints that a page works on: as a list, with controls and as text; groups follow other spellings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from fairaudit import Condition
from fairaudit.defaults import ENOUGH
from fairaudit.errors import ConditionError, FairauditError, InputError, MissingColumnError, SpecError, require
from fairaudit.estimators.constraints import METRICS, PAIRS, FairnessSpec, parse_specs
from fairaudit.estimators.constraints.metrics import OF_ERRORS
from fairaudit.findings import REST, Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.fields import form_of
from fairaudit.plan.models import ProbabilisticLearner
from fairaudit.present import naming
from fairaudit.present.numbers import count_text
from fairaudit.remedies.constrain.plan import ConstrainPlan, respelled_groups, respelled_specs
from fairaudit.remedies.constrain.words import asked_text, group_text
from fairaudit.study.constraint_check import GroupSize, column_groups, group_sizes, protected_groups
from fairaudit.study.rows import Study
from ui.check.population import build_condition
from ui.data.spellings import Spelling
from ui.frame import errors_shown, show_error
from ui.remedies.learning_panel import with_columns
from ui.state import AuditState
from ui.text import first_named, labels, literal, stated

# What the page Constraints holds while a person works on it: the constraints, and the form that makes one more.

PROTECTED, VALUES, OWN = "protected", "values", "own"
"""How the groups of a constraint are named: the protected group and the rest, values of columns, own conditions."""

COST, RATES = "aec", "errors"
"""The metrics whose costs and weights a person chooses."""

AT_LEAST = "at least "
"""What the name of a metric begins with where the form sets a floor under it."""

_MOST_UNDO = 100


@dataclass
class ConstraintDraft:
    """The constraints that a page offers to train under, and its form. Nothing that was typed is lost.

    ``specs`` is what must hold; ``undo`` holds what it was before each change. ``text`` is what was written in their
    place and cannot be read, None while the text shown is that of ``specs``. ``editing`` is the place of the constraint
    that the form changes. ``tolerance`` is that of the question while its limit is proposed and nothing is changed.
    The other fields are those of the form; ``kept`` holds the groups that are chosen among the
    values of ``columns``, None until a person chooses.
    """

    specs: tuple[FairnessSpec, ...] = ()
    model: ProbabilisticLearner = "logistic_regression"
    no_group_worse_off: bool = False
    confidence: float | None = None
    strata: tuple[str, ...] = ()
    strata_cuts: tuple[tuple[str, tuple[float, ...]], ...] = ()
    undo: list[tuple[FairnessSpec, ...]] = field(default_factory=list)
    text: str | None = None
    editing: int | None = None
    tolerance: float | None = None
    metric: str = "fpr"
    false_positive_cost: float = 1.0
    false_negative_cost: float = 5.0
    points: float = 3.0
    cost_difference: float = 0.05
    floor_percent: float = 80.0
    how: str = PROTECTED
    columns: tuple[str, ...] = ()
    kept: tuple[str, ...] | None = None
    conditions: tuple[tuple[str, str], ...] = ()
    where: str = ""
    group_name: str = ""

    @classmethod
    def asking(cls, tolerance: float) -> ConstraintDraft:
        """Return a draft that asks what the audit asks, as its form does: shares of outcomes within its tolerance."""
        return cls(metric="demographic_parity", points=round(100 * tolerance, 7), tolerance=tolerance or None)

    def propose(self, groups: dict[str, str]) -> None:
        """Take as the first limit what the audit asks of these groups, until a person changes anything."""
        if self.tolerance is not None:
            self.specs = (FairnessSpec("demographic_parity", groups, round(self.tolerance, 9)),)

    @classmethod
    def of(cls, plan: ConstrainPlan) -> ConstraintDraft:
        """Return the draft of a remedy that is there already."""
        return cls(
            specs=_read(plan.constraints),
            model=plan.model,
            no_group_worse_off=plan.no_group_worse_off,
            confidence=plan.confidence,
            strata=plan.strata,
            strata_cuts=plan.strata_cuts,
        )

    def respelled(self, spelling: Spelling) -> ConstraintDraft:
        """Return the draft with groups in the spelling of their columns."""
        names = (spelling.group_name(self.columns, name) for name in self.kept or ())
        return replace(
            self,
            specs=respelled_specs(self.specs, spelling.condition),
            undo=[respelled_specs(specs, spelling.condition) for specs in self.undo],
            conditions=respelled_groups(self.conditions, spelling.condition),
            where=spelling.condition(self.where),
            kept=None if self.kept is None else tuple(dict.fromkeys(names)),
        )

    @property
    def asked(self) -> tuple[object, ...]:
        """What a result depends on: the model, what else is asked of it, and the constraints in any order."""
        similar = self.strata, self.strata_cuts
        return self.model, self.no_group_worse_off, self.confidence, similar, frozenset(self.specs)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that the form constrains, as :class:`FairnessSpec` names them."""
        if self.metric in OF_ERRORS:
            return (f"{self.metric}({self.false_positive_cost!r}, {self.false_negative_cost!r})",)
        return PAIRS.get(self.metric, (self.metric.removeprefix(AT_LEAST),))

    @property
    def max_difference(self) -> float:
        """The largest difference that the form allows, as a fraction for shares."""
        return self.cost_difference if self.metric in OF_ERRORS else round(self.points / 100, 9)

    def made(self, groups: Any) -> tuple[FairnessSpec, ...]:
        """Return the constraints that the form makes of groups."""
        if self.metric.startswith(AT_LEAST):
            floor = round(self.floor_percent / 100, 9)
            return tuple(FairnessSpec(metric, groups, floor=floor) for metric in self.metrics)
        return tuple(FairnessSpec(metric, groups, self.max_difference) for metric in self.metrics)

    def change(self, specs: tuple[FairnessSpec, ...]) -> None:
        """Take other constraints, each once; what is written in their place and the edit of one are given up."""
        specs = tuple(dict.fromkeys(specs))
        if specs != self.specs:
            self.undo = [*self.undo[1 - _MOST_UNDO :], self.specs]
        self.specs, self.text, self.editing, self.tolerance = specs, None, None, None

    def put(self, made: tuple[FairnessSpec, ...]) -> None:
        """Put constraints in the place of the one that is edited, or after all others."""
        place = len(self.specs) if self.editing is None else self.editing
        self.change((*self.specs[:place], *made, *self.specs[place + 1 :]))

    def remove(self, place: int) -> None:
        """No longer ask for a constraint."""
        self.change((*self.specs[:place], *self.specs[place + 1 :]))

    def take_back(self) -> None:
        """Undo the last change."""
        if self.undo:
            self.specs, self.text, self.editing = self.undo.pop(), None, None

    def edit(self, place: int, *, protected: tuple[tuple[str, str], ...], names: tuple[str, ...]) -> None:
        """Put a constraint in the form."""
        spec = self.specs[place]
        self.editing = place
        name = spec.measure.name
        if spec.floor is not None:
            self.metric, self.floor_percent = f"{AT_LEAST}{name}", round(100 * spec.floor, 7)
        elif name in METRICS:
            self.metric, self.points = name, round(100 * require(spec.max_difference), 7)
        else:
            self.metric, costs = name.partition("(")[0], name.partition("(")[2].removesuffix(")").split(",")
            self.cost_difference = require(spec.max_difference)
            self.false_positive_cost, self.false_negative_cost = (float(cost) for cost in costs)
        if spec.columns is not None:
            self.how, self.columns, self.kept = VALUES, spec.columns, names
        elif spec.conditions == protected:
            self.how = PROTECTED
        else:
            self.how, self.conditions = OWN, require(spec.conditions)

    def write(self, text: str) -> None:
        """Take what was written as the constraints, or keep it as it is where it cannot be read."""
        try:
            self.change(_read((text,)) if text.strip() else ())
        except InputError:
            self.text = text


def _read(texts: tuple[str, ...]) -> tuple[FairnessSpec, ...]:
    return tuple(spec for text in texts for spec in parse_specs(text))


# Between which groups a constraint holds: the protected group and the rest, values of columns, or own conditions.

HOW = {PROTECTED: "The protected group and everyone else", VALUES: "Values of columns", OWN: "My own groups"}


def choose_groups(state: AuditState, study: Study, draft: ConstraintDraft) -> Any:
    """Draw the choice of the groups, and return them as :class:`FairnessSpec` takes them; None while incomplete."""
    label = "In which groups" if draft.metric.startswith(AT_LEAST) else "Between which groups"
    st.radio(label, list(HOW), format_func=HOW.get, horizontal=True, **bound(draft, "how"))
    if draft.how == PROTECTED:
        return dict(protected_groups(study, state.present_table.columns))
    if draft.how == VALUES:
        return _choose_values(state, study, draft)
    _choose_own(state, draft)
    return dict(draft.conditions) if len(draft.conditions) > 1 else None


def bound(draft: ConstraintDraft, field: str, take: Any = None) -> dict[str, Any]:
    """Return the arguments that tie a widget to a field of the draft, which other widgets change, too.

    `take` is called with what was chosen, in place of putting it into the field.
    """
    key = f"constraints_{field}"
    value = getattr(draft, field)
    st.session_state[key] = list(value) if isinstance(value, tuple) else value
    return {"key": key, "on_change": _take, "args": (draft, field, key, take)}


def _take(draft: ConstraintDraft, field: str, key: str, take: Any) -> None:
    value = st.session_state[key]
    if take is not None:
        take(value)
    else:
        setattr(draft, field, tuple(value) if isinstance(value, list) else value)


def sizes_of(state: AuditState, study: Study, spec: FairnessSpec) -> tuple[GroupSize, ...]:
    """Return the groups of a constraint with their tuning rows, counted once."""
    study = with_columns(state, study, spec.needed_columns(state.present_table.columns))
    key = (state.study_key, spec)
    return state.remember("constraint", key, lambda: group_sizes(study, spec))


def few_words(sizes: tuple[GroupSize, ...]) -> str:
    """Return which groups of a constraint have few tuning rows, in a sentence; empty where none has."""
    few = [f"{naming.shorten(group_text(size.name), 80)} ({count_text(size.n)})" for size in sizes if not size.enough]
    said = Message("constrain-few-tuned", first_named(few) | {"least": Count(ENOUGH)})
    return literal(say(said), limit=900) if few else ""


def say_sizes(found: list[tuple[GroupSize, ...]]) -> None:
    """Draw how many tuning rows count in each group, the fewest where there are two constraints."""
    sizes = [min(group, key=lambda size: size.n) for group in zip(*found, strict=True)]
    shown = [f"{naming.shorten(group_text(size.name), 60)} {count_text(size.n)}" for size in sizes]
    st.caption(stated("constrain-sizes", **first_named(shown), limit=900))
    if few := few_words(tuple(sizes)):
        st.warning(few)


def _choose_values(state: AuditState, study: Study, draft: ConstraintDraft) -> Any:
    """Draw the columns and which of their groups must be alike; return columns, or conditions where some are not."""
    options = list(state.present_table.columns)
    draft.columns = tuple(name for name in draft.columns if name in options)

    def take(columns: list[str]) -> None:
        draft.columns, draft.kept = tuple(columns), None

    columns = st.multiselect(
        "Columns",
        options,
        format_func=labels(options),
        placeholder="Choose",
        help="Several columns are crossed.",
        **bound(draft, "columns", take),
    )
    if not columns:
        st.caption(stated("constrain-no-group"))
        return None
    study = with_columns(state, study, columns)
    key = (state.study_key, draft.metrics, columns)
    found = state.remember(
        "constraint groups", key, lambda: [column_groups(study, metric, columns) for metric in draft.metrics]
    )
    sizes = {group[0].name: min(group, key=lambda size: size.n) for group in zip(*found, strict=True)}
    enough = [name for name in sizes if sizes[name].enough]
    first = enough if len(enough) > 1 else list(sizes)
    chosen = first if draft.kept is None else [name for name in sizes if name in draft.kept]
    draft_kept = bound(draft, "kept")
    st.session_state[draft_kept["key"]] = chosen
    label = labels(sizes)
    kept = st.multiselect(
        "Groups that must be alike",
        list(sizes),
        format_func=lambda name: f"{label(name)} ({count_text(sizes[name].n)})",
        help="In parentheses, the tuning cases that count. Small groups are left out at first.",
        **draft_kept,
    )
    left_out = [name for name in sizes if name not in kept]
    if left_out:
        shown = [naming.shorten(name, 60) for name in left_out]
        st.caption(stated("constrain-left-out", **first_named(shown), limit=900))
    if len(kept) < 2:
        st.caption(stated("constrain-two-groups"))
        return None
    return tuple(columns) if not left_out else {name: sizes[name].condition for name in kept}


def _choose_own(state: AuditState, draft: ConstraintDraft) -> None:
    """Draw the groups that a person has named, and the fields that name one more."""
    for place, (name, text) in enumerate(draft.conditions):
        with st.container(horizontal=True, vertical_alignment="center"):
            words = literal(name, limit=80) if name == text else f"{literal(name, limit=80)}: {literal(text)}"
            st.markdown(f"{place + 1}. {words}", width="stretch")
            st.button("Remove", key=f"constraints_drop_{place}", on_click=_drop, args=(draft, place), type="tertiary")
    left, right = st.columns([3, 2])
    left.text_input(
        "Group: cases where",
        placeholder="such as: age < 25",
        help="Written like the filter. Groups may overlap.",
        **bound(draft, "where"),
    )
    right.text_input("Name (optional)", max_chars=60, placeholder="such as: the young", **bound(draft, "group_name"))
    condition = _condition(state, draft.where)
    built = None
    with st.expander("Build the condition step by step"):
        with errors_shown(go_on=True):
            built = build_condition(state, "constraints_build")
        st.button(
            "Use this condition",
            key="constraints_build_take",
            disabled=built is None,
            on_click=_write,
            args=(draft, "" if built is None else str(built)),
        )
    taken = {name for name, _ in draft.conditions}
    name = "" if condition is None else draft.group_name.strip() or str(condition)
    others = " OR ".join(f"({text})" for _, text in draft.conditions)
    rest = str(~require(state.present_table.condition(others))) if others else ""
    with st.container(horizontal=True):
        st.button(
            "Add this group",
            key="constraints_group_add",
            disabled=condition is None or name in taken,
            on_click=_add_group,
            args=(draft, name, "" if condition is None else str(condition)),
        )
        st.button(
            "Add everyone else",
            key="constraints_group_rest",
            disabled=not rest or REST in taken,
            on_click=_add_group,
            args=(draft, REST, rest),
        )
    if len(draft.conditions) < 2:
        st.caption(stated("constrain-name-two"))


def _condition(state: AuditState, text: str) -> Condition | None:
    """Read a condition and say it in words, or what is wrong with it."""
    condition = None
    with errors_shown(go_on=True):
        condition = state.present_table.condition(text.strip() or None)
        if condition is not None:
            said = Message("constrain-rows-where", {"condition": Phrase(condition.in_words())})
            st.caption(literal(say(said), limit=600))
    return condition


def _add_group(draft: ConstraintDraft, name: str, text: str) -> None:
    draft.conditions = (*draft.conditions, (name, text))
    draft.where = draft.group_name = ""


def _drop(draft: ConstraintDraft, place: int) -> None:
    draft.conditions = (*draft.conditions[:place], *draft.conditions[place + 1 :])


def _write(draft: ConstraintDraft, text: str) -> None:
    draft.where = text


# One constraint put together from controls: a metric, the groups, and how far they may be apart.

METRIC_LABELS = {
    "demographic_parity": "Share predicted positive",
    "fpr": "False positive rate",
    "fnr": "False negative rate",
    "equalized_odds": "False positive and negative rate",
    "fdr": "Wrong among predicted positive",
    "for_": "Wrong among predicted not positive",
    "predictive_parity": "Wrong among both predictions",
    "error_rate": "Wrong predictions",
    COST: "Average cost of errors",
    RATES: "Weighted error rates",
    f"{AT_LEAST}tpr": "At least: true positive rate",
    f"{AT_LEAST}tnr": "At least: true negative rate",
    f"{AT_LEAST}selection_rate": "At least: share predicted positive",
    f"{AT_LEAST}ppv": "At least: right among predicted positive",
    f"{AT_LEAST}npv": "At least: right among predicted not positive",
    f"{AT_LEAST}accuracy": "At least: right predictions",
}


def show_form(state: AuditState, study: Study, draft: ConstraintDraft) -> None:
    """Draw the controls that make one constraint, what it says, and the button that adds it."""
    with st.container(border=True, key="constraints_form"):
        if draft.editing is not None:
            st.markdown(f"**Limit {draft.editing + 1}**")
        _choose_metric(draft)
        try:
            made = _made(state, study, draft)
        except FairauditError as error:
            show_error(error)
            made = ()
        for spec in made:
            if spec in draft.specs:
                st.caption(stated("constrain-listed"))
                continue
            words = asked_text(spec, positive_meaning=study.facts.positive_meaning, strata=draft.strata)
            st.markdown(f"**{literal(words, limit=900)}**")
        with st.container(horizontal=True):
            label = "Add this limit" if len(made) < 2 else "Add both limits"
            if draft.editing is not None:
                label = "Take the change"
            st.button(label, key="constraints_add", disabled=not made, on_click=draft.put, args=(made,))
            if draft.editing is not None:
                st.button("Leave it as it is", key="constraints_leave", on_click=_leave, args=(draft,))


def _leave(draft: ConstraintDraft) -> None:
    draft.editing = None


def _choose_metric(draft: ConstraintDraft) -> None:
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    metric = left.selectbox(
        "What must hold", list(METRIC_LABELS), format_func=METRIC_LABELS.__getitem__, **bound(draft, "metric")
    )
    with right:
        _choose_difference(draft)
    if metric in OF_ERRORS:
        left, right = st.columns(2)
        labels_of = {
            COST: ("A false positive costs", "A false negative costs"),
            RATES: ("The false positive rate times", "The false negative rate times"),
        }
        fields = ("false_positive_cost", "false_negative_cost")
        for column, label, field in zip((left, right), labels_of[metric], fields, strict=True):
            column.number_input(label, min_value=0.0, step=1.0, format="%g", **bound(draft, field))


def _choose_difference(draft: ConstraintDraft) -> None:
    if draft.metric.startswith(AT_LEAST):
        st.number_input(
            "At least, in percent",
            min_value=0.0,
            max_value=100.0,
            step=1.0,
            format="%g",
            help="In each group. It does not limit how far groups are apart.",
            **bound(draft, "floor_percent"),
        )
        return
    if draft.metric in OF_ERRORS:
        st.number_input(
            "Largest difference in cost" if draft.metric == COST else "Largest difference",
            min_value=0.0,
            step=0.01,
            format="%g",
            help="Of any two groups, per case." if draft.metric == COST else "Of any two groups.",
            **bound(draft, "cost_difference"),
        )
        return
    st.number_input(
        "Largest difference, in points",
        min_value=0.0,
        max_value=100.0,
        step=0.5,
        format="%g",
        help="Of any two groups. A smaller limit can cost more accuracy.",
        **bound(draft, "points"),
    )


def _made(state: AuditState, study: Study, draft: ConstraintDraft) -> tuple[FairnessSpec, ...]:
    """Draw the choice of the groups, and return the constraints that the form makes; none while it is incomplete."""
    groups = choose_groups(state, study, draft)
    if groups is None:
        return ()
    made = draft.made(groups)
    say_sizes([sizes_of(state, study, spec) for spec in made])
    return made


# Constraints as text, kept in step with the controls; what is wrong with it is shown with its place.

EXAMPLES = """fpr by race <= 0.03
equalized_odds by sex <= 5%
demographic_parity by race, sex <= 0.1
aec(1, 5) by ["age < 25" as "the young", "age >= 25"] <= 0.05"""
WRITTEN = ("constrain-how-written", "constrain-how-groups")
EXAMPLE_OF = {kind: f"{kind}(1, 5)" for kind in OF_ERRORS}
"""Where a false positive counts 1 and a false negative 5."""
_AROUND = 16
"""Characters of a line that are shown before and after a mistake: as many as a narrow page has room for."""


def show_text(state: AuditState, study: Study, draft: ConstraintDraft) -> None:
    """Draw the constraints as text, what is wrong with it where something is, and how it is written."""
    shown = "\n".join(map(str, draft.specs)) if draft.text is None else draft.text
    st.session_state["constraints_text"] = shown
    form = form_of(ConstrainPlan, "constraints")
    st.text_area(
        form.label,
        placeholder=form.empty,
        height="content",
        key="constraints_text",
        on_change=lambda: _take_text(state, study, draft, st.session_state["constraints_text"]),
        help=form.help,
    )
    if draft.text is not None:
        _show_mistake(state, study, draft.text)
        st.caption(stated("constrain-not-in-use"))
    with st.expander("How limits are written"):
        st.markdown(literal(say(map(Message, WRITTEN))))
        written = {EXAMPLE_OF.get(name, name): label for name, label in METRIC_LABELS.items()}
        st.markdown("\n".join(f"- `{name}`: {label}" for name, label in written.items()))
        st.code(EXAMPLES, language=None, wrap_lines=True)


def _take_text(state: AuditState, study: Study, draft: ConstraintDraft, text: str) -> None:
    """Take what was written, where it can be read and fits the data; else keep it, to be corrected."""
    draft.text = text
    if _mistake(state, study, text) is None:
        draft.write(text)


def _mistake(state: AuditState, study: Study, text: str) -> FairauditError | None:
    """Return what is wrong with constraints in a text, None where nothing is."""
    try:
        for spec in parse_specs(text) if text.strip() else ():
            sizes_of(state, study, spec)
    except FairauditError as error:
        return error
    return None


def _show_mistake(state: AuditState, study: Study, text: str) -> None:
    error = _mistake(state, study, text)
    if error is None:
        return
    show_error(error)
    place = _place(error, text)
    if place is not None:
        st.code(pointed(text, place), language=None)


def _place(error: FairauditError, text: str) -> int | None:
    """Return where in a text an error lies, as far as that is known."""
    match error:
        case SpecError(position=int(position)):
            return position
        case ConditionError(position=int(position), text=condition) if condition in text:
            return text.index(condition) + position
        case MissingColumnError(column=column) if column in text:
            return text.index(column)
    return None


def pointed(text: str, place: int) -> str:
    r"""Return the line of a text around a place, and a sign under the place.

    Examples
    --------
    >>> print(pointed("fpr by sex <= 0.1\nfnr bi sex", 22))
    fnr bi sex
        ^
    """
    start_of_line = text.rfind("\n", 0, place) + 1
    end_of_line = text.find("\n", place)
    first = max(start_of_line, place - _AROUND)
    last = min(len(text) if end_of_line < 0 else end_of_line, place + _AROUND)
    return f"{text[first:last].replace(chr(9), ' ')}\n{' ' * (place - first)}^"
