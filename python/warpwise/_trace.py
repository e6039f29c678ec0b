"""`trace`: what the warps of one block do, step by step.

    recording = ww.trace(k.reduce[8, 128], x, out)      or:  with ww.trace(block=3) as recording: ...
    print(recording)                                    # a summary
    recording                                           # in a notebook: the thread view
    recording.save("reduce.wwt")                        # for `warpwise view` and `warpwise serve`

A recording is of one run, which is not repeated: say which launch and block it is, or give a report of ww.check, whose first
finding it then shows.
"""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import tempfile
import weakref
import webbrowser
from pathlib import Path
from typing import Any, Callable, Sequence

from . import _thread_view
from ._native import installation
from ._watch import CheckReport, _Report
from .errors import SetupError, WarpwiseError
from .functions import Size, _sizes

_USUAL_STEPS = 65_536


class Recording:
    """A recording of one block of one launch: a file of ww.trace or `warpwise trace`."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._end_server: Callable[[], object] = lambda: None
        self._json: dict[str, Any] = json.loads(_view("--json", str(self.path)))

    @property
    def summary(self) -> dict[str, Any]:
        """What was recorded: kernel, grid, block, warps, sites, lines, findings, notes (docs/trace_format.md)."""
        return dict(self._json)

    @property
    def kernel(self) -> str:
        return str(self._json.get("kernel", ""))

    @property
    def block(self) -> tuple[int, ...]:
        """Which block of the grid."""
        return tuple(self._json.get("block", ()))

    @property
    def warps(self) -> list[dict[str, int]]:
        """For each warp `threads`, `steps`, and of these the recorded ones: `count` from `first` on."""
        return list(self._json.get("warps", []))

    @property
    def notes(self) -> list[str]:
        """What is not recorded."""
        return list(self._json.get("notes", []))

    def steps(self, warp: int = 0, first: int | None = None, count: int = 1024) -> list[dict[str, Any]]:
        """Some recorded steps of a warp, from `first` on."""
        recorded = self._recorded(warp)
        first = recorded["first"] if first is None else first
        end = min(first + count, recorded["first"] + recorded["count"])
        return self._ask(f"--warp={warp}", f"--steps={first}..{end}")["steps"] if first < end else []

    def step(self, warp: int, number: int) -> dict[str, Any]:
        """One step, lane by lane: its accesses with addresses, sectors and banks."""
        return self._ask(f"--warp={warp}", f"--step={number}")

    def next(self, event: str, warp: int = 0, step: int | None = None) -> tuple[int, int] | None:
        """The warp and the step where something happens next: "uncoalesced", "conflict", "diverges", "race", ..."""
        behind = [] if step is None else [f"--step={step}"]
        place = self._ask(f"--next={event}", f"--warp={warp}", *behind)["place"]
        return None if place is None else (place["warp"], place["step"])

    def lines(self) -> list[dict[str, Any]]:
        """The sums of the recorded steps by source line."""
        return self._ask("--lines")["lines"]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Copies the recording, for `warpwise view` and `warpwise serve`."""
        self._recorded(0)
        shutil.copyfile(self.path, path)

    def page(self) -> str:
        """The thread view as a page that needs nothing else: the first thousands of steps, with their lanes."""
        self._recorded(0)
        return _thread_view.page(self._json, self._ask("--sources")["files"], self.steps)

    def show(self) -> str:
        """Opens the whole recording in the browser of this machine, by `warpwise serve`, and gives the link. The server ends
        with this object, or with the process."""
        self._recorded(0)
        self.close()
        words = [_program(), "serve", str(self.path)]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self._end_server = weakref.finalize(self, _end, server)
        link = server.stdout.readline().strip() if server.stdout is not None else ""
        if not link:
            raise SetupError("`warpwise serve` has ended: it says why for a file of save()")
        webbrowser.open(link)
        return link

    def close(self) -> None:
        """Ends the server of show()."""
        self._end_server()

    def __str__(self) -> str:
        return _view(str(self.path)).strip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return (
            f'<iframe sandbox="allow-scripts" style="width:100%;border:0" height="{_thread_view.HEIGHT}" '
            f'srcdoc="{html.escape(self.page())}"></iframe>'
        )

    def _recorded(self, warp: int) -> dict[str, int]:
        if not self._json:
            raise SetupError("there is no recording yet: it is complete when the `with` block ends")
        if not 0 <= warp < len(self.warps):
            raise SetupError(f"the block has warps 0 to {len(self.warps) - 1}")
        return self.warps[warp]

    def _ask(self, *words: str) -> dict[str, Any]:
        self._recorded(0)
        return dict(json.loads(_view("--json", *words, str(self.path))))


class TraceReport(_Report, Recording):
    """A recording that is filled in when its watch ends."""

    def __init__(self, request: dict[str, Any]) -> None:
        folder = tempfile.mkdtemp(prefix="warpwise-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = Path(folder) / "recording.wwt"
        self._end_server = lambda: None
        super().__init__({"trace": {**request, "output": str(self.path)}})

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        try:
            super().__exit__(kind, *rest)
        except WarpwiseError as error:
            if kind is None:
                raise
            self._text = str(error)  # what ended the block matters more

    def _repr_html_(self) -> str:
        return Recording._repr_html_(self) if self._json else _Report._repr_html_(self)


def _end(server: subprocess.Popen[str]) -> None:
    server.terminate()
    server.wait()
    if server.stdout is not None:
        server.stdout.close()


def _view(*words: str) -> str:
    """An answer of `warpwise view`."""
    run = subprocess.run([_program(), "view", *words], capture_output=True, text=True)
    if run.returncode != 0:
        raise SetupError(run.stderr.strip())
    return run.stdout


def _program() -> str:
    path = installation() / "bin" / "warpwise"
    if not path.exists():
        raise SetupError(f"{path} is missing, which reads recordings: install the wheel, or build `runtime`")
    return str(path)


def trace(
    function: Callable[..., Any] | None = None,
    *arguments: Any,
    kernel: str = "",
    launch: int = 0,
    block: Size | None = None,
    findings: CheckReport | None = None,
    values: int | Sequence[int] = (),
    steps: int = _USUAL_STEPS,
    first_step: int = 0,
    device: str | None = None,
    schedule: str = "in-order",
    **named: Any,
) -> TraceReport:
    """Records a block of the calls of a `with` block, or of one call: trace(kernel[grid, block], x, n).

    `kernel` and `launch`: which launch, from 0, of kernels of this name, or of all. `block`: which block of its grid; the
    first one unless named. `findings`: a report of ww.check on the same calls; the block is that of its first finding, and
    the recording opens there. `values`: lines of the source whose values are recorded, too. `steps`: so many at most, all
    warps together, from `first_step` of each warp on.
    """
    request: dict[str, Any] = {"kernel": kernel, "launch": launch, "steps": steps, "first": first_step}
    request["lines"] = [values] if isinstance(values, int) else list(values)
    if block is not None:
        x, y, z = _sizes(block, "block", "ww.trace")
        parts = 1 if isinstance(block, int) else len(block)
        request["block"] = [x, y if parts > 1 else 0, z if parts > 2 else 0]
    if findings is not None:
        request["report"] = json.loads(findings.to_json())
    report = TraceReport(request)
    report._watch |= {"schedule": schedule, **({} if device is None else {"device": device})}
    if function is not None:
        report._during(function, arguments, named)
    return report
