"""Laws over everything that is said: each key is there and used, sentences are short, and no banned phrase stands."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from places import ROOT
from shown import literals, messages, shows
from sources import APP_FILES, PACKAGE_FILES

from fairaudit.findings import Amount, Count, Group, Message, Phrase, Points, Share, Word
from fairaudit.messages import keys, say
from fairaudit.messages.catalogue import FOLDER, LANGUAGES

BANNED = (
    "good outcome", "the rest", "reach", "goes to", "stands under", "to their advantage", "to their disadvantage",
    "could be nothing", "not so within", "all taken together", "held equal", "read the strata", "simple answer",
    "not beaten", "divisions", "whatever", "all the same", "once more", "tells the groups", "hangs on", "so many",
    "may be anywhere", "it could be on either side",
)  # fmt: skip
MOST_WORDS, MOST_IN_HEADLINE = 20, 16
BEGINNING = re.compile(r"[a-z]+(-[a-z]+)*-")
"""Of keys that the code puts together, from a verdict or a kind of quantity."""
FOREIGN = {"form-action", "data-dir"}
"""What looks like a key and is none: a directive of the security policy, and a setting of the server."""
STRETCH = 5
"""Words of a message that stand in a test by chance seldom, and in one that repeats its sentence always."""
WORD = re.compile(r"\w+(?:[’'-]\w+)*")
TWO_STRINGS = re.compile(r"""["']\s*\n\s*[a-z]*["']""")


def texts(language: str) -> dict[str, str]:
    """Return the source of each message."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted((FOLDER / language).glob("*.ftl")))
    parts = re.split(r"^([a-z][a-z0-9-]*) *=", source, flags=re.MULTILINE)
    return {
        key: re.sub(r"^#.*$", "", text, flags=re.MULTILINE) for key, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def strings_of(path: Path) -> list[str]:
    """Return the strings of a file of Python, without its docstrings; a string in several lines is one."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    strings = (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [node.value for node in strings if id(node) not in docstrings]


@cache
def strings_in_code() -> frozenset[str]:
    """Return all texts of the package and the app, some of which look like keys, or like the beginning of some."""
    return frozenset(text for path in [*PACKAGE_FILES, *APP_FILES] for text in strings_of(path))


def stretches(*parts: str) -> set[tuple[str, ...]]:
    """Return all words of texts that follow each other, so many at a time."""
    split = (WORD.findall(part.lower()) for part in parts)
    return {words for each in split for words in zip(*(each[start:] for start in range(STRETCH)), strict=False)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_used_and_has_one_text(language):
    used, written = strings_in_code(), texts(language)
    assert set(written) == keys(language)
    referred = {name for text in written.values() for name in re.findall(r"\{ ([a-z][a-z0-9-]+) \}", text)}
    assert referred <= set(written)
    beginnings = tuple(text for text in used if BEGINNING.fullmatch(text))
    named = used | referred | {f"{key}-hidden" for key in used}
    known = {key for key in written if key in named or key.startswith(beginnings)}
    assert not set(written) - known


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_that_the_code_names_exists(language):
    known = keys(language)
    looks_like_one = re.compile("({})(-[a-z]+)+".format("|".join(sorted({key.partition("-")[0] for key in known}))))
    named = {text for text in strings_in_code() if looks_like_one.fullmatch(text)} - FOREIGN
    assert not {text for text in named if text not in known and f"{text}-by" not in known}


def test_no_test_repeats_words_of_the_catalogue():
    """So that whoever mends a sentence mends no test: ask by the key, as `shows` does.

    What stands in a text of the code too, such as an error or a label, is asked for by its words.
    """
    owners = {words: key for key, message in messages().items() for words in stretches(*literals(message))}
    in_code = stretches(*(text for text in strings_in_code() if text.count(" ") >= STRETCH - 1))
    repeated = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if owners.keys() & stretches(TWO_STRINGS.sub("", path.read_text(encoding="utf-8"))) - in_code:
            found = owners.keys() & stretches(*strings_of(path)) - in_code
            repeated += [f"{path.relative_to(ROOT)}: {' '.join(words)} ({owners[words]})" for words in sorted(found)]
    assert not repeated, "\n".join(repeated)


def test_no_banned_phrase_is_said():
    said = {key: text.lower() for key, text in texts("en").items()}
    assert not [(key, phrase) for key, text in said.items() for phrase in BANNED if phrase in text]


def test_sentences_are_short():
    for key, text in texts("en").items():
        plain = re.sub(r"\$\w+ ->|\*?\[\w+\]", "", re.sub(r"\{ [A-Z]*\(?\$?[\w-]+\)? \}", "name", text))
        for sentence in re.split(r"[.?](?:\s|$)|\n", plain):
            assert len(re.findall(r"[a-z]+", sentence.lower())) <= MOST_WORDS, (key, sentence)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Amount(-54.48, 2), "\N{MINUS SIGN}54.48"), (Amount(-0.2), "0"),
        (Share(0.485), "48%"), (Share(0.4851), "49%"), (Share(0.0523, 1), "5.2%"), (Share(1.0), "100%"),
        (Points(0.154), "15"), (Points(0.0523, 1), "5.2"), (Amount(4076.6), "4,077"), (Amount(0.125, 2), "0.12"),
        (Count(10_000), "10,000"), (Group("women"), "women"), (Group(), "everyone else"), (Phrase("a {b}"), "a {b}"),
        (Message("name-people-whose", {"condition": Phrase("sex is F")}), "people whose sex is F"),
    ],
)  # fmt: skip
def test_arguments_are_written_as_the_language_has_them(value, written):
    assert say(Message("group-alone", {"group": value})) == written


def test_text_of_data_is_never_read_as_a_message():
    name = "{ $verb } -- { verdict-clear-gap } = x"
    assert say(Message("group-alone", {"group": Group(name)})) == name


@pytest.mark.parametrize("name", ["**bold** $x$ :red[a]", "up to , or above", "a  b", "level .5 ; x"])
def test_blanks_in_text_of_data_stay_where_they_are(name):
    phrase = Phrase(name)
    nested = Message("group-alone", {"group": phrase})
    for value in (Group(name), phrase, nested):
        assert say(Message("group-alone", {"group": value})) == name


def test_a_lacking_argument_is_an_error_and_not_a_hole():
    with pytest.raises(ValueError, match="check-headline-no-gap"):
        say(Message("check-headline-no-gap", {"protected": Group("women")}))
    with pytest.raises(LookupError):
        say(Message("no-such-message"))


def test_one_and_many_differ():
    assert say(Message("check-left-out", {"n": Count(1)})).startswith("1 case is")
    assert say(Message("check-left-out", {"n": Count(1_200)})).startswith("1,200 cases are")
    few = [say(Message("groups-few", {"n": Count(n), "group": Group("women")})) for n in (1, 2)]
    assert few[0].startswith("Only one case counts") and few[1].startswith("Only 2 cases count")
    words = {"quantity": Word("share"), "limit": Points(0.01)}
    assert (
        say(Message("check-limit", words)) == "1 point"
        and say(Message("check-limit", words | {"limit": Points(0.05)})) == "5 points"
    )


def test_a_name_of_any_length_can_be_said():
    long = "x" * 10_000
    for value in (
        Group(long),
        Phrase(long),
        Message("name-similar-both", {"first": Phrase(long), "second": Phrase(long)}),
    ):
        said = say(Message("group-alone", {"group": value}))
        assert said.endswith("…") and len(said) < 1_000


def test_half_a_character_becomes_one_that_can_be_drawn():
    assert say(Message("group-alone", {"group": Group("a\ud800b")})).encode() == "a\N{REPLACEMENT CHARACTER}b".encode()


def test_a_text_shows_a_message_with_the_arguments_that_are_asked_for():
    said = f"First. {say(Message('check-left-out', {'n': Count(12)}))} More."
    assert shows(said, "check-left-out") and shows(said.replace(" ", "\n  "), "check-left-out", n=12)
    assert shows(said, "check-left-out", n=12, n_count="other")
    assert not shows(said, "check-left-out", n=13) and not shows(said, "check-left-out", n_count="one")
    assert not shows("First. More.", "check-left-out")
    most = Message("errors-headline-most-least", {"group": Group("women"), "error": Word("missed")})
    assert shows(say(most), most.key, group="women", error="missed")
    assert not shows(say(most), most.key, error="flagged") and not shows(say(most), most.key, group="men")


@pytest.mark.parametrize(("key", "args"), [("check-left-out", {"groups": 1}), ("group-alone", {})])
def test_a_message_without_such_an_argument_or_without_words_is_not_asked_for(key, args):
    with pytest.raises(ValueError, match=key):
        shows("any text", key, **args)
