// D: what the step touches: sectors of global memory with the bytes that are wanted and those that are not, or the banks
// of shared memory, a row for each pass.
import type { Access, StepDetail, Summary } from "../api.ts";
import { has, lanesOf, ranges } from "../model/lanes.ts";
import { wavefrontsOf } from "../model/banks.ts";
import { sectorsOf } from "../model/sectors.ts";
import { memoryName } from "../model/sentences.ts";
import { groupClass, groupsOf, type StepViewProperties } from "./lane_view.tsx";

interface AccessProperties {
  access: Access;
  detail: StepDetail;
  summary: Summary;
  lane: number | null;
  setLane: (lane: number | null) => void;
}

function Sectors({ access, detail, summary, lane, setLane }: AccessProperties) {
  const bytes = detail.site.bytes ?? 4;
  const sectors = sectorsOf(access.mask, access.addresses, bytes);
  const base = access.memory?.base ?? sectors[0]?.at ?? 0;
  const groups = groupsOf(detail);
  const wanted = sectors.reduce((all, sector) => all + sector.wanted, 0);
  return (
    <>
      <p>
        {memoryName(access, summary.kernel).replaceAll("`", "")} as the array it is: elements of {bytes} bytes, fetched in sectors of 32.{" "}
        <strong>
          {wanted} of {sectors.length * 32} bytes are wanted.
        </strong>
      </p>
      <ol class="sectors" style={{ "--cells": `${32 / Math.max(1, Math.min(bytes, 32))}` }}>
        {sectors.map((sector) => (
          <li key={sector.at}>
            {sector.gap > 0 && <span class="gap">{sector.gap.toLocaleString("en")} bytes not touched</span>}
            <span class="sector-name">[{Math.floor((sector.at - base) / bytes)}]</span>
            <span class="sector">
              {sector.cells.map((lanes, n) => (
                <span
                  key={n}
                  class={`cell ${lanes.length ? groupClass(groups[lanes[0]!]!) : "waste"} ${lane !== null && lanes.includes(lane) ? "pointed" : ""}`}
                  title={lanes.length ? `wanted by lane ${ranges(lanes)}` : "fetched for no lane"}
                  onMouseEnter={() => setLane(lanes[0] ?? null)}
                >
                  {lanes.length > 1 ? `${lanes[0]}+` : (lanes[0] ?? "")}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Banks({ access, detail, summary, lane, setLane }: AccessProperties) {
  const bytes = detail.site.bytes ?? 4;
  const { rows, columns, bytes: unit } = wavefrontsOf(access.mask, access.addresses, bytes, detail.site.kind, detail.site.ptx, detail.site.shared_atomic);
  const priced = access.cost.wavefronts ?? 0;
  const groups = groupsOf(detail);
  return (
    <>
      <p>
        {memoryName(access, summary.kernel).replaceAll("`", "")}: 32 banks{unit > 4 ? ` in ${columns} groups` : ""}, a row for each pass.{" "}
        <strong>
          {rows.length} {rows.length === 1 ? "pass" : "passes"}
        </strong>
        {rows.length !== priced && `; the profile prices it as ${priced}`}
      </p>
      <div class="banks-scroll" tabIndex={0} role="region" aria-label="banks">
        <table class={`banks ${rows.length > 8 ? "many" : ""}`}>
          <thead>
            <tr>
              <th scope="col">pass</th>
              {Array.from({ length: columns }, (_, bank) => (
                <th scope="col" key={bank}>
                  {(bank * unit) / 4}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, n) => (
              <tr key={n}>
                <th scope="row">{n + 1}</th>
                {row.map((cell, bank) => (
                  <td
                    key={bank}
                    class={cell ? `${groupClass(groups[cell.lanes[0]!]!)} ${lane !== null && cell.lanes.includes(lane) ? "pointed" : ""}` : ""}
                    title={cell ? `bank ${(bank * unit) / 4}, word at byte ${cell.unit * unit}: lane ${ranges(cell.lanes)}` : `bank ${(bank * unit) / 4} is idle`}
                    onMouseEnter={() => setLane(cell?.lanes[0] ?? null)}
                  >
                    {cell ? (cell.lanes.length > 1 ? `${cell.lanes[0]}+` : cell.lanes[0]) : ""}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Constants({ access }: { access: Access }) {
  const words = access.words ?? [];
  return (
    <p>
      Constant memory serves one word at a time: {words.length} {words.length === 1 ? "word, for all lanes at once." : "different words, one after the other."}
    </p>
  );
}

// A branch has no memory: its two ways are what there is to see.
function Ways({ detail }: { detail: StepDetail }) {
  const { active, on } = detail.step;
  const stay = (active & ~on) >>> 0;
  return (
    <table class="ways">
      <caption>Both ways of the branch</caption>
      <tbody>
        {[
          ["jump", on],
          ["go on", stay],
        ].map(([name, mask]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {Array.from({ length: 32 }, (_, lane) => (
              <td key={lane} class={has(mask as number, lane) ? "taken" : ""}>
                {has(mask as number, lane) ? lane : ""}
              </td>
            ))}
            <td class="quiet">{lanesOf(mask as number).length} lanes</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function MemoryView({ summary, detail, lane, setLane }: StepViewProperties) {
  const diverges = detail.site.kind === "branch" && detail.step.on !== 0 && detail.step.on !== detail.step.active;
  return (
    <section class="memory" aria-labelledby="memory-title">
      <h2 id="memory-title">{diverges ? "Where the lanes go" : "Memory"}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="memory of this step">
        {detail.accesses.map((access, n) => {
          const properties = { access, detail, summary, lane, setLane };
          if (access.space === "shared") return <Banks key={n} {...properties} />;
          if (access.space === "const") return <Constants key={n} access={access} />;
          if (access.space === "global") return <Sectors key={n} {...properties} />;
          return <p key={n}>Local memory of the threads: {access.sectors?.length ?? 0} sectors, interleaved by lane.</p>;
        })}
        {diverges && <Ways detail={detail} />}
        {detail.accesses.length === 0 && !diverges && <p class="quiet">This step accesses no memory.</p>}
      </div>
    </section>
  );
}
