"""The command ``alternatives``: what its models learn from reaches the plan."""

from __future__ import annotations

from argparse import ArgumentParser

from fairaudit.cli.alternatives import add_options
from fairaudit.cli.options import part_of
from fairaudit.plan.models import ModelsPlan
from fairaudit.sections.alternatives.plan import AlternativesPlan

ASKED = (
    "loans.csv",
    "--decision",
    "granted",
    "--favorable",
    "yes",
    "--protected",
    "x",
    "--feature",
    "a",
    "--feature",
    "b",
)
NOT_ASKED = {"by", "positive", "protected_name", "divisions", "search_predictions", "proxies"}
"""Of remedies alone: no model of this command is a remedy."""


def parsed(*more: str):
    parser = ArgumentParser()
    add_options(parser)
    return parser.parse_args([*ASKED, *more])


def test_settings_of_models_reach_the_plan():
    given = {"learn_from": "population", "n_components": 3, "min_level_count": 5, "sample_rows": 2_000}
    flags = [text for name, value in given.items() for text in (f"--{name.replace('_', '-')}", str(value))]
    plan = part_of(parsed("--where", "a > 1", *flags), ModelsPlan)
    assert {name: getattr(plan, name) for name in given} == given
    assert plan.where == "a > 1" and plan.features == ("a", "b")
    assert part_of(parsed(), ModelsPlan).learn_from == "everyone"


def test_every_setting_of_the_search_has_an_option():
    options = vars(parsed())
    for part, left_out in ((AlternativesPlan, {"among_similar"}), (ModelsPlan, NOT_ASKED)):
        assert set(part.model_fields) - left_out <= set(options)
