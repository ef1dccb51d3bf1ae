"""The walk through the graph is retold as it was captured, and what it says of missed neighbours is so."""

from __future__ import annotations

from render.reading.source import Dataset
from render.walkthroughs._hnsw_walk import Walk
from tests.walkthroughs.drawing import dataset, shown, step, text


def walks(data: Dataset) -> list[Walk]:
    return [Walk(data, question, column) for question in (0, 1) for column in (0, 1)]


def test_the_list_replayed_from_the_openings_is_the_list_that_the_search_returned() -> None:
    for walk in walks(dataset("hnsw_walk")):
        replayed = walk.listed(len(walk.openings))
        assert [walk.distance[node] for node in replayed] == [walk.distance[node] for node in walk.row["list"]]
        for until, opening in enumerate(walk.openings, 1):
            listed = walk.listed(until)
            assert len(listed) == opening["length"]
            assert walk.distance[listed[-1]] == opening["worst"]


def test_the_distances_counted_are_those_of_the_openings() -> None:
    for walk in walks(dataset("hnsw_walk")):
        assert walk.row["distances"] == 1 + sum(len(one["measured"]) for one in walk.openings)


def test_a_neighbour_that_was_missed_was_never_measured_and_no_opened_node_links_to_it() -> None:
    data = dataset("hnsw_walk")
    links = {(row["layer"], row["node"]): row["links"] for row in data.at("/result/links")}
    walk = walks(data)[0]
    missed = [node for node in walk.question["exact"] if node not in walk.row["list"][:10]]
    assert missed
    for one in walk.openings:
        assert set(one["measured"]) <= set(links[one["layer"], one["node"]])
        if one["layer"] == 0:
            assert not set(missed) & set(links[0, one["node"]])


def test_the_search_stopped_because_nothing_unopened_was_nearer_than_the_worst() -> None:
    for walk in walks(dataset("hnsw_walk")):
        rest = walk.row["unopened"]
        assert rest is None or (rest["distance"] >= walk.row["worst"] and len(walk.row["list"]) == walk.ef)


def test_each_brute_force_neighbour_is_marked_found_or_missed_and_listed_with_its_distance() -> None:
    data = dataset("hnsw_walk")
    walk = walks(data)[0]
    body = str(step("hnsw_walk", "missed").body)
    picture = body[body.index('<svg class="drawing"') :].partition("</svg>")[0]
    assert picture.count('<g class="n-exact"') == walk.row["hits"]
    assert picture.count('<g class="n-missed"') == 10 - walk.row["hits"]
    seen = text(step("hnsw_walk", "missed").body)
    for node in walk.question["exact"]:
        assert walk.name(node) in seen and shown(walk.distance[node], 4) in seen


def test_a_longer_list_measures_more_and_finds_more() -> None:
    few, many, other, _ = walks(dataset("hnsw_walk"))
    assert many.row["distances"] > few.row["distances"] and many.row["hits"] > few.row["hits"]
    assert other.row["hits"] > few.row["hits"]


def test_links_stay_within_their_layer_and_its_bound() -> None:
    data = dataset("hnsw_walk")
    level = {row["node"]: row["level"] for row in data.at("/result/nodes")}
    bound = {row["layer"]: row["most_links_allowed"] for row in data.at("/result/graph/layers")}
    for row in data.at("/result/links"):
        assert len(row["links"]) <= bound[row["layer"]]
        assert all(level.get(node, row["layer"]) >= row["layer"] for node in row["links"])
