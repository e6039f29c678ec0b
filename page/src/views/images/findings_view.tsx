// What is wrong with a piece: the compiler's messages, a frame that failed, and what the checkers find.
import type { Finding, Party } from "../../api.ts";
import type { LiveState } from "../../model/live.ts";

interface Properties {
  file: string;
  state: LiveState | null;
  words: string; // what went wrong; "": nothing
  messages: string; // of the compiler
  seeing: boolean;
  check: () => void;
  see: (finding: number) => void;
  goToLine: (line: number) => void;
}

const threadOf = ({ block, thread }: Party): string => (block && thread ? `thread (${thread.join(",")}) of block (${block.join(",")})` : "");

function PartyLine({ party, goToLine }: { party: Party; goToLine: (line: number) => void }) {
  const line = party.frames?.[0]?.line ?? 0;
  return (
    <li>
      {party.role} {threadOf(party) && `by ${threadOf(party)}`}
      {line > 0 && (
        <>
          {" in "}
          <button class="link" onClick={() => goToLine(line)}>
            line {line}
          </button>
        </>
      )}
    </li>
  );
}

function FindingPart({ finding, number, seeing, see, goToLine }: { finding: Finding; number: number } & Pick<Properties, "seeing" | "see" | "goToLine">) {
  const hasThread = finding.parties?.some((party) => party.block && party.thread);
  return (
    <li>
      <p>
        <strong>
          {finding.code}: {finding.message}
        </strong>
        {finding.threads > 1 && <span class="quiet"> ({finding.threads} times)</span>}
      </p>
      <ul>
        {finding.parties?.map((party, n) => (
          <PartyLine key={n} party={party} goToLine={goToLine} />
        ))}
      </ul>
      {finding.help && <p>{finding.help}</p>}
      {hasThread && (
        <button disabled={seeing} onClick={() => see(number)}>
          See it: step by step
        </button>
      )}
    </li>
  );
}

export function FindingsView({ state, words, messages, seeing, check, see, goToLine }: Properties) {
  const found = state?.check ?? null;
  const running = state?.what === "running";
  const pixels = found?.pixels.reduce((sum, [, count]) => sum + count, 0) ?? 0;
  const headline = !state || state.what === "compiling" ? "" : state.checking ? "The checkers look at a frame …" : found ? (found.findings.length === 0 && !found.failure ? `✓ Frame ${found.frame}: the checkers find nothing` : `✗ Frame ${found.frame}: ${found.findings.length} finding${found.findings.length === 1 ? "" : "s"}${pixels ? `, ${pixels} pixels in red` : ""}`) : "";
  return (
    <section class={`piece-findings ${found && found.findings.length ? "bad" : ""}`} aria-labelledby="findings-title">
      <h2 id="findings-title">
        What is wrong
        <span class="buttons">
          <button disabled={!running || state?.checking} onClick={check} title="Ctrl+Shift+Enter: with all checkers">
            Check this frame
          </button>
        </span>
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="messages and findings">
        {words && <p role="alert">{words}</p>}
        {messages && <pre class="said">{messages}</pre>}
        {running && (
          <p role="status" class={found && found.findings.length === 0 && !found.failure ? "good" : ""}>
            {headline}
          </p>
        )}
        {running && found?.failure && <p class="bad">{found.failure}</p>}
        {running && found && found.findings.length > 0 && (
          <ol>
            {found.findings.map((finding, n) => (
              <FindingPart key={n} finding={finding} number={n} seeing={seeing} see={see} goToLine={goToLine} />
            ))}
          </ol>
        )}
        {running && found?.not_checked.map((what) => <p key={what}>Not checked: {what}</p>)}
      </div>
    </section>
  );
}
