// Chooses what to show: the list of files, a source that is being recorded, or a recording.
import { useEffect, useState } from "preact/hooks";
import { get, type Library, type LibraryFile } from "./api.ts";
import { wantedSelection } from "./selection.ts";
import { FileList } from "./views/file_list.tsx";
import { Recorder } from "./views/recorder.tsx";
import { RecordingView } from "./views/recording_view.tsx";

function nameOfAddress(library: Library): string {
  const wanted = wantedSelection().file;
  if (wanted !== null) return wanted;
  return library.open || (library.files.length === 1 ? library.files[0]!.name : "");
}

export function App({ library: first }: { library: Library }) {
  const [library, setLibrary] = useState(first);
  const [name, setName] = useState(() => nameOfAddress(first));
  const [recorded, setRecorded] = useState<ReadonlySet<string>>(new Set());

  const reload = () => void get<Library>("/api/files").then(setLibrary, () => {});
  useEffect(() => {
    const follow = () => setName(nameOfAddress(library));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, [library]);

  const open = (file: LibraryFile) => {
    history.pushState(null, "", `#${new URLSearchParams({ file: file.name })}`);
    setName(file.name);
  };
  const close = () => {
    history.pushState(null, "", location.pathname);
    setName("");
    reload();
  };

  const file = library.files.find((one) => one.name === name);
  const back = library.files.length > 1 ? close : null;
  if (!file) return <FileList library={library} missing={name} open={open} reload={reload} />;
  if (file.kind === "source" && file.state !== "ready" && !recorded.has(file.name))
    return <Recorder key={file.name} file={file} back={back} done={() => setRecorded(new Set(recorded).add(file.name))} />;
  const again =
    file.kind === "source"
      ? () => {
          setRecorded(new Set([...recorded].filter((one) => one !== file.name)));
          setLibrary({ ...library, files: library.files.map((one) => (one === file ? { ...one, state: "none" } : one)) });
        }
      : null;
  return <RecordingView key={file.name} file={file} back={back} again={again} />;
}
