"""Who passes a row policy, what goes round it, and what cannot see through it.

Everything is asked on the store itself, for one reader of one tenant (the one whose number of chunks is the median).
What has to be changed for a question is changed in a transaction that is rolled back, so the store is the same
afterwards and two captures give the same numbers.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from harness.capture.api import Capture, Determinism, Payload, Run
from harness.corpus.model import Corpus
from harness.experiments.rls_bypasses import forms, leaks, readers, ways
from harness.experiments.rls_bypasses.common import Subject
from harness.experiments.rls_bypasses.figures import figures


def capture(run: Run) -> Payload:
    """Ask every question in turn."""
    corpus, store = run.corpus, run.database()
    subject = chosen(corpus)
    tenants = sorted({document.tenant for document in corpus.documents.values()})
    listed = {"all": tenants, **{f"only:{tenant}": [tenant] for tenant in tenants}}
    store.grant(listed)
    with store.maintenance() as conn:  # readers of tenants that another capture made up
        conn.execute("DELETE FROM acl WHERE starts_with(principal, 'only:') AND principal <> ALL (%s)", [list(listed)])
    run.log(f"roles, as {subject.principal}")
    by_role = readers.roles(store, subject)
    run.log("forms of the policy")
    by_form, times = forms.forms(store, subject, run.params["repeats"])
    run.log("ways round the policy, and attempts to see through it")
    estimates = leaks.estimates(store, subject)
    own = sum(chunk.tenant == subject.tenant for chunk in corpus.chunks)
    result: dict[str, Any] = {
        "population": {
            "chunks": len(corpus.chunks),
            "documents": len(corpus.documents),
            "tenants": len(tenants),
            "own": own,
            "foreign": len(corpus.chunks) - own,
        },
        "subject": {"principal": subject.principal, "tenant": subject.tenant, "other": subject.other},
        "roles": by_role,
        "lifetime": readers.lifetime(store, subject),
        "prepared": readers.prepared(store, subject),
        "prepared_roles": readers.prepared_across_roles(store, subject),
        "forms": by_form,
        "access_list": forms.access_list(store, subject),
        "ways": ways.taken(store, subject),
        "attempts": leaks.attempts(store, subject),
        "metadata": leaks.metadata(store, subject),
        "estimates": estimates,
        "estimates_tell": "yes" if estimates["other"] > estimates["nobody"] else "no",
    }
    timings = {"forms": times}
    return Payload(result, figures(result, timings), timings)


def chosen(corpus: Corpus) -> Subject:
    """The tenant with the median number of chunks, and the largest other one; of equal size the first by name."""
    sizes = Counter(chunk.tenant for chunk in corpus.chunks)
    ordered = sorted(sizes, key=lambda tenant: (sizes[tenant], tenant))
    tenant = ordered[len(ordered) // 2]
    return Subject(tenant, max((t for t in ordered if t != tenant), key=lambda t: sizes[t]))


CAPTURE = Capture(
    name="rls_bypasses",
    title="Who passes a row policy",
    describes=(
        "Chunks seen under row-level security in PostgreSQL by superuser, owner, exempt role and application role, by "
        "form of the policy, through views, partitions and functions beside it, and by attempts to make a condition "
        "tell of rows that the policy hides, for one reader of one tenant."
    ),
    kind="measured",
    capture=capture,
    corpus="full",
    params={"repeats": 20, "subject": "the tenant with the median number of chunks"},
    canary_params={"repeats": 3},
    caveats=(
        "Counts are of one PostgreSQL version and one schema; other grants beside a policy can undo it.",
        "A setting names a principal for an application that owns the connection: whoever can run SQL on it can name "
        "another.",
    ),
    determinism=Determinism("exact"),
    volatile=("/timings", "/result/estimates"),
    minutes=2.0,
)
