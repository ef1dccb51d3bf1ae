"""What the build itself reports while it reads content and data and puts pages together."""

from __future__ import annotations

from collections.abc import Mapping

BUILD_RULES: Mapping[str, tuple[str, str]] = {
    "unreadable": ("error", "A source file can be read, as UTF-8."),
    "missing-file": ("error", "The files that every site needs are there."),
    "yaml": ("error", "A YAML file is YAML, and of the form that its use asks for."),
    "front-matter": ("error", "A page begins with its fields, each of its kind."),
    "slug": ("error", "A page is called as its file is, and no other page is."),
    "site-config": ("error", "content/site.yml names title, tagline, version and sections."),
    "settings": ("error", "The settings of the guards in pyproject.toml can be meant."),
    "template": ("error", "A template can be read and finds what it asks for."),
    "bibliography": ("error", "A reference has fields."),
    "glossary": ("error", "An entry of the glossary has its form, and stands once."),
    "redirect": ("error", "A redirect has its form, leads to a page, and stands in no page's place."),
    "catalogue": ("error", "A page is listed in its section of content/site.yml."),
    "circular-prerequisites": ("error", "Prerequisites do not run in a circle."),
    "planned-concept": (
        "error",
        "A concept that is linked to is written (a warning but for a step of a learning path).",
    ),
    "path-step": ("error", "A concept stands once on a learning path."),
    "path-order": ("error", "A concept stands on a learning path after what it needs."),
    "orphan-dataset": ("error", "A page uses the dataset (a warning while concepts are planned)."),
    "heading": ("error", "The headings of a page's body begin at the second level."),
    "formula": ("error", "A formula can be read."),
    "role": ("error", "A role has the form that it needs."),
    "directive": ("error", "A directive has the form that it needs."),
    "expression": ("error", "An expression is arithmetic over figures and parameters."),
    "claim": ("error", "A claim is a comparison that can be computed."),
    "claim-fails": ("error", "A claim holds for the data."),
    "unknown-column": ("error", "A column that a table names is in its rows."),
    "unknown-column-option": ("error", "An option of a column exists."),
    "unknown-concept": ("error", "A concept that is named exists."),
    "unknown-dataset": ("error", "A dataset that is named exists."),
    "unknown-directive": ("error", "A directive that is used exists."),
    "unknown-figure": ("error", "A figure that is named exists."),
    "unknown-metric": ("error", "A metric panel that is named exists."),
    "unknown-option": ("error", "An option of a directive exists."),
    "unknown-parameter": ("error", "A parameter that is named exists."),
    "unknown-pointer": ("error", "A place in a dataset that is named exists."),
    "unknown-reference": ("error", "A reference that is cited exists."),
    "unknown-role": ("error", "A role that is used exists."),
    "unknown-term": ("error", "A term that is named stands in the glossary."),
    "selection": ("error", "A selector finds what it is asked for."),
    "unknown-group-of-words": ("error", "Words that are named are declared."),
    "unknown-walkthrough": ("error", "A walkthrough that is named exists."),
    "walkthrough": ("error", "A walkthrough has the form that its kind needs."),
}
"""Level and sentence by rule; ``duplicate-id`` and ``json`` are those of other guards."""
