// What a problem asks, its hints one by one, and earlier attempts.
import { useState } from "preact/hooks";
import { nextHint, type Attempt, type ProblemDetail } from "../../lab_api.ts";
import { howLongAgo, secondsText, verdictWords } from "../../model/verdict.ts";
import { Markdown } from "../markdown.tsx";

function Asked({ problem }: { problem: ProblemDetail }) {
  const samples = problem.cases.filter((one) => one.sample);
  return (
    <>
      <Markdown text={problem.statement} />
      <h3>Signature</h3>
      <pre tabIndex={0}>
        <code>{problem.signature};</code>
      </pre>
      {problem.budgets.length > 0 && (
        <>
          <h3>Budget</h3>
          <ul>
            {problem.budgets.map((budget) => (
              <li key={budget}>{budget}</li>
            ))}
          </ul>
        </>
      )}
      <h3>Cases</h3>
      <ul>
        {samples.map((one) => (
          <li key={one.name}>
            {one.name}
            {one.sizes && `: ${one.sizes}`}
          </li>
        ))}
        <li class="quiet">
          and {problem.cases.length - samples.length} more that Submit runs
          {problem.cases.some((one) => one.timed) && ", one of them large: it tells the modelled time"}
        </li>
      </ul>
    </>
  );
}

function Hints({ problem }: { problem: ProblemDetail }) {
  const [seen, setSeen] = useState(problem.hints.seen);
  const { of } = problem.hints;
  const more = () => void nextHint(problem.name).then((hint) => setSeen((now) => (now.length + 1 === hint.number ? [...now, hint.text] : now)));
  return (
    <section class="hints" aria-labelledby="hints-title">
      <h2 id="hints-title">
        Hints
        <span class="quiet">
          {seen.length} of {of} seen
        </span>
        {seen.length < of && <button onClick={more}>{seen.length === 0 ? "Show a hint" : "Show the next hint"}</button>}
      </h2>
      <div aria-live="polite">
        {seen.map((text, n) => (
          <div key={n} class="hint">
            <strong>{n + 1}.</strong>
            <Markdown text={text} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Attempts({ attempts, show }: { attempts: Attempt[]; show: (id: number) => void }) {
  const now = Date.now();
  const timed = attempts.some((one) => one.modelled_seconds);
  // On a phone they would stand between the statement and the editor.
  const [open] = useState(() => innerWidth > 760);
  return (
    <section class="attempts" aria-labelledby="attempts-title">
      <h2 id="attempts-title">Your attempts</h2>
      {attempts.length === 0 ? (
        <p class="quiet">There are none yet.</p>
      ) : (
        <details open={open}>
          <summary>
            {attempts.length === 1 ? "one" : attempts.length}
            {", the last: "}
            {verdictWords(attempts[0]!.verdict)}
          </summary>
          <table>
            <thead>
              <tr>
                <th scope="col">when</th>
                <th scope="col">verdict</th>
                {timed && <th scope="col">modelled</th>}
                <th scope="col">source</th>
              </tr>
            </thead>
            <tbody>
              {attempts.map((one) => (
                <tr key={one.id}>
                  <td title={one.at}>{howLongAgo(one.at, now)}</td>
                  <td class={one.verdict === "accepted" ? "good" : "bad"}>
                    {verdictWords(one.verdict)}
                    {one.samples_only && " (samples)"}
                  </td>
                  {timed && <td>{one.modelled_seconds ? secondsText(one.modelled_seconds) : ""}</td>}
                  <td>
                    <button onClick={() => show(one.id)} aria-label={`bring back attempt ${one.id}`}>
                      bring back
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </section>
  );
}

export function StatementView({ problem, show }: { problem: ProblemDetail; show: (id: number) => void }) {
  return (
    <div class="asked scroll" tabIndex={0} role="region" aria-label="what is asked, hints and attempts">
      <section aria-labelledby="asked-title">
        <h2 id="asked-title">What is asked</h2>
        <Asked problem={problem} />
      </section>
      <Hints key={problem.name} problem={problem} />
      <Attempts attempts={problem.attempts} show={show} />
    </div>
  );
}
