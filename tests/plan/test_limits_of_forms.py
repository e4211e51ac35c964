"""A form offers no number that its plan would refuse, but the one that stands for no limit."""

from __future__ import annotations

import pytest

from fairaudit.catalog import REMEDIES, SECTIONS
from fairaudit.plan.fields import FieldShape, InForm
from fairaudit.plan.parts import Part


def parts_below(kind: type[Part]) -> set[type[Part]]:
    return {kind}.union(*map(parts_below, kind.__subclasses__()))


PARTS = sorted((each for each in parts_below(Part) if each.__module__.startswith("fairaudit.")), key=str)
assert SECTIONS
assert REMEDIES, "they bring all parts"


@pytest.mark.parametrize("part", PARTS)
def test_the_limits_of_a_form_are_within_those_of_its_field(part):
    beyond = []
    for name, field in part.model_fields.items():
        shape = FieldShape.of(field)
        for form in (each for each in field.metadata if isinstance(each, InForm)):
            if None not in (form.most, shape.most) and form.most > shape.most:
                beyond.append(f"{name}: {form.most} > {shape.most}")
            if None not in (form.least, shape.least) and form.least < shape.least and form.none != form.least:
                beyond.append(f"{name}: {form.least} < {shape.least}")
    assert not beyond
