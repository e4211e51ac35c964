"""Columns whose few whole numbers, or short texts, may be codes: what they stand for is to be asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from itertools import pairwise
from typing import Final, Literal

from fairaudit.columns import Column, code_text
from fairaudit.data.count_columns import is_count_name
from fairaudit.data.table import COMMON_VALUES, Table
from fairaudit.data.unknown_values import number_of
from fairaudit.errors import OpenCodesError

Likely = Literal["codes", "numbers"]
LIKELY: Final[tuple[Likely, ...]] = ("codes", "numbers")
"""What few whole numbers may be: the options of reading that say so."""

MOST_CODES = 12
"""A column with more different values holds numbers or names."""
FEWEST_CODES = 3
"""With two values, taking codes for numbers changes nothing."""
LONGEST_CODE = 3
"""Characters of a text that may be a code."""

_SAID_ORDERED = """
age ages year years yr month months week weeks day days hour hours minute minutes time times date quarter
score scores rating ratings rank ranks ranking grade grades level levels star stars point points decile deciles
quintile percentile quantile band bands step steps size scale
count counts number num no n nr total sum amount price cost pay wage salary income rent rate
children child kids dependents persons people members rooms bedrooms cars floors visits calls applications
offence offences offense offenses prior priors arrests convictions charges incidents absences credits credit failures
attempt attempts semester semesters trimester stage stages tier tiers phase phases round rounds priority severity risk
pain triage distance sibling siblings claims references offers interviews warnings admissions complaints sessions
lessons referrals accidents violations defaults loans
since order shift feet foot ft inch inches cm kg lb lbs pounds metres meters km miles
alter jahr jahre monat monate tage stunden anzahl note noten stufe punkte kinder
"""
_ORDERED = frozenset(_SAID_ORDERED.split())
_SAID_UNORDERED = """
type types kind source sources method methods reason reasons purpose status mode place zone area region center centre
art typ grund quelle motif cause tipo
"""
_UNORDERED = frozenset(_SAID_UNORDERED.split())
"""What a name that ends with one of these says of a price, an offence or a person has no order."""
_OF = frozenset({"of", "de", "du", "des", "der", "di"})
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_TIME = re.compile(r"(travel|study|free|work|wait|waiting|over|down|response)time$")
_CODE = re.compile(
    r"(?:^|[\W_])(?:id|code|codes|zip|zipcode|postcode|postal|plz|fips|naics|sic|isco|iscd|icd|cpv|key|ref)(?:$|[\W_])|"
    r"[a-z](?:Id|ID|Code|Zip)$|(?:zip|post|area|district|region|county|occupation|industry|charge)code$",
    re.ASCII,
)
LAST_CODES: Final = (7, 8, 9, 77, 88, 99, 777, 888, 999)
"""Numbers that often say that something is not known, after a gap behind all codes; one with 7 is never the last."""
_SAME_SCALE = 3
"""Columns with the same whole numbers are answers on one scale, where there are so many."""


def sounds_ordered(name: str) -> bool:
    """Say whether a column's name says that its numbers have an order: a count, an age, a grade.

    Examples
    --------
    >>> [name for name in ("age", "priors_count", "NumRooms", "region", "income_source") if sounds_ordered(name)]
    ['age', 'priors_count', 'NumRooms']
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    if is_count_name(name):
        return True
    head = words[:1] if len(words) > 1 and words[1] in _OF else words[-1:]
    return _UNORDERED.isdisjoint(head) and any(word in _ORDERED or _TIME.search(word) for word in words)


def holds_codes(column: Column) -> bool:
    """Say whether a column of numbers holds codes, by its name: they stand for something, and their order for nothing.

    Examples
    --------
    >>> [holds_codes(Column(name, "number")) for name in ("charge_code", "ZIP", "id_student", "codeine_mg", "age")]
    [True, True, True, False, False]
    """
    return column.kind == "number" and bool(_CODE.search(column.name) or _CODE.search(column.name.lower()))


def may_be_codes(table: Table, column: Column, *, distinct: int, fractions: int) -> bool:
    """Say whether a column of numbers may hold codes, which nobody has said yet."""
    few = FEWEST_CODES <= distinct <= MOST_CODES
    said = column.name in table.source.options.numbers
    return column.kind == "number" and few and not fractions and not said and not sounds_ordered(column.name)


def codes_in(table: Table, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return, of some columns, those that hold few whole numbers or short texts, with these, in order.

    A column of numbers that are said to be such is none, and neither is one whose codes have labels.
    """
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        column = table.columns[name]
        if column.labels or column.kind not in ("number", "text") or name in table.source.options.numbers:
            continue
        values = [value for value in table.common_values(name) if value is not None]
        if not 2 <= len(values) <= MOST_CODES:
            continue
        codes = [code_text(value) for value in values]
        if column.kind == "number":
            if not all(float(value).is_integer() for value in values) or sounds_ordered(name):
                continue
            codes.sort(key=float)
        elif max(map(len, codes)) > LONGEST_CODE:
            continue
        else:
            codes.sort()
        found[name] = tuple(codes)
    return found


def last_codes(table: Table, column: Column) -> list[str | int]:
    """Return the codes of a column that come last, beyond a gap, and may say that nothing is known: 9 after 1 and 2.

    The gap is wider than any between the others, of which there are two at least. Numbers that have an order by their
    name, or are said to be numbers, are no codes. Of labelled codes, those that have no label come last.
    """
    name = column.name
    if column.kind not in ("number", "text") or name in table.source.options.numbers or sounds_ordered(name):
        return []
    values = [value for value in table.common_values(name) if value is not None]
    if len(values) > MOST_CODES:
        return []
    numbers = {value: number for value in values if (number := number_of(code_text(value))) is not None}
    last = [value for value, number in numbers.items() if number in LAST_CODES]
    others = sorted(number for value, number in numbers.items() if value not in last)
    last.sort(key=lambda value: numbers[value])
    while last and others and numbers[last[0]] - others[-1] <= _widest_gap(others):
        others.append(numbers[last.pop(0)])
    if not last or str(numbers[last[-1]]).startswith("7"):
        return []
    words = len(values) - len(numbers)
    is_code = words == 0 and len(others) > 1 and all(number == int(number) for number in others)
    is_without_label = not others and words > 1
    return last if is_code or is_without_label else []


def _widest_gap(numbers: list[Decimal]) -> Decimal:
    return max((after - before for before, after in pairwise(numbers)), default=Decimal(1))


def open_codes(table: Table, names: Iterable[str]) -> dict[str, Likely]:
    """Return which columns of whole numbers may be codes, though nobody has said it, and what they likely are.

    They are columns of few whole numbers, of which more than two, without a name that tells of an order; and those
    whose name tells of codes. Counts begin with 0 and become rarer, and answers on one scale stand in several columns:
    these are likely numbers.
    """
    numbers = [name for name in names if table.columns[name].kind == "number"]
    few = {name: codes for name, codes in codes_in(table, numbers).items() if len(codes) >= FEWEST_CODES}
    scales = Counter(few.values())
    found: dict[str, Likely] = {}
    for name in numbers:
        if name in few:
            counted = _becomes_rarer(table, name, few[name])
            found[name] = "numbers" if counted or scales[few[name]] >= _SAME_SCALE else "codes"
        elif holds_codes(table.columns[name]) and name not in table.source.options.numbers:
            values = [value for value in table.common_values(name) if value is not None]
            if FEWEST_CODES <= len(values) < COMMON_VALUES and all(float(value).is_integer() for value in values):
                found[name] = "codes"
    return found


def refuse_open_codes(table: Table, names: Iterable[str]) -> None:
    """Refuse columns that are used as an order, and may be codes: first those that are likely codes."""
    found = open_codes(table, names)
    for likely in dict.fromkeys(sorted(found.values())):
        raise OpenCodesError(tuple(name for name, each in found.items() if each == likely), likely)


def _becomes_rarer(table: Table, name: str, codes: tuple[str, ...]) -> bool:
    """Say whether whole numbers begin with 0 and each is rarer than the one before it, as counts of events are."""
    frequent = [code_text(value) for value in table.common_values(name) if value is not None]
    return codes[0] == "0" and frequent == list(codes)


# Columns that say where people are: whoever lives together is often of one group.

PlaceKind = Literal["zip_codes", "places", "codes"]
_ZIPS = re.compile(
    r"(?i:(?:^|[\W_])(?:zip|zips|zipcode|zip5|zcta|zcta5|postcode|postal|postalcode|plz|postleitzahl|psc|irsz|postnummer|"
    r"postnr|cap)(?:$|[\W_])|(?:zip|post|postal)code|"
    r"c(?:ode|odigo|ódigo|odice)[ _]?postale?)|[a-z]Zip(?:$|[A-Z_])",
)
_PLACES = re.compile(
    r"(?i:(?:^|[\W_])(?:place|places|city|town|village|borough|boroughs|county|counties|parish|district|districts|ward|"
    r"neighborhood|neighbourhood|tract|precinct|municipality|province|region|state|country|area|street|address|"
    r"residence|location|lsoa|msoa|ort|wohnort|stadt|stadtteil|bezirk|kreis|landkreis|gemeinde|strasse|straße|"
    r"commune|ville|quartier|arrondissement|departement|département|rue|ciudad|barrio|municipio|provincia|"
    r"citta|città|comune|quartiere|stad|wijk|buurt|gemeente|cidade|bairro|concelho|kommun|kommune|kaupunki|kunta|"
    r"miasto|gmina|powiat|mesto|město|obec|okres|varos|város|oras|oraș)(?:$|[\W_]))|"
    r"[a-z](?:City|Town|County|District|Ward|State|Region)(?:$|[A-Z_])",
)
_LIKE_ZIP: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"\d{5}(?:-\d{4})?", r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}", r"[A-Z]\d[A-Z] ?\d[A-Z]\d", r"\d{4} ?[A-Z]{2}",
    )
)  # fmt: skip
_FEWEST_ZIPS: Final = 12
"""With fewer different values, the shape of texts does not show that they are zip codes."""
_MOST_UNLIKE: Final = 0.02
"""Texts that have another shape than zip codes may be this share of them."""


def place_kind(column: Column, values: Iterable[object]) -> PlaceKind | None:
    """Return whether a column holds zip codes, names of places or other codes, by its name and the shape of its texts.

    Examples
    --------
    >>> [place_kind(Column(name, "text"), ()) for name in ("ZIP", "plz", "Borough", "home_city", "income", "capacity")]
    ['zip_codes', 'zip_codes', 'places', 'places', None, None]
    >>> place_kind(Column("where", "text"), [f"0{n}" for n in range(2100, 2150)])
    'zip_codes'
    >>> place_kind(Column("occupation_code", "number"), range(40))
    'codes'
    """
    if column.kind not in ("text", "number"):
        return None
    if _ZIPS.search(column.name):
        return "zip_codes"
    if column.kind == "text":
        if _PLACES.search(column.name):
            return "places"
        texts = {value for value in values if isinstance(value, str)}
        for like in _LIKE_ZIP if len(texts) >= _FEWEST_ZIPS else ():
            if sum(like.fullmatch(text) is None for text in texts) <= _MOST_UNLIKE * len(texts):
                return "zip_codes"
    called_so = bool(_CODE.search(column.name) or _CODE.search(column.name.lower()))
    return "codes" if called_so else None
