"""What the command ``searches`` does: searches and inspections, and what was found, in lines or as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from fairaudit.audit.result import InspectionFinding
from fairaudit.cli import help_texts
from fairaudit.cli.answers import Answered
from fairaudit.cli.options import add_fail_on, add_field, add_output, filled, part_of
from fairaudit.cli.reading import add_data, add_reading, check_outputs, read_data, source_name
from fairaudit.cli.running import answered, watched_run
from fairaudit.cli.terminal import aligned, emit, one_line
from fairaudit.data.table import Table
from fairaudit.errors import InputError
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import InspectionPlan, VeilPlan
from fairaudit.present.blocks import TableBlock, pick, row_texts
from fairaudit.sections.searches import say_searches, tables
from fairaudit.sections.searches.saying import (
    ASSUMES,
    MISLEADS,
    NOT_SAID,
    VEIL_ASSUMES,
    notes,
    say_model,
    say_places,
    say_veil,
)
from fairaudit.sections.searches.section import SearchesSection


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    add_data(parser)
    for name, metavar in (
        ("acted", "COND"), ("found", "COND"), ("stopped", "COND"), ("group", "COL"), ("reference", "VALUE"),
        ("strata", "COL"), ("where", "COND"), ("tolerance", "T"), ("confidence", "C"),
    ):  # fmt: skip
        add_field(parser, InspectionPlan, name, metavar)
    model = parser.add_argument_group("thresholds")
    model.add_argument("--thresholds", action="store_true", help="infer them; needs --location")
    add_field(model, InspectionPlan, "location", "COL")
    add_field(model, InspectionPlan, "signal", "FAMILY")
    add_field(model, InspectionPlan, "base_rate", "R")
    add_field(model, InspectionPlan, "n_placebo", "N", flag="--placebo")
    add_field(model, AuditPlan, "seed", "N")
    light = parser.add_argument_group("light and darkness")
    for name, metavar in (("light", "COND"), ("date", "COL"), ("time", "COL")):
        add_field(light, VeilPlan, name, metavar)
    for name in ("latitude", "longitude"):
        light.add_argument(f"--{name}", type=_degrees, metavar="V", help=help_texts.PLACE_HELP)
    for name, metavar in (("time_zone", "ZONE"), ("place", "COL"), ("hours", "WHEN"), ("acted_only", "")):
        add_field(light, VeilPlan, name, metavar)
    answer = parser.add_argument_group("the answer")
    add_output(answer)
    add_fail_on(answer, SearchesSection.fails)
    add_reading(parser)


def _degrees(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return filled(text)


def execute(options: Namespace) -> list[Answered]:
    """Answer, and print it."""
    _check(options)
    check_outputs(options.data, plan=options.save_plan)
    table = read_data(options)
    for name in (*options.strata, *options.location):
        table.column(name)
    asked = part_of(options, InspectionPlan, veil=_veil(options))
    plan = part_of(
        options,
        AuditPlan,
        data=DataPlan(source=source_name(options)).read_by(table.source.options),
        **_decision(table, options.acted),
        inspections=(asked,),
        report=ReportPlan(quality=False),
    )
    if options.save_plan or options.format == "json":
        plan = record_data(plan, table)
    result = watched_run(plan, table)
    [finding] = result.inspections
    if options.format == "json":
        from fairaudit.report.json_export import to_json

        emit(to_json(result).rstrip("\n"))
    else:
        emit(finding_text(finding))
    if options.save_plan:
        plan.save(options.save_plan)
    return [answered(SearchesSection(), finding)]


def _check(options: Namespace) -> None:
    """Refuse options that need others."""
    if options.thresholds and not options.location:
        raise InputError(
            "--thresholds needs --location.", hint="Name the column of places, such as: --location precinct."
        )
    if options.location and not options.thresholds:
        raise InputError("--location is for --thresholds.", hint="Add --thresholds, or name the places with --strata.")
    if options.n_placebo and not options.thresholds:
        raise InputError("--placebo is for --thresholds.", hint="Add --thresholds and --location.")
    if options.acted_only and options.light is None and options.date is None:
        raise InputError(
            "--acted-only is for light and darkness.",
            hint="Add --light and --time, or --date, --latitude, --longitude and --time-zone; or leave it out.",
        )
    if (
        options.light is None
        and options.date is None
        and any(value is not None for value in (options.time, options.latitude, options.longitude, options.time_zone))
    ):
        raise InputError(
            "Hours without dates do not say whether it was light.",
            hint="Add --date, or say when it was light: --light \"lighting = 'daylight'\".",
        )
    if options.light is not None and options.time is None and options.date is None:
        raise InputError("--light needs --time.", hint="Name the column of hours: stops are compared at the same hour.")
    if options.light is None and options.date is not None:
        for name in ("latitude", "longitude", "time_zone"):
            if getattr(options, name) is None:
                option = name.replace("_", "-")
                raise InputError(
                    f"--date needs --{option}.",
                    hint="Sunset needs date, position and zone: --latitude 40.7 --longitude -74.0 --time-zone "
                    "America/New_York. Or give --light and --time.",
                )


def _veil(options: Namespace) -> VeilPlan | None:
    if options.light is None and options.date is None:
        return None
    return part_of(options, VeilPlan)


def _decision(table: Table, acted: str) -> dict[str, object]:
    """Return to be looked at as the decision of the plan, where one column says it; not to be is the good outcome."""
    if acted in table.columns:
        column, favorable = acted, f'"{acted}" = 0' if table.column(acted).kind == "number" else f'NOT "{acted}"'
        return {"decision": OutcomePlan(column=column, favorable_when=favorable)}
    condition = table.condition(acted)
    if condition is None or len(condition.columns) != 1:
        return {}
    when = str(~condition)
    return {"decision": OutcomePlan(column=condition.columns[0], favorable_when=when, meaning="not looked at")}


def finding_text(finding: InspectionFinding) -> str:
    """Return the answers as lines: the answer, what was found, the model, light and darkness."""
    said = say_searches(finding)
    lines = [f"{say(said.verdict)}.", f"{say(said.headline)}.", *map(say, (*said.lead, *said.caution)), ""]
    lines += [*_lines(tables.hit_rates_table(finding, 1), tables.HIT_RATES), ""]
    names = tables.GAPS if finding.outcome.strata else tables.GAPS[:5]
    lines += [*_lines(tables.hit_gaps_table(finding, 1), names), "", *finding.outcome.warnings]
    lines += notes((*MISLEADS, *NOT_SAID))
    if finding.thresholds is not None:
        lines += ["", *map(say, say_places(finding))]
        lines += [*_lines(tables.threshold_groups_table(finding, 1), tables.THRESHOLDS), ""]
        lines += [*map(say, say_model(finding)), *finding.thresholds.warnings, *notes(ASSUMES)]
    if finding.veil is not None:
        lines += ["", *map(say, say_veil(finding)), ""]
        lines += [*_lines(tables.veil_table(finding, 1), tables.VEIL), "", *finding.veil.warnings, *notes(VEIL_ASSUMES)]
    return "\n".join(one_line(line) for line in lines)


def _lines(table: TableBlock, names: tuple[str, ...]) -> list[str]:
    picked = pick(table, names)
    return aligned([tuple(column.label for column in picked.columns), *map(tuple, row_texts(picked))])
