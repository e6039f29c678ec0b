// The map of the lab: chapters in their order, how far each is, and what comes next.
import { useEffect, useState } from "preact/hooks";
import { Refused, type Library, type Refusal } from "../../api.ts";
import { getLessons, type LessonRow } from "../../lesson_api.ts";
import { getMap, type Chapter, type LabMap, type ProblemRow } from "../../lab_api.ts";
import { verdictWords } from "../../model/verdict.ts";
import { lessonLink } from "../../selection.ts";
import { Bar } from "../bar.tsx";
import { Message } from "../message.tsx";

const solvedIn = (chapter: Chapter): number => chapter.problems.filter((one) => one.solved).length;

function State({ problem }: { problem: ProblemRow }) {
  if (problem.solved) return <span class="state good">✓ solved</span>;
  if (problem.attempts > 0)
    return (
      <span class="state bad">
        {problem.attempts} {problem.attempts === 1 ? "attempt" : "attempts"}, last: {verdictWords(problem.last_verdict)}
      </span>
    );
  return <span class="state quiet">{problem.open ? "open" : "later"}</span>;
}

function ChapterPart({ chapter, number, next, lessons }: { chapter: Chapter; number: number; next: string; lessons: LessonRow[] }) {
  const done = solvedIn(chapter);
  const of = chapter.problems.length;
  const current = chapter.problems.some((one) => one.name === next);
  return (
    <section class={`chapter${current ? " current" : ""}`} aria-labelledby={`chapter-${chapter.id}`}>
      <h2 id={`chapter-${chapter.id}`}>
        {number}. {chapter.title}{" "}
        <span class="quiet">
          {done} of {of}
        </span>
      </h2>
      <progress max={of} value={done} aria-label={`${chapter.title}: ${done} of ${of} solved`} />
      <p class="quiet about">{chapter.about}</p>
      {lessons.map((lesson) => (
        <p class="chapter-lesson" key={lesson.name}>
          <a href={lessonLink(lesson.name, 1)}>Lesson: {lesson.title}</a> <span class="quiet">{lesson.steps} steps</span>
        </p>
      ))}
      <ol>
        {chapter.problems.map((problem) => (
          <li key={problem.name} class={problem.name === next ? "next" : problem.solved ? "solved" : problem.open ? "" : "closed"}>
            <a href={`#problem=${problem.name}`}>{problem.title}</a> <span class="level">{problem.level}</span>
            <State problem={problem} />
            <span class="idea">{problem.idea}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function LabMapView({ library }: { library: Library }) {
  const [map, setMap] = useState<LabMap | null>(null);
  const [refusal, setRefusal] = useState<{ error: Refusal | null } | null>(null);
  const [lessons, setLessons] = useState<LessonRow[]>([]);
  useEffect(() => {
    getLessons().then(setLessons, () => {});
    getMap().then(setMap, (error) => setRefusal({ error: error instanceof Refused ? error.refusal : null }));
  }, []);
  if (refusal) return <Message error={refusal.error} />;
  if (!map) return <main class="message" aria-busy="true" />;
  const next = map.chapters.flatMap((chapter) => chapter.problems).find((one) => one.name === map.next);
  return (
    <>
      <Bar library={library} here="lab" />
      <main class="lab-map">
        <header>
          <h1>The lab</h1>
          <p>
            {map.solved === 0
              ? "Learn CUDA by solving problems, one idea at a time. You write a kernel, the judge runs it on a virtual GPU under all checkers, and says what is wrong and where. You need no GPU."
              : `${map.solved} of ${map.of} problems solved.`}
          </p>
          {next ? (
            <p class="next-problem">
              <a class="go" href={`#problem=${next.name}`}>
                {map.solved === 0 && next.attempts === 0 ? "Start with" : next.attempts > 0 ? "Continue with" : "Next:"} {next.title}
              </a>{" "}
              <span>{next.idea}</span>
            </p>
          ) : (
            <p>All problems are solved. Each has faster solutions than the first one that works.</p>
          )}
        </header>
        <div class="chapters">
          {map.chapters.map((chapter, n) => (
            <ChapterPart key={chapter.id} chapter={chapter} number={n + 1} next={map.next} lessons={lessons.filter((one) => one.chapter === chapter.id)} />
          ))}
        </div>
      </main>
    </>
  );
}
