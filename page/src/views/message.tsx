// The page when there is nothing else to show: what is wrong and what to do.
import type { Refusal } from "../api.ts";

export function Message({ error }: { error: Refusal | null }) {
  return (
    <main class="message">
      <h1>Warpwise</h1>
      {error ? (
        <>
          <p role="alert">
            <strong>{error.code}</strong> {error.message}
          </p>
          <p>{error.explanation}</p>
        </>
      ) : (
        <p role="alert">
          The server does not answer. It may have ended: start <code>warpwise serve</code> again and open the link that it
          prints.
        </p>
      )}
    </main>
  );
}
