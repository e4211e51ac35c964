"""What all parts of a plan share: they are frozen, and a field that is not known is an error."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


class Part(BaseModel):
    """A part of a plan."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CannotKeepGroups(Part):
    """A part that asks for a model which cannot be asked to leave no group worse off than before."""

    @model_validator(mode="before")
    @classmethod
    def _no_wish(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "no_group_worse_off" not in given:
            return given
        if given["no_group_worse_off"] is False:
            return {name: value for name, value in given.items() if name != "no_group_worse_off"}
        raise ValueError(
            f"holds 'no_group_worse_off', which method = \"{cls.model_fields['method'].default}\" cannot keep: it is "
            "not chosen by how groups did before; leave it out, as the result says whether a group is worse off, or "
            'take method = "constrain", "thresholds", "equalize", "relabel", "rules" or "trees"'
        )
