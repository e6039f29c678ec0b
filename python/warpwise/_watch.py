"""`check` and `profile`: what calls do wrong, and what they cost.

Both are used around calls, or with one:

    with ww.check() as report:            report = ww.check(k.scale[1, 8], x, 2.0)
        k.scale[1, 8](x, 2.0)

While one of them is on, the GPU is another one: variables of device code start from their initial values, and so do they
afterwards.
"""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from typing import Any, Callable, Sequence

from . import _gpu
from .errors import SetupError

CHECKERS = ("memory", "init", "race", "sync", "assert", "numbers")
_USUAL = ("memory", "init", "race", "sync", "assert")


@dataclass(frozen=True)
class Finding:
    """What a checker saw a kernel do wrong. `json` has everything (docs/checking.md)."""

    code: str
    severity: str
    message: str
    kernel: str
    file: str
    line: int
    threads: int
    json: dict[str, Any]

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file else ""
        return f"{place}{self.severity} {self.code}: {self.message}"

    @staticmethod
    def from_json(json: dict[str, Any]) -> Finding:
        party = next(iter(json.get("parties", [])), {})
        return Finding(
            json["code"],
            json.get("severity", "error"),
            json.get("message", ""),
            party.get("kernel", ""),
            json.get("file", ""),
            json.get("line", 0),
            json.get("threads", 1),
            json,
        )


class _Report:
    """A report that is filled in when its watch ends."""

    def __init__(self, watch: dict[str, Any]) -> None:
        self._watch = watch
        self._text: str | None = None
        self._json: dict[str, Any] = {}

    def __enter__(self) -> Any:
        gpu = _gpu.current()
        if gpu.watched:
            raise SetupError("ww.check(), ww.profile() and ww.trace() cannot be used inside one another")
        gpu.watch(self._watch)
        return self

    def __exit__(self, *_: object) -> None:
        self._text, as_json = _gpu.current().report()
        self._json = json.loads(as_json)

    def _during(self, function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        with self:
            function(*arguments, **named)

    def __str__(self) -> str:
        return "(the report is complete when the `with` block ends)" if self._text is None else self._text.strip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f'<pre style="white-space:pre-wrap">{html.escape(str(self))}</pre>'

    def to_json(self, indent: int | None = None) -> str:
        """The report as `warpwise check --json` and `warpwise profile --json` write it."""
        return json.dumps(self._json, indent=indent)


class CheckReport(_Report):
    """What the checkers found."""

    @property
    def findings(self) -> list[Finding]:
        return [Finding.from_json(f) for f in self._json.get("findings", [])]

    @property
    def clean(self) -> bool:
        """Whether nothing was found, and everything was checked."""
        return self._json.get("verdict") == "clean"

    @property
    def verdict(self) -> str:
        return str(self._json.get("verdict", ""))

    def __bool__(self) -> bool:
        return self.clean


class ProfileReport(_Report):
    """What the kernels cost."""

    @property
    def launches(self) -> list[dict[str, Any]]:
        """Each launch with all that was counted."""
        return list(self._json.get("launches", []))

    @property
    def counters(self) -> dict[str, dict[str, float]]:
        """By name of the kernel, the sums of every counter over its launches, under the names of Nsight Compute."""
        sums: dict[str, dict[str, float]] = {}
        for launch in self.launches:
            kernel = sums.setdefault(launch["kernel"].partition("(")[0], {})
            for name, value in launch["metrics"].items():
                if name.endswith(".sum"):
                    kernel[name] = kernel.get(name, 0) + value
        return sums

    @property
    def model(self) -> dict[str, Any]:
        """Modelled times and advice."""
        return dict(self._json.get("model", {}))


def check(
    function: Callable[..., Any] | None = None,
    *arguments: Any,
    only: Sequence[str] | str = _USUAL,
    schedule: str = "in-order",
    **named: Any,
) -> CheckReport:
    """Checks the calls of a `with` block, or one call: check(kernel[grid, block], x, n).

    `only`: memory, init, race, sync, assert, numbers; all but the last unless named. `schedule`: "shuffle:SEED" runs
    blocks and warps in another order. The source is compiled so that no access is optimised away.
    """
    names = [only] if isinstance(only, str) else list(only)
    for name in names:
        if name not in CHECKERS:
            raise SetupError(f"there is no checker `{name}` here: {', '.join(CHECKERS)}")
    report = CheckReport({"check": names, "schedule": schedule})
    if function is not None:
        report._during(function, arguments, named)
    return report


def profile(
    function: Callable[..., Any] | None = None,
    *arguments: Any,
    exact: bool = False,
    device: str | None = None,
    **named: Any,
) -> ProfileReport:
    """Counts and models the calls of a `with` block, or one call: profile(kernel[grid, block], x, n).

    `exact`: counts all blocks of large launches instead of a sample. `device`: another GPU to model meanwhile.
    """
    watch: dict[str, Any] = {"profile": True, "exact": exact}
    if device is not None:
        watch["device"] = device
    report = ProfileReport(watch)
    if function is not None:
        report._during(function, arguments, named)
    return report
