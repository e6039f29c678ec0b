// What is in view of the weave as a table, for those who do not see the picture: a row is a run of steps of a warp that
// look alike.
import { useState } from "preact/hooks";
import type { Place, Summary } from "../api.ts";
import { ranges } from "../model/lanes.ts";
import { lookWords, runsOf, type Weave } from "../model/weave.ts";

interface Properties {
  summary: Summary;
  weave: Weave | null;
  rows: number[][]; // the warps of each row of the weave
  view: { first: number; span: number };
  go: (to: Place) => void;
}

const mostRuns = 200;
const heads = ["warps", "steps", "line", "what they do", "lanes"];

const stepsOf = (first: number, last: number): string =>
  first === last ? first.toLocaleString("en") : `${first.toLocaleString("en")} to ${last.toLocaleString("en")}`;

function Runs({ summary, weave, rows, view, go }: Properties) {
  const runs = (weave?.rows ?? []).flatMap((row, n) => {
    const warps = rows[n] ?? [];
    return runsOf(weave!, row, view, summary.warps[row.warp]?.threads ?? 32).map((run) => ({ warps, run }));
  });
  return (
    <>
      <table>
        <caption>
          Steps {Math.floor(view.first).toLocaleString("en")} to {Math.ceil(view.first + view.span).toLocaleString("en")}, by what
          they do
        </caption>
        <thead>
          <tr>
            {heads.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.slice(0, mostRuns).map(({ warps, run }) => (
            <tr key={`${warps[0]} ${run.first}`}>
              <th scope="row">{ranges(warps)}</th>
              <td>
                <button onClick={() => go({ warp: warps[0]!, step: run.first })}>{stepsOf(run.first, run.last)}</button>
              </td>
              <td>{summary.lines[summary.sites[run.site]?.line ?? 0]?.[0]?.line ?? ""}</td>
              <td>{lookWords[run.look]}</td>
              <td>{Math.round(100 * run.fullness)} %</td>
            </tr>
          ))}
        </tbody>
      </table>
      {runs.length > mostRuns && <p class="quiet">{(runs.length - mostRuns).toLocaleString("en")} more: zoom in, or fold equal warps.</p>}
    </>
  );
}

export function WeaveTable(properties: Properties) {
  const [open, setOpen] = useState(false);
  return (
    <details class="weave-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>These steps as a table</summary>
      {open && (
        <div class="scroll" tabIndex={0} role="region" aria-label="the steps in view as a table">
          <Runs {...properties} />
        </div>
      )}
    </details>
  );
}
