"""What the name of a column says: who decided, or of which group people are; in languages of Europe."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

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
    "appeals", "appealed", "followup",
}  # fmt: skip
"""In the name of a column, they say that it came after the decision, unless one of EARLIER does, too."""


def came_later(name: str) -> bool:
    """Say whether the name of a column says that it came after the decision.

    Examples
    --------
    >>> came_later("fraud_found"), came_later("resultOfAppeal"), came_later("prior results")
    (True, True, False)
    """
    words = _words(name).split()
    return not LATER.isdisjoint(words) and EARLIER.isdisjoint(words)


def is_another(name: str, other: str) -> bool:
    """Say whether the name of a column holds all of another name of several words, as of another such score.

    Examples
    --------
    >>> is_another("v_decile_score", "decile_score"), is_another("test_score", "score")
    (True, False)
    """
    words, of_other = _words(name), _words(other)
    return len(of_other.split()) > 1 and of_other in words and EARLIER.isdisjoint(words.split())


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
