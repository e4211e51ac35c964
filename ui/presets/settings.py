"""What a form of a rule leaves open, on a page: who is looked at, what means unknown, who is left out, what is said."""

from __future__ import annotations

import datetime
import zlib
from typing import Any, TypeGuard

import streamlit as st

from fairaudit.data.roles import values_held
from fairaudit.findings import Argument, Count, Message, Phrase, Share, Word
from fairaudit.measure.grouping import is_missing, value_text
from fairaudit.messages import say
from fairaudit.plan.fields import form_of
from fairaudit.presets.fitting import UnknownValues, open_references, used_references
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset, PresetRole
from ui.presets import entries as preset_entries
from ui.state import AuditState
from ui.text import labels, shortened, stated
from ui.widgets import ask, drafted, draw_field, start, start_choice

MOST_VALUES = 50
MOST_GROUPS = 20
MOST_MARKED = 30
EARLIEST, LATEST = datetime.date(1970, 1, 1), datetime.date(2099, 12, 31)
"""The days that are offered; a plan may hold any."""

PUBLISHED = ("data_words", "audit_date", "distribution_date", "reason")
"""What a rule may ask to publish beside its tables, by the names of :class:`PresetPlan`."""

Columns = dict[str, tuple[str, ...]]


def show_settings(
    state: AuditState, preset: Preset, columns: Columns, kept: PresetPlan | None, key: str
) -> dict[str, Any]:
    """Draw the settings of a form and return them, by the names of :class:`PresetPlan`."""
    settings: dict[str, Any] = {"where": _population(state, kept, key)}
    groups = [role for role in preset.roles_of("group") if role.role in columns]
    _many(state, columns, groups)
    settings |= _unknown(state, preset, columns, groups, kept, key)
    compared = [role for role in groups if role.role in open_references(preset)]
    if compared:
        settings["references"] = _references(state, columns, compared, kept, settings, preset, key)
    settings |= _counted(state, preset, columns, kept, key)
    settings |= _sides(state, preset, columns, kept, settings, key)
    if preset.answers_worker:
        asked = draw_field(PresetPlan, "worker", **drafted(f"{key}_worker", (kept and kept.worker) or ""))
        settings["worker"] = asked.strip() or None
    settings |= _marks(state, preset, columns, settings, kept, key)
    settings |= _small(state, preset, columns, settings, kept, key)
    if preset.publishes:
        settings |= _published(kept, key, settings)
    return settings


def _tell(key: str, **args: Argument) -> None:
    st.caption(stated(key, **args, limit=400))


def side_by_side(n: int) -> list[Any]:
    """Return places for widgets, two in a row, which stay in their order on a narrow screen."""
    return [place for _ in range(0, n, 2) for place in st.columns(2)][:n]


def _population(state: AuditState, kept: PresetPlan | None, key: str) -> str | None:
    """Return the filter of a form: none, unless the person wants that of the form in the report or of the question."""
    known = (kept and kept.where) or ""
    seen = _wheres(state)
    seen |= dict.fromkeys(("", known, state.check.where or ""))
    options = list(seen)
    if len(options) == 1:
        return None
    # A choice of None would be drawn as no choice at all, so the text of "everybody" is empty.
    key = _where_key(state, key)
    return ask(PresetPlan, "where", key=key, first=known, options=options, format_func=_where_words) or None


def _where_words(where: str) -> str:
    return shortened(say(Message("form-where", {"where": Phrase(where)})), 120) if where else "everybody"


def settings_key(preset: str, scored: bool) -> str:
    """Return what the keys of the settings of a form begin with."""
    return f"presets_{preset}_{'score' if scored else 'rate'}"


def _wheres(state: AuditState) -> dict[str, None]:
    """Return the filters that are offered for a form, in the order in which they came up."""
    return state.drafts.setdefault(f"preset_wheres_{state.data_key}", {})


def _where_key(state: AuditState, key: str) -> str:
    """Return the key of the choice of the filter: another one where there is more to choose from."""
    return f"{key}_where_{len(_wheres(state))}_{state.data_key}"


def _many(state: AuditState, columns: Columns, groups: list[PresetRole]) -> None:
    """Say so where a column has so many values that they hardly are the groups of a rule."""
    many = [role.label for role in groups if len(_values(state, columns[role.role][0])) > MOST_GROUPS]
    if many:
        _tell("form-many", n=Count(MOST_GROUPS), roles=Phrase(", ".join(many)))


def _unknown(
    state: AuditState, preset: Preset, columns: Columns, groups: list[PresetRole], kept: PresetPlan | None, key: str
) -> dict[str, Columns]:
    """Return what else means unknown, and what does not although the form lists it."""
    listed = UnknownValues(preset.unknown_words)
    unknown: Columns = {}
    known: Columns = {}
    for place, (role, box) in enumerate(zip(groups, side_by_side(len(groups)), strict=True)):
        column = columns[role.role][0]
        own = (
            (kept.unknown.get(role.role, ()), kept.known.get(role.role, ())) if _same(kept, columns, role) else ((), ())
        )
        values = list(dict.fromkeys([*_values(state, column), *own[0], *own[1]]))
        before = UnknownValues(preset.unknown_words, *own)
        chosen = box.multiselect(
            say(Message("form-counted-unknown", {"role": Phrase(role.label)})),
            values,
            format_func=labels(values),
            placeholder="none",
            key=start_choice(
                f"{key}_unknown_{place}_{state.data_key}_{zlib.crc32(column.encode())}",
                [value for value in values if value in before],
                values,
            ),
            help="These people are left out. Empty cells always count as unknown.",
        )
        more = [value for value in values if value in chosen and value not in listed]
        # A value that is not chosen may be listed, or be another spelling of one that is chosen.
        meant = UnknownValues(preset.unknown_words, more)
        fewer = [value for value in values if value in meant and value not in chosen]
        unknown |= {role.role: _ordered(more, own[0])} if more else {}
        known |= {role.role: _ordered(fewer, own[1])} if fewer else {}
    return {"unknown": unknown, "known": known}


def _references(
    state: AuditState,
    columns: Columns,
    groups: list[PresetRole],
    kept: PresetPlan | None,
    settings: dict[str, Any],
    preset: Preset,
    key: str,
) -> dict[str, str]:
    """Return the groups that others are compared with."""
    chosen = {}
    for role, box in zip(groups, side_by_side(len(groups)), strict=True):
        column = columns[role.role][0]
        meant = UnknownValues(
            preset.unknown_words, *(settings[name].get(role.role, ()) for name in ("unknown", "known"))
        )
        values = [value for value in _values(state, column) if value not in meant]
        known = kept.references.get(role.role) if _same(kept, columns, role) else None
        if known is not None:
            [known] = map(value_text, values_held(state.present_table, column, [known]))
            # One that does not occur is refused in a sentence, not dropped.
            values = values if known in values else [*values, known]
        value = box.selectbox(
            say(Message("form-compare-with", {"role": Phrase(role.label)})),
            values,
            index=None,
            placeholder="choose a group",
            format_func=labels(values),
            key=start_choice(
                f"{key}_{role.role}_base_{state.data_key}_{column}",
                known,
                [None, *values],
            ),
            help="Mostly the group that is not protected.",
        )
        if value is not None:
            chosen[role.role] = value
    left = [role.label for role in groups if role.role not in chosen]
    if left:
        _tell("form-largest", roles=Phrase(", ".join(left)))
    return {role: chosen[role] for role in used_references(preset, chosen)}


def _counted(
    state: AuditState, preset: Preset, columns: Columns, kept: PresetPlan | None, key: str
) -> dict[str, dict[str, str]]:
    """Return who alone counts in the figures of a role of pay, as a condition by role."""
    found: dict[str, str] = {}
    for role in (role for role in preset.roles if role.counted is not None and role.role in columns):
        text = st.text_input(
            stated("form-counts", role=Phrase(role.label), who=Phrase(role.counted or "")),
            placeholder="full_pay = 'yes'",
            **drafted(f"{key}_counted_{role.role}", (kept and kept.counted.get(role.role)) or ""),
        )
        found |= {role.role: text.strip()} if text.strip() else {}
    return {"counted": found}


def _sides(
    state: AuditState, preset: Preset, columns: Columns, kept: PresetPlan | None, before: dict[str, Any], key: str
) -> dict[str, Columns]:
    """Return the values that mean each side of a gap in pay, where they are not those that the form lists."""
    found: dict[str, Columns] = {"compared": {}, "compared_with": {}}
    for role in (preset.role(name) for name in preset.sided if name in columns):
        column = columns[role.role][0]
        unknown = UnknownValues(
            preset.unknown_words, *(before[name].get(role.role, ()) for name in ("unknown", "known"))
        )
        values = [value for value in _values(state, column) if value not in unknown]
        said = [value for name in found for value in getattr(kept, name).get(role.role, ())] if kept is not None else []
        held = dict(zip(said, map(value_text, values_held(state.present_table, column, said)), strict=True))
        values = list(dict.fromkeys([*values, *held.values()])) if _same(kept, columns, role) else values
        for (name, chosen), box in zip(found.items(), st.columns(2), strict=True):
            second = UnknownValues(role.compared_with)
            is_rest = name == "compared" and role.compared_rest
            listed = UnknownValues(getattr(role, name))
            usual = [value for value in values if (value not in second if is_rest else value in listed)]
            own = getattr(kept, name).get(role.role) if _same(kept, columns, role) else None
            group = Phrase(getattr(preset.words, name))
            picked = box.multiselect(
                stated("form-these", role=Phrase(role.label), group=group),
                values,
                format_func=labels(values),
                placeholder="choose the values",
                key=start_choice(
                    f"{key}_{name}_{state.data_key}_{zlib.crc32(column.encode())}",
                    [value for value in values if value in (usual if own is None else [held[v] for v in own])],
                    values,
                ),
                help="Who is on neither side is in no figure of pay.",
            )
            if picked and set(picked) != set(usual):
                chosen[role.role] = _ordered(picked, own or ())
    return found


def _marks(
    state: AuditState, preset: Preset, columns: Columns, before: dict[str, Any], kept: PresetPlan | None, key: str
) -> dict[str, Any]:
    """Return what is said of the categories that the rule marks: reasons, remedies, and when gaps were reported."""
    if not any(check.mark_from is not None for check in preset.checks):
        return {}
    marked = preset_entries.marked(state, preset, PresetPlan(preset=preset.key, columns=columns, **before))
    if not marked:
        return {}
    said: dict[str, dict[str, str]] = {"justified": {}, "remedied": {}}
    evaluation: dict[str, str | None] = {}
    if preset.is_joint:
        said["measures"] = {}
    with st.expander(say(Message("form-marked", {"n": Count(len(marked))}))):
        asked = form_of(PresetPlan, "reported").label
        reported = _day(asked, f"{key}_reported", None if kept is None else kept.reported)
        for name in marked[:MOST_MARKED]:
            reason, day = st.columns([3, 1])
            number = zlib.crc32(name.encode())
            with reason:
                words = st.text_input(
                    stated("form-reason", name=Phrase(name), limit=120),
                    **drafted(f"{key}_justified_{number}", (kept and kept.justified.get(name)) or ""),
                )
            with day:
                remedied = _day("or remedied on", f"{key}_remedied_{number}", kept.remedied.get(name) if kept else None)
            if preset.is_joint:
                measure = st.text_input(
                    stated("form-measure", name=Phrase(name), limit=120),
                    **drafted(f"{key}_measures_{number}", (kept and kept.measures.get(name)) or ""),
                )
                said["measures"] |= {name: measure.strip()} if measure.strip() else {}
            said["justified"] |= {name: words.strip()} if words.strip() else {}
            said["remedied"] |= {name: remedied} if remedied else {}
        if len(marked) > MOST_MARKED:
            _tell("form-marked-more", n=Count(MOST_MARKED))
        if preset.is_joint:
            known = (kept and kept.evaluation) or ""
            text = draw_field(PresetPlan, "evaluation", **drafted(f"{key}_evaluation", known))
            evaluation = {"evaluation": text.strip() or None}
    return said | evaluation | {"reported": reported}


def _small(
    state: AuditState, preset: Preset, columns: Columns, before: dict[str, Any], kept: PresetPlan | None, key: str
) -> dict[str, Any]:
    """Return whether small groups are left out, and, where the settings before this one leave one out, why."""
    shares = [check.smallest_share for check in preset.checks if check.smallest_share]
    if not shares:
        return {}
    usual = any(check.leave_out_small for check in preset.checks)
    first = kept.leave_out_small if kept and kept.leave_out_small is not None else usual
    out = st.checkbox(
        stated("form-leave-small", share=Share(max(shares))),
        key=start(f"{key}_leave_out", first),
        help="Their numbers and rates stay in the tables.",
    )
    settings: dict[str, Any] = {"leave_out_small": None if out == usual else out}
    if not out:
        return settings
    known = kept and kept.reason
    part = PresetPlan(preset=preset.key, columns=columns, **before, **settings)
    left_out = preset_entries.left_out(state, preset, part)
    if left_out:
        reason = draw_field(PresetPlan, "reason", **drafted(f"{key}_reason", known or ""))
        return settings | {"reason": reason.strip() or None}
    if left_out is not None:
        _tell("form-none-small")
    # It is there again when a group is left out.
    return settings | ({"reason": known} if known else {})


def _published(kept: PresetPlan | None, key: str, settings: dict[str, Any]) -> dict[str, str | None]:
    """Return what the rule asks to publish beside the tables, and say what is lacking."""
    words = draw_field(PresetPlan, "data_words", **drafted(f"{key}_data_words", (kept and kept.data_words) or ""))
    said = {"data_words": words.strip() or None}
    for name, place in zip(("audit_date", "distribution_date"), st.columns(2), strict=True):
        with place:
            known = None if kept is None else getattr(kept, name)
            said[name] = _day(form_of(PresetPlan, name).label, f"{key}_{name}", known)
    lacking = [name for name, value in (said | settings).items() if name in PUBLISHED and value is None]
    if lacking:
        items = [say(Message("form-to-publish-item", {"item": Word(name)})) for name in lacking]
        _tell("form-to-publish", items=Phrase("; ".join(items)))
    return said


def _day(label: str, key: str, known: str | None) -> str | None:
    """Return the day that was chosen, as a plan has it; none at first."""
    first = None if known is None else datetime.date.fromisoformat(known)
    earliest, latest = (day if first is None else pick(day, first) for day, pick in ((EARLIEST, min), (LATEST, max)))
    day = st.date_input(
        label, value=None, min_value=earliest, max_value=latest, format="YYYY-MM-DD", key=start(key, first)
    )
    return None if day is None else day.isoformat()


def _same(kept: PresetPlan | None, columns: Columns, role: PresetRole) -> TypeGuard[PresetPlan]:
    """Say whether the form in the report has the same column for a role, so that its values fit."""
    return kept is not None and kept.columns.get(role.role) == columns[role.role]


def _ordered(values: list[str], before: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values as the form in the report has them, where they are the same: it is the same form then."""
    return before if set(values) == set(before) else tuple(values)


def _values(state: AuditState, column: str) -> list[str]:
    """Return the most frequent values of a column as text, without blank ones."""
    found = state.remember("preset_values", column, lambda: state.present_table.values(column, limit=MOST_VALUES))
    texts = [value_text(value) for value in found["value"].tolist() if not is_missing(value)]
    return list(dict.fromkeys(text for text in texts if text.strip()))
