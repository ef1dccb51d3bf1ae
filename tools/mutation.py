"""Running the tests once a mutant: a plugin of pytest that forks after the tests have been collected.

Each mutant lives in a process of its own: there the guards get the change in one of them, and the tests run until one
fails. Tests that start processes of their own do not see the change.
"""

from __future__ import annotations

import gc
import inspect
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from mutants import Module, Mutant

ROOT = Path(__file__).resolve().parents[1]
_PLAIN = (str, bytes, int, float, bool, type(None))
SECONDS = 4.0
"""Processor time that one test may take: a mutant that never ends is noticed, and a busy machine is none."""
AT_IMPORT = ("checks/html/rule.py",)
"""Modules whose functions have done their work once they are imported: a change in them means importing all anew."""


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: the test that broke, or in words how it ended, "" where it survived."""

    mutant: Mutant
    killed_by: str


class _Change:
    """A changed module in the place of the real one: as new code of its functions, or imported anew.

    Functions that live on are given their new code, which is quick; where the change stands outside of every function,
    all guards are imported again and what first-party modules hold of them is bound to the new objects.
    """

    def __init__(self, path: str, code: CodeType, inside: bool) -> None:
        self.path, self.code, self.inside = path, code, inside
        self.name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def make(self, functions: Mapping[tuple[str, str, int], Sequence[FunctionType]]) -> None:
        """Make the change in this process."""
        if not self.inside or self.path in AT_IMPORT or not self._swapped(functions):
            self._imported()

    def _swapped(self, functions: Mapping[tuple[str, str, int], Sequence[FunctionType]]) -> bool:
        done = False
        for code in _outermost(self.code):
            for function in functions.get((self.path, code.co_qualname, code.co_firstlineno), ()):
                function.__code__ = code
                done = True
        return done

    def _imported(self) -> None:
        old = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "checks"}
        for name in old:
            del sys.modules[name]
        sys.meta_path.insert(0, self)
        for name in old:
            __import__(name)
        known: dict[int, object] = {id(module): sys.modules[name] for name, module in old.items()}
        for name, module in old.items():
            fresh = vars(sys.modules[name])
            known |= {id(v): fresh[k] for k, v in vars(module).items() if k in fresh and not isinstance(v, _PLAIN)}
        for name, module in list(sys.modules.items()):
            if name.split(".")[0] in ("tests", "render", "harness", "build"):
                for key, value in list(vars(module).items()):
                    if not key.startswith("__"):
                        setattr(module, key, _rebound(value, known))

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """The changed module, and no other."""
        if name != self.name:
            return None
        code = self.code

        class Loader(SourceFileLoader):
            def get_code(self, fullname: str) -> CodeType:
                return code

        file = str(ROOT / self.path)
        return spec_from_file_location(name, file, loader=Loader(name, file))


def _rebound(value: Any, known: Mapping[int, object]) -> Any:
    """The value with the old objects of the guards in it replaced by the new ones."""
    if id(value) in known:
        return known[id(value)]
    if type(value) is dict:
        return {key: _rebound(one, known) for key, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_rebound(one, known) for one in value)
    return value


def _outermost(code: CodeType) -> Iterator[CodeType]:
    """The code of the functions of a module and of its classes, not of those inside functions."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            if part.co_flags & inspect.CO_OPTIMIZED:
                yield part
            else:
                yield from _outermost(part)


def _living() -> dict[tuple[str, str, int], list[FunctionType]]:
    """The functions of the guards by path, name and line."""
    found: dict[tuple[str, str, int], list[FunctionType]] = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(f"{ROOT}/checks/"):
            code = one.__code__
            key = (Path(code.co_filename).relative_to(ROOT).as_posix(), code.co_qualname, code.co_firstlineno)
            found.setdefault(key, []).append(one)
    return found


class Runner:
    """A plugin of pytest: instead of running the collected tests once, it runs them once a mutant."""

    def __init__(self, mutants: Sequence[tuple[Module, Mutant]], progress: bool, trust: bool) -> None:
        self.mutants, self.progress, self.trust = mutants, progress, trust
        self.outcomes: list[Outcome] = []
        self.broken: str = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """One process a mutant; tests that killed some go first, the latest before all."""
        items, functions = list(session.items), _living()
        gc.collect()
        gc.freeze()
        self.broken = "" if self.trust else _forked(items, functions, None)
        for number, (module, mutant) in enumerate(self.mutants if not self.broken else (), 1):
            with module.changed(mutant) as tree:
                code = compile(tree, str(module.file), "exec")
            killer = _forked(items, functions, _Change(module.path, code, mutant.inside))
            self.outcomes.append(Outcome(mutant, killer))
            items.sort(key=lambda item: item.nodeid != killer)
            if self.progress:
                word = "broken" if killer else "alive "
                print(f"{word} {number}/{len(self.mutants)} {mutant} {killer}", flush=True)
        return True


Functions = Mapping[tuple[str, str, int], Sequence[FunctionType]]


def _forked(items: Sequence[pytest.Item], functions: Functions, change: _Change | None) -> str:
    """The id of the test that fails, "the process ended" where one did not, "" when all pass."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        os.write(writing, (_killer(items, functions, change) or "\n").encode())
        os._exit(0)
    os.close(writing)
    told = os.read(reading, 65536)
    os.close(reading)
    os.waitpid(child, 0)
    return told.decode().strip() if told else "the process ended"


def _killer(items: Sequence[pytest.Item], functions: Functions, change: _Change | None) -> str:
    try:
        if change is not None:
            change.make(functions)
        for item, following in zip(items, [*items[1:], None], strict=True):
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            for report in runtestprotocol(item, log=False, nextitem=following):
                if report.failed:
                    return item.nodeid
    except BaseException as error:  # whatever a mutant does, the run goes on
        return f"import: {error}"
    return ""
