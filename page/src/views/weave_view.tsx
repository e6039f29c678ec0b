// B: the weave. A row is a warp, or several that do the same; from left to right are its steps. Only what is in view is
// asked for, in buckets that are two pixels wide or more (model/weave.ts).
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { askBytes, type Mark, type Place, type Summary } from "../api.ts";
import { painterOf, type Colour, type Painter } from "../drawing/rectangles.ts";
import { weaveRectangles } from "../drawing/weave_rectangles.ts";
import { ranges } from "../model/lanes.ts";
import { looks, lookOf, lookWords, shortWords, weaveOf, type Weave } from "../model/weave.ts";
import type { Recording } from "./recording_view.tsx";
import type { Beside } from "./use_beside.ts";
import { WeaveTable } from "./weave_table.tsx";

interface Properties {
  recording: Recording;
  place: Place;
  go: (to: Place) => void;
  fold?: boolean; // to begin with, equal warps are one row
  beside?: Beside | null;
}

const narrowest = 2; // pixels of a bucket
const gap = 3;
const fewestSteps = 16; // in view

interface View {
  first: number;
  span: number;
}

// The palette of drawing/weave_rectangles.ts.
function coloursOfPage(): Colour[] {
  const style = getComputedStyle(document.documentElement);
  const colourOf = (name: string): Colour => {
    const hex = style.getPropertyValue(name).trim().slice(1);
    return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)) as Colour;
  };
  const page = colourOf("--page");
  const pale = (colour: Colour) => colour.map((part, n) => Math.round(0.45 * part + 0.55 * page[n]!)) as Colour;
  const own = looks.map((look) => colourOf(`--look-${look}`));
  return [...own, colourOf("--ground"), ...own.map(pale), colourOf("--text")];
}

// The width of the element in CSS pixels, as it changes.
function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.max(100, Math.floor(entry!.contentRect.width))));
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, []);
  return width;
}

// The colour scheme of the system, so that the canvas is drawn again when it changes.
function useScheme(): boolean {
  const query = useMemo(() => matchMedia("(prefers-color-scheme: dark)"), []);
  const [dark, setDark] = useState(query.matches);
  useEffect(() => {
    const follow = () => setDark(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, [query]);
  return dark;
}

// The buckets around what is in view, so that moving a little needs no answer of the server.
function useWeave(file: string | null, view: View, width: number, rows: string): Weave | null {
  const [weave, setWeave] = useState<Weave | null>(null);
  const shift = Math.max(0, Math.ceil(Math.log2((view.span * narrowest) / width)));
  const margin = Math.ceil(view.span / 2);
  const first = Math.max(0, Math.floor((view.first - margin) / margin) * margin);
  const columns = Math.ceil((view.span + 3 * margin) / 2 ** shift) + 1;
  useEffect(() => {
    let old = false;
    if (file === null) return setWeave(null);
    askBytes(file, "weave", { first, shift, columns, rows }).then(
      (bytes) => old || setWeave(weaveOf(bytes)),
      () => {},
    );
    return () => {
      old = true;
    };
  }, [file, first, shift, columns, rows]);
  return weave;
}

function Labels({ rows, selected, height, go }: { rows: number[][]; selected: number; height: number; go: (warp: number) => void }) {
  return (
    <ul class="labels" aria-label="warps">
      {rows.map((warps, n) => (
        <li key={warps[0]} style={{ height: `${height}px` }}>
          <button aria-pressed={n === selected} onClick={() => go(warps[0]!)}>
            {warps.length === 1 ? `warp ${warps[0]}` : `warps ${ranges(warps)}`}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Zoom({ view, most, by, all }: { view: View; most: number; by: (factor: number) => void; all: () => void }) {
  return (
    <>
      <button onClick={() => by(0.5)} aria-label="zoom in" disabled={view.span <= fewestSteps}>
        +
      </button>
      <button onClick={() => by(2)} aria-label="zoom out" disabled={view.span >= most}>
        −
      </button>
      <button onClick={all} disabled={view.span >= most}>
        all
      </button>
    </>
  );
}

function Axis({ view, beside }: { view: View; beside: Beside | null }) {
  return (
    <p class="axis">
      <span>step {Math.floor(view.first).toLocaleString("en")}</span>
      <span class="legend">
        {looks.map((look) => (
          <span key={look}>
            <span class={`look look-${look}`} /> {shortWords[look]}
          </span>
        ))}
        {beside && <span>pale, below: {beside.words}</span>}
        {beside?.differences && (
          <span>
            <span class="look look-differs" /> differs
          </span>
        )}
      </span>
      <span>{Math.ceil(view.first + view.span).toLocaleString("en")}</span>
    </p>
  );
}

// The parties of the selected step's finding that stand elsewhere: each leads to its step.
function otherParties(summary: Summary, place: Place): Mark[] {
  const mine = summary.findings.marks.find((one) => one.warp === place.warp && one.step === place.step);
  if (!mine) return [];
  return summary.findings.marks.filter(
    (mark) => mark.finding === mine.finding && (mark.warp !== place.warp || mark.step !== place.step),
  );
}

export function WeaveView({ recording, place, go, fold = true, beside = null }: Properties) {
  const { file, summary } = recording;
  const other = beside?.recording;
  const most = useMemo(
    () => [...summary.warps, ...(other?.summary.warps ?? [])].reduce((all, warp) => Math.max(all, warp.steps), 1),
    [summary, other],
  );
  const [folded, setFolded] = useState(fold && summary.folds.length < summary.warps.length);
  const [view, setView] = useState<View>({ first: 0, span: most });
  const [pointed, setPointed] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<Painter | null>(null);
  const width = useWidth(box);
  const dark = useScheme();
  const colours = useMemo(coloursOfPage, [dark]);
  const weave = useWeave(file, view, width, folded ? "folds" : "warps");
  const below = useWeave(other?.file ?? null, view, width, "warps");
  useEffect(() => setView({ first: 0, span: most }), [most]);

  const rows = folded ? summary.folds : summary.warps.map((_, warp) => [warp]);
  const rowHeight = Math.max(beside ? 16 : 10, Math.min(64, Math.floor(180 / rows.length) - gap));
  const height = rows.length * (rowHeight + gap);
  const rowOf = rows.findIndex((warps) => warps.includes(place.warp));

  useLayoutEffect(() => {
    painter.current = painterOf(canvas.current!);
    canvas.current!.dataset["painter"] = painter.current?.kind ?? "none";
    return () => painter.current?.release();
  }, []);
  useLayoutEffect(() => {
    const element = canvas.current!;
    const scale = devicePixelRatio || 1;
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    if (element.width !== w) element.width = w;
    if (element.height !== h) element.height = h;
    if (!weave || weave.rows.length !== rows.length) return;
    const rectangles = weaveRectangles(
      weave,
      { ...view, width, rowHeight, gap },
      (warp) => summary.warps[warp]?.threads ?? 32,
      beside && { weave: below, warps: rows, differing: beside.differences?.warps ?? [] },
    );
    element.dataset["rectangles"] = `${rectangles.count}`;
    painter.current?.paint(rectangles, colours, width, height, scale);
    element.dataset["beside"] = below && beside ? beside.words : "";
  }, [weave, below, beside?.differences, view, width, height, rowHeight, colours, rows.length]);

  const zoomed = (factor: number, about = place.step) => {
    const span = Math.min(most, Math.max(Math.min(fewestSteps, most), view.span * factor));
    const share = Math.min(1, Math.max(0, (about - view.first) / view.span));
    show({ first: about - share * span, span });
  };
  const show = ({ first, span }: View) => setView({ first: Math.max(0, Math.min(first, most - span)), span });
  // The selection stays in view.
  useEffect(() => {
    if (place.step < view.first || place.step >= view.first + view.span) show({ first: place.step - view.span / 2, span: view.span });
  }, [place.step]);

  const stepAt = (event: MouseEvent): number => {
    const area = canvas.current!.getBoundingClientRect();
    return Math.floor(view.first + ((event.clientX - area.left) / area.width) * view.span);
  };
  // What lies below the pointer, in words: "warp 2, step 412, line 16: uncoalesced".
  const point = (event: PointerEvent) => {
    const row = Math.floor((event.clientY - canvas.current!.getBoundingClientRect().top) / (rowHeight + gap));
    const step = stepAt(event);
    const cell = weave?.rows[row];
    const at = weave ? Math.floor((step - weave.first) / 2 ** weave.shift) : -1;
    const look = weave && cell && at >= 0 && at < weave.columns ? lookOf(cell, at) : null;
    if (!look) return setPointed("");
    const line = summary.lines[summary.sites[cell!.plane.site[at]!]?.line ?? 0]?.[0]?.line;
    setPointed(`warp ${rows[row]![0]}, step ${step.toLocaleString("en")}${line ? `, line ${line}` : ""}: ${lookWords[look]}`);
  };
  const press = (down: PointerEvent) => {
    const element = canvas.current!;
    const start = { x: down.clientX, first: view.first };
    let dragged = false;
    element.setPointerCapture(down.pointerId);
    const move = (event: PointerEvent) => {
      dragged ||= Math.abs(event.clientX - start.x) > 4;
      if (dragged) show({ first: start.first - ((event.clientX - start.x) / width) * view.span, span: view.span });
    };
    const up = (event: PointerEvent) => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", up);
      if (dragged) return;
      const row = Math.floor((event.clientY - element.getBoundingClientRect().top) / (rowHeight + gap));
      const warps = rows[row];
      if (warps) go({ warp: warps.includes(place.warp) ? place.warp : warps[0]!, step: stepAt(event) });
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up);
  };
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && Math.abs(event.deltaY) >= Math.abs(event.deltaX) && !event.shiftKey) return;
    event.preventDefault();
    if (event.ctrlKey) zoomed(event.deltaY > 0 ? 1.25 : 0.8, stepAt(event));
    else show({ first: view.first + ((event.deltaX || event.deltaY) / width) * view.span, span: view.span });
  };

  const scale = width / view.span;
  const left = (place.step - view.first) * scale;
  const others = otherParties(summary, place);
  const column = weave ? Math.floor((place.step - weave.first) / 2 ** weave.shift) : -1;
  const here = weave?.rows[rowOf] && column >= 0 && column < weave.columns ? lookOf(weave.rows[rowOf]!, column) : null;
  return (
    <section class="weave" aria-labelledby="weave-title">
      <h2 id="weave-title">
        Warps, step by step
        <span class="quiet pointed-at">{pointed}</span>
        <span class="buttons">
          {summary.folds.length < summary.warps.length && (
            <button aria-pressed={folded} onClick={() => setFolded(!folded)} title="warps with the same steps and lanes are one row">
              fold equal warps
            </button>
          )}
          <Zoom view={view} most={most} by={zoomed} all={() => show({ first: 0, span: most })} />
        </span>
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="the weave of the warps">
        <div class="rows">
          <Labels rows={rows} selected={rowOf} height={rowHeight + gap} go={(warp) => go({ warp, step: place.step })} />
          <div class="canvas" ref={box} style={{ height: `${height}px` }}>
            <canvas
              ref={canvas}
              style={{ width: `${width}px`, height: `${height}px` }}
              role="img"
              aria-label={`${rows.length} rows of warps, steps ${Math.floor(view.first)} to ${Math.ceil(view.first + view.span)}. The selected step is in row ${rowOf + 1}${here ? `: ${lookWords[here]}` : ""}.`}
              onPointerDown={press}
              onPointerMove={point}
              onPointerLeave={() => setPointed("")}
              onWheel={wheel}
            />
            {left >= 0 && left <= width && (
              <div
                class="cursor"
                style={{
                  left: `${left}px`,
                  width: `${Math.max(2, scale)}px`,
                  top: `${rowOf * (rowHeight + gap)}px`,
                  height: `${rowHeight}px`,
                }}
              />
            )}
            {others.map((mark) => (
              <button
                key={`${mark.party} ${mark.warp} ${mark.step}`}
                class="other"
                title="the other party"
                aria-label={`the other party of the finding: warp ${mark.warp}, step ${mark.step}`}
                style={{
                  left: `${Math.min(width - 12, Math.max(0, (mark.step - view.first) * scale - 6))}px`,
                  top: `${rows.findIndex((warps) => warps.includes(mark.warp)) * (rowHeight + gap)}px`,
                }}
                onClick={() => go(mark)}
              >
                ✕
              </button>
            ))}
          </div>
        </div>
      </div>
      <Axis view={view} beside={beside} />
      <WeaveTable summary={summary} weave={weave} rows={rows} view={view} go={go} />
    </section>
  );
}

