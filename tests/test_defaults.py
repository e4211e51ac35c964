"""Whoever says nothing gets the same in Python, in a plan and on the command line."""

from __future__ import annotations

import argparse
import inspect

import pytest

import fairaudit
from fairaudit.cli.commands import COMMANDS
from fairaudit.cli.main import build_parser
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_POWER, USUAL_TOLERANCE
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ErrorsPlan, ExplanationPlan, InspectionPlan, SubgroupsPlan

NAMES = [command.name for command in COMMANDS]
USUAL = {"confidence": USUAL_CONFIDENCE, "power": USUAL_POWER, "tolerance": USUAL_TOLERANCE}
PLANS = (ChangePlan, CheckPlan, ErrorsPlan, ExplanationPlan, InspectionPlan, ModelsPlan, SubgroupsPlan)


def _defaults_in_python():
    for name in fairaudit.__all__:
        asked = getattr(fairaudit, name)
        if inspect.isfunction(asked):
            for setting in inspect.signature(asked).parameters.values():
                yield name, setting.name, setting.default


def _defaults_of_plans():
    for part in PLANS:
        for name, field in part.model_fields.items():
            yield part.__name__, name, field.default


def _defaults_of_commands():
    [commands] = [a for a in build_parser(*NAMES)._actions if isinstance(a, argparse._SubParsersAction)]
    for name, command in commands.choices.items():
        for action in command._actions:
            yield name, action.dest, action.default


@pytest.mark.parametrize("defaults", [_defaults_in_python, _defaults_of_plans, _defaults_of_commands])
def test_who_says_nothing_gets_what_is_usual(defaults):
    found = [each for each in defaults() if each[1] in USUAL]
    # A threshold is compared more closely than a gap. None stands for what is usual of the kind of decision.
    others = {("threshold_test", "tolerance", 0.02)}
    assert found
    assert {each for each in found if each[2] not in (USUAL[each[1]], None)} <= others
