"""Addresses in attributes: the candidates of a ``srcset``, the parts of one address, and the file that it means."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import SplitResult, unquote, urlsplit

from checks.html.elements import names
from checks.pages import Element, Page

NO_ADDRESS = SplitResult("", "", "", "", "")
_ASKING_RELS = names("stylesheet icon apple-touch-icon apple-touch-icon-precomposed mask-icon manifest preload")
_ASKING_RELS |= names("modulepreload prefetch prerender preconnect dns-prefetch compression-dictionary")


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


def asks(link: Element) -> bool:
    """Whether a browser asks the host of a ``<link>`` for something; the other relations only name a page."""
    return bool(_ASKING_RELS & set(link.attributes.get("rel", "").lower().split()))


def rooted(base: str) -> str:
    """The path that a site is served under, with a slash at both ends."""
    return posixpath.join("/", base.strip("/"), "")


def origin(page: Page) -> str | None:
    """What addresses on a page are relative to: its own path below the folder, or that of its ``<base>``, which may
    begin at the host's root; None where that is on another host."""
    bases = (one for one in page.tagged("base") if "href" in one.attributes and not one.closest("template"))
    parts = split(next((one.attributes["href"] for one in bases), ""))
    return None if parts.scheme or parts.netloc else _joined(page.path, parts.path)


def below(start: str, address: str, base: str) -> str:
    """The path below the folder, served under ``base``, that an address relative to ``start`` means; "" outside."""
    place = _joined(start, split(address).path)
    place = posixpath.relpath(place, base) if place.startswith("/") else posixpath.normpath(place)
    return "" if place == ".." or place.startswith("../") else place


def _joined(start: str, path: str) -> str:
    # A slash that is encoded is part of a name, and no file has such a name: it stays encoded.
    asked = unquote(re.sub("%2f", "%252F", path, flags=re.IGNORECASE))
    return posixpath.join(posixpath.dirname(start), asked) if asked else start
