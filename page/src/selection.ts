// The one selection that all views share. It stands behind the # of the address, so that a link leads to a step:
//
//     #file=race.wwt&warp=2&step=412
//     #class, #lab, #files                                  the teacher's console, the map of problems, the list of files
//     #problem=puzzles/map
//     #image=mandelbrot                                     a live image
//     #lesson=shared&at=3                                   the third step of a lesson
//     #file=race.cu&vs=order:7:race.cu&warp=0&step=3        a recording, and the same in another order beside it
//     #file=race.wwt&view=pipes                             the same recording as ways of data
//     #file=matmul.cu&view=profile                          the profile of a source
//     #file=lab:7&problem=puzzles/map&warp=0&step=3         a recording of a submission, from its problem
//     #file=lesson:shared:2&lesson=shared&at=3&warp=0&step=3     of a program of a lesson
//     #file=image:3&image=mandelbrot&warp=0&step=3          a recording of one of its blocks
//
// The token of the link that `warpwise serve` prints stands there, too, until it has been traded for a cookie.

export interface Selection {
  file: string;
  warp: number;
  step: number;
}

const parameters = (): URLSearchParams => new URLSearchParams(location.hash.slice(1));

const naturalOf = (text: string | null): number | null => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null);

export interface Wanted {
  file: string | null;
  warp: number | null;
  step: number | null;
}

// The problem that the address names, and the part of the page where it names nothing else.
export const wantedProblem = (): string | null => parameters().get("problem");
export const wantedImage = (): string | null => parameters().get("image");
export const wantedLesson = (): string | null => parameters().get("lesson");
export const wantedLessonStep = (): number => naturalOf(parameters().get("at")) ?? 1;
export const lessonLink = (name: string, at: number): string => "#" + new URLSearchParams({ lesson: name, at: `${at}` });
export const wantedPart = (): string => location.hash.slice(1);

// Which view of a recording: "pipes", or its threads; of a source there is a profile, too.
export const wantsProfile = (): boolean => parameters().get("view") === "profile";
export const wantedView = (): "pipes" | "threads" => (parameters().get("view") === "pipes" ? "pipes" : "threads");
export function showView(view: "pipes" | "threads"): void {
  const hash = parameters();
  if (view === "pipes") hash.set("view", view);
  else hash.delete("view");
  history.pushState(null, "", `#${hash}`);
}

// The recording beside this one (views/use_beside.ts).
export const wantedBeside = (): string | null => parameters().get("vs");
export function showBeside(name: string | null): void {
  const hash = parameters();
  if (name !== null) hash.set("vs", name);
  else hash.delete("vs");
  history.replaceState(null, "", `#${hash}`);
}

export function wantedSelection(): Wanted {
  const hash = parameters();
  return { file: hash.get("file"), warp: naturalOf(hash.get("warp")), step: naturalOf(hash.get("step")) };
}

export function linkTo(selection: Selection): string {
  const problem = wantedProblem();
  const image = wantedImage();
  const lesson = wantedLesson();
  const from: Record<string, string> =
    problem !== null ? { problem } : image !== null ? { image } : lesson !== null ? { lesson, at: `${wantedLessonStep()}` } : {};
  const beside = wantedBeside();
  return "#" + new URLSearchParams({ file: selection.file, ...from, ...(beside !== null ? { vs: beside } : {}), warp: `${selection.warp}`, step: `${selection.step}` });
}

// Moving through steps is one entry of the browser's history for each file, not one for each step.
export function showSelection(selection: Selection): void {
  history.replaceState(null, "", linkTo(selection));
}

// The token, once: it is gone from the address before anything else happens.
export function takeToken(): string | null {
  const hash = parameters();
  const token = hash.get("token");
  if (token === null) return null;
  hash.delete("token");
  history.replaceState(null, "", hash.size ? `#${hash}` : location.pathname);
  return token;
}
