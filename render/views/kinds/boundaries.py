"""Text with boundaries: a document on one scale, with where it is cut and what the cuts run over."""

from __future__ import annotations

from render.views.kinds.kind import Kind

KIND = Kind("boundaries", "Text with boundaries", "Where a text is cut, and what stands on both sides of a cut.")
