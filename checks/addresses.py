"""Addresses in attributes: the candidates of a ``srcset``, and the parts of one address."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

NO_ADDRESS = SplitResult("", "", "", "", "")


def candidates(srcset: str) -> list[str]:
    """The addresses of a ``srcset`` (HTML standard, section 4.8.4.2.1): a comma inside one is a part of it."""
    found = []
    while srcset := srcset.lstrip(" \t\n\f\r,"):
        address = srcset.split(None, 1)[0]
        found.append(address.rstrip(","))
        srcset = srcset[len(address) :]
        if not address.endswith(","):
            srcset = srcset.partition(",")[2]
    return found


def split(target: str) -> SplitResult:
    """The parts of an address without the white space around it; all empty where it is none, which links tells."""
    try:
        return urlsplit(target.strip())
    except ValueError:
        return NO_ADDRESS
