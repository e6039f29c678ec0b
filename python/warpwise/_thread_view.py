"""The thread view as one page of HTML: a recording's steps, lanes and source lines, drawn by the script in it.

The page of `warpwise serve` needs its server. A notebook may be on another machine than its reader's browser, or may be
read long after it was run, so this page holds its steps itself.
"""

from __future__ import annotations

import json
from typing import Any, Callable

HEIGHT = 560
_MOST_STEPS = 6000  # in a page, all warps together
_MOST_WARPS = 32


def page(summary: dict[str, Any], files: list[dict[str, str]], steps: Callable[..., list[dict[str, Any]]]) -> str:
    """`steps(warp, first, count)` are those of the recording."""
    warps = summary["warps"]
    opens = summary.get("open", {"warp": 0, "step": 0})
    shown = sorted({opens["warp"], *range(min(len(warps), _MOST_WARPS))})
    each = max(_MOST_STEPS // len(shown), 1)
    data: dict[str, Any] = {
        name: summary[name] for name in ("kernel", "grid", "block", "block_shape", "sites", "lines", "findings", "notes")
    }
    data["files"] = {file["name"]: file["text"].split("\n") for file in files}
    data["open"] = opens
    data["warps"] = []
    for warp in shown:
        recorded = warps[warp]
        # The step where the view opens is among them.
        behind = max(recorded["first"] + recorded["count"] - each, recorded["first"])
        first = min(max(opens["step"] - each // 2, recorded["first"]), behind) if warp == opens["warp"] else recorded["first"]
        data["warps"].append({"warp": warp, **recorded, "list": steps(warp, first, each)})
    # `<` could end the script.
    return _PAGE.replace("DATA", json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"))


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Thread view</title>
<style>
:root { color-scheme: light dark; --page: #fff; --panel: #f4f6f8; --line: #c6ced6; --text: #15202b; --quiet: #51606e;
  --on: #3d85c6; --off: #d9a441; --away: #e3e8ed; --here: #dcebfa; --bad: #a1260d; }
@media (prefers-color-scheme: dark) { :root { --page: #10161c; --panel: #18212a; --line: #34424f; --text: #e8eef4;
  --quiet: #a3b3c2; --on: #4f9fe6; --off: #c99a3e; --away: #253039; --here: #1a3550; --bad: #ff9b85; } }
body { margin: 0; background: var(--page); color: var(--text); font: 14px/1.4 system-ui, sans-serif; }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 10px; padding: 8px; }
h1 { font-size: 15px; margin: 8px 8px 0; } h2 { font-size: 13px; margin: 0 0 4px; color: var(--quiet); }
code, pre, td { font: 12px/1.45 ui-monospace, monospace; }
.box { border: 1px solid var(--line); border-radius: 4px; padding: 6px; overflow: auto; background: var(--panel); }
#source, #steps { height: 235px; } #steps tr { cursor: pointer; } .here { background: var(--here); }
table { border-collapse: collapse; width: 100%; } td { padding: 0 6px; white-space: pre; } td.n { text-align: right; color: var(--quiet); }
#lanes { display: grid; grid-template-columns: repeat(16, minmax(0, 1fr)); gap: 3px; }
#lanes div { border-radius: 3px; padding: 2px 0; text-align: center; font: 11px ui-monospace, monospace; overflow: hidden;
  background: var(--away); color: var(--quiet); }
#lanes .on { background: var(--on); color: #fff; } #lanes .off { background: var(--off); color: #15202b; }
#lanes .marked { outline: 2px solid var(--bad); }
.wide { grid-column: 1 / 3; } nav { margin: 6px 8px 0; display: flex; gap: 8px; align-items: center; flex-wrap: wrap; }
.bad { color: var(--bad); } .quiet { color: var(--quiet); } p { margin: 4px 8px; }
</style></head><body>
<h1 id="title"></h1>
<nav><label>Warp <select id="warp"></select></label>
<button id="back">◀ step</button><button id="on">step ▶</button><button id="mark">next finding</button>
<span id="place" class="quiet"></span></nav>
<div id="findings"></div>
<main>
<section class="box" id="source" tabindex="0"><h2 id="file"></h2><table></table></section>
<section class="box" id="steps" tabindex="0"><h2>Steps</h2><table></table></section>
<section class="box wide"><h2 id="what"></h2><div id="lanes"></div>
<p class="quiet">Blue: the lane is on. Yellow: off, its guard is false. Grey: not here. Framed: the thread of a finding.</p></section>
</main><div id="notes"></div>
<script>
const data = DATA;
const at = (id) => document.getElementById(id);
const has = (mask, lane) => (mask >>> lane & 1) === 1;
let warp = Math.max(0, data.warps.findIndex((w) => w.warp === data.open.warp)), row = 0, file = "";
const list = () => data.warps[warp].list;
const frames = (step) => data.lines[data.sites[step.site].line] ?? [];
const cell = (tr, text, name) => { const td = tr.insertCell(); td.textContent = text; if (name) td.className = name; };
const waste = (step) => {
  const c = step.cost ?? {};
  if (c.sectors > c.ideal_sectors) return `${c.sectors} sectors, ${c.ideal_sectors} would do`;
  if (c.wavefronts > c.ideal_wavefronts) return `${c.wavefronts} wavefronts, ${c.ideal_wavefronts} would do`;
  return "";
};
function bring(box) {  // the marked row into its middle
  const here = box.querySelector(".here");
  if (here) box.scrollTop += here.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
}
function drawSource(frame) {
  if (frame && frame.file !== file) {
    file = frame.file;
    at("file").textContent = file.split("/").pop();
    const table = at("source").querySelector("table");
    table.replaceChildren();
    (data.files[file] ?? []).forEach((line, n) => { const tr = table.insertRow(); cell(tr, n + 1, "n"); cell(tr, line); });
  }
  at("source").querySelectorAll("tr").forEach((tr, n) => tr.classList.toggle("here", frame?.line === n + 1));
  bring(at("source"));
}
function drawSteps() {
  const table = at("steps").querySelector("table");
  table.replaceChildren();
  list().forEach((step, n) => {
    const tr = table.insertRow();
    cell(tr, step.step, "n");
    cell(tr, frames(step)[0] ? ":" + frames(step)[0].line : "", "n");
    cell(tr, data.sites[step.site].ptx + (waste(step) ? "   ← " + waste(step) : ""));
    tr.onclick = () => go(n);
  });
}
function drawLanes(step) {
  const where = new Map(), values = new Map();
  const lanesOf = (mask) => Array.from({length: 32}, (_, lane) => lane).filter((lane) => has(mask, lane));
  for (const access of step.accesses ?? []) lanesOf(access.mask).forEach((lane, n) => where.set(lane, access.addresses[n]));
  const first = step.values?.[0];
  if (first) lanesOf(first.mask).forEach((lane, n) => values.set(lane, first.lanes[n]));
  const least = Math.min(...where.values());
  const marks = data.findings.marks.filter((m) => m.warp === data.warps[warp].warp && m.step === step.step).map((m) => m.lane);
  const kind = step.accesses?.[0] ? `${step.accesses[0].space} memory, ` : "";
  at("what").textContent = `32 lanes: ${data.sites[step.site].ptx}` +
    (values.size ? "   (below: the value)" : where.size ? `   (${kind}below: bytes from the lowest address)` : "");
  at("lanes").replaceChildren(...Array.from({length: 32}, (_, lane) => {
    const div = document.createElement("div");
    div.className = !has(step.active, lane) ? "away" : has(step.on, lane) ? "on" : "off";
    if (marks.includes(lane)) div.classList.add("marked");
    const below = values.get(lane) ?? (where.has(lane) ? "+" + (where.get(lane) - least) : "");
    div.append(String(lane), document.createElement("br"), below || "\\u00a0");
    div.title = `lane ${lane}: ${div.className}` + (where.has(lane) ? `, address 0x${where.get(lane).toString(16)}` : "");
    return div;
  }));
}
function go(n) {
  if (!list().length) return;
  row = Math.min(Math.max(n, 0), list().length - 1);
  const step = list()[row];
  at("steps").querySelectorAll("tr").forEach((tr, k) => tr.classList.toggle("here", k === row));
  bring(at("steps"));
  at("place").textContent = `step ${step.step} of ${data.warps[warp].steps}, behind ${step.phase} barriers, modelled clock ${step.modelled_clock}`;
  drawSource(frames(step)[0]);
  drawLanes(step);
}
function choose(n, step) {
  warp = n;
  at("warp").value = n;
  drawSteps();
  go(Math.max(0, list().findIndex((s) => s.step === step)));
}
at("title").textContent = `${data.kernel}: block (${data.block}) of ${data.grid.join(" x ")}`;
data.warps.forEach((w, n) => at("warp").add(new Option(w.warp, n)));
for (const finding of data.findings.list) {
  const p = document.createElement("p");
  p.className = "bad";
  p.textContent = `${finding.code}: ${finding.message}`;
  at("findings").append(p);
}
const left = data.warps.reduce((sum, w) => sum + w.count - w.list.length, 0);
const notes = [...data.notes, ...(left > 0 ? [`${left} more recorded steps are in the file: save() keeps it for \\`warpwise serve\\``] : [])];
for (const note of notes) { const p = document.createElement("p"); p.className = "quiet"; p.textContent = note; at("notes").append(p); }
at("warp").onchange = () => choose(Number(at("warp").value), list()[row]?.step);
at("back").onclick = () => go(row - 1);
at("on").onclick = () => go(row + 1);
let mark = 0;
at("mark").hidden = !data.findings.marks.length;
at("mark").onclick = () => {
  const next = data.findings.marks[mark++ % data.findings.marks.length];
  const n = data.warps.findIndex((w) => w.warp === next.warp);
  if (n >= 0) choose(n, next.step);
};
document.onkeydown = (event) => {
  if (event.target.tagName === "SELECT") return;
  if (event.key === "ArrowLeft" || event.key === "ArrowUp") { go(row - 1); event.preventDefault(); }
  if (event.key === "ArrowRight" || event.key === "ArrowDown") { go(row + 1); event.preventDefault(); }
};
choose(warp, data.open.step);
</script></body></html>
"""
