"""What the command ``seal`` does: what a plan asks is fixed before the answer is shown."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from fairaudit.cli.options import filled
from fairaudit.cli.terminal import emit, one_line
from fairaudit.errors import InputError, quote
from fairaudit.files import refuse_overwriting
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("plan", type=Path, metavar="PLAN.toml", help="a saved audit")
    parser.add_argument("--by", type=filled, metavar="NAME", help="who seals it")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the sealed audit (default PLAN.sealed.toml, beside it)"
    )


def execute(options: Namespace) -> None:
    """Seal a saved audit, and print the code to hand over."""
    plan = AuditPlan.load(options.plan)
    if plan.seal is not None:
        raise InputError(
            f"{quote(options.plan.name)} was sealed already, at {plan.seal.at}.",
            hint="To seal it anew, take the part [seal] out of it.",
        )
    out = options.out or options.plan.with_suffix(".sealed.toml")
    refuse_overwriting([out], [options.plan])
    sealed = plan.sealed(by=options.by)
    sealed.save(out)
    code = "" if sealed.seal is None else sealed.seal.code
    for said in (Message("seal-saved", {"file": Phrase(str(out))}), Message("seal-code", {"code": Phrase(code)})):
        emit(one_line(say(said)))
