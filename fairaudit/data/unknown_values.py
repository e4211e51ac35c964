"""Words that people and systems write where something is not known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Literal
from unicodedata import normalize

from fairaudit.conditions import Condition
from fairaudit.data.engine import literal, quoted
from fairaudit.data.table import Table

Meaning = Literal["code", "not known", "not decided"]
"""What a value may mean that is no answer: a code often stands for "unknown", the others say it in words."""

_NOT_KNOWN = (
    "unknown", "not known", "don't know", "do not know", "n/a", "null", "nan", "missing", "?", "not specified",
    "unspecified", "no data",
)  # fmt: skip
_NOT_SAID = (
    "not available", "not stated", "not given", "not provided", "information not provided", "not reported",
    "unreported", "not declared", "undeclared", "not disclosed", "undisclosed",
    "no answer", "not answered", "no response", "withheld", "refused", "refused to answer",
    "prefer not to say", "prefer not to answer", "prefer not to disclose", "prefer not to state",
    "I prefer not to say", "I prefer not to answer", "I prefer not to disclose",
    "choose not to disclose", "choose not to answer", "choose not to say", "I choose not to disclose",
    "do not wish to answer", "do not wish to disclose", "do not wish to say", "do not wish to self-identify",
    "don't wish to answer", "don't wish to disclose", "don't wish to say", "don't wish to self-identify",
    "I do not wish to answer", "I do not wish to disclose", "I do not wish to say", "I do not wish to self-identify",
    "I don't wish to answer", "I don't wish to disclose", "I don't wish to say", "I don't wish to self-identify",
    "declined", "declined to state", "declined to answer", "declined to disclose", "declined to self-identify",
    "decline", "decline to state", "decline to answer", "decline to disclose", "decline to self-identify",
    "I decline to state", "I decline to answer", "I decline to self-identify", "free form text only",
    "information not provided by applicant in mail, internet, or telephone application",
)  # fmt: skip
# The same in other languages of Europe.
_NOT_KNOWN_ABROAD = (
    "unbekannt", "nicht bekannt", "keine Daten", "inconnu", "inconnue", "non connu", "donnée manquante",
    "desconocido", "desconocida", "sin datos", "sconosciuto", "sconosciuta", "non noto", "non nota",
    "onbekend", "niet bekend", "weet niet", "desconhecido", "desconhecida", "sem informação",
    "okänd", "okänt", "uppgift saknas", "ukendt", "ukjent", "tuntematon", "ei tietoa", "ei tiedossa",
    "nieznany", "nieznana", "nieznane", "brak danych", "neznámý", "neznámé", "neznáme",
    "ismeretlen", "nincs adat", "necunoscut",
)  # fmt: skip
_NOT_SAID_ABROAD = (
    "keine Angabe", "keine Angaben", "ohne Angabe", "nicht angegeben", "non renseigné", "non renseignée",
    "non précisé", "non communiqué", "ne se prononce pas", "ns/nc", "no informado", "não informado",
    "non dichiarato", "non disponibile", "non indicato", "geen opgave", "niet opgegeven", "uoplyst", "ikke oppgitt",
    "nie podano", "neuvedeno", "nespecificat",
)  # fmt: skip
_NOT_DECIDED_ABROAD = (
    "in Bearbeitung", "noch offen", "noch nicht entschieden", "anhängig", "en cours", "en attente", "en instance",
    "en instruction", "niet beslist", "nog niet beslist", "pendiente", "en trámite", "in corso",
    "in attesa", "in sospeso", "pendente", "w toku", "pågående", "vireillä", "folyamatban",
)  # fmt: skip
# People should look at it: it also says that somebody is treated.
_PERHAPS_NOT_DECIDED = ("in behandeling",)
# Each may be a real answer: Namibia, none of the disabilities that are listed, a test with a negative result.
_PERHAPS = ("na", "none", "not applicable", "-", "--")

USUAL_WORDS = (*_NOT_KNOWN, *_PERHAPS, *_NOT_SAID)
"""What people and systems usually write for unknown, in the forms of the package and those that ask for it."""

# "declined" and "refused" are decisions and "no response" is an outcome, so these are not listed here.
_NOT_DECIDED = (
    "pending", "decision pending", "undecided", "not decided", "not yet decided", "no decision", "no decision yet",
    "awaiting decision", "to be decided", "tbd", "in progress", "under review",
)  # fmt: skip

UNDECIDED_WORDS = (*_NOT_DECIDED, *_NOT_DECIDED_ABROAD, *_PERHAPS_NOT_DECIDED)
"""What people and systems write of a case that nobody has decided yet."""

# Cases that ended before anyone decided them. Each may also be a decision, so they are looked at by themselves.
_ENDED_UNDECIDED = (
    "withdrawn", "application withdrawn", "withdrawn by applicant", "application withdrawn by applicant",
    "withdrawn by the applicant", "cancelled", "canceled", "cancelled by applicant", "canceled by applicant",
    "application cancelled", "application canceled", "lapsed", "application lapsed", "abandoned", "discontinued",
    "closed for incompleteness", "file closed for incompleteness", "closed without decision",
    "withdrew", "candidate withdrew", "applicant withdrew", "candidate withdrawn", "applicant withdrawn",
    "candidate has withdrawn", "applicant has withdrawn", "withdrawn by candidate", "withdrawn by the candidate",
    "application withdrawn by candidate", "application withdrawn by the candidate",
    "application withdrawn by the applicant", "withdrew application", "withdrawal of application",
    "incomplete", "closed incomplete", "not completed", "purchased", "purchased institution", "transferred",
    "transferred elsewhere", "transferred another authority", "transferred another agency",
    "transferred another office", "open", "still open", "in process", "being processed", "on hold",
    "under consideration", "awaiting review", "awaiting documents", "awaiting information",
)  # fmt: skip
# Results of a course or an examination: beside two of these, who withdrew ended it in one way of several.
_COURSE_RESULTS = frozenset({
    "pass", "passed", "fail", "failed", "distinction", "merit", "credit", "honours", "honors", "graduated", "graduate",
    "completed", "completed course", "dropout", "dropped out", "expelled", "resit", "retake", "repeat", "repeated",
    "bestanden", "nicht bestanden", "durchgefallen", "ausgezeichnet", "abgeschlossen", "exmatrikuliert", "abgebrochen",
    "réussi", "réussite", "reçu", "ajourné", "échec", "échoué", "mention", "diplômé", "abandon",
    "aprobado", "suspenso", "reprobado", "sobresaliente", "notable", "graduado", "aprovado", "reprovado",
    "promosso", "bocciato", "respinto", "superato", "laureato", "geslaagd", "gezakt", "gediplomeerd", "cum laude",
    "godkänd", "underkänd", "bestått", "ikke bestått", "bestået", "ikke bestået", "hyväksytty", "hylätty",
    "zdał", "zdała", "nie zdał", "nie zdała", "zaliczony", "niezaliczony",
})  # fmt: skip
_ENDS_COURSE = frozenset({
    "withdrawn", "withdrew", "discontinued", "abandoned", "incomplete", "not completed", "cancelled", "canceled",
    "zurückgezogen", "retiré", "retirée", "désistement", "retirado", "retirada", "desistido", "desistida", "ritirato",
    "ritirata", "desistência", "peruutettu", "wycofany", "wycofana",
})  # fmt: skip
FEWEST_RESULTS = 2
"""Results of a course among the other values, at least: one alone may be that of a case."""
# Beside a word for such cases they say whose they are, or who ended them.
_OF_CASES = frozenset({
    "application", "applications", "applicant", "applicants", "candidate", "candidates", "claimant", "case", "file",
    "request", "claim", "loan", "your", "the", "a", "by", "to", "for", "due", "of", "has", "have",
    "was", "were", "is", "been", "before", "decision",
})  # fmt: skip
_ENDED_UNDECIDED_ABROAD = (
    "zurückgezogen", "Antrag zurückgezogen", "zurückgenommen", "storniert", "verfallen", "hinfällig",
    "retiré", "retirée", "demande retirée", "annulé", "annulée", "désistement", "caduc", "caduque", "sans suite",
    "retirado", "retirada", "desistido", "desistida", "desistimiento", "cancelado", "cancelada", "caducado", "caducada",
    "ritirato", "ritirata", "annullato", "annullata", "decaduto", "decaduta",
    "ingetrokken", "aanvraag ingetrokken", "geannuleerd", "vervallen", "buiten behandeling",
    "buiten behandeling gesteld", "desistência", "återkallad", "återkallat", "avskriven", "avskrivet",
    "trukket", "trukket tilbage", "trukket tilbake", "annulleret", "bortfaldet", "bortfalt", "kansellert",
    "peruttu", "peruutettu", "rauennut", "wycofany", "wycofana", "wycofane", "wycofano", "anulowany", "anulowana",
    "anulowane", "anulowano", "staženo", "zrušeno", "zrušené", "stiahnuté", "visszavont", "visszavonva", "törölt",
    "törölve", "retras", "retrasă", "anulat", "anulată",
    "Bewerbung zurückgezogen", "Antrag zurückgenommen", "Bewerbung zurückgenommen", "Rücknahme des Antrags",
    "Rückzug des Antrags", "Rückzug der Bewerbung", "vom Antragsteller zurückgezogen", "vom Bewerber zurückgezogen",
    "von der Antragstellerin zurückgezogen", "von der Bewerberin zurückgezogen", "Bewerber hat zurückgezogen",
    "Bewerberin hat zurückgezogen", "Antragsteller hat zurückgezogen", "Antragstellerin hat zurückgezogen",
    "démission du candidat", "démission de la candidate", "désistement du candidat", "désistement de la candidate",
    "désistement du demandeur", "candidat désisté", "candidate désistée", "s'est désisté", "s'est désistée",
    "le candidat s'est désisté", "la candidate s'est désistée", "se désiste", "candidature retirée", "dossier retiré",
    "retrait de candidature", "retrait de la candidature", "retrait de la demande", "retrait du dossier", "se retira",
    "se retiró", "se ha retirado", "candidato retirado", "candidata retirada", "candidatura retirada",
    "solicitud retirada", "retirada de la solicitud", "retirada de la candidatura", "renuncia del candidato",
    "renuncia de la candidata", "desistimiento del solicitante", "desistió", "si è ritirato", "si è ritirata",
    "candidato ritirato", "candidata ritirata", "domanda ritirata", "candidatura ritirata", "ritiro della domanda",
    "ritiro della candidatura", "rinuncia del candidato", "rinuncia della candidata", "teruggetrokken",
    "kandidaat teruggetrokken", "heeft zich teruggetrokken", "sollicitatie ingetrokken", "verzoek ingetrokken",
    "ingetrokken door aanvrager", "ingetrokken door de aanvrager", "candidato desistiu", "candidata desistiu",
    "desistiu", "candidatura retirada pelo candidato", "pedido retirado", "desistência do candidato",
    "desistência da candidata", "ansökan återkallad", "ansökan återtagen", "återtagen", "har dragit sig ur",
    "ansøgning trukket", "ansøgning trukket tilbage", "har trukket sig", "søknad trukket", "søknaden trukket",
    "trukket søknad", "hakemus peruttu", "hakemus peruutettu", "hakija perui", "hakija vetäytyi", "wniosek wycofany",
    "kandydat wycofał się", "kandydatka wycofała się", "kandydatura wycofana", "rezygnacja kandydata",
    "rezygnacja kandydatki", "žádost stažena", "žádost vzata zpět", "vzato zpět", "žiadosť stiahnutá", "visszalépett",
    "jelölt visszalépett", "kérelem visszavonva", "cerere retrasă", "candidat retras", "candidată retrasă",
    "s-a retras", "candidatul s-a retras", "candidata s-a retras",
)  # fmt: skip

# Forms and cautions do not take these for unknown, but people should look at them.
_CODES = ("??", ".", "*", "#n/a", "nil", "unk")
# With their dots alone: without them they may be places, and of the others only a person knows what they mean.
_DOTTED_CLEAR = ("k. a.", "k.a.")
_DOTTED = (
    *_DOTTED_CLEAR, "n. b.", "n.b.", "n. v.", "n.v.", "n. v. t.", "n.v.t.", "n. r.", "n.r.", "n. c.", "n.c.", "n. d.",
    "n.d.",
)  # fmt: skip
# Between letters; no other sign is looked over in a table of many rows.
_BETWEEN = " \t\u00a0-\u2013_.,/'\u2019()*:;!#"

# Values that may say that something is not known, or be a code or a word of the table's own.
_PERHAPS_NOT_KNOWN = ("na", "#n/a", "unk", "??", ".", "*")
_CODES_AMONG_WORDS = frozenset(
    map(Decimal, (77, 88, 99, 777, 888, 999, 7777, 8888, 9999, 88888, 99999, -1, -8, -9, -99))
)
"""Numbers that stand for "not known" where the other values are words."""
# Beside a word for "not known", as in "Race Not Available".
_ABOUT = frozenset({
    "race", "ethnicity", "ethnic", "origin", "sex", "gender", "age", "nationality", "religion", "disability",
    "education", "status", "applicant", "decision", "outcome", "result",
})  # fmt: skip
# Rows that add others up, and what they may say that they add.
_TOTALS = (
    "total", "totals", "grand total", "subtotal", "sum", "all", "overall", "everyone", "everybody",
    "gesamt", "insgesamt", "summe", "gesamtsumme", "zusammen", "total général", "ensemble", "totaal", "totale",
    "total general", "totalt", "i alt", "yhteensä", "razem", "ogółem", "celkem", "spolu", "összesen", "suma",
)  # fmt: skip
_ADDED = frozenset({
    "all", "both", "total", "totals", "of", "the", "sexes", "genders", "ages", "races", "ethnicities", "origins",
    "groups", "people", "persons", "applicants", "employees", "cases", "regions", "areas", "departments", "grades",
    "categories", "combined", "population",
})  # fmt: skip

# In a column of decisions or answers, each of these may be a decision or an act.
_PERHAPS_DONE = (
    "declined", "decline", "refused", "withheld", "no response", "no answer", "not answered", "not given",
    "not provided", "not reported", "unreported", "not declared", "undeclared", "not disclosed", "undisclosed",
)  # fmt: skip

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")


def is_no_group(text: str) -> bool:
    """Say whether a value of a column of groups clearly means that the group is not known.

    Examples
    --------
    >>> [text for text in ("Decline to state", "N/A", "Other", "none", "NA", "0") if is_no_group(text)]
    ['Decline to state', 'N/A']
    """
    return _is_clearly(text, _NO_GROUP)


def is_no_value(text: str) -> bool:
    """Say whether a value of any other column clearly means that nothing is known; "declined" may be what was done.

    Examples
    --------
    >>> [text for text in ("Not stated", "unknown", "declined", "pending", "NA") if is_no_value(text)]
    ['Not stated', 'unknown']
    """
    return is_no_group(text) and word_key(text.strip()) not in _DONE


def is_total(text: str, column: str = "") -> bool:
    """Say whether a value of a column of groups stands for all of them together; its name may say of what.

    Examples
    --------
    >>> [text for text in ("Total", "All Sexes", "both sexes", "Total, all ages", "Allen", "sexes") if is_total(text)]
    ['Total', 'All Sexes', 'both sexes', 'Total, all ages']
    >>> is_total("All households", "Household type"), is_total("All households", "Answer")
    (True, False)
    """
    words = re.findall(r"\w+", text.casefold())
    if len(words) > 1 and words[0] in ("all", "both", "total", "totals"):
        named = set(map(_singular, re.findall(r"[^\W_]+", column.casefold())))
        if all(word in _ADDED or _singular(word) in named for word in words):
            return True
    return word_key(text.strip()) in _ALL


def _singular(word: str) -> str:
    return re.sub(r"ies$", "y", word) if word.endswith("ies") else re.sub(r"(?<!s)s$|(?<=[sx])es$", "", word)


def may_be_not_known(text: str, *, among_words: bool = True) -> bool:
    """Say whether a value may mean that something is not known, which only a person can tell.

    A number may be a code for it where it stands among words.

    Examples
    --------
    >>> [text for text in ("NA", "8888", "*", "Namibia", "45") if may_be_not_known(text)]
    ['NA', '8888', '*']
    """
    text = text.strip()
    if text.casefold() in _PERHAPS_NOT_KNOWN:
        return True
    return among_words and number_of(text) in _CODES_AMONG_WORDS


def may_be_group(text: str) -> bool:
    """Say whether a value that usually means "not known" may be a group: Native American, or none of those listed.

    Examples
    --------
    >>> [text for text in ("NA", "none", "N/A", "unknown") if may_be_group(text)]
    ['NA', 'none']
    """
    return text.strip().casefold() in _PERHAPS


def is_no_decision(text: str) -> bool:
    """Say whether a value of a decision column clearly means that the decision is not known, or not made.

    Examples
    --------
    >>> [text for text in ("unknown", "Pending", "declined", "no response", "no") if is_no_decision(text)]
    ['unknown', 'Pending']
    """
    return _is_clearly(text, _NO_DECISION)


def ended_undecided(text: str) -> bool:
    """Say whether a value of a decision column usually means that the case ended before anyone decided it, or has not.

    Examples
    --------
    >>> said = ("Withdrawn", "Loan purchased by your institution", "File is incomplete", "offer withdrawn", "retired")
    >>> [text for text in said if ended_undecided(text)]
    ['Withdrawn', 'Loan purchased by your institution', 'File is incomplete']
    """
    text = text.strip()
    if word_key(text) in _ENDED:
        return True
    words = re.findall(r"[^\W\d_]+", text.casefold())
    rest = [word for word in words if word not in _OF_CASES]
    return 0 < len(rest) < len(words) and word_key(" ".join(rest)) in _ENDED


def ends_course(text: str, others: Iterable[object]) -> bool:
    """Say whether a value is how somebody ended a course, as the other values of its column are results of courses.

    Examples
    --------
    >>> ends_course("Withdrawn", ["Pass", "Fail", "Distinction"]), ends_course("Withdrawn", ["Approved", "Denied"])
    (True, False)
    """
    results = sum(isinstance(other, str) and other.strip().casefold() in _COURSE_RESULTS for other in others)
    return results >= FEWEST_RESULTS and text.strip().casefold() in _ENDS_COURSE


def says_undecided(text: str) -> bool:
    """Say whether a value of a decision column says that nobody decided, be it not yet or not any more.

    Examples
    --------
    >>> [text for text in ("Withdrawn", "pending", "unknown", "refused") if says_undecided(text)]
    ['Withdrawn', 'pending']
    """
    return ended_undecided(text) or word_key(text.strip()) in _UNDECIDED


def are_undecided(table: Table, column: str, values: Iterable[str]) -> bool:
    """Say whether values of a decision column all say that nobody decided, beside the other values of a table."""
    others = table.common_values(column) if column in table.columns else ()
    return all(says_undecided(value) and not ends_course(value, others) for value in values)


def unknown_meaning(text: str) -> Meaning | None:
    """Say what a value of any column of texts may mean, whatever the column is about.

    Examples
    --------
    >>> [unknown_meaning(text) for text in ("?", "Decline to state", "pending", "declined", "no")]
    ['code', 'not known', 'not decided', None, None]
    """
    text = text.strip()
    if text.casefold() in _DOTTED:
        return "code"
    return _MEANINGS.get(word_key(text)) if 0 < len(text) <= LONGEST_WORD else None


def unknown_words_sql(column: str) -> str:
    """Return a condition that every value for which :func:`unknown_meaning` says something meets, and few others."""
    keys = ", ".join(literal(key) for key in sorted(map(str, (*_MEANINGS, *_DOTTED))))
    word = f"lower(trim({column}))"
    letters = f"translate({word}, {literal(_BETWEEN)}, '')"
    return f"(strlen({column}) <= {2 * LONGEST_WORD} AND ({word} IN ({keys}) OR {letters} IN ({keys})))"


def word_key(text: str) -> str | Decimal:
    """Return what of a text is compared with the words.

    Examples
    --------
    >>> word_key("Decline to Self-Identify"), word_key("?")
    ('declinetoselfidentify', '?')
    """
    number = number_of(text)
    if number is not None:
        return number
    has_letter = any(sign.isalpha() for sign in text)
    # A letter and its accent may be written as two signs.
    return re.sub(r"[\W_]+", "", normalize("NFC", text).casefold()) if has_letter else text


def number_of(text: str) -> Decimal | None:
    """Return the number that a text writes out; None where it is none."""
    return Decimal(text) if _NUMBER.fullmatch(text) else None


def _is_clearly(text: str, keys: frozenset[str | Decimal]) -> bool:
    text = text.strip()
    if not text or text.casefold() in _DOTTED_CLEAR:
        return True
    if text.casefold() in _PERHAPS or text.casefold() in _PERHAPS_NOT_KNOWN:
        return False
    if word_key(text) in keys:
        return True
    words = re.findall(r"[\w']+", text.casefold())
    rest = [word for word in words if word not in _ABOUT]
    return 0 < len(rest) < len(words) and word_key(" ".join(rest)) in keys and " ".join(rest) not in _PERHAPS


_NO_GROUP = frozenset(word_key(word) for word in (*_NOT_KNOWN, *_NOT_KNOWN_ABROAD, *_NOT_SAID, *_NOT_SAID_ABROAD))
_NO_DECISION = frozenset(
    word_key(word)
    for word in (
        *_NOT_KNOWN,
        *_NOT_KNOWN_ABROAD,
        *_NOT_DECIDED,
        *_NOT_DECIDED_ABROAD,
        "not available",
        "not stated",
        "information not provided",
    )
)
_DONE = frozenset(map(word_key, _PERHAPS_DONE))
_ALL = frozenset(map(word_key, _TOTALS))
_ENDED = frozenset(map(word_key, (*_ENDED_UNDECIDED, *_ENDED_UNDECIDED_ABROAD)))
_UNDECIDED = frozenset(map(word_key, UNDECIDED_WORDS))
_MEANINGS: dict[str | Decimal, Meaning] = {
    **dict.fromkeys((*_NO_DECISION, *map(word_key, _PERHAPS_NOT_DECIDED)), "not decided"),
    **{
        word_key(word): "not known"
        for word in (*_NOT_KNOWN_ABROAD, *_NOT_SAID, *_NOT_SAID_ABROAD)
        if word not in _PERHAPS_DONE
    },
    **{word_key(word): "code" for word in (*_NOT_KNOWN, *_PERHAPS, *_CODES) if word != "not applicable"},
}
LONGEST_WORD = 60
"""Characters of the longest value that is taken for such a word; the words themselves are shorter."""


# Values that often stand for "unknown": question marks, 999, -1, "decline to state" and their like.

HIGH_CODES = (99, 777, 888, 999, 7_777, 8_888, 9_999, 88_888, 99_999, 999_999, 9_999_999)
LOW_CODES = (-1, -9, -99, -999, -9_999)
PANEL_CODES = (-2, -7, -8)
"""Codes of household panels (refused, by proxy, inapplicable), beside larger numbers: a scale may go from -2 to 2."""
NUMBER_CODES = (*HIGH_CODES, *LOW_CODES, *PANEL_CODES)

_FAR_FROM_SCALES = 15
_WIDE = 25
FAR = 2
"""How many times a high code must be above nearly all other values."""


@dataclass(frozen=True)
class OddCode:
    """A value that often stands for "unknown".

    Parameters
    ----------
    text : str
        The value, as it would be written in a file.
    n : int
        Rows that have it.
    """

    text: str
    n: int


def number_codes(table: Table, columns: Sequence[str]) -> dict[str, tuple[OddCode, ...]]:
    """Find codes in columns of numbers: 99, 999 ... far above the rest, or -1, -9 ... where all else is positive."""
    found: dict[str, tuple[OddCode, ...]] = {}
    if table.is_connected:
        for column in columns:
            if codes := table.remember(("number codes", column), partial(_number_codes_there, table, column)):
                found[column] = codes
        return found
    every = ", ".join(map(str, NUMBER_CODES))
    for start in range(0, len(columns), _WIDE):
        chunk = columns[start : start + _WIDE]
        parts = []
        for column in chunk:
            name = quoted(column)
            parts += [
                f"min({name}) FILTER ({name} NOT IN ({every}))",
                f"approx_quantile({name}::DOUBLE, 0.99) FILTER ({name} NOT IN ({every}))",
                f"histogram(try_cast({name} AS BIGINT)) FILTER ({name} IN ({every}))",
            ]
        values = iter(table.aggregate(parts))
        for column in chunk:
            least, high, counts = next(values), next(values), next(values)
            if least is None or not counts:
                continue
            if codes := codes_standing_out(counts, least, high):
                found[column] = codes
    return found


def _number_codes_there(table: Table, column: str) -> tuple[OddCode, ...]:
    """Find codes in a column of numbers of an engine: two questions where it has some, or one."""
    there = table.values(column, where=Condition.one_of(column, NUMBER_CODES, table.columns))
    if there.empty:
        return ()
    writer = table.writer
    name, every = writer.quoted(column), ", ".join(map(str, NUMBER_CODES))
    other = writer.number(f"CASE WHEN {name} NOT IN ({every}) THEN {name} END")
    least, high = table.aggregate([f"min({other})", writer.quantile(other, 0.99)])
    counts = dict(zip(there["value"], there["n"], strict=True))
    return () if least is None else codes_standing_out(counts, float(least), float(high))


def codes_standing_out(counts: Mapping[int, int], least: float, high: float) -> tuple[OddCode, ...]:
    """Return high codes far above nearly all other values, and low ones where all else is positive."""
    codes = [code for code in HIGH_CODES if code in counts and code >= FAR * max(high, 1)]
    if least >= 0 and (high >= _FAR_FROM_SCALES or counts.keys().isdisjoint(PANEL_CODES)):
        codes += [code for code in (*LOW_CODES, *PANEL_CODES) if code in counts]
    return tuple(OddCode(str(code), int(counts[code])) for code in codes)


def text_codes(table: Table, columns: Sequence[str]) -> dict[str, tuple[OddCode, ...]]:
    """Find codes and words in text columns: ``?``, ``unknown``, ``Decline to state``, ``pending`` and their like."""
    found: dict[str, tuple[OddCode, ...]] = {}
    for start in range(0, len(columns), _WIDE):
        chunk = columns[start : start + _WIDE]
        names = [quoted(column) for column in chunk]
        parts = [f"histogram({name}) FILTER ({unknown_words_sql(name)})" for name in names]
        for column, counts in zip(chunk, table.aggregate(parts), strict=True):
            if odd := tuple(OddCode(text, n) for text, n in sorted((counts or {}).items()) if unknown_meaning(text)):
                found[column] = odd
    return found
