// E: what the step costs, in sentences, and what to do.
import { useMemo } from "preact/hooks";
import type { LineSum, Place, StepDetail } from "../api.ts";
import { sentencesOf } from "../model/sentences.ts";
import { times, wasteOf } from "../model/source_lines.ts";
import type { Recording } from "./recording_view.tsx";

interface Properties {
  recording: Recording;
  detail: StepDetail;
  go: (to: Place) => void;
}

// What the whole line costs: the lanes that take part, and its share of the block's traffic.
function LineSentences({ recording, detail }: { recording: Recording; detail: StepDetail }) {
  const sum = recording.lines.find((line) => line.line === detail.site.line);
  if (!sum) return null;
  const lanes = sum.lanes / sum.steps;
  const threads = recording.summary.warps[detail.warp]?.threads ?? 32;
  return (
    <>
      {lanes < threads - 0.05 && (
        <p>
          Line {detail.frames[0]?.line}: on average {lanes.toFixed(1)} of {threads} lanes take part.
        </p>
      )}
      <Traffic recording={recording} detail={detail} sum={sum} />
    </>
  );
}

function Traffic({ recording, detail, sum }: { recording: Recording; detail: StepDetail; sum: LineSum }) {
  const field = (sum.cost.sectors ?? 0) > 0 ? "sectors" : (sum.cost.wavefronts ?? 0) > 0 ? "wavefronts" : null;
  if (!field) return null;
  const all = recording.lines.reduce((total, line) => total + (line.cost[field] ?? 0), 0);
  const share = Math.round((100 * (sum.cost[field] ?? 0)) / all);
  const unit = field === "sectors" ? "sectors of global memory" : "passes over shared memory";
  return (
    <p>
      Line {detail.frames[0]?.line}: {sum.cost[field]!.toLocaleString("en")} {unit} in {sum.steps.toLocaleString("en")} steps, {share} % of
      the block’s; {times(wasteOf(sum.cost))} what it could be.
    </p>
  );
}

export function CostView({ recording, detail, go }: Properties) {
  const { summary } = recording;
  const sentences = useMemo(() => sentencesOf(detail, summary), [detail, summary]);
  const mine = detail.marks.map((mark) => mark.finding);
  const others = summary.findings.marks.filter(
    (mark) => mine.includes(mark.finding) && (mark.warp !== detail.warp || mark.step !== detail.step.step),
  );
  return (
    <section class="cost" aria-labelledby="cost-title" data-place={`${detail.warp}/${detail.step.step}`}>
      <h2 id="cost-title">What it costs, and what to do</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="costs of this step">
        {sentences.map((sentence) => (
          <div key={sentence.text} class={`sentence ${sentence.tone}`}>
            <p>{sentence.text}</p>
            {sentence.advice && <p class="advice">{sentence.advice}</p>}
          </div>
        ))}
        {others.map((mark) => (
          <p key={`${mark.warp} ${mark.step} ${mark.lane}`}>
            <button onClick={() => go(mark)}>
              the other party: warp {mark.warp}, lane {mark.lane}, step {mark.step}
            </button>
          </p>
        ))}
        <LineSentences recording={recording} detail={detail} />
      </div>
    </section>
  );
}
