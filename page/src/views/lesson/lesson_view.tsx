// A lesson, one step at a time. A question is asked when the reader says so, and its answer comes from the recording.
import { useEffect, useRef, useState } from "preact/hooks";
import { Refused, type Library, type Refusal } from "../../api.ts";
import { getLesson, type Lesson, type LessonStep, type Question } from "../../lesson_api.ts";
import { lessonLink, wantedLessonStep } from "../../selection.ts";
import { Bar } from "../bar.tsx";
import { Markdown } from "../markdown.tsx";
import { Message } from "../message.tsx";
import { LessonPicture } from "./lesson_picture.tsx";

// The kernel, with the line that the picture is about.
function Kernel({ text, line }: { text: string; line: number }) {
  return (
    <pre class="lesson-kernel" tabIndex={0} aria-label="the kernel">
      <code>
        {text
          .trimEnd()
          .split("\n")
          .map((row, n) => (
            <span key={n} class={n + 1 === line ? "line here" : "line"}>
              {row + "\n"}
            </span>
          ))}
      </code>
    </pre>
  );
}

interface AskedProperties {
  lesson: string;
  question: Question;
  answered: boolean; // its picture is shown
  setAnswered: (answered: boolean) => void;
}

function Asked({ lesson, question, answered, setAnswered }: AskedProperties) {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const [figure, setFigure] = useState("");
  const right = question.choices.find((choice) => choice.key === figure);
  const choose = (key: string) => {
    setChosen(key);
    setAnswered(true);
  };
  if (!open)
    return (
      <p>
        <button class="ask" onClick={() => setOpen(true)}>
          Ask me
        </button>
      </p>
    );
  return (
    <section class="lesson-question" aria-labelledby="question-title">
      <h3 id="question-title">A question</h3>
      {question.kernel && <Kernel text={question.kernel} line={chosen === null ? 0 : question.look.line} />}
      <Markdown text={question.ask} level={4} />
      <p class="quiet">
        Launched as <code>{question.launch}</code>
      </p>
      <div class="choices" role="group" aria-label="choices">
        {question.choices.map((choice) => (
          <button key={choice.key} aria-pressed={chosen === choice.key} onClick={() => choose(choice.key)}>
            {choice.text}
          </button>
        ))}
      </div>
      <div role="status">
        {right && (
          <div class={`answer ${right.key === chosen ? "good" : "bad"}`}>
            <p>
              <strong>{right.key === chosen ? "✓ Right." : `✗ Not quite. It is: ${right.text}`}</strong>
            </p>
            <Markdown text={question.because} level={4} />
          </div>
        )}
      </div>
      {answered && <LessonPicture lesson={lesson} look={question.look} launch={question.launch} figure={question.figure} seen={setFigure} />}
    </section>
  );
}

function Step({ lesson, step, number, of }: { lesson: string; step: LessonStep; number: number; of: number }) {
  const title = useRef<HTMLHeadingElement>(null);
  const [answered, setAnswered] = useState(false); // the answer's picture takes the place of the step's
  useEffect(() => {
    if (document.activeElement !== document.body) title.current?.focus();
    scrollTo(0, 0);
  }, []);
  return (
    <article aria-labelledby="lesson-step">
      <h2 id="lesson-step" ref={title} tabIndex={-1}>
        {step.title}
        <span class="quiet">
          step {number} of {of}
        </span>
      </h2>
      <Markdown text={step.text} />
      {step.kernel && <Kernel text={step.kernel} line={step.picture?.line ?? 0} />}
      {step.picture && !answered && <LessonPicture lesson={lesson} look={step.picture} launch={step.launch} figure="" seen={() => {}} />}
      {step.picture && answered && (
        <p>
          <button onClick={() => setAnswered(false)}>Show the first picture again</button>
        </p>
      )}
      {step.question && <Asked lesson={lesson} question={step.question} answered={answered} setAnswered={setAnswered} />}
    </article>
  );
}

export function LessonView({ name, library }: { name: string; library: Library }) {
  const [lesson, setLesson] = useState<Lesson | null>(null);
  const [refusal, setRefusal] = useState<{ error: Refusal | null } | null>(null);
  const [wanted, setWanted] = useState(wantedLessonStep);
  useEffect(() => {
    getLesson(name).then(setLesson, (error) => setRefusal({ error: error instanceof Refused ? error.refusal : null }));
    const follow = () => setWanted(wantedLessonStep());
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => (removeEventListener("popstate", follow), removeEventListener("hashchange", follow));
  }, [name]);
  const of = lesson?.steps.length ?? 1;
  const at = Math.min(Math.max(1, wanted), of);
  const go = (to: number) => {
    if (to < 1 || to > of) return;
    history.pushState(null, "", lessonLink(name, to));
    setWanted(to);
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || (event.target as HTMLElement).matches("input, select, textarea, pre, .scroll")) return;
      if (event.key === "n") go(at + 1);
      else if (event.key === "p") go(at - 1);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  if (refusal) return <Message error={refusal.error} />;
  if (!lesson) return <main class="message" aria-busy="true" />;
  return (
    <>
      <Bar library={library} here="lab" />
      <main class="lesson">
        <header>
          <h1>{lesson.title}</h1>
          <p class="quiet">{lesson.about}</p>
        </header>
        <nav aria-label="steps of the lesson">
          <ol>
            {lesson.steps.map((step, n) => (
              <li key={n}>
                <a href={lessonLink(name, n + 1)} aria-current={n + 1 === at ? "step" : undefined}>
                  {step.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <Step key={at} lesson={name} step={lesson.steps[at - 1]!} number={at} of={of} />
        <p class="lesson-ways">
          <button onClick={() => go(at - 1)} disabled={at === 1} title="key p">
            Back
          </button>
          {at < of ? (
            <button class="go" onClick={() => go(at + 1)} title="key n">
              Next: {lesson.steps[at]!.title}
            </button>
          ) : (
            <a class="go" href="#lab">
              To the problems
            </a>
          )}
        </p>
      </main>
    </>
  );
}
