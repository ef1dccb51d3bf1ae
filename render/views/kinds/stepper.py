"""Stepper: the states of a pipeline one after another, each with its own figure."""

from __future__ import annotations

from render.views.kinds.kind import Kind

KIND = Kind("stepper", "Stepper", "The states of a pipeline in order, each with what changed in it.")
