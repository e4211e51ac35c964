"""The command ``detectable``: which gap can be seen with these group sizes, before anyone looks at an answer."""

from __future__ import annotations

import json
from argparse import Namespace

from fairaudit.cli.terminal import emit
from fairaudit.measure.detectable import detectable_gap
from fairaudit.messages import say
from fairaudit.sections.detectable import say_detectable


def execute(options: Namespace) -> None:
    """Print which gaps can be seen."""
    found = detectable_gap(
        options.protected,
        options.reference,
        rate=options.rate,
        tolerance=options.tolerance,
        confidence=options.confidence,
        power=options.power,
    )
    emit(json.dumps(found.to_dict(), indent=2) if options.json else say(say_detectable(found)))
