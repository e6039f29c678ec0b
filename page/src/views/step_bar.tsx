// The bar between the weave and the step: moves by one step, and to the next divergence, conflict, barrier or race.
import type { Place, StepDetail, Summary } from "../api.ts";
import { events, type Steps } from "./keys.ts";

interface Properties {
  summary: Summary;
  place: Place;
  detail: StepDetail | null;
  steps: Steps;
  said: string;
}

export function StepBar({ summary, place, detail, steps, said }: Properties) {
  const warp = summary.warps[place.warp]!;
  const last = warp.first + warp.count - 1;
  return (
    <section class="steps" aria-label="steps">
      <span class="buttons">
        <button onClick={() => steps.by(-1)} disabled={place.step <= warp.first} aria-label="the step before" title="←">
          ◀
        </button>
        <button onClick={() => steps.by(1)} disabled={place.step >= last} aria-label="the next step" title="→">
          ▶
        </button>
      </span>
      <span class="place" aria-live="polite">
        warp {place.warp}, step {place.step.toLocaleString("en")} of {warp.steps.toLocaleString("en")}
        {detail && <span class="quiet">, phase {detail.step.phase}, modelled clock {detail.step.modelled_clock.toLocaleString("en")}</span>}
      </span>
      <span class="buttons">
        <span class="quiet">next:</span>
        {events.map((event) => (
          <button key={event.name} title={`key ${event.key}; with ⇧ the one before`} onClick={(e) => steps.next(event.name, e.shiftKey)}>
            {event.label}
          </button>
        ))}
        <button onClick={steps.open} title="Home: where the recording opens">
          worst place
        </button>
      </span>
      <span class="said" role="status">
        {said}
      </span>
    </section>
  );
}
