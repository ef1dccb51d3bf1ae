"""Reading BEIR and Cranfield folders, and the command over them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.evaluation.cli import lexical_rankings, main, score
from harness.evaluation.collections import Collection, CollectionError, read
from harness.retrieval.bm25 import Settings
from harness.retrieval.terms import ENGLISH_STOP_WORDS, Tokeniser


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    documents = [
        ("d1", "Caching", "max-age limits reuse"),
        ("d2", "", "cookies"),
        ("d3", "TLS", "0x1301 suite"),
    ]
    lines = [json.dumps({"_id": id, "title": title, "text": text}) for id, title, text in documents]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines) + "\n")
    queries = [("q1", "what limits max-age"), ("q2", "0x1301"), ("q3", "not judged")]
    (tmp_path / "queries.jsonl").write_text("\n".join(json.dumps({"_id": id, "text": text}) for id, text in queries))
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n")
    return tmp_path


@pytest.fixture
def smart(tmp_path: Path) -> Path:
    (tmp_path / "cran.all.1400").write_text(
        ".I 1\n.T\nwing in a\nslipstream\n.A\nnobody\n.B\n\n.W\nlift of a wing\n.I 2\n.T\nheat\n.W\nplates\n"
    )
    (tmp_path / "cran.qry").write_text(".I 001\n.W\nlift ?\n.I 004\n.W\nheat of\nplates\n")
    (tmp_path / "cranqrel").write_text("1 1 1\n1 2 -1\n2 2 4 \n")
    return tmp_path


def test_a_beir_folder_gives_title_and_text_and_only_judged_queries_are_run(beir: Path) -> None:
    found = read(beir)
    assert found.documents["d1"] == "Caching max-age limits reuse"
    assert found.documents["d2"] == "cookies"
    assert list(found.judged_queries) == ["q1", "q2"]


def test_cranfield_queries_are_numbered_by_position_and_its_codes_turned_round(smart: Path) -> None:
    found = read(smart)
    assert found.documents["1"] == "wing in a slipstream lift of a wing"
    assert found.queries == {"1": "lift ?", "2": "heat of plates"}
    assert found.judgments == {"1": {"1": 4, "2": 0}, "2": {"2": 1}}


def test_a_broken_line_is_reported_with_file_line_and_expectation(beir: Path, smart: Path) -> None:
    (beir / "corpus.jsonl").write_text('{"_id": "d1", "text": "a"}\n{"id": "d2"}\n')
    with pytest.raises(CollectionError, match=r"corpus\.jsonl:2: expected an object with _id and text"):
        read(beir)
    (beir / "corpus.jsonl").unlink()
    (smart / "cranqrel").write_text("1 1 1\n1 9\n")
    with pytest.raises(CollectionError, match=r"cranqrel:2: '1 9'; expected query, document, code"):
        read(smart)


def test_the_command_reports_every_measure_as_json(beir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--collection", str(beir), "--measures", "hit@1", "MRR@10", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert [(row["metric"], row["mean"], row["n"]) for row in summary["rows"]] == [
        ("hit@1", 0.5, 2),
        ("MRR@10", 0.5, 2),
    ]


def test_the_command_writes_a_run_file_other_evaluators_read(beir: Path, tmp_path: Path) -> None:
    run = tmp_path / "run.trec"
    assert main(["--collection", str(beir), "--run-out", str(run)]) == 0
    assert run.read_text().splitlines()[0] == "q1 Q0 d1 1 -1 bm25"


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--k1", "-1"], "k1 is -1"),
        (["--measures", "bleu"], "'bleu' is not known"),
        (["--split", "dev"], "dev.tsv"),
    ],
)
def test_a_users_mistake_ends_with_exit_code_one_and_one_line(
    extra: list[str], message: str, beir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--collection", str(beir), *extra]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_scifact_comes_within_two_hundredths_of_the_published_bm25_figure(
    collection: Callable[[str], Collection],
) -> None:
    """Published (Anserini, k1 0.9, b 0.4, Porter, title and text): nDCG@10 0.6789, R@100 0.9253."""
    chosen = collection("scifact")
    tokeniser = Tokeniser(ENGLISH_STOP_WORDS, stem="porter", joints="._")
    rankings = lexical_rankings(chosen, tokeniser, Settings(0.9, 0.4), depth=100)
    ndcg, recall = (row.interval.mean for row in score(chosen, rankings, ["nDCG@10", "recall@100"]))
    assert ndcg == pytest.approx(0.6789, abs=0.02)
    assert recall == pytest.approx(0.9253, abs=0.02)


def test_cranfield_comes_within_two_hundredths_of_the_usual_bm25_figure(
    collection: Callable[[str], Collection],
) -> None:
    """Usual (k1 1.2, b 0.75, Porter, stop words): nDCG@10 about 0.37."""
    chosen = collection("cranfield")
    rankings = lexical_rankings(chosen, Tokeniser(ENGLISH_STOP_WORDS, stem="porter"), Settings(), depth=100)
    assert score(chosen, rankings, ["nDCG@10"])[0].interval.mean == pytest.approx(0.37, abs=0.02)
