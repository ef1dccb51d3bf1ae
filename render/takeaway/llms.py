"""``llms.txt``: the site in one list, a line a page, for programs that read before they ask."""

from __future__ import annotations

from collections.abc import Callable

from render.model import Site
from render.reading.library import Library, dataset_ref
from render.takeaway.twin import twin_path

Address = Callable[[str], str]


def llms_txt(library: Library, site: Site, base_url: str) -> str:
    """Title, tagline, concept pages by section (their Markdown twins) and datasets (JSON and how to make them).

    Addresses are absolute with a base URL and relative to the site's root without one.
    """

    def at(path: str) -> str:
        return base_url + path

    blocks = [
        f"# {site.title}",
        f"> {site.tagline}. Every number on these pages was measured by a real pipeline and names its dataset.",
        "Each page below is Markdown: text, walkthroughs step by step, tables, formulas as TeX, figures with their "
        "dataset. The HTML page stands beside it as index.html.",
    ]
    for section in site.sections:
        written = [page for page in section.pages if page.exists]
        if written:
            lines = [f"- [{page.title}]({at(twin_path(page.slug))}): {page.summary}" for page in written]
            blocks += [f"## {section.title}", "\n".join(lines)]
    datasets = [_dataset(dataset_ref(entry).name, library, at) for entry in library.datasets.values()]
    if datasets:
        blocks += ["## Datasets", "\n".join(datasets)]
    return "\n\n".join(blocks) + "\n"


def _dataset(name: str, library: Library, at: Address) -> str:
    ref = dataset_ref(library.datasets[name])
    command = library.datasets[name].data.get("generated_by", {}).get("regenerate", "")
    return f"- [{ref.title}]({at(ref.json_url)}): {ref.describes} ({ref.size_text}, {ref.state_text}; `{command}`)"
