"""How columns are called that say who decided, in English and other languages of Europe."""

from __future__ import annotations

import re
import unicodedata

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


def says_who_decided(name: str) -> bool:
    """Say whether the name of a column says so, by its whole words.

    Examples
    --------
    >>> [says_who_decided(name) for name in ("Loan officer", "caseWorker", "AGENT_INSTRUCTEUR", "officers_mess")]
    [True, True, True, False]
    """
    words = _words(name)
    return any(phrase in words for phrase in _NAMES)


def _words(text: str) -> str:
    """Return the words of a name in small letters without accents, with a blank before and after each."""
    split = re.sub(r"(?<=[^\W\d_A-Z])(?=[A-Z])", " ", text)
    plain = "".join(c for c in unicodedata.normalize("NFKD", split) if not unicodedata.combining(c))
    return " ".join(["", *re.findall(r"[^\W_]+", plain.casefold()), ""])


_NAMES = tuple(map(_words, (*_ENGLISH, *_ABROAD)))
