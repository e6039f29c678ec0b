// F: the data of the step as a table: for screen readers, and to copy.
import type { StepDetail, Summary } from "../api.ts";
import { lanesOf, laneCount, threadOf } from "../model/lanes.ts";
import { addressesOf, stateOf, stateWords, valuesOf } from "./lane_view.tsx";

function placesOf(detail: StepDetail): Map<number, string> {
  const of = new Map<number, string>();
  for (const access of detail.accesses) {
    const touched = access.sectors ?? access.banks ?? access.words ?? [];
    const unit = access.sectors ? "sector" : access.banks ? "bank" : "word";
    for (const one of touched)
      for (const lane of lanesOf(one.lanes)) {
        const name = access.sectors ? `0x${one.at.toString(16)}` : `${one.at}`;
        of.set(lane, of.has(lane) ? `${of.get(lane)}, ${name}` : `${unit} ${name}`);
      }
  }
  return of;
}

export function StepTable({ summary, detail }: { summary: Summary; detail: StepDetail }) {
  const threads = summary.warps[detail.warp]?.threads ?? laneCount;
  const [addresses, values, places] = [addressesOf(detail), valuesOf(detail), placesOf(detail)];
  return (
    <details class="table">
      <summary>This step as a table</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label="this step as a table">
        <table>
          <caption>
            Warp {detail.warp}, step {detail.step.step}: {detail.site.ptx}
          </caption>
          <thead>
            <tr>
              {["lane", "thread", "state", "address", "where", "value"].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: threads }, (_, lane) => (
              <tr key={lane}>
                <th scope="row">{lane}</th>
                <td>({threadOf(detail.warp, lane, summary.block_shape).join(",")})</td>
                <td>{stateWords[stateOf(detail, lane, threads)]}</td>
                <td>{addresses.has(lane) ? `0x${addresses.get(lane)!.toString(16)}` : ""}</td>
                <td>{places.get(lane) ?? ""}</td>
                <td>{values.get(lane) ?? ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
