"""Sentences come whole from the catalogue: no code makes one, or looks into one that was made."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

import pytest
from sources import APP_FILES, PACKAGE_FILES, ROOT, short_name

LOOKS = {
    "startswith", "endswith", "split", "rsplit", "splitlines", "partition", "rpartition", "replace", "removeprefix",
    "removesuffix", "find", "index", "count", "lower", "upper", "capitalize", "title", "swapcase",
}  # fmt: skip
"""What is done with a text by those who look into it or change it."""
TAKES_APART = {"startswith", "endswith", "partition", "rpartition", "replace", "removeprefix", "removesuffix", "split"}
"""What is done with a text by those who look for words in it."""
OF_TEXTS = ("reading", "verdict", "hint", "words", "sentence", "warning", "message", "advice", "headline")
"""Names of what a person reads."""
MAY_LOOK = {
    "fairaudit/estimators/constraints/spec.py": "an error that becomes a part of another",
    "fairaudit/measure/similar.py": "an error names the parameter that was given",
    "fairaudit/plan/parts.py": "messages of pydantic become errors",
    "fairaudit/messages/verbs.py": "the verb that the person gave is said of those without the result",
    "fairaudit/present/errors.py": "ends of bins, as they are written",
}
"""Where words are looked for in what no catalogue said, and what that is."""
Kind: TypeAlias = Literal["text", "texts"]
Held: TypeAlias = dict[str, Kind]
SAYS = ("say", "say_verdicts", "say_answer", "say_whole", "answer_text", "answer_words", "answer_line")
"""What makes a text out of messages."""
WORD = re.compile(r"(?<![\w'’.(-])[A-Za-z]?[a-z]+(?:['’-][a-z]+)*(?![\w(.=-])")
"""A word; SQL is in capitals, and keys have underscores, dots and hyphens."""
CODE = re.compile(
    r"\b(SELECT|CASE|FROM|FILTER|WHEN)\b|</|<\w+ \w+=|\\[sdrSw]|lambda|auto_detect|element_at|import serve"
)
"""What is SQL, HTML, a pattern, or Python."""
MOST_WORDS = 2
"""A name of two words is no sentence."""
LABELLED = {
    "button", "checkbox", "download_button", "expander", "file_uploader", "form_submit_button", "multiselect",
    "number_input", "popover", "radio", "selectbox", "slider", "text_area", "text_input", "toggle",
}  # fmt: skip
"""Calls whose first argument is the label of a widget."""
MAY_SAY = {
    "fairaudit/sections/errors/section.py": "steps of work that is under way",
    "fairaudit/sections/forms/section.py": "steps of work that is under way",
    "fairaudit/cli/help_texts.py": "help of the command line",
    "fairaudit/cli/main.py": "what is said of an error that ends a command",
    "fairaudit/cli/options.py": "what is said of an option beyond its limits",
    "fairaudit/conditions/names.py": "part of an error",
    "fairaudit/conditions/parsing.py": "part of an error",
    "fairaudit/conditions/words.py": "what a condition says, by a grammar of its own",
    "fairaudit/data/case_counts.py": "part of an error",
    "fairaudit/data/counted_rows.py": "part of an error",
    "fairaudit/data/table_base.py": "a table as Python shows it",
    "fairaudit/data/engines/guard.py": "part of an error",
    "fairaudit/data/engines/named.py": "part of an error",
    "fairaudit/data/formats.py": "part of an error",
    "fairaudit/data/roles.py": "part of an error",
    "fairaudit/errors.py": "part of an error",
    "fairaudit/estimators/base.py": "part of an error",
    "fairaudit/estimators/constraints/classifier.py": "warnings of an estimator used without the app",
    "fairaudit/estimators/constraints/constrained_rows.py": "part of an error",
    "fairaudit/estimators/constraints/metrics.py": "the name of a measure in results and files",
    "fairaudit/estimators/constraints/search.py": "warnings of an estimator used without the app",
    "fairaudit/estimators/equalized/classifier.py": "warnings of an estimator used without the app",
    "fairaudit/estimators/leakage.py": "warnings of an estimator used without the app",
    "fairaudit/estimators/parameters.py": "part of an error",
    "fairaudit/estimators/rules/classifier.py": "steps of work that is under way",
    "fairaudit/estimators/rules/rounds.py": "steps of work that is under way",
    "fairaudit/estimators/rules/literals.py": "rules of an estimator used without the app",
    "fairaudit/estimators/similar_cases.py": "part of an error",
    "fairaudit/estimators/trees/inputs.py": "steps of work that is under way",
    "fairaudit/estimators/trees/growing.py": "steps of work that is under way",
    "fairaudit/estimators/trees/tree.py": "rules of an estimator used without the app",
    "fairaudit/measure/bands.py": "part of an error",
    "fairaudit/measure/comparison.py": "part of an error",
    "fairaudit/measure/controlled.py": "part of an error",
    "fairaudit/measure/grouping.py": "part of an error",
    "fairaudit/measure/groups.py": "part of an error",
    "fairaudit/measure/inspections/looks.py": "part of an error",
    "fairaudit/measure/inspections/threshold.py": "part of an error",
    "fairaudit/measure/inspections/veil.py": "part of an error",
    "fairaudit/measure/explain/rows.py": "part of an error",
    "fairaudit/measure/period_questions.py": "part of an error",
    "fairaudit/measure/periods.py": "part of an error",
    "fairaudit/measure/standardized.py": "part of an error",
    "fairaudit/plan/parts.py": "part of an error",
    "fairaudit/presets/filling.py": "part of an error",
    "fairaudit/presets/pay_filling.py": "part of an error",
    "fairaudit/presets/preset.py": "part of an error",
    "fairaudit/remedies/constrain/words.py": "the name of a remedy in results and files",
    "fairaudit/remedies/equalize/section.py": "the name of a remedy in results and files",
    "fairaudit/remedies/plain/section.py": "the name of a remedy in results and files",
    "fairaudit/remedies/rules/fit.py": "the name of a model in results and files",
    "fairaudit/remedies/rules/section.py": "the name of a remedy in results and files",
    "fairaudit/remedies/thresholds/section.py": "the name of a remedy in results and files",
    "fairaudit/remedies/trees/fit.py": "the name of a model in results and files",
    "fairaudit/remedies/trees/plan.py": "part of an error",
    "fairaudit/settings.py": "part of an error",
    "fairaudit/solver/solving.py": "part of an error",
    "fairaudit/study/rows.py": "part of an error",
    "fairaudit/study/divided.py": "part of an error",
    "fairaudit/study/yardsticks.py": "the name of a model in results and files",
    "fairaudit/subgroups/cells.py": "why a column is not searched, in the result",
    "fairaudit/subgroups/finding.py": "why a column is not searched, in the result",
    "ui/runtime/memory.py": "part of an error",
    "ui/remedies/thresholds.py": "the name of a remedy in results and files",
    "ui/runtime/server.py": "what the server prints where it starts",
}
"""Files where sentences may still be made, and why."""


def prose_made(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield where a sentence is made of parts, outside errors, help, labels of widgets and heads of columns."""
    left_out: set[int] = set()
    for node in ast.walk(tree):
        for part in _parts_left_out(node):
            left_out.update(id(each) for each in ast.walk(part))
    for node in ast.walk(tree):
        text = "" if id(node) in left_out else _made_of(node)
        if len(WORD.findall(text)) > MOST_WORDS and not CODE.search(text):
            yield node


def _made_of(node: ast.AST) -> str:
    """Return the words that code puts together: of an f-string, a pattern that is filled, or texts that are added."""
    if isinstance(node, ast.JoinedStr):
        return _filled(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return node.func.value.value if _is_text(node.func.value) else ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = (node.left, node.right)
        return _filled(side.value for side in sides if _is_text(side)) if not all(map(_is_text, sides)) else ""
    return ""


def _filled(texts: Iterable[str]) -> str:
    return "{}".join(texts)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _parts_left_out(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Raise):
        return [node]
    if isinstance(node, ast.keyword) and node.arg in ("help", "hint", "brief"):
        return [node]
    if not isinstance(node, ast.Call):
        return []
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if called in ("Field", "column") or called.endswith("Error"):
        return [node]
    return list(node.args[:1]) if called in LABELLED else []


def texts_looked_into(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield where a text of the catalogue, or a name that holds one or several, is looked into."""
    for scope in [tree, *(n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))]:
        held: Held = {}
        for node in _own(scope):
            _hold(node, held)
        for node in _own(scope):
            if _looks(node, held):
                yield node


def sentences_looked_into(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield where a text is compared with words, or where one that is named as a reading or a sentence is."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TAKES_APART):
            continue
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
            continue
        texts = [part.value for part in node.args[:1] if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        texts += [each.value for part in node.args[:1] if isinstance(part, ast.Tuple) for each in part.elts
                  if isinstance(each, ast.Constant) and isinstance(each.value, str)]  # fmt: skip
        has_words = any(re.search("[A-Za-z]", text) and " " in text.strip("\\n") for text in texts)
        of_text = _name_of(node.func.value) in OF_TEXTS and bool(texts) and not set(texts) <= {"_", "/"}
        if has_words or of_text:
            yield node


def _name_of(node: ast.AST) -> str:
    """Return the name or column that a text is taken from."""
    if isinstance(node, ast.Attribute):
        return _name_of(node.value) if node.attr == "str" else node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return node.id if isinstance(node, ast.Name) else ""


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope without those of functions inside it."""
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        yield child
        yield from _own(child)


def _hold(node: ast.AST, held: Held) -> None:
    """Note the names that are given a text of the catalogue, or several."""
    pairs: list[tuple[ast.AST, ast.AST | None]] = []
    if isinstance(node, ast.NamedExpr | ast.AnnAssign | ast.AugAssign):
        pairs = [(node.target, node.value)]
    elif isinstance(node, ast.Assign):
        pairs = [(target, node.value) for target in node.targets]
    elif isinstance(node, ast.For | ast.comprehension):
        if _kind(node.iter, held) == "texts" and isinstance(node.target, ast.Name):
            held[node.target.id] = "text"
        return
    for target, value in pairs:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            both = list(zip(target.elts, value.elts, strict=True))
        elif isinstance(target, ast.Tuple) and value is not None and _kind(value, held) == "texts":
            held.update({each.id: "text" for each in target.elts if isinstance(each, ast.Name)})
            continue
        else:
            both = [] if value is None else [(target, value)]
        for name, given in both:
            if isinstance(name, ast.Name) and (kind := _kind(given, held)):
                held[name.id] = kind


def _kind(node: ast.AST, held: Held) -> Kind | None:
    """Return whether something is a text of the catalogue, several, or neither."""
    match node:
        case ast.Name():
            return held.get(node.id)
        case ast.NamedExpr():
            return _kind(node.value, held)
        case ast.JoinedStr():
            parts = [_kind(part.value, held) for part in node.values if isinstance(part, ast.FormattedValue)]
            return "text" if any(parts) else None
        case ast.BinOp():
            return _kind(node.left, held) or _kind(node.right, held)
        case ast.IfExp():
            return _kind(node.body, held) or _kind(node.orelse, held)
        case ast.BoolOp():
            return next(filter(None, (_kind(value, held) for value in node.values)), None)
        case ast.List() | ast.Tuple() | ast.Set():
            inside = [_kind(each.value if isinstance(each, ast.Starred) else each, held) for each in node.elts]
            return "texts" if any(inside) else None
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
            inner = dict(held)
            for each in node.generators:
                _hold(each, inner)
            return "texts" if _kind(node.elt, inner) else None
        case ast.Subscript():
            return "text" if _kind(node.value, held) == "texts" else None
        case ast.Call():
            return _kind_of_call(node, held)
    return None


def _kind_of_call(node: ast.Call, held: Held) -> Kind | None:
    called = node.func
    name = getattr(called, "attr", getattr(called, "id", None))
    if name in SAYS:
        return "text"
    if name == "map" and node.args and getattr(node.args[0], "id", None) in SAYS:
        return "texts"
    if name in ("list", "tuple", "sorted", "set", "filter", "next", "str") and node.args:
        kind = _kind(node.args[-1] if name == "filter" else node.args[0], held)
        return "text" if kind and name in ("next", "str") else kind
    if isinstance(called, ast.Attribute):
        if called.attr == "join" and node.args:
            return "text" if _kind(node.args[0], held) else None
        if called.attr in ("strip", "lstrip", "rstrip"):
            return _kind(called.value, held)
    return None


def _looks(node: ast.AST, held: Held) -> bool:
    if isinstance(node, ast.Subscript):
        return _kind(node.value, held) == "text"
    if isinstance(node, ast.Compare):
        inside = any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops)
        return inside and any(_kind(each, held) == "text" for each in node.comparators)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in LOOKS and _kind(node.func.value, held) == "text":
            return True
        is_pattern = node.func.attr in ("search", "match", "fullmatch", "findall", "sub", "split")
        return is_pattern and any(_kind(each, held) == "text" for each in node.args)
    return False


@cache
def found_in(path: Path) -> tuple[list[str], ...]:
    """Return where a file looks into texts, looks for words, and makes sentences; the file is parsed once."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(
        [f"{short_name(path)}:{node.lineno}: {ast.unparse(node)}" for node in look(tree)]
        for look in (texts_looked_into, sentences_looked_into, prose_made)
    )


def all_found(kind: int, allowed: Container[str] = ()) -> list[str]:
    """Return what all files have of one of these kinds, but for those where it is allowed."""
    files = [path for path in (*PACKAGE_FILES, *APP_FILES) if short_name(path) not in allowed]
    return [place for path in files for place in found_in(path)[kind]]


def test_no_code_looks_into_a_text_of_the_catalogue():
    found = all_found(0)
    assert not found, "say it with another message, or ask the reading:\n" + "\n".join(found)


def test_no_code_looks_for_words_in_a_text():
    found = all_found(1, MAY_LOOK)
    assert not found, "ask the reading:\n" + "\n".join(found)


@pytest.mark.parametrize("place", MAY_LOOK)
def test_where_words_may_be_looked_for_some_are(place):
    assert found_in(ROOT / place)[1]


@pytest.mark.parametrize(
    "code",
    [
        'points_text(gap).removesuffix(" points")', 'pairs["reading"].str.startswith("within")',
        'row.verdict.startswith("limit")', 'hint.startswith("Did you mean")', 'head.replace("Largest gap", "Gap")',
        'name.startswith(("no gap", "a gap"))',
    ],
)  # fmt: skip
def test_words_that_are_looked_for_are_found(code):
    assert len(list(sentences_looked_into(ast.parse(code)))) == 1


@pytest.mark.parametrize("code", ['key.replace("_", "-")', 'row.verdict.replace("_", "-")', 'text.split(", ")',
                                  'path.endswith(".csv")'])  # fmt: skip
def test_keys_and_marks_are_no_words(code):
    assert not list(sentences_looked_into(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        'a, b = say(m), say(n)\na.startswith("x")', 'a: str = say(m)\n"x" in a', 't = " ".join(map(say, m))\nt[:1]',
        't = say(m) if a else ""\nt.lower()', 't = a or say(m)\nt.partition(".")', 't += say(m)\nt.split(".")',
        'for t in map(say, m):\n    t.upper()', '[t.lower() for t in map(say, m)]',
        'ts = [say(m) for m in ms]\nts[0][:1]',
        'ts = [*map(say, m)]\n[t.count("x") for t in ts]', 'say_whole(said).replace("x", "y")',
        'a, b = map(say, m)\nb.find("x")', 'next(map(say, m)).index("x")', '"".join(say(m) for m in ms).endswith("x")',
    ],
)  # fmt: skip
def test_a_text_that_is_looked_into_is_found_however_it_is_held(code):
    assert list(texts_looked_into(ast.parse(code)))


def test_several_texts_are_taken_one_by_one():
    code = 'ts = [say(m) for m in ms]\nfirst = ts[0]\nts.index(first)\nfirst in ts\nlines = [*ts, "x"]'
    assert not list(texts_looked_into(ast.parse(code)))


def test_what_looks_into_a_text_is_found_directly_and_by_its_name():
    code = """
def f(message, other):
    text = say(message)
    a = text.startswith("x")
    b = "many" in say(message)
    c = re.search("[0-9]", text)
    d = say(message).partition(". ")[0]
    e = f"{text} and more"[:3]
    return other.startswith("x"), "x" in other, text
"""
    assert len({node.lineno for node in texts_looked_into(ast.parse(code))}) == 5


def test_no_sentence_is_made_of_parts():
    found = all_found(2, MAY_SAY)
    assert not found, "make it one message of the catalogue:\n" + "\n".join(found)


@pytest.mark.parametrize("place", MAY_SAY)
def test_where_sentences_may_be_made_some_are(place):
    assert found_in(ROOT / place)[2]


def test_a_sentence_that_is_made_of_parts_is_found_and_what_is_none_is_not():
    code = """
def f(name, n, st):
    a = f"{n} rows were left out of {name}"
    b = "; ".join([f"the gap is {n} points", f"that of {name} is much the larger"])
    c = f"SELECT count(*) FROM {name} WHERE {n} IS NOT NULL"
    d = f"remedy_{n}_groups_chart", f"{name}: {n}", f"by {name}", "an { of many".partition("{"), name + ".csv"
    if n:
        raise InputError(f"{name} is not a column of it", hint=f"take one of the {n}")
    e = "{} rows were left out".format(n)
    f = "Not compared, as " + name
    g = f"Fewer {n} than {name} cases"
    h = f"<p class='note'>{name} and the rest</p>", f"all of {name}"
    st.button(f"Leave out all the rows of {name}", help=f"this can be undone in {n} ways")
    return Field("gap", f"largest gap in the test, {name}"), GroupError(f"there is not one row of {name}")
"""
    assert sorted(node.lineno for node in prose_made(ast.parse(code))) == [3, 4, 4, 9, 10, 11]
