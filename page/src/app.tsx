// Chooses what to show: the class, the lab's map or a problem, a live image, the list of files, a source that is being recorded, or a recording.
import { useEffect, useState } from "preact/hooks";
import { get, type Library, type LibraryFile } from "./api.ts";
import { lessonLink, wantedImage, wantedLesson, wantedLessonStep, wantedPart, wantedProblem, wantedSelection, wantsProfile } from "./selection.ts";
import { Bar } from "./views/bar.tsx";
import { ConsoleView } from "./views/class/console_view.tsx";
import { FileList } from "./views/file_list.tsx";
import { ImageView } from "./views/images/image_view.tsx";
import { LabMapView } from "./views/lab/lab_map.tsx";
import { ProblemView } from "./views/lab/problem_view.tsx";
import { LessonView } from "./views/lesson/lesson_view.tsx";
import { ProfileView } from "./views/profile_view.tsx";
import { Recorder } from "./views/recorder.tsx";
import { RecordingView } from "./views/recording_view.tsx";

type Shown = { part: "class" } | { part: "lab" } | { part: "problem"; name: string } | { part: "image"; name: string } | { part: "lesson"; name: string } | { part: "files"; missing: string } | { part: "file"; name: string; profile: boolean };

function shownAt(library: Library): Shown {
  const { file } = wantedSelection();
  const problem = wantedProblem();
  if (file !== null) return { part: "file", name: file, profile: wantsProfile() };
  if (problem !== null) return { part: "problem", name: problem };
  const lesson = wantedLesson();
  if (lesson !== null) return { part: "lesson", name: lesson };
  const image = wantedImage();
  if (image !== null || wantedPart() === "images") return { part: "image", name: image ?? "" };
  if (wantedPart() === "files" && library.files.length !== 1) return { part: "files", missing: "" };
  if (library.class?.role === "teacher" && (wantedPart() === "class" || (wantedPart() === "" && library.home === "class"))) return { part: "class" };
  if (wantedPart() === "lab" || (wantedPart() === "" && library.home === "lab")) return { part: "lab" };
  const only = library.open || (library.files.length === 1 ? library.files[0]!.name : "");
  return only ? { part: "file", name: only, profile: false } : { part: "files", missing: "" };
}

// Recordings that are made of submissions and of pictures.
const made = (name: string): LibraryFile => ({ name, kind: "recording", bytes: 0, state: "ready" });

export function App({ library: first }: { library: Library }) {
  const [library, setLibrary] = useState(first);
  const [shown, setShown] = useState(() => shownAt(first));
  const [recorded, setRecorded] = useState<ReadonlySet<string>>(new Set());

  const reload = () => void get<Library>("/api/files").then(setLibrary, () => {});
  useEffect(() => {
    const follow = () => setShown(shownAt(library));
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => (removeEventListener("popstate", follow), removeEventListener("hashchange", follow));
  }, [library]);

  const go = (hash: string) => {
    history.pushState(null, "", hash);
    setShown(shownAt(library));
  };
  if (shown.part === "class") return <ConsoleView library={library} />;
  if (shown.part === "lab") return <LabMapView library={library} />;
  if (shown.part === "problem") return <ProblemView key={shown.name} name={shown.name} library={library} />;

  if (shown.part === "lesson") return <LessonView key={shown.name} name={shown.name} library={library} />;
  if (shown.part === "image") return <ImageView key={shown.name} name={shown.name} library={library} />;

  const name = shown.part === "file" ? shown.name : "";
  const problem = wantedProblem();
  if (name.startsWith("lab:")) {
    const back = problem === null ? null : { words: "Back to the problem", go: () => go(`#problem=${problem}`) };
    return <RecordingView key={name} file={made(name)} back={back} again={null} />;
  }
  if (name.startsWith("image:")) {
    const back = { words: "Back to the picture", go: () => go(`#image=${wantedImage() ?? ""}`) };
    return <RecordingView key={name} file={made(name)} back={back} again={null} />;
  }
  if (name.startsWith("lesson:")) {
    const back = { words: "Back to the lesson", go: () => go(lessonLink(wantedLesson() ?? name.split(":")[1]!, wantedLessonStep())) };
    return <RecordingView key={name} file={made(name)} back={back} again={null} />;
  }
  const file = library.files.find((one) => one.name === name);
  const close = () => {
    go("#files");
    reload();
  };
  const back = library.files.length > 1 ? { words: "Files", go: close } : library.lab ? { words: "Lab", go: () => go("#lab") } : null;
  if (!file)
    return (
      <>
        <Bar library={library} here="files" />
        <FileList library={library} missing={name} open={(one) => go(`#${new URLSearchParams({ file: one.name })}`)} reload={reload} />
      </>
    );
  if (file.kind === "source" && shown.part === "file" && shown.profile) return <ProfileView key={file.name} file={file} library={library} back={close} />;
  if (file.kind === "source" && file.state !== "ready" && !recorded.has(file.name))
    return <Recorder key={file.name} file={file} what="record" back={back?.go ?? null} done={() => setRecorded(new Set(recorded).add(file.name))} />;
  const again =
    file.kind === "source"
      ? () => {
          setRecorded(new Set([...recorded].filter((one) => one !== file.name)));
          setLibrary({ ...library, files: library.files.map((one) => (one === file ? { ...one, state: "none" } : one)) });
        }
      : null;
  return <RecordingView key={file.name} file={file} back={back} again={again} />;
}
