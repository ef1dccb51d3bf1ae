"""Readers with tenants, a clearance and a side, and which condition keeps a document from them."""

from __future__ import annotations

from dataclasses import dataclass

from harness.entitlements.classification import Label, group

#: The conditions that must all hold for a reader to see a document.
CONDITIONS = ("tenant", "classification", "barrier")


@dataclass(frozen=True)
class Reader:
    """A principal: its name, the tenants it may see, its clearance (0 to 2) and the sides it stands on."""

    name: str
    tenants: tuple[str, ...]
    clearance: int
    sides: tuple[str, ...]

    def groups(self) -> list[str]:
        """Return the entitlement groups it belongs to."""
        return [group(tenant, side, self.clearance) for tenant in self.tenants for side in self.sides]

    def holds(self, condition: str, tenant: str, label: Label) -> bool:
        """Say whether one of `CONDITIONS` lets this reader see a document of that tenant and label."""
        if condition == "tenant":
            return tenant in self.tenants
        return label.level <= self.clearance if condition == "classification" else label.side in self.sides

    def sees(self, tenant: str, label: Label) -> bool:
        """Say whether it may see a document of that tenant and label: all conditions hold."""
        return all(self.holds(condition, tenant, label) for condition in CONDITIONS)

    def mode(self, tenant: str, label: Label) -> str | None:
        """Say whether a question about such a document is home, away for one reason, or away for several (None)."""
        failing = [condition for condition in CONDITIONS if not self.holds(condition, tenant, label)]
        if not failing:
            return "home"
        return failing[0] if len(failing) == 1 else None
