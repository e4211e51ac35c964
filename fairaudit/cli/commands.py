"""All commands, and what the help says: what each is for, examples, and what options mean."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from fairaudit.cli.answers import Answered

DESCRIPTION = "Assess whether like cases are treated alike, and report so that others can check."

EXIT_CODES = """\
exit codes:
  0  done, with any verdict
  1  a fault in fairaudit itself
  2  the arguments, the data or the plan cannot be used; one sentence on stderr says why
  3  with --fail-on: at least one answer has that verdict
  130  stopped with Ctrl-C
"""

EXAMPLES = """\
start with one of these:
  python -m fairaudit serve
  python -m fairaudit describe loans.csv
  python -m fairaudit check loans.csv --decision granted --favorable yes --protected "gender = 'female'"
  python -m fairaudit run audit.toml --out results
  python -m fairaudit form --list
"""


class CommandModule(Protocol):
    """A module that holds a command."""

    def add_options(self, parser: ArgumentParser) -> None:
        """Add what the command takes."""

    def execute(self, options: Namespace) -> Sequence[Answered] | None:
        """Run it; return what it answered."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command: what imports its module, and what the help says in a line, at its head and at its end."""

    name: str
    module: Callable[[], CommandModule]
    summary: str
    description: str
    example: str
    usage: str | None = None


def _check() -> CommandModule:
    from fairaudit.cli import check

    return check


def _errors() -> CommandModule:
    from fairaudit.cli import errors

    return errors


def _alternatives() -> CommandModule:
    from fairaudit.cli import alternatives

    return alternatives


def _watch() -> CommandModule:
    from fairaudit.cli import watch

    return watch


def _worst() -> CommandModule:
    from fairaudit.cli import worst

    return worst


def _run() -> CommandModule:
    from fairaudit.cli import run

    return run


def _seal() -> CommandModule:
    from fairaudit.cli import seal

    return seal


def _sign() -> CommandModule:
    from fairaudit.cli import sign

    return sign


def _verify() -> CommandModule:
    from fairaudit.cli import verify

    return verify


def _form() -> CommandModule:
    from fairaudit.cli import form

    return form


def _explain() -> CommandModule:
    from fairaudit.cli import explain

    return explain


def _change() -> CommandModule:
    from fairaudit.cli import change

    return change


def _searches() -> CommandModule:
    from fairaudit.cli import searches

    return searches


def _rankings() -> CommandModule:
    from fairaudit.cli import rankings

    return rankings


def _detectable() -> CommandModule:
    from fairaudit.cli import detectable

    return detectable


def _describe() -> CommandModule:
    from fairaudit.cli import describe

    return describe


def _completion() -> CommandModule:
    from fairaudit.cli import completion

    return completion


def _serve() -> CommandModule:
    from fairaudit.cli import serve

    return serve


COMMANDS = (
    Command(
        name="check",
        module=_check,
        usage="%(prog)s DATA --decision COL (--favorable VALUE | --amount) --protected COND [more options]",
        summary="compare a protected group with everyone else",
        description="""\
Compare the share of the protected group with the favourable result (with --amount, the mean amount) with that of
everyone else in the filtered population.

A condition is written like this:  race <> 'White' AND age >= 25
  =  <>  <  <=  >  >=    AND  OR  NOT    IN ('a', 'b')    BETWEEN 1 AND 5    LIKE 'A%'    IS NULL
  'text' in single quotes, a column name with blanks in double quotes: "hours per week" > 40
  Rows for which it is unknown (a value is missing) are in neither group; they are counted and shown.
""",
        example="""\
example:
  python -m fairaudit check adult.csv.gz --decision income --favorable ">50K" \\
      --protected "race <> 'White'" --where "education_num > 10" --strata sex --by race
  python -m fairaudit check pay.csv --decision pay --amount --protected "sex = 'woman'" \\
      --amount-tolerance 500 --strata grade --similar-by grade --similar-by years

--json prints one object: the data and their fingerprint, the plan, the findings and the versions of the software;
the same as the result.json that `run` writes. Shares and gaps are fractions; undefined is null.
""",
    ),
    Command(
        name="errors",
        module=_errors,
        usage="%(prog)s DATA --decision COL --favorable VALUE (--predicted COND | --score COL) --by COL [more options]",
        summary="compare whom a prediction or a score gets wrong",
        description="""\
Compare whom a prediction or a score gets wrong, group by group: who is wrongly flagged, and who is wrongly missed. The
decision column holds what happened later.
""",
        example="""\
example:
  python -m fairaudit errors recidivism.csv --decision reoffended --favorable 0 --predicted "risk_decile <= 5" --by race
  python -m fairaudit errors recidivism.csv --decision reoffended --favorable 0 --score risk --cut 6 \\
      --lower-is-better --by race

--predicted says for whom the favourable result is predicted; all others are flagged.
""",
    ),
    Command(
        name="worst",
        module=_worst,
        usage="%(prog)s DATA --decision COL (--favorable VALUE | --amount) [more options]",
        summary="look for the groups that fare worst",
        description="""\
Look for the groups that fare worst: conjunctions of up to four conditions. A random half of the rows is searched,
the other half judges what is shown; it is said how many were considered and what chance would show.
""",
        example="""\
example:
  python -m fairaudit worst loans.csv --decision approved --favorable yes --column sex --column region --column age
""",
    ),
    Command(
        name="alternatives",
        module=_alternatives,
        usage="%(prog)s DATA --decision COL --favorable VALUE --protected COND --feature COL... [more options]",
        summary="look for models that serve as well with a smaller gap",
        description="""\
Look for models that serve as well as the one in use, with a smaller gap. Many are compared on tuning cases; the few
that are right as often, with the smallest gaps, are judged once on test cases.
""",
        example="""\
example:
  python -m fairaudit alternatives recidivism.csv --decision reoffended --favorable 0 --feature age \\
      --feature prior_offences --protected "race = 'African-American'" --predicted "risk_decile <= 5"

Without --predicted and --score, a plain model of the decision is what the others are compared with.
""",
    ),
    Command(
        name="run",
        module=_run,
        summary="repeat a saved audit and write its report",
        description="""\
Repeat a saved audit. Writes into the folder:
  report.pdf     the report, in few pages; accessible and to be kept (PDF/UA-1, PDF/A-3a), as the next one
  annexes.pdf    all else: tables, methods, queries, the plan
  tables.zip     every table as CSV, with a data dictionary
  result.json    everything, for machines; result.schema.json says what stands where
  plan.toml      the plan as it was run
  manifest.json  all files with their SHA-256, and what they were made from
  ro-crate-metadata.json  the same for archives: data, plan, software and results of the run, as JSON-LD
""",
        example="""\
example:
  python -m fairaudit run audit.toml --out results

A folder with the results of another audit, or of other data, is not written over without --force.
Without --data, the file that the plan names is looked for beside the plan. If the data are not those the plan was
saved with, nothing is computed, unless --ignore-fingerprint is given: the result then says what differs.
""",
    ),
    Command(
        name="seal",
        module=_seal,
        summary="fix what a saved audit asks before the answer is shown",
        description="""\
Fix what a saved audit asks before the answer is shown: a part [seal] says when, by whom, and what each part was. The
report then says that the question was fixed first, or what changed after. Names and the first page may change.
""",
        example="""\
example:
  python -m fairaudit seal audit.toml --by "Office of Public Audit"
  python -m fairaudit run audit.sealed.toml --out results

The code that is printed stands in the report. Whoever has it from before can tell that the seal is no later.
""",
    ),
    Command(
        name="sign",
        module=_sign,
        summary="sign a report with a key of your own",
        description="""\
Sign a report with a key of your own. The files of the report stay as they are; beside them are written
  report.signed.pdf, annexes.signed.pdf   the same documents, each with a signature
  manifest.json.p7s                       a signature of the list of all files (CMS, detached)
`verify` says by whom and when a report was signed, and whether the signatures fit.
""",
        example="""\
example:
  python -m fairaudit sign results --key office.p12 --timestamp-server http://timestamp.example.org

The passphrase is asked for, or read from --passphrase-file or FAIRAUDIT_KEY_PASSPHRASE. What signs is installed by
  pip install "fairaudit[sign]"
""",
    ),
    Command(
        name="verify",
        module=_verify,
        summary="check that a report is as it was written and, with its data, make it again",
        description="""\
Check a report: whether each file is as it was written, who signed it, and with --data, whether the audit made again
gives the same. One verdict comes out:
  Unchanged   each file is as the manifest lists it
  Changed     one is not, is missing, or was added; or a signature does not fit
  Made again  the audit was made again from the data, with the same numbers
  Differs     the data are others, or numbers or files are
""",
        example="""\
example:
  python -m fairaudit verify results --data loans.csv --fail-on changed,differs
  python -m fairaudit verify results --trust office.pem --fail-on changed,not_trusted

Without --data, files are compared with the manifest alone, which whoever changes a file can change, too. FOLDER may be
a zip: nothing of it is unpacked, and no link in it is followed. Where versions differ, numbers are compared, not bytes.
""",
    ),
    Command(
        name="form",
        module=_form,
        usage="%(prog)s [--list] [KEY DATA] [--column ROLE=COL]... [--decision COL --favorable VALUE] [more options]",
        summary="fill the form that a rule asks for: NYC Local Law 144, EEOC Uniform Guidelines, lending, or your own",
        description="""\
Fill the form that a rule asks for, from a file, without writing a plan. --list shows the forms and their roles.
What counts as selected is --favorable; with --column score=COL a score takes its place (the share above the median).
A form is a calculation, not legal advice. The folder that FAIRAUDIT_PRESETS names may hold forms of your own.
""",
        example="""\
examples:
  python -m fairaudit form --list
  python -m fairaudit form nyc144 applicants.csv --column sex=sex --column race=race_ethnicity \\
      --decision selected --favorable yes --out results
  python -m fairaudit form nyc144 applicants.csv --column score=score --leave-out-small --reason "too few"
""",
    ),
    Command(
        name="explain",
        module=_explain,
        usage="%(prog)s DATA --decision COL (--favorable VALUE | --amount) --protected COND --control COL=REASON ...",
        summary="divide a gap into what columns explain and what is left",
        description="""\
Divide a gap into what comes from how the groups differ in some columns, and what is left: not explained by these
columns. Each asks for a reason: --control COL=REASON. A column that the decision, or the group itself, brought about
takes away what one looks for.
""",
        example="""\
example:
  python -m fairaudit explain berkeley.csv --decision decision --favorable Admitted --protected "gender = 'Women'" \\
      --control "department=people choose where they apply"
""",
    ),
    Command(
        name="change",
        module=_change,
        usage="%(prog)s BEFORE [AFTER] [--cut-by COL --cut V] --decision COL --favorable VALUE --protected COND ...",
        summary="ask whether a gap changed between two tables, or between periods of one",
        description="""\
Ask the same question of two periods: both answers, the change of the gap, and whether it may be chance. How the
periods were recorded is compared first: a changed recording is not a changed treatment.
""",
        example="""\
examples:
  python -m fairaudit change 2023.csv 2024.csv --decision granted --favorable yes --protected "sex = 'F'" --strata area
  python -m fairaudit change loans.csv --cut-by day --cut 2024-01-01 --decision granted --favorable yes \\
      --protected "sex = 'F'"

With more than one --cut there is one test over all periods.
""",
    ),
    Command(
        name="watch",
        module=_watch,
        usage="%(prog)s DATA --decision COL --favorable VALUE --protected COND (--batch NAME | --batches COL) ...",
        summary="watch a gap batch by batch, with few false alarms however long",
        description="""\
Take new batches of decisions, and give an alarm once the gap is beyond the tolerance. False alarms come in at most 5 %
of watches, in all batches together, where a test of each batch would give them again and again.
""",
        example="""\
example:
  python -m fairaudit watch tonight.csv --batch 2026-03-01 --state watch.json --decision approved --favorable yes \\
      --protected "sex = 'female'" --fail-on alarm

Each night, a scheduler runs this: the exit code is 0 without an alarm, 3 with one, 2 for input that cannot be used.
A batch that came already, or is not after those before, is refused, and the state stays as it was.
""",
    ),
    Command(
        name="searches",
        module=_searches,
        usage="%(prog)s DATA --acted COND --found COND --group COL [--thresholds --location COL] [more options]",
        summary="compare what searches or inspections found, and how likely a find must be before groups are looked at",
        description="""\
A decision to look, and what was found: searches, inspections, audits, fraud flags. Compares how often something was
found by group. With --thresholds and --location a model infers how likely a find must be before a group is looked at;
with --light, or --date, --time and a position, stops in light are compared with stops in darkness.
""",
        example="""\
examples:
  python -m fairaudit searches stops.csv --acted "searched = 'yes'" --found "found = 'yes'" --group race --strata area
  python -m fairaudit searches counties.csv --acted searches --found hits --stopped stops --group race \\
      --thresholds --location county
  python -m fairaudit searches stops.csv --acted "searched = 'yes'" --found "found = 'yes'" --group race \\
      --date day --time hour --latitude 40.7 --longitude -74.0 --time-zone America/New_York

--acted, --found and --stopped are conditions, or columns of counts. A threshold is a number of a model, no motive.
""",
    ),
    Command(
        name="rankings",
        module=_rankings,
        usage="%(prog)s DATA (--rank COL | --score COL) --protected COND [--first K] [--list COL]... [more options]",
        summary="compare who stands among the first of lists",
        description="""\
Compare how often the protected group and everyone else stand among the first of their lists. Beside it stand who gets
how much of the attention, who stands higher inside a list, and whether the top of a list holds too few.
""",
        example="""\
examples:
  python -m fairaudit rankings applicants.csv --rank place --list posting --first 5 --protected "sex = 'F'"
  python -m fairaudit rankings cases.csv --score risk --lowest-first --first 20 --protected "age < 25"

A rank is 1 for the first. Cases with the same rank or score share their places: a lot decides between them.
""",
    ),
    Command(
        name="detectable",
        module=_detectable,
        summary="show which gap can be seen with these group sizes, and how many people it takes",
        description="Show how large a gap between two groups must be to be seen, before looking at any decision.",
        example="""\
example:
  python -m fairaudit detectable 93 92 --rate 0.7

Ask before you look at an answer. --rate is the share of everyone else with the favourable
result; 0.5 asks for most people.
""",
    ),
    Command(
        name="describe",
        module=_describe,
        summary="show what is in a file and what to look out for",
        description="Show how a file was read, its columns, what is missing, what to look out for, its fingerprint.",
        example="""\
example:
  python -m fairaudit describe adult.csv.gz

--json prints one object: name, n_rows, fingerprint, fingerprint_without_repeated_rows (null where no row repeats an
earlier one), connection (null for a file), source (how it was read), notes, columns (name, kind, n_missing, n_distinct)
and issues (column, code, message, advice, n).
""",
    ),
    Command(
        name="serve",
        module=_serve,
        summary="serve the app and open it in the browser",
        description="""\
Serve the app and open it in the browser. It listens to this machine alone, unless --address says otherwise: people at
other machines then need the token that is printed. Ctrl-C ends it.
""",
        example="""\
example:
  python -m fairaudit serve --port 9000 --data-dir tables
""",
    ),
    Command(
        name="completion",
        module=_completion,
        summary="print what lets a shell complete commands and options",
        description="Print what lets bash, zsh or fish complete commands and options; the shell runs it as it begins.",
        example="""\
examples:
  eval "$(fairaudit completion bash)"      in ~/.bashrc; for zsh in ~/.zshrc
  fairaudit completion fish | source       in ~/.config/fish/config.fish
""",
    ),
)
