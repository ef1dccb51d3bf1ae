"""One captured walk through the graph, replayed: which nodes were opened, listed and left after each opening."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds.graph import Bounds, Layer, Link, Node, graph
from render.views.kit import Cell, Col, table

Row = Mapping[str, Any]
ROWS = 14


class Walk:
    """A question's walk at one ef. Its list is replayed from what the capture says entered it."""

    def __init__(self, dataset: Dataset, question: int, column: int) -> None:
        self.question: Row = dataset.at(f"/result/walks/{question}")
        self.row: Row = self.question["by_ef"][column]
        self.ef = int(self.row["ef"])
        self.openings: Sequence[Row] = self.row["openings"]
        self.distance: dict[int, float] = {one["node"]: one["distance"] for one in self.question["distances"]}
        self.nodes: dict[int, Row] = {one["node"]: one for one in dataset.at("/result/nodes")}
        self.layers: Sequence[Row] = dataset.at("/result/graph/layers")
        self.figure = f"walk{question + 1}_ef{self.ef}"
        self.above = sum(one["layer"] > 0 for one in self.openings)

    def name(self, node: int) -> str:
        """The passage of a node."""
        return str(self.nodes[node]["id"])

    def listed(self, until: int) -> list[int]:
        """The list on the layer of the last of the first ``until`` openings, nearest first."""
        layer = self.openings[until - 1]["layer"]
        steps = [one for one in self.openings[:until] if one["layer"] == layer]
        kept = {steps[0]["node"], *(node for one in steps for node in one["kept"])}
        return sorted(kept, key=lambda node: (self.distance[node], node))[: self.ef if layer == 0 else 1]

    def drawing(self, until: int, *, title: str, desc: str, beside: Markup, exact: bool = False) -> Markup:
        """The graph after ``until`` openings; with ``exact`` the true neighbours are marked as found or missed."""
        shown = self.openings[:until]
        nodes, links = self._marks(shown, exact), self._links(shown)
        places = [(float(one["x"]), float(one["y"])) for one in self.nodes.values()]
        at = (float(self.question["x"]), float(self.question["y"]))
        layers = [
            Layer(
                one["layer"], f"layer {one['layer']} · {number_text(one['nodes'])} nodes", 64 if one["layer"] else 230
            )
            for one in self.layers
        ]
        bounds = Bounds.of([*places, at])
        return graph(nodes, links, layers=layers, bounds=bounds, title=title, desc=desc, table=beside, query=at)

    def _marks(self, shown: Sequence[Row], exact: bool) -> list[Node]:
        states: dict[tuple[int, int], str] = {
            (node, layer["layer"]): "other"
            for layer in self.layers
            if layer["layer"] > 1
            for node, one in self.nodes.items()
            if one["level"] >= layer["layer"]
        }
        for one in shown:
            states.update({(node, one["layer"]): "left" for node in one["measured"]})
        for one in shown:
            states[one["node"], one["layer"]] = "opened"
        last = shown[-1]
        for node in self.listed(len(shown)):
            if states.get((node, last["layer"])) != "opened":
                states[node, last["layer"]] = "waiting"
        if exact:
            found = set(self.listed(len(shown))[:10])
            states.update({(node, 0): "exact" if node in found else "missed" for node in self.question["exact"]})
        else:
            states[last["node"], last["layer"]] = "current"
        return [
            Node(node, self.nodes[node]["x"], self.nodes[node]["y"], layer, state)
            for (node, layer), state in states.items()
        ]

    def _links(self, shown: Sequence[Row]) -> list[Link]:
        """Links walked (to each opened node from where it was first measured), and those of the last opening."""
        links = [Link(shown[-1]["node"], node, shown[-1]["layer"], "looked") for node in shown[-1]["measured"]]
        came: dict[tuple[int, int], int] = {}
        before: Row | None = None
        for one in shown:
            node, layer = one["node"], one["layer"]
            if (node, layer) in came:
                links.append(Link(came[node, layer], node, layer, "walked"))
            if before is not None and before["layer"] != layer:
                links.append(Link(node, node, layer + 1, "down"))
            came |= {(found, layer): node for found in one["measured"]}
            before = one
        return links

    def opened(self, until: int, *, start: int = 0) -> Markup:
        """The nodes opened, the latest at the foot; of a long walk the last fourteen."""
        first = max(start, until - ROWS)
        rows: list[list[Cell]] = [
            [i + 1, one["layer"], self.name(one["node"]), self.distance[one["node"]],
             f"{len(one['kept'])} of {len(one['measured'])}"]
            for i, one in enumerate(self.openings[first:until], first)
        ]  # fmt: skip
        columns: list[str | Col] = [
            Col("no.", numeric=True), Col("layer", numeric=True), "passage", Col("distance", 4),
            Col("kept of measured", numeric=True),
        ]  # fmt: skip
        on = ["is-on" if i == until - 1 else "" for i in range(first, until)]
        note = f"The last {until - first} of {until} openings." if first > start else ""
        return table(columns, rows, title="Nodes opened, in order", row_classes=on, note=note)

    def truth(self) -> Markup:
        """The exact neighbours and what became of each in this walk."""
        measured = {node for one in self.openings if one["layer"] == 0 for node in [one["node"], *one["measured"]]}
        found = self.row["list"][:10]
        rows: list[list[Cell]] = []
        for rank, node in enumerate(self.question["exact"], 1):
            fate = "found" if node in found else "not kept" if node in measured else "not met"
            rows.append([rank, self.name(node), self.distance[node], fate])
        columns: list[str | Col] = [Col("rank", numeric=True), "passage", Col("distance", 4), f"at ef {self.ef}"]
        return table(
            columns, rows, title="The ten nearest by brute force", note="Not met: never measured in this walk."
        )
