// What was recorded, and what there is to see in it: each kind of trouble is a button that leads to its first step.
import { useRef, useState } from "preact/hooks";
import type { Place } from "../api.ts";
import { lookWords, looks } from "../model/weave.ts";
import { times, wasteOf } from "../model/source_lines.ts";
import { BesideButtons } from "./beside_view.tsx";
import { keyHelp } from "./keys.ts";
import type { Back, Recording } from "./recording_view.tsx";
import type { BesideState } from "./use_beside.ts";

interface Trouble {
  event: string;
  label: string;
  title: string;
}

// Of the whole recording, the worst first.
function troubles({ summary, lines }: Recording): Trouble[] {
  const found: Trouble[] = [];
  summary.findings.list.forEach((finding, n) => {
    if (summary.findings.marks.some((mark) => mark.finding === n))
      found.push({
        event: finding.code.startsWith("C02") ? "race" : "finding",
        label: `${finding.code.startsWith("C02") ? "race " : ""}${finding.code}: ${finding.message.split(/,| by /)[0]!}`,
        title: finding.message,
      });
  });
  const sum = (pick: (line: Recording["lines"][number]) => number): number => lines.reduce((all, line) => all + pick(line), 0);
  const [sectors, ideal] = [sum((l) => l.cost.sectors ?? 0), sum((l) => l.cost.ideal_sectors ?? 0)];
  const [waves, few] = [sum((l) => l.cost.wavefronts ?? 0), sum((l) => l.cost.ideal_wavefronts ?? 0)];
  const diverging = sum((l) => l.diverging);
  if (sectors > ideal)
    found.push({
      event: "uncoalesced",
      label: `uncoalesced ${times(wasteOf({ sectors, ideal_sectors: ideal }))}`,
      title: `${sectors} sectors are moved where ${ideal} would do`,
    });
  if (waves > few)
    found.push({
      event: "conflict",
      label: `bank conflicts ${times(wasteOf({ wavefronts: waves, ideal_wavefronts: few }))}`,
      title: `${waves} passes over shared memory where ${few} would do`,
    });
  if (diverging > 0)
    found.push({
      event: "divergence",
      label: `${diverging} divergent ${diverging === 1 ? "branch" : "branches"}`,
      title: "branches at which lanes of a warp go different ways",
    });
  return found;
}

function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button onClick={() => dialog.current?.showModal()}>How to read this</button>
      <dialog ref={dialog} aria-labelledby="help-title">
        <form method="dialog">
          <h2 id="help-title">How to read this page</h2>
          <button>Close</button>
        </form>
        <p>
          A GPU runs 32 threads, the <em>lanes</em> of a <em>warp</em>, in step: each instruction is one <em>step</em> of all
          of them. The weave shows every warp of a block from its first step, left, to its last. Click anywhere in it: all
          other parts then show that one step.
        </p>
        <p>
          Lanes that fetch scattered addresses move <em>sectors</em> of 32 bytes of which little is wanted; lanes that want
          different words of one <em>bank</em> of shared memory wait for each other; lanes that take another branch stand
          still.
        </p>
        <ul class="legend">
          {looks.map((look) => (
            <li key={look}>
              <span class={`look look-${look}`} /> {lookWords[look]}
            </li>
          ))}
        </ul>
        <table>
          <caption>Keys</caption>
          <tbody>
            {keyHelp.map(([keys, what]) => (
              <tr key={keys}>
                <th scope="row">
                  <kbd>{keys}</kbd>
                </th>
                <td>{what}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          Two steps of different warps between the same barriers have no order: what stands below each other did not
          necessarily happen at once. Clocks are the model’s, never a measurement.
        </p>
      </dialog>
    </>
  );
}

interface Properties {
  recording: Recording;
  place: Place;
  go: (to: Place) => void;
  back: Back | null;
  again: (() => void) | null;
  next: (event: string, backwards: boolean) => void;
  view: "pipes" | "threads";
  show: (view: "pipes" | "threads") => void;
  beside: BesideState;
}

export function Header({ recording, go, back, again, next, view, show, beside }: Properties) {
  const { file, summary } = recording;
  const [notes, setNotes] = useState(false);
  const found = troubles(recording);
  const lead = (trouble: Trouble) => {
    if (view === "pipes") show("threads");
    const finding = summary.findings.list.findIndex((one) => one.message === trouble.title);
    const mark = summary.findings.marks.find((one) => one.finding === finding);
    if (mark) go(mark);
    else next(trouble.event, false);
  };
  const part = summary.recorded < summary.steps ? `${summary.recorded.toLocaleString("en")} of ` : "";
  return (
    <header>
      <div class="title">
        <h1>{/^(lab|lesson):/.test(file) ? summary.program : file}</h1>
        <span class="kernel">{summary.kernel}</span>
        <span>
          block ({summary.block.join(",")}) of {summary.grid.join("×")}
        </span>
        <span>
          {summary.warps.reduce((all, warp) => all + warp.threads, 0)} threads, {summary.warps.length} {summary.warps.length === 1 ? "warp" : "warps"}
        </span>
        <span>
          {part}
          {summary.steps.toLocaleString("en")} steps
        </span>
        <span>on {summary.device}</span>
        <span class="buttons">
          <button aria-pressed={view === "threads"} onClick={() => show("threads")}>
            Threads
          </button>
          <button aria-pressed={view === "pipes"} onClick={() => show("pipes")} title="where the data of the whole launch go, and where they jam">
            Pipes
          </button>
          {summary.notes.length > 0 && (
            <button aria-expanded={notes} onClick={() => setNotes(!notes)}>
              {summary.notes.length} {summary.notes.length === 1 ? "note" : "notes"}
            </button>
          )}
          {view === "threads" && <BesideButtons beside={beside} />}
          {again && <button onClick={again}>Record again</button>}
          {back && <button onClick={back.go}>{back.words}</button>}
          <Help />
        </span>
      </div>
      {notes && (
        <ul class="notes">
          {summary.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <p class="troubles">
        {found.length > 0 ? "What is wrong here: " : recording.summed ? "Nothing is wasted in what is recorded. " : "Adding up the steps …"}
        {found.map((trouble) => (
          <button key={trouble.label} class={`trouble trouble-${trouble.event}`} title={trouble.title} onClick={() => lead(trouble)}>
            {trouble.label}
          </button>
        ))}
        {!summary.findings.checked && <span class="quiet">The checkers did not run.</span>}
      </p>
    </header>
  );
}
