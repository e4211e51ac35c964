"""Text reaches Markdown as words of ours, as a number, or through `literal`: names in data are never markup.

What an app's file hands to Streamlit is followed to where it comes from, through variables, functions and their
parameters. Whatever is not known to be a word of ours or a number must have passed `literal`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import pytest
from sources import APP_FILES, short_name


def one_by_one(names: str) -> set[str]:
    """Return names that stand in one text."""
    return set(names.split())


# Streamlit's functions that draw Markdown, and their arguments that are Markdown.
DRAWN = one_by_one(
    "badge button caption checkbox date_input download_button error expander file_uploader "
    "form_submit_button header html info link_button markdown metric multiselect number_input page_link "
    "pills popover progress radio segmented_control select_slider selectbox slider spinner status "
    "subheader success tabs text_area text_input title toast toggle warning"
)
ARGUMENTS = ("body", "captions", "delta", "help", "label", "tabs", "text")
# The second one is for `st.html`, which is no Markdown.
ESCAPED = {"literal", "escape"}
# Functions of the core, of Python and of Streamlit that return numbers, or words without a name from the data.
FUNCTIONS = one_by_one(
    "amount_text beyond_sentence capital columns count_text describe few_note group_sizes int known_rows "
    "len max min number_text points_text reading round share_text sum tolerance_text"
)
# Attributes that hold words of ours, or numbers. Forms are written by whoever runs the server.
ATTRIBUTES = one_by_one(
    "below.label below.path chip.sort column.high column.low compared.legend draft.editing ended.status "
    "facts.engine file.help file.label first.path kind.label kind.noun models.divisions one.label one.value "
    "outcome.a_noun page.label page.more page.other page.path page.purpose page.question page.title role.label "
    "row.rule small.minimum source.format stage.fraction step.label step.path way.nodes "
    "words.indices words.left words.margin_help words.price_help "
    "words.search words.what"
)
# Parameters of which a function escapes what is of the data.
PARAMETERS = {"show_figures.figures"}
PLAIN = {"bool", "date", "float", "int"}
PASSED_ON = one_by_one(
    "capitalize dict enumerate format items join list lower map next partial removeprefix reversed set "
    "sorted splitlines str strip tuple upper values zip"
)


@dataclass(frozen=True)
class Place:
    """Where an expression stands: its file, and the functions around it from the outside in."""

    file: str
    around: tuple[ast.FunctionDef, ...] = ()


class App:
    """All files of the app: what each function is called with, and what flows into Markdown."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.functions: dict[str, list[tuple[Place, ast.FunctionDef]]] = defaultdict(list)
        self.calls: dict[str, list[tuple[Place, ast.Call]]] = defaultdict(list)
        self.modules = {file: ast.parse(source) for file, source in sources.items()}
        for file, module in self.modules.items():
            self._read(module, Place(file))
        self.seen: set[int] = set()

    def _read(self, node: ast.AST, place: Place) -> None:
        for child in ast.iter_child_nodes(node):
            inside = place
            if isinstance(child, ast.FunctionDef):
                self.functions[child.name].append((place, child))
                inside = Place(place.file, (*place.around, child))
            elif isinstance(child, ast.Call):
                self.calls[last_name(child.func)].append((place, child))
            self._read(child, inside)

    def found(self) -> list[str]:
        """Return each expression that reaches Markdown and is not known to be words of ours."""
        result = []
        for name in DRAWN:
            for place, call in self.calls[name]:
                if isinstance(call.func, ast.Attribute):
                    drawn = [*call.args[:1], *(k.value for k in call.keywords if k.arg in ARGUMENTS)]
                    result += [found for value in drawn for found in self.follow(value, place)]
        return sorted(set(result))

    def follow(self, value: ast.expr | None, place: Place) -> list[str]:
        """Return the sources of a value that are not known to be words of ours."""
        if value is None or id(value) in self.seen:
            return []
        self.seen.add(id(value))
        match value:
            case ast.Constant() | ast.Compare() | ast.Lambda():
                return []
            case ast.FormattedValue(format_spec=ast.JoinedStr()):
                return []
            case ast.FormattedValue(value=inner) | ast.Starred(value=inner) | ast.Subscript(value=inner):
                return self.follow(inner, place)
            case ast.NamedExpr(value=inner) | ast.UnaryOp(operand=inner):
                return self.follow(inner, place)
            case ast.JoinedStr(values=values) | ast.BoolOp(values=values):
                return self.follow_all(values, place)
            case ast.List(elts=values) | ast.Tuple(elts=values) | ast.Set(elts=values):
                return self.follow_all(values, place)
            case ast.Dict(keys=keys, values=values):
                return self.follow_all([*filter(None, keys), *values], place)
            case ast.BinOp(left=one, right=other) | ast.IfExp(body=one, orelse=other):
                return self.follow_all([one, other], place)
            case ast.GeneratorExp(elt=inner) | ast.ListComp(elt=inner) | ast.SetComp(elt=inner):
                return self.follow(inner, place)
            case ast.DictComp(key=key, value=inner):
                return self.follow_all([key, inner], place)
            case ast.Name(id=name):
                return [] if name.isupper() or name in ("_",) else self._follow_name(name, value, place)
            case ast.Attribute(attr=name, value=inner):
                owner = last_name(inner.value if isinstance(inner, ast.Subscript) else inner)
                known = f"{owner}.{name}" in ATTRIBUTES or name.startswith("n_") or name.endswith("_s")
                return [] if known or is_constant(value) else [said(place, value)]
            case ast.Call():
                return self._follow_call(value, place)
        return [said(place, value)]

    def follow_all(self, values: Iterable[ast.expr], place: Place) -> list[str]:
        """Return the sources of several values that are not known to be words of ours."""
        return [found for each in values for found in self.follow(each, place)]

    def _follow_call(self, call: ast.Call, place: Place) -> list[str]:
        name = last_name(call.func)
        if name in ESCAPED or name in FUNCTIONS or is_constant(call.func):
            return []
        if name in PASSED_ON:
            values = [*call.args, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
            return self.follow_all(values, place)
        if name not in self.functions:
            return [said(place, call)]
        result = []
        for outside, function in self.functions[name]:
            if name.startswith("_") and outside.file != place.file:
                continue
            inside = Place(outside.file, (*outside.around, function))
            returned = [node.value for node in nodes_of(function) if isinstance(node, ast.Return | ast.Yield)]
            result += self.follow_all(returned, inside)
        return result

    def _follow_name(self, name: str, value: ast.expr, place: Place) -> list[str]:
        for depth in range(len(place.around), -1, -1):
            here = Place(place.file, place.around[:depth])
            within = here.around[-1] if depth else self.modules[place.file]
            sources = list(given_to(name, within))
            result = self.follow_all(sources, here)
            if depth and name in parameters_of(within):
                return result + self._follow_parameter(name, within, here)
            if sources:
                return result
        return [said(place, value)]

    def _follow_parameter(self, name: str, function: ast.FunctionDef, place: Place) -> list[str]:
        parameter = parameters_of(function)[name]
        kind = "" if parameter.annotation is None else ast.unparse(parameter.annotation)
        if set(kind.replace(" ", "").split("|")) <= PLAIN | {"None"} or f"{function.name}.{name}" in PARAMETERS:
            return []
        positional = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        result = []
        calls = [
            (caller, call)
            for caller, call in self.calls[function.name]
            if caller.file == place.file or not function.name.startswith("_")
        ]
        for caller, call in calls:
            given = {k.arg: k.value for k in call.keywords} | dict(zip(positional, call.args, strict=False))
            result += self.follow(given.get(name), caller)
        return result if calls else [said(place, parameter)]


def last_name(function: ast.expr) -> str:
    """Return the last part of the name of what is called."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def is_constant(value: ast.expr) -> bool:
    """Whether a value is a constant of a module, in capitals, or a part of one."""
    while isinstance(value, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(value, ast.Attribute) and value.attr.isupper():
            return True
        value = value.func if isinstance(value, ast.Call) else value.value
    return isinstance(value, ast.Name) and value.id.isupper()


def parameters_of(function: ast.FunctionDef) -> dict[str, ast.arg]:
    """Return the parameters of a function by their names."""
    given = function.args
    return {each.arg: each for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)}


@cache
def nodes_of(within: ast.AST) -> tuple[ast.AST, ...]:
    """Return all that stands in a function or module."""
    return tuple(ast.walk(within))


def given_to(name: str, within: ast.AST) -> Iterator[ast.expr]:
    """Yield what is assigned to a name in a function or module, wherever it stands there."""
    for node in nodes_of(within):
        match node:
            case ast.Assign(targets=targets, value=value):
                pairs = [(target, value) for target in targets]
            case ast.AnnAssign(target=target, value=value) | ast.AugAssign(target=target, value=value):
                pairs = [(target, value)]
            case ast.NamedExpr(target=target, value=value):
                pairs = [(target, value)]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                pairs = [(target, value)]
            case ast.withitem(optional_vars=target, context_expr=value) if target is not None:
                pairs = [(target, value)]
            case _:
                continue
        each = isinstance(node, ast.For | ast.comprehension)
        for target, value in pairs:
            yield from taken_from(name, target, value, each=each)


def taken_from(name: str, target: ast.expr, value: ast.expr, *, each: bool) -> Iterator[ast.expr]:
    """Yield what a target takes from a value for a name; `each` says that it takes the elements one by one."""
    if isinstance(target, ast.Name):
        if target.id == name:
            yield value
        return
    if not any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(target)):
        return
    if not isinstance(target, ast.Tuple):
        yield value
        return
    for i, part in enumerate(target.elts):
        called = last_name(value.func) if isinstance(value, ast.Call) else ""
        if each and called == "enumerate":
            yield from taken_from(name, part, value.args[0] if i else ast.Constant(0), each=True)
        elif each and called == "zip":
            yield from taken_from(name, part, value.args[i], each=True)
        elif each and isinstance(value, ast.Tuple | ast.List) and all(isinstance(e, ast.Tuple) for e in value.elts):
            for element in value.elts:
                yield from taken_from(name, part, element.elts[i], each=False)
        elif not each and isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
            yield from taken_from(name, part, value.elts[i], each=False)
        else:
            yield from taken_from(name, part, value, each=False)


def said(place: Place, value: ast.AST) -> str:
    """Return where a value stands, and what it is."""
    return f"{place.file}:{value.lineno} {ast.unparse(value)}"


def test_text_of_data_reaches_markdown_through_literal_alone():
    app = App({short_name(path): path.read_text(encoding="utf-8") for path in APP_FILES})
    found = app.found()
    assert not found, "escape text of the data with ui.text.literal:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "st.caption(f'Positive means: {facts.positive_meaning}.')",
        "names = [row.name for row in rows]\nst.markdown('; '.join(names))",
        "def show(note):\n    st.caption(note)\nshow(note='On ' + finding.name)",
        "def words(facts):\n    return 'of ' + facts.meaning\nst.info(words(facts))",
        "for place, (name, text) in enumerate(rows.items()):\n    st.markdown(name)",
        "st.button('Go', help=table.name)",
    ],
)
def test_text_of_data_is_found_on_its_way_to_markdown(source):
    assert App({"a.py": source}).found()


@pytest.mark.parametrize(
    "source",
    [
        "st.caption(f'Positive means: {literal(facts.positive_meaning)}.')",
        "for place, name in enumerate(names):\n    st.markdown(f'{place + 1}. {literal(name)}')",
        "def show(note):\n    st.caption(note)\nshow('On all rows.')",
        "st.markdown(f'{share:.0%} of {count_text(table.n_rows)}')",
        "st.info(WORDS[kind])",
    ],
)
def test_words_of_ours_and_numbers_may_be_drawn(source):
    assert not App({"a.py": source}).found()
