// The occupancy calculator: how many warps a multiprocessor holds for a block size, registers and shared memory. The
// server computes; each move of a slider asks it.
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.ts";

interface Step {
  value: number;
  blocks_per_sm: number;
  occupancy: number;
}
interface Occupancy {
  device: string;
  blocks_per_sm: number;
  warps_per_sm: number;
  warps_of_sm: number;
  occupancy: number;
  limits: Record<string, number | null>;
  limited_by: string[];
  most_shared_bytes: number;
  what_if: { block: Step[]; registers: Step[]; shared_bytes: Step[] };
  devices: { id: string; name: string }[];
}

const words = (name: string): string => name.replaceAll("_", " ");
const percent = (part: number): string => `${Math.round(100 * part)} %`;

function Slider({ name, value, most, step, least, set }: { name: string; value: number; least: number; most: number; step: number; set: (value: number) => void }) {
  return (
    <label>
      <span>{name}</span>
      <input type="range" min={least} max={most} step={step} value={value} onInput={(e) => set(Number(e.currentTarget.value))} />
      <output>{value.toLocaleString("en")}</output>
    </label>
  );
}

function Steps({ title, column, steps }: { title: string; column: string; steps: Step[] }) {
  if (steps.length < 2) return null;
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{column}</th>
          <th scope="col">blocks</th>
          <th scope="col">occupancy</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step) => (
          <tr key={step.value}>
            <th scope="row">{step.value.toLocaleString("en")}</th>
            <td>{step.blocks_per_sm}</td>
            <td>
              <meter min={0} max={1} value={step.occupancy} aria-hidden="true" /> {percent(step.occupancy)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function OccupancyView() {
  const [device, setDevice] = useState("h100");
  const [block, setBlock] = useState(256);
  const [registers, setRegisters] = useState(32);
  const [shared, setShared] = useState(0);
  const [answer, setAnswer] = useState<Occupancy | null>(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    get<Occupancy>("/api/occupancy", { device, block, registers, shared }, stop.signal).then(
      (now) => (setAnswer(now), setFailure("")),
      (error) => stop.signal.aborted || setFailure(error instanceof Error ? error.message : "The server does not answer."),
    );
    return () => stop.abort();
  }, [device, block, registers, shared]);
  const change = (id: string) => (setShared(0), setDevice(id)); // devices have different limits
  return (
    <section class="occupancy" aria-labelledby="occupancy-title">
      <h2 id="occupancy-title">Occupancy: how many warps a multiprocessor holds</h2>
      <p class="quiet">While some warps wait for memory, others can work: the more a multiprocessor holds, the better it hides the waiting.</p>
      <div class="sliders">
        <label>
          <span>device</span>
          <select value={device} onChange={(e) => change(e.currentTarget.value)}>
            {(answer?.devices ?? [{ id: device, name: device }]).map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <Slider name="threads of a block" value={block} least={32} most={1024} step={32} set={setBlock} />
        <Slider name="registers of a thread" value={registers} least={16} most={255} step={1} set={setRegisters} />
        <Slider name="shared bytes of a block" value={shared} least={0} most={answer?.most_shared_bytes ?? 0} step={1024} set={setShared} />
      </div>
      {failure && <p role="alert">{failure}</p>}
      {answer && (
        <>
          <p class="occupancy-result" role="status">
            <strong>{percent(answer.occupancy)}</strong>: {answer.warps_per_sm} of {answer.warps_of_sm} warps, in {answer.blocks_per_sm}{" "}
            {answer.blocks_per_sm === 1 ? "block" : "blocks"}.{" "}
            {answer.blocks_per_sm === 0 ? "A block like this cannot run. " : ""}
            {answer.limited_by.length > 0 && `Limited by ${answer.limited_by.map(words).join(" and ")}.`}
          </p>
          <div class="occupancy-steps">
            <table>
              <caption>What allows how many blocks</caption>
              <tbody>
                {Object.entries(answer.limits).map(([name, blocks]) => (
                  <tr key={name}>
                    <th scope="row">{words(name)}</th>
                    <td>{blocks === null ? "no limit" : blocks}</td>
                    <td>{answer.limited_by.includes(name) ? "← limits" : ""}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <Steps title="Other block sizes" column="threads" steps={answer.what_if.block} />
            <Steps title="Fewer or more registers" column="up to" steps={answer.what_if.registers} />
            {shared > 0 && <Steps title="Less or more shared memory" column="bytes up to" steps={answer.what_if.shared_bytes} />}
          </div>
        </>
      )}
    </section>
  );
}
