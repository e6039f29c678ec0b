// The verdict: cases as they come, then what was found, in the words of `warpwise lab submit`.
import type { Fact, Judgement, ProblemDetail, RunNews } from "../../lab_api.ts";
import { caseRows, judgementOf, reportsOf, verdictWords, type CaseRow } from "../../model/verdict.ts";
import { Markdown } from "../markdown.tsx";

export interface Shown {
  judgement: Judgement | null;
  samplesOnly: boolean;
  run: RunNews | null; // while it lasts, and after it has failed
}

const signs: Record<CaseRow["state"], [string, string]> = {
  passed: ["✓", "passed"],
  refused: ["✗", "refused"],
  waits: ["…", "not judged yet"],
  "not-run": ["–", "did not run"],
};

function Cases({ rows }: { rows: CaseRow[] }) {
  const passed = rows.filter((row) => row.state === "passed").length;
  return (
    <details class="cases" open={rows.some((row) => row.state === "waits") || undefined}>
      <summary>
        {passed} of {rows.length} cases passed{" "}
        <span class="dots" aria-hidden="true">
          {rows.map((row) => (
            <span key={row.name} class={`dot ${row.state}`}>
              {signs[row.state][0]}
            </span>
          ))}
        </span>
      </summary>
      <ul>
        {rows.map((row) => (
          <li key={row.name} class={row.state}>
            <span aria-hidden="true">{signs[row.state][0]}</span> {row.name} <span class="quiet">{row.shape || signs[row.state][1]}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

// `names` stand between backquotes in what the judge says.
const withCode = (text: string) => text.split(/`([^`]+)`/).map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part));

interface FactsProperties {
  facts: Fact[];
  file: string;
  goToLine: (line: number) => void;
}

// A compiler's messages have no labels and come first.
function Facts({ facts, file, goToLine }: FactsProperties) {
  const first = facts.findIndex((fact) => fact.label);
  const said = facts.slice(0, Math.max(0, first));
  return (
    <>
      {said.length > 0 && (
        <pre class="said" tabIndex={0} aria-label="what the compiler said">
          {said.map((fact) => fact.text).join("\n")}
        </pre>
      )}
      <LabelledFacts facts={facts.slice(said.length)} file={file} goToLine={goToLine} />
    </>
  );
}

function LabelledFacts({ facts, file, goToLine }: FactsProperties) {
  return (
    <table class="facts">
      <tbody>
        {facts.map((fact, n) => (
          <tr key={n} class={fact.label || "more"}>
            {fact.label ? <th scope="row">{fact.label}</th> : <td />}
            <td>
              {fact.label === "at" && fact.file === file && fact.line ? (
                <button class="link" onClick={() => goToLine(fact.line!)}>
                  line {fact.line} of {file}
                </button>
              ) : (
                withCode(fact.text)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Properties {
  problem: ProblemDetail;
  shown: Shown;
  stale: boolean;
  next: string; // the problem that comes next
  tracing: boolean;
  traceSaid: string;
  seeIt: () => void;
  stop: () => void;
  goToLine: (line: number) => void;
}

function headline(shown: Shown, reports: number): string {
  const { judgement, run, samplesOnly } = shown;
  if (run?.state === "waiting") return `Waiting: ${run.ahead > 1 ? `${run.ahead} other submissions come first` : "another submission is being judged"}.`;
  if (run?.state === "running") return reports === 0 ? "Compiling, then judging …" : "Judging …";
  if (run?.state === "stopped") return "Stopped.";
  if (run?.state === "failed") return "It could not be judged.";
  if (!judgement) return "";
  if (!judgement.accepted) return `Refused: ${verdictWords(judgement.verdict)}`;
  return samplesOnly ? "The sample cases pass. Submit runs all cases." : "Accepted";
}

export function VerdictView({ problem, shown, stale, next, tracing, traceSaid, seeIt, stop, goToLine }: Properties) {
  const { run, samplesOnly } = shown;
  const running = run?.state === "waiting" || run?.state === "running";
  const judgement = run ? judgementOf(run.events) : shown.judgement;
  const reports = run ? reportsOf(run.events) : (judgement?.cases ?? []);
  const names = problem.cases.filter((one) => !samplesOnly || one.sample).map((one) => one.name);
  const ended = !running || judgement !== null;
  const good = judgement?.accepted === true && !running;
  const text = headline({ ...shown, judgement, run: judgement ? null : run }, reports.length);
  // The judge's process ends a moment after its verdict.
  const colour = judgement ? (judgement.accepted ? "good" : "bad") : running ? "running" : "";
  return (
    <section class={`verdict ${colour}`} aria-labelledby="verdict-title">
      <h2 id="verdict-title">
        Verdict
        <span class="headline" role="status">
          {text}
          {running && !judgement && reports.length > 0 && ` ${reports.filter((one) => one.passed).length} of ${names.length} cases passed`}
        </span>
        {judgement && <span class="quiet">{(judgement.seconds * 1000).toFixed(0)} ms</span>}
        {stale && judgement && !running && <span class="stale">the text has changed since</span>}
        <span class="buttons">
          {running && !judgement && <button onClick={stop}>Stop</button>}
          {judgement && judgement.cases.length > 0 && !running && (
            <button onClick={seeIt} disabled={tracing} title="records what each warp and lane did in this case, and shows it step by step">
              {tracing ? "Recording …" : judgement.accepted ? "Watch it run" : "See it: step by step"}
            </button>
          )}
        </span>
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="verdict in words">
        {!run && !judgement && (
          <p class="quiet">
            Nothing is judged yet. <kbd>Ctrl</kbd> <kbd>Enter</kbd> submits: every case runs under all checkers.
          </p>
        )}
        {traceSaid && <p role="alert">{traceSaid}</p>}
        {run?.state === "failed" && <pre class="said">{run.said}</pre>}
        {(judgement || running) && judgement?.verdict !== "does-not-compile" && judgement?.verdict !== "forbidden" && (
          <Cases rows={caseRows(names, reports, ended)} />
        )}
        {judgement?.facts && <Facts facts={judgement.facts} file={problem.file} goToLine={goToLine} />}
        {judgement?.printed && (
          <>
            <h3>Printed</h3>
            <pre class="said">{judgement.printed}</pre>
          </>
        )}
        {good && !samplesOnly && next && (
          <p class="next-problem">
            <a class="go" href={`#problem=${next}`}>
              Next problem
            </a>
          </p>
        )}
        {good && !samplesOnly && problem.lesson && (
          <div class="lesson">
            <h3>What to take away</h3>
            <Markdown text={problem.lesson} level={4} />
          </div>
        )}
      </div>
    </section>
  );
}
