"""The columns that a study reads, what the name of a column says, and which columns follow from a decision."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.defaults import ENOUGH
from fairaudit.errors import InputError, quote
from fairaudit.measure.comparable import follows_decision
from fairaudit.measure.controlled import column_list
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.roles import outcome_of
from fairaudit.remedies.part import RemedyPart

# What the name of a column says: who decided, or of which group people are; in languages of Europe.

_ENGLISH = (
    "officer", "caseworker", "case worker", "case handler", "case manager", "casehandler", "judge", "magistrate",
    "inspector", "clerk", "handler", "reviewer", "examiner", "assessor", "adjudicator", "approver", "decider",
    "decision maker", "decided by", "handled by", "processed by", "reviewed by", "assessed by", "approved by",
)  # fmt: skip
_ABROAD = (
    "Sachbearbeiter", "Sachbearbeiterin", "Sachbearbeitung", "Bearbeiter", "Bearbeiterin", "Entscheider",
    "Entscheiderin", "Richter", "Richterin", "Prüfer", "Prüferin", "Fallmanager", "Fallmanagerin", "entschieden von",
    "bearbeitet von", "geprüft von", "agent instructeur", "agente instructrice", "instructeur", "instructrice",
    "gestionnaire", "juge", "magistrat", "magistrate", "inspecteur", "inspectrice", "examinateur", "examinatrice",
    "décidé par", "traité par", "funcionario", "funcionaria", "juez", "jueza", "inspectora", "tramitador",
    "tramitadora", "decidido por", "resuelto por", "tramitado por", "funzionario", "funzionaria", "giudice",
    "ispettore", "ispettrice", "deciso da", "ambtenaar", "behandelaar", "beoordelaar", "beslisser", "rechter",
    "beslist door", "behandeld door", "beoordeeld door", "funcionário", "funcionária", "juiz", "juíza", "inspetor",
    "inspetora", "handläggare", "domare", "beslutsfattare", "sagsbehandler", "saksbehandler", "dommer", "käsittelijä",
    "tuomari", "tarkastaja", "urzędnik", "urzędniczka", "sędzia", "inspektor", "inspektör", "referent", "úředník",
    "soudce", "úradník", "sudca", "ügyintéző", "funcționar", "judecător",
)  # fmt: skip


_GROUPS = (
    "sex", "gender", "race", "racial", "ethnicity", "ethnic", "skin colour", "skin color", "religion", "creed",
    "nationality", "national origin", "citizenship", "citizen", "country of birth", "place of birth", "birthplace",
    "immigrant", "disability", "disabled", "sexual orientation", "pregnant", "pregnancy",
    "Geschlecht", "Staatsangehörigkeit", "Staatsbürgerschaft", "Nationalität", "Konfession", "Ethnie",
    "Migrationshintergrund", "Behinderung", "Schwerbehinderung", "sexe", "nationalité", "handicap", "origine ethnique",
    "sexo", "género", "raza", "etnia", "nacionalidad", "religión", "discapacidad", "sesso", "genere", "nazionalità",
    "cittadinanza", "religione", "disabilità", "geslacht", "nationaliteit", "etniciteit", "gênero", "raça",
    "nacionalidade", "deficiência", "kön", "nationalitet", "køn", "kjønn", "sukupuoli", "kansalaisuus", "płeć",
    "narodowość", "obywatelstwo", "pohlaví", "národnost", "pohlavie", "národnosť", "állampolgárság", "naționalitate",
)  # fmt: skip


REOFFENDING: Final = frozenset(
    ("reoffend", "reoffends", "reoffended", "reoffending", "rearrest", "rearrests", "rearrested", "reconvicted",
     "recidivism", "recidivist", "recid")
)  # fmt: skip
FOUND: Final = frozenset(("found", "proven", "confirmed", "detected"))
EARLIER: Final = frozenset(
    ("prior", "priors", "previous", "previously", "past", "earlier", "before", "former", "history")
)
"""In the name of a column, they say that it holds what came before the case."""
LATER: Final = REOFFENDING | FOUND | {
    "after", "later", "afterwards", "subsequent", "subsequently", "outcome", "outcomes", "result", "results", "appeal",
    "appeals", "appealed", "followup", "purchaser", "denial", "refusal",
}  # fmt: skip
"""In the name of a column, they say that it came after the decision, unless one of EARLIER does, too."""


_STATISTICS = frozenset(("mean", "median", "average", "avg"))
_GAPS = frozenset(("diff", "difference", "gap"))
"""With a word for a statistic they name a gap of several people, which is a result."""


def came_later(name: str) -> bool:
    """Say whether the name of a column says that it came after the decision.

    Examples
    --------
    >>> [came_later(name) for name in ("fraud_found", "purchaser_type", "DiffMedianHourlyPercent", "prior results")]
    [True, True, True, False]
    """
    words = _words(name).split()
    is_gap = not (_GAPS.isdisjoint(words) or _STATISTICS.isdisjoint(words))
    return (is_gap or not LATER.isdisjoint(words)) and EARLIER.isdisjoint(words)


def is_another(name: str, other: str) -> bool:
    """Say whether the name of a column holds all of another name of several words, as of another such score.

    Examples
    --------
    >>> is_another("v_decile_score", "decile_score"), is_another("test_score", "score"), is_another("median_pay", "pay")
    (True, False, True)
    """
    words, of_other = _words(name), _words(other)
    own, its = (_without_statistic(each) for each in (words, of_other))
    if own == its and words != of_other:
        # The median beside the mean of the same.
        return bool(own)
    return len(of_other.split()) > 1 and of_other in words and EARLIER.isdisjoint(words.split())


def _without_statistic(words: str) -> list[str]:
    return [word for word in words.split() if word not in _STATISTICS]


def says_who_decided(name: str) -> bool:
    """Say whether the name of a column says so, by its whole words.

    Examples
    --------
    >>> [says_who_decided(name) for name in ("Loan officer", "caseWorker", "AGENT_INSTRUCTEUR", "officers_mess")]
    [True, True, True, False]
    """
    return _says(name, _WHO_DECIDED)


def says_group(name: str) -> bool:
    """Say whether the name of a column says that it holds the sex, origin or other such group of people.

    Age is none: it is often lawful to decide by.

    Examples
    --------
    >>> [says_group(name) for name in ("Ethnicity", "applicantSex", "Staatsangehörigkeit", "trace", "age")]
    [True, True, True, False, False]
    """
    return _says(name, _OF_GROUPS)


def _says(name: str, phrases: tuple[str, ...]) -> bool:
    words = _words(name)
    return any(phrase in words for phrase in phrases)


def _words(text: str) -> str:
    """Return the words of a name in small letters without accents, with a blank before and after each."""
    split = re.sub(r"(?<=[^\W\d_A-Z])(?=[A-Z])", " ", text)
    plain = "".join(c for c in unicodedata.normalize("NFKD", split) if not unicodedata.combining(c))
    return " ".join(["", *re.findall(r"[^\W_]+", plain.casefold()), ""])


_WHO_DECIDED = tuple(map(_words, (*_ENGLISH, *_ABROAD)))
_OF_GROUPS = tuple(map(_words, _GROUPS))


# Which columns follow from the decision, the prediction or the score, so that they are not proposed for anything.

FOLLOWS: Final = "it seems to follow from {}"
"""Why such a column is not proposed."""
MOST_CLASSES: Final = 50
"""Of a role with more values, no column is looked for that puts them into classes."""
ROLES: Final = {"decision": "the decision", "prediction": "the prediction", "score": "the score"}


def columns_that_follow(
    table: Table,
    plan: AuditPlan,
    columns: Iterable[str],
    *,
    good: Condition | None = None,
    where: Condition | str | None = None,
) -> dict[str, str]:
    """Return which columns seem to follow from the decision, the prediction or the score, and from which of these.

    One does that goes with the decision alone (:func:`follows_decision`), that puts a prediction or a score into
    classes, or whose name says that it came later or is another of the same kind. Of a connected table, names alone are
    read, as looking at each column may take long. The favourable result is `good` where the table holds it otherwise.
    """
    parts = _parts(plan)
    if good is None and plan.decision.kind.has_good_outcome and not table.is_connected:
        good = outcome_of(table, plan.decision).condition
    found = {}
    for column in columns:
        what = follows_by_name(plan, column)
        if what is None and column not in parts.values() and not table.is_connected:
            what = next(iter(_by_rows(table, parts, column, good, where)), None)
        if what is not None:
            found[column] = what
    return found


def follows_by_name(plan: AuditPlan, column: str) -> str | None:
    """Return from what a column follows by its name: another of a role, or one that came after the decision."""
    parts = _parts(plan)
    if column in parts.values():
        return None
    another = [what for what, name in parts.items() if is_another(column, name)]
    return next(iter(another), ROLES["decision"] if came_later(column) else None)


def _parts(plan: AuditPlan) -> dict[str, str]:
    return {ROLES[role]: part.column for role in ROLES if (part := getattr(plan, role)) is not None}


def _by_rows(
    table: Table, parts: dict[str, str], column: str, good: Condition | None, where: Condition | str | None
) -> list[str]:
    if good is not None and follows_decision(table, column, good=good, where=where):
        return [ROLES["decision"]]
    named = [what for what, name in parts.items() if what != ROLES["decision"] and name in table.columns]
    return [what for what in named if _puts_into_classes(table, column, parts[what], where)]


def _puts_into_classes(table: Table, column: str, role: str, where: Condition | str | None) -> bool:
    """Say whether each value of a role, which has many rows, has one value of a column, which has fewer values."""
    counted = table.counts({"role": role, "value": column}, where=where).dropna(subset="role")
    n_roles = counted["role"].nunique()
    n_values = len(pd.unique(counted["value"]))
    enough = counted["n"].sum() >= ENOUGH * n_roles
    return bool(len(counted) == n_roles <= MOST_CLASSES and n_values > 1 and enough)


def feature_columns(table: Table, plan: AuditPlan, models: ModelsPlan) -> tuple[str, ...]:
    """Return the columns that the models of a plan learn from, checked."""
    features = column_list(models.features, "features", table)
    if plan.decision.column in features:
        raise InputError(
            f"'features' must not hold the decision column, got {quote(plan.decision.column)}.",
            hint="A model that is given the answer learns nothing; leave the column out.",
        )
    return features


def protected_columns(table: Table, plan: AuditPlan) -> set[str]:
    """Return the columns that a plan calls protected, and those of its protected condition and groups."""
    columns = set(plan.protected_columns)
    if plan.models is not None:
        condition = table.condition(plan.models.protected)
        columns |= set(() if condition is None else condition.columns) | set(plan.models.by)
    return columns


def remedy_columns(table: Table, remedies: Iterable[RemedyPart]) -> tuple[str, ...]:
    """Return the columns that define the groups of remedies, beside those of the study."""
    found = (column for remedy in remedies for column in remedy.group_columns(table))
    return tuple(dict.fromkeys(found))
