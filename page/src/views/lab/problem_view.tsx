// A problem: what is asked, the editor, the verdict. Holds what the three share: the text, its draft, the run.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Refused, type Library, type Refusal } from "../../api.ts";
import type { Editor } from "../../editor.ts";
import { diagnose, followRun, getAttempt, getMap, getProblem, hasEnded, keepDraft, startRun, stopRun, type ProblemDetail, type RunKind, type RunNews } from "../../lab_api.ts";
import { DraftKeeper, type DraftState } from "../../model/draft.ts";
import { Diagnoser } from "../../model/diagnoser.ts";
import { marksOfMessages } from "../../model/messages.ts";
import { judgementOf, lineMarks } from "../../model/verdict.ts";
import { Bar } from "../bar.tsx";
import { Message } from "../message.tsx";
import { CodeView } from "./code_view.tsx";
import { StatementView } from "./statement_view.tsx";
import { VerdictView, type Shown } from "./verdict_view.tsx";

const wordsOf = (error: unknown): string =>
  error instanceof Refused ? `${error.refusal.code}: ${error.refusal.message}` : "The server does not answer. It may have ended.";

export function ProblemView({ name, library }: { name: string; library: Library }) {
  const [problem, setProblem] = useState<(ProblemDetail & { run: number }) | null>(null);
  const [refusal, setRefusal] = useState<{ error: Refusal | null } | null>(null);
  useEffect(() => {
    getProblem(name).then(setProblem, (error) => setRefusal({ error: error instanceof Refused ? error.refusal : null }));
  }, [name]);
  if (refusal) return <Message error={refusal.error} />;
  if (!problem) return <main class="message" aria-busy="true" />;
  return <Workplace first={problem} library={library} />;
}

function Workplace({ first, library }: { first: ProblemDetail & { run: number }; library: Library }) {
  const { name } = first;
  const [problem, setProblem] = useState<ProblemDetail>(first);
  const begin = first.draft?.text ?? first.starter;
  const text = useRef(begin);
  const editor = useRef<Editor | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [draft, setDraft] = useState<DraftState>("kept");
  const [judged, setJudged] = useState(first.last?.source ?? null); // the text that the verdict is about
  const [stale, setStale] = useState(first.last !== null && first.last.source !== begin);
  const [shown, setShown] = useState<Shown>({ judgement: first.last?.judgement ?? null, samplesOnly: first.last?.attempt.samples_only ?? false, run: null });
  const [said, setSaid] = useState("");
  const [next, setNext] = useState("");
  const [tracing, setTracing] = useState(false);
  const [traceSaid, setTraceSaid] = useState("");
  const stop = useRef(new AbortController());

  const keeper = useMemo(
    () =>
      new DraftKeeper(
        first.draft?.revision ?? 0,
        (now, revision, last) => keepDraft(name, now, revision, last),
        (error) => error instanceof Refused && error.refusal.code === "L0104",
        setDraft,
      ),
    [],
  );
  // While it is typed, the compiler's words; they are about the text as it is.
  const [typedSays, setTypedSays] = useState("");
  const diagnoser = useMemo(() => new Diagnoser((now, signal) => diagnose(name, now, signal), setTypedSays), []);
  useEffect(() => () => diagnoser.end(), []);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    const leave = () => void keeper.flush(true);
    addEventListener("pagehide", leave);
    if (first.run !== 0) void follow(first.run, "submit");
    return () => {
      removeEventListener("pagehide", leave);
      leave();
      stop.current.abort();
    };
  }, []);
  // Whether the verdict is still about what the editor holds.
  const compare = (about: string | null) => setStale(about !== null && about !== text.current);
  const changed = (now: string) => {
    text.current = now;
    keeper.change(now);
    diagnoser.change(now);
    compare(judged);
  };

  const reload = async () => {
    const now = await getProblem(name);
    setProblem(now);
    const map = await getMap();
    setNext(map.next);
  };
  const follow = async (run: number, kind: RunKind) => {
    let events: RunNews["events"] = [];
    try {
      await followRun(
        run,
        (news) => {
          events = [...events, ...news.events];
          const judgement = judgementOf(events);
          const over = hasEnded(news.state) && judgement !== null;
          setShown({ judgement, samplesOnly: news.kind === "test", run: over ? null : { ...news, events } });
        },
        stop.current.signal,
      );
      await reload();
    } catch (error) {
      if (!stop.current.signal.aborted) setSaid(wordsOf(error));
    }
    void kind;
  };
  const judge = useCallback(async (kind: "submit" | "test") => {
    setSaid("");
    setTraceSaid("");
    const source = text.current;
    void keeper.flush();
    try {
      const run = await startRun(name, kind, source);
      setJudged(source);
      setStale(false);
      setShown({ judgement: null, samplesOnly: kind === "test", run: { ...run, events: [] } });
      stop.current.abort();
      stop.current = new AbortController();
      await follow(run.run, kind);
    } catch (error) {
      setSaid(wordsOf(error));
    }
  }, []);

  // Anywhere in the page; the editor has the same keys.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      void judge(event.shiftKey ? "test" : "submit");
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);

  const seeIt = async () => {
    const { judgement } = shown;
    if (!judgement || judged === null) return;
    setTracing(true);
    setTraceSaid("");
    try {
      const { run } = await startRun(name, "trace", judged, { seed: judgement.seed, samples: shown.samplesOnly ? 1 : 0 });
      let last: RunNews | null = null;
      await followRun(run, (news) => (last = news), stop.current.signal);
      const end = last as RunNews | null;
      if (end?.state === "done") location.hash = `#${new URLSearchParams({ file: `lab:${run}`, problem: name })}`;
      else setTraceSaid(`There is no recording. ${end?.said ?? ""}`);
    } catch (error) {
      setTraceSaid(wordsOf(error));
    }
    setTracing(false);
  };

  const bringBack = async (id: number) => {
    const attempt = await getAttempt(id);
    editor.current?.setText(attempt.source);
    setJudged(attempt.source);
    setShown({ judgement: attempt.judgement, samplesOnly: attempt.attempt.samples_only, run: null });
    setStale(false);
  };
  const takeTheirs = async () => {
    const now = await getProblem(name);
    editor.current?.setText(now.draft?.text ?? now.starter);
    keeper.follow(now.draft?.revision ?? 0);
  };
  const keepMine = async () => keeper.insist(text.current, (await getProblem(name)).draft?.revision ?? 0);

  const facts = shown.run ? judgementOf(shown.run.events)?.facts : shown.judgement?.facts;
  const marks = useMemo(
    () => (facts && !stale ? lineMarks(problem.file, facts) : marksOfMessages(problem.file, typedSays)),
    [facts, stale, typedSays],
  );
  return (
    <>
      <Bar library={library} here="" />
      <main class="problem">
        <header>
          <h1 ref={heading} tabIndex={-1}>
            {problem.title}
          </h1>
          <span class="quiet">
            {problem.level} {problem.number}
          </span>
          {problem.solved && <span class="state good">✓ solved</span>}
          <span class="idea">{problem.idea}</span>
        </header>
        {said && <p role="alert">{said}</p>}
        {draft === "conflict" && (
          <p role="alert" class="conflict">
            This problem was changed in another tab. <button onClick={takeTheirs}>Take that text</button> <button onClick={keepMine}>Keep this text</button>
          </p>
        )}
        <StatementView problem={problem} show={(id) => void bringBack(id)} />
        <CodeView
          file={problem.file}
          first={begin}
          editor={editor}
          marks={marks}
          draft={draft}
          changed={changed}
          submit={() => void judge("submit")}
          test={() => void judge("test")}
          save={() => void keeper.flush()}
          reset={() => editor.current?.setText(problem.starter)}
        />
        <VerdictView
          problem={problem}
          shown={shown}
          stale={stale}
          next={next === name ? "" : next}
          tracing={tracing}
          traceSaid={traceSaid}
          seeIt={() => void seeIt()}
          stop={() => shown.run && void stopRun(shown.run.run)}
          goToLine={(line) => editor.current?.focusLine(line)}
        />
      </main>
    </>
  );
}
