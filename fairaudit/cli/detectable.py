"""The command ``detectable``: which gap can be seen with these group sizes, before anyone looks at an answer."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from fairaudit.cli import help_texts
from fairaudit.cli.options import add_field, add_format, share
from fairaudit.cli.terminal import emit
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_POWER, USUAL_TOLERANCE
from fairaudit.measure.detectable import detectable_gap
from fairaudit.messages import say
from fairaudit.plan.questions import CheckPlan
from fairaudit.sections.detectable import say_detectable


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("protected", type=int, metavar="N", help="people in the protected group")
    parser.add_argument("reference", type=int, metavar="N", help="people among everyone else")
    parser.add_argument("--rate", type=share(), default=0.5, metavar="R", help="their favourable share")
    add_field(parser, CheckPlan, "tolerance", "T")
    add_field(parser, CheckPlan, "confidence", "C")
    parser.add_argument(
        "--power", type=share(0.01, 0.999), default=USUAL_POWER, metavar="P", help=help_texts.POWER_HELP
    )
    add_format(parser, "text", "json")


def execute(options: Namespace) -> None:
    """Print which gaps can be seen."""
    found = detectable_gap(
        options.protected,
        options.reference,
        rate=options.rate,
        tolerance=USUAL_TOLERANCE if options.tolerance is None else options.tolerance,
        confidence=USUAL_CONFIDENCE if options.confidence is None else options.confidence,
        power=options.power,
    )
    emit(json.dumps(found.to_dict(), indent=2) if options.format == "json" else say(say_detectable(found)))
