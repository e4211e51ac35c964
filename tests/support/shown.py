"""Whether a text shows a message of the catalogue, asked by its key, so that a test repeats none of its words."""

from __future__ import annotations

import re
from functools import cache

from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

from fairaudit.errors import require
from fairaudit.messages.catalogue import FOLDER


@cache
def messages() -> dict[str, ast.Message]:
    """Return all messages of the catalogue as they are parsed."""
    found: dict[str, ast.Message] = {}
    for path in sorted((FOLDER / "en").glob("*.ftl")):
        resource = FluentParser(with_spans=False).parse(path.read_text(encoding="utf-8"))
        found |= {entry.id.name: entry for entry in resource.body if isinstance(entry, ast.Message)}
    return found


class _Texts(Visitor):
    """Gather the words of a message itself."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_TextElement(self, node: ast.TextElement) -> None:
        self.found.append(node.value)


def literals(message: ast.Message) -> list[str]:
    """Return the words of a message that stand between its arguments, of all of its forms."""
    texts = _Texts()
    texts.visit(message)
    return texts.found


def shown(key: str, /, **args: object) -> re.Pattern[str]:
    """Return the pattern of a message: its own words, each argument as it is given here, and anything for the others.

    An argument that a message chooses its form by, such as `error="missed"`, leaves that form alone. Blanks may be
    broken lines; an argument that is not given stays in its line.
    """
    used: set[str] = set()
    pattern = _pattern(messages()[key].value, {name: str(value) for name, value in args.items()}, used)
    if unknown := set(args) - used:
        raise ValueError(f"The message {key!r} has no {', '.join(sorted(unknown))}")
    if not re.search(r"\w", re.sub(r"\\s[*+]|\.\*\?|\(\?\w*:", "", pattern)):
        raise ValueError(f"The message {key!r} has no words of its own")
    return re.compile(pattern)


def shows(text: str, key: str, /, **args: object) -> bool:
    """Return whether a text shows a message, with these arguments written as they are given here."""
    return shown(key, **args).search(text) is not None


def _pattern(pattern: ast.Pattern | None, args: dict[str, str], used: set[str]) -> str:
    parts = [
        _literal(part.value) if isinstance(part, ast.TextElement) else _placed(part.expression, args, used)
        for part in require(pattern).elements
    ]
    return re.sub(r"^\\s[*+]|\\s[*+]$", "", "".join(parts))


def _literal(text: str) -> str:
    """Return a pattern of words; the blanks at its ends go where the argument beside it is left out."""
    words = r"\s+".join(map(re.escape, text.split()))
    return (r"\s*" if text[:1].isspace() else "") + words + (r"\s*" if words and text[-1:].isspace() else "")


def _placed(expression: ast.SyntaxNode, args: dict[str, str], used: set[str]) -> str:
    match expression:
        case ast.StringLiteral():
            return _literal(expression.value)
        case ast.VariableReference():
            name = expression.id.name
            used.add(name)
            if name not in args:
                return ".*?"
            # "men" is not in "women", nor is 5 in 15 or in 1,500.
            return rf"(?<!\w)(?<!\d[.,]){re.escape(args[name])}(?!\w)(?![.,]\d)"
        case ast.FunctionReference():
            inner = _placed(expression.arguments.positional[0], args, used)
            return f"(?i:{inner})"
        case ast.MessageReference():
            return _pattern(messages()[expression.id.name].value, args, used)
        case ast.SelectExpression():
            chosen = expression.selector.id.name if isinstance(expression.selector, ast.VariableReference) else ""
            used.add(chosen)
            forms = expression.variants
            if chosen in args:
                named = [form for form in forms if getattr(form.key, "name", None) == args[chosen]]
                forms = named or [form for form in forms if form.default]
            return "(?:" + "|".join(_pattern(form.value, args, used) for form in forms) + ")"
        case ast.Placeable():
            return _placed(expression.expression, args, used)
    raise TypeError(type(expression).__name__)
