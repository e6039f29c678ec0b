// A: the source, with how often the warps run each line, how many lanes take part, and what of the memory traffic is waste.
// A line leads to the next step that runs it.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { StepDetail } from "../api.ts";
import { lineText, pairLines, type LinePair } from "../model/beside.ts";
import { baseName, linesOf, times, wasteOf, type SourceLine } from "../model/source_lines.ts";
import type { Recording } from "./recording_view.tsx";
import type { Beside } from "./use_beside.ts";

interface Properties {
  recording: Recording;
  detail: StepDetail | null;
  line: (indices: number[]) => void;
  before?: Beside | null; // an earlier attempt, whose costs stand beside
}

function Waste({ line }: { line: SourceLine }) {
  const waste = wasteOf(line.cost);
  if (waste > 1.005) {
    const conflict = (line.cost.wavefronts ?? 0) > (line.cost.ideal_wavefronts ?? 0);
    const width = `${Math.min(100, (Math.log2(waste) / 5) * 100)}%`;
    return (
      <span class="waste" title={conflict ? "bank conflicts" : "sectors for nothing"}>
        <span class={`bar look-${conflict ? "conflict" : "uncoalesced"}`} style={{ width }} />
        <span>{times(waste)}</span>
      </span>
    );
  }
  if (line.diverging > 0) return <span class="note">diverges</span>;
  return null;
}

// A line that an earlier attempt had, and this one has not.
function GoneLine({ line }: { line: SourceLine }) {
  return (
    <tr class="gone">
      <td class="number">−</td>
      <td class="code">
        <del>{line.text}</del>
      </td>
      <td class="figure steps-column" />
      <td class="figure lanes-column" />
      <td />
      <td class="figure">{lineText(line)}</td>
    </tr>
  );
}

export function SourceView({ recording, detail, line, before = null }: Properties) {
  const { sources, lines, summary } = recording;
  const frame = detail?.frames[0];
  const [chosen, setChosen] = useState<string | null>(null);
  const name = chosen ?? frame?.file ?? sources[0]?.name;
  const file = sources.find((one) => one.name === name) ?? sources[0];
  const rows = useMemo(() => (file ? linesOf(file, lines, summary.lines) : []), [file, lines, summary]);
  const pairs = useMemo((): LinePair[] => {
    const then = before?.recording;
    const other = then && file ? then.sources.find((one) => baseName(one.name) === baseName(file.name)) : undefined;
    return other ? pairLines(rows, linesOf(other, then!.lines, then!.summary.lines)) : rows.map((now) => ({ now, then: null }));
  }, [rows, before, file]);
  const current = useRef<HTMLTableRowElement>(null);
  const selected = frame && file && frame.file === file.name ? frame.line : 0;

  useEffect(() => setChosen(null), [detail]);
  useEffect(() => {
    const row = current.current;
    const box = row?.closest<HTMLElement>(".scroll");
    if (!row || !box) return;
    const top = row.offsetTop - box.clientHeight / 2;
    if (row.offsetTop < box.scrollTop + 30 || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top;
  }, [selected, file, lines]);

  const threads = summary.warps.reduce((most, warp) => Math.max(most, warp.threads), 0);
  return (
    <section class="source" aria-labelledby="source-title">
      <h2 id="source-title">
        Source
        {sources.length > 1 && (
          <select aria-label="file" value={file?.name} onChange={(e) => setChosen(e.currentTarget.value)}>
            {sources.map((one) => (
              <option key={one.name} value={one.name}>
                {baseName(one.name)}
              </option>
            ))}
          </select>
        )}
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="source lines">
        <table class={before ? "with-before" : ""}>
          <thead>
            <tr>
              <th scope="col">line</th>
              <th scope="col">code</th>
              <th scope="col" class="steps-column" title="steps of all warps that are recorded">steps</th>
              <th scope="col" class="lanes-column" title={`lanes that take part, of ${threads}`}>lanes</th>
              <th scope="col" title="memory traffic: how many times what it could be">waste</th>
              {before && (
                <th scope="col" title={`steps and waste of this line in ${before.words}`}>
                  {before.words}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {pairs.map(({ now: row, then }) => !row ? <GoneLine key={`gone ${then!.number}`} line={then!} /> : (
              <tr
                key={row.number}
                ref={row.number === selected ? current : null}
                class={(row.steps ? "runs" : "") + (row.number === selected ? " selected" : "")}
                aria-current={row.number === selected ? "step" : undefined}
                onClick={row.steps ? () => line(row.indices) : undefined}
              >
                <td class="number">
                  {row.steps ? (
                    <button onClick={(e) => (e.stopPropagation(), line(row.indices))} aria-label={`go to line ${row.number}`}>
                      {row.number}
                    </button>
                  ) : (
                    row.number
                  )}
                </td>
                <td class="code">{row.text || " "}</td>
                <td class="figure steps-column">{row.steps ? row.steps.toLocaleString("en") : ""}</td>
                <td class="figure lanes-column">{row.steps ? (row.lanes / row.steps).toFixed(row.lanes % row.steps ? 1 : 0) : ""}</td>
                <td>{row.steps > 0 && <Waste line={row} />}</td>
                {before && <td class="figure">{lineText(then)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
        {!file && <p>The recording has no source text.</p>}
      </div>
    </section>
  );
}
