"""Text reaches Markdown as words of ours, as a number, or through `literal`: names in data are never markup.

What an app's file hands to Streamlit, labels and options included, is followed to where it comes from, through
variables, functions and their parameters. Whatever is not known to be a word of ours or a number must have passed
`literal`.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import pytest
import streamlit as st
from sources import APP_FILES, short_name
from streamlit.delta_generator import DeltaGenerator


def one_by_one(names: str) -> set[str]:
    """Return names that stand in one text."""
    return set(names.split())


# What Streamlit's own help does not call Markdown, or what is no text of a page there.
ALSO = {"html": ("body",), "table": ("data",), "update": ("label",), "segmented_control": ("options",)}
NO_TEXT = {"anchors", "cursor", "pages", "unsafe_allow_html", "width", "wrap"}
PARAMETER = re.compile(r"^(\*?\w+) *:.*\n((?:(?: .*)?\n)*)", re.MULTILINE)


@cache
def drawn() -> dict[str, tuple[str, ...]]:
    """Return the arguments that are Markdown of each of Streamlit's functions, as its own help says."""
    found = dict(ALSO)
    for name, function in {**vars(st), **vars(DeltaGenerator)}.items():
        _, _, given = inspect.cleandoc(getattr(function, "__doc__", None) or "").partition("Parameters\n----------\n")
        parts = PARAMETER.findall(given.partition("\nReturns\n")[0] + "\n")
        texts = [part for part, said in parts if "markdown" in said.lower() and part not in NO_TEXT]
        if texts and name[:1] != "_":
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *texts)))
    return found


# The second one is for `st.html`, which is no Markdown.
ESCAPED = {"literal", "stated", "escape"}
# Functions of the core, of Python and of Streamlit that return numbers, or words without a name from the data.
FUNCTIONS = one_by_one(
    "beyond_sentence capital columns confidence_text count_text describe few_note group_sizes "
    "bool int len max min number_text points_text read_text reading round scales share_text sum tolerance_text "
    "Count"
)
# Attributes that hold words of ours, or numbers. Forms are written by whoever runs the server.
ATTRIBUTES = one_by_one(
    "below.label below.path chip.sort choice.label choice.value column.high column.low compared.legend "
    "draft.accuracy_weight draft.editing draft.fairness_weight ended.status "
    "facts.engine file.help file.label first.path form.help form.label form_of.help form_of.label "
    "kind.label kind.noun models.divisions one.label one.value "
    "outcome.a_noun page.called page.label page.more page.other page.path page.purpose page.question page.title "
    "plan.opens_with role.label row.rule small.minimum source.format stage.fraction "
    "state.follow_ups step.label step.path texts.limit way.nodes "
    "words.indices words.left words.margin_help words.price_help "
    "words.search words.what"
)
# Parameters of which a function escapes what is of the data.
PARAMETERS = {"show_figures.figures", "draw_field.options"}
# Fields of the app's own classes that hold texts for a page: what these are made with is followed.
FIELDS = {"help", "label"}
# What has a method of a name like one of Streamlit's, and draws nothing.
LOGS = {"_LOG", "draft", "stderr", "stdout"}
# What a constant is asked by, and does not say.
ASKED = {"__getitem__", "get", "index"}
PLAIN = {"bool", "date", "float", "int"}
PASSED_ON = one_by_one(
    "DataFrame Message Phrase capitalize dict enumerate format items join list lower map next partial removeprefix "
    "reversed say set shortened sorted splitlines str strip tuple upper values zip"
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
        self.fields: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for module in self.modules.values():
            for node in nodes_of(module):
                if isinstance(node, ast.ClassDef):
                    own = [part.target.id for part in node.body if isinstance(part, ast.AnnAssign)]
                    for number, field in enumerate(own):
                        self.fields[field].append((node.name, number))
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
        for name, texts in drawn().items():
            for place, call in self.calls[name]:
                if isinstance(call.func, ast.Attribute) and last_name(call.func.value) not in LOGS:
                    result += self.follow_all(self._texts(call, name, texts, place), place)
        return sorted(set(result))

    def _texts(self, call: ast.Call, name: str, texts: tuple[str, ...], place: Place) -> Iterator[ast.expr]:
        """Yield what a call of Streamlit draws as Markdown, by position, by name or in a dict of keywords."""
        function = getattr(DeltaGenerator, name, None) or getattr(st, name, None)
        order = [each for each in inspect.signature(function).parameters if each != "self"] if function else []
        if "*args" in texts:
            yield from call.args
        named = dict(zip(order, call.args, strict=False))
        for keyword in call.keywords:
            given = {keyword.arg: keyword.value} if keyword.arg else dict(self._keywords(keyword.value, place))
            named |= given
        way = named.get("format_func")
        for text in texts:
            # Of options, what they are called is drawn.
            if text == "options" and isinstance(way, ast.Name | ast.Attribute) and not is_constant(way):
                yield ast.copy_location(ast.Call(way, [named[text]], []), way)
            elif text == "options" and way is not None and not isinstance(way, ast.Lambda):
                yield way
            elif text == "options" and isinstance(way, ast.Lambda):
                yield from (way, named[text])
            elif text != "format_func" and text in named:
                yield named[text]

    def _keywords(self, value: ast.expr, place: Place) -> Iterator[tuple[str, ast.expr]]:
        """Yield what is handed on as keywords: a dict that is written out, here or where a function returns it."""
        match value:
            case ast.Dict(keys=keys, values=values):
                yield from ((k.value, v) for k, v in zip(keys, values, strict=True) if isinstance(k, ast.Constant))
            case ast.Name(id=name):
                for within in (*reversed(place.around), self.modules[place.file]):
                    for source in given_to(name, within):
                        yield from self._keywords(source, place)

    def follow(self, value: ast.expr | None, place: Place) -> list[str]:
        """Return the sources of a value that are not known to be words of ours."""
        if value is None or id(value) in self.seen:
            return []
        self.seen.add(id(value))
        match value:
            case ast.Constant() | ast.Compare():
                return []
            case ast.Lambda(args=ast.arguments(args=[])):
                # What draws a part later on is no text.
                return []
            case ast.Lambda(body=inner, args=given):
                known = {each.arg for each in given.args}
                return [found for found in self.follow(inner, place) if found.rpartition(" ")[2] not in known]
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=str(form)), *_])) if form[
                -1:
            ] in tuple(",%defgn"):
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
                return [] if name.isupper() or name in ("_", "pd") else self._follow_name(name, value, place)
            case ast.Attribute(attr=name, value=inner):
                part = {ast.Subscript: "value", ast.Call: "func"}.get(type(inner), "")
                owner = last_name(getattr(inner, part, inner))
                known = f"{owner}.{name}" in ATTRIBUTES or name.startswith("n_") or name.endswith("_s")
                if known or is_constant(value):
                    return self._follow_field(name) if name in FIELDS else []
                return [said(place, value)]
            case ast.Call():
                return self._follow_call(value, place)
        return [said(place, value)]

    def follow_all(self, values: Iterable[ast.expr], place: Place) -> list[str]:
        """Return the sources of several values that are not known to be words of ours."""
        return [found for each in values for found in self.follow(each, place)]

    def _follow_field(self, name: str) -> list[str]:
        """Follow what the app's own classes are made with for a field."""
        result = []
        for made, number in self.fields[name]:
            for place, call in self.calls[made]:
                given = {k.arg: k.value for k in call.keywords} | dict(enumerate(call.args))
                result += self.follow(given.get(name, given.get(number)), place)
        return result

    def _follow_call(self, call: ast.Call, place: Place) -> list[str]:
        name = last_name(call.func)
        if name in ESCAPED or name in FUNCTIONS:
            return []
        if is_constant(call.func):
            # What a constant is asked by is not drawn, but what it is filled with.
            return [] if name in ASKED else self.follow_all([*call.args, *(k.value for k in call.keywords)], place)
        if name in PASSED_ON:
            values = [*call.args, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
            values += [keyword.value for keyword in call.keywords if keyword.arg != "key"]
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
        # A function that is handed on draws, and is no text.
        return [] if name in self.functions else [said(place, value)]

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
            if self._may_call(call, caller.file, function, place.file)
            and (caller.file == place.file or not function.name.startswith("_"))
        ]
        for caller, call in calls:
            given = {k.arg: k.value for k in call.keywords} | dict(zip(positional, call.args, strict=False))
            result += self.follow(given.get(name), caller)
        return result if calls else [said(place, parameter)]

    def _may_call(self, call: ast.Call, file: str, function: ast.FunctionDef, own: str) -> bool:
        """Say whether what a file calls may be a function of another: by an import, where it is one of the module."""
        if function not in self.modules[own].body or file == own:
            return True
        called = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        for node in nodes_of(self.modules[file]):
            if isinstance(node, ast.ImportFrom) and node.module and isinstance(called, ast.Name):
                for each in node.names:
                    parts = [node.module] if called is call.func else [node.module, each.name]
                    if (each.asname or each.name) == called.id:
                        return ".".join(parts).replace(".", "/") + ".py" == own
        return False


def last_name(function: ast.expr) -> str:
    """Return the last part of the name of what is called."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def is_constant(value: ast.expr) -> bool:
    """Whether a value is a constant of a module, in capitals, or a part of one."""
    while isinstance(value, ast.Attribute | ast.Subscript):
        if isinstance(value, ast.Attribute) and value.attr.isupper():
            return True
        value = value.value
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
        "with st.expander(shortened(table.title, 120)):\n    pass",
        "FLAT = re.compile(' +')\nst.expander(FLAT.sub(' ', table.title).strip())",
        "WORDS = 'Of {}'\nst.caption(WORDS.format(table.name))",
        "st.caption('Of {name}'.format(name=table.name))",
        "st.caption(f'{table.name:>20}')",
        "st.radio('Which', list(table.columns))",
        "st.radio('Which', [0, 1], format_func=lambda place: names[place])",
        "st.segmented_control('Which', [0, 1], format_func=labels(table.columns))",
        "own = {'label': column.name, 'key': 'a'}\nst.number_input(**own)",
        "st.metric('Rows', table.name)",
        "st.table(pd.DataFrame(rows, columns=names))",
        "class File:\n    label: str\nfile = File(label=table.name)\nst.button(file.label)",
        "st.caption(say(Message('rows-of', {'name': Phrase(table.name)})))",
        "parts = {table.name: lambda: show(table)}\nst.tabs(list(parts))",
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
        "st.info(WORDS.get(kind))",
        "st.selectbox('Which', list(table.columns))",
        "st.radio('Which', [0, 1], format_func=WORDS.get)",
        "own = {'label': 'Rows', 'key': table.name}\nst.number_input(**own)",
        "st.caption(say(Message('rows-of', {'n': Count(table.n_rows), 'name': Phrase(literal(table.name))})))",
        "def draw():\n    return table.name\nparts = {'Rows': lambda: draw(), 'Names': draw}\nst.tabs(list(parts))",
    ],
)
def test_words_of_ours_and_numbers_may_be_drawn(source):
    assert not App({"a.py": source}).found()
