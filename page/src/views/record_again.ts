// Records once more what a recording shows: a source in another order or on another device, or a case of the lab.
import { get, post, Refused, type RecordProgress, type Summary } from "../api.ts";
import { followRun, startRun, type RunNews } from "../lab_api.ts";

const pollMilliseconds = 200;
const noRecording = (said: string | undefined) => new Refused(422, { code: "W0006", message: said || "there is no recording", explanation: "" });

// The same block of the same launch, by its name: "order:7:race.cu".
export async function recordVariation(name: string, summary: Summary, stop: AbortSignal): Promise<void> {
  const same = { launch: summary.launch, block: summary.block.join(","), values: summary.value_lines.join(",") };
  let now = await get<RecordProgress>("/api/record", { file: name }, stop);
  if (now.state !== "ready") now = await post<RecordProgress>("/api/record", { file: name, ...same }, {}, false, stop);
  while (now.state === "recording") {
    await new Promise((done) => setTimeout(done, pollMilliseconds));
    now = await get<RecordProgress>("/api/record", { file: name }, stop);
  }
  if (now.state !== "ready") throw noRecording(now.said.trim().split("\n").at(-1));
}

// The case that a recording of the lab shows (`like`), of a source, or in another order. The answer is its name.
export async function recordCase(problem: string, source: string, like: object, stop: AbortSignal): Promise<string> {
  const { run } = await startRun(problem, "trace", source, { like: JSON.stringify(like) });
  let end: RunNews | null = null;
  await followRun(run, (news) => (end = news), stop);
  const { state, said } = end as unknown as RunNews;
  if (state !== "done") throw noRecording(said.trim().split("\n")[0]);
  return `lab:${run}`;
}
