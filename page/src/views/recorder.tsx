// A source becomes a recording, or a profile: starts that, shows how far it is, and what the compiler or the program said.
import { useEffect, useState } from "preact/hooks";
import { get, post, Refused, type LibraryFile, type RecordProgress, type Refusal } from "../api.ts";

interface Properties {
  file: LibraryFile;
  what: "record" | "profile";
  back: (() => void) | null;
  done: () => void;
}

const pollMilliseconds = 250;

export function Recorder({ file, what, back, done }: Properties) {
  const [progress, setProgress] = useState<RecordProgress | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let timer = 0;
    let gone = false;
    const failed = (error: unknown) =>
      setRefusal(error instanceof Refused ? error.refusal : { code: "", message: "the server does not answer", explanation: "" });
    const take = (now: RecordProgress) => {
      if (gone) return;
      setProgress(now);
      if (now.state === "ready") done();
      else if (now.state === "recording")
        timer = setTimeout(() => get<RecordProgress>(`/api/${what}`, { file: file.name }).then(take, failed), pollMilliseconds);
    };
    setRefusal(null);
    post<RecordProgress>(`/api/${what}`, { file: file.name }, {}).then(take, failed);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [file.name, what, attempt]);

  const running = !refusal && progress?.state !== "failed";
  return (
    <main class="recorder">
      <h1>{file.name}</h1>
      {running ? (
        <p role="status">
          {what === "record"
            ? "Recording: the program is compiled, then it runs three times, checked, counted and recorded."
            : "Profiling: the program is compiled, then it runs once, and what hardware would count is counted."}{" "}
          <span class="seconds">{(progress?.seconds ?? 0).toFixed(1)} s</span>
        </p>
      ) : (
        <p role="alert">
          {refusal ? `${refusal.code} ${refusal.message}` : `There is no ${what === "record" ? "recording" : "profile"}: the compiler or the program says why.`}
        </p>
      )}
      {refusal?.explanation && <p>{refusal.explanation}</p>}
      {progress?.said && (
        <pre tabIndex={0} aria-label="what the compiler and the program said">
          {progress.said}
        </pre>
      )}
      <p>
        {!running && <button onClick={() => setAttempt(attempt + 1)}>Once more</button>}
        {back && <button onClick={back}>Other files</button>}
      </p>
    </main>
  );
}
