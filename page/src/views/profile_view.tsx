// The profile of a source: verdict, advice, roofline, lines. It is the report of `warpwise profile --html`, in a frame
// of its own that can reach nothing.
import { useState } from "preact/hooks";
import type { Library, LibraryFile } from "../api.ts";
import { Bar } from "./bar.tsx";
import { OccupancyView } from "./occupancy_view.tsx";
import { Recorder } from "./recorder.tsx";

interface Properties {
  file: LibraryFile;
  library: Library;
  back: () => void;
}

export function ProfileView({ file, library, back }: Properties) {
  const [made, setMade] = useState(0); // how often
  const [wanted, setWanted] = useState(true);
  const [occupancy, setOccupancy] = useState(false);
  if (wanted) return <Recorder key={made} file={file} what="profile" back={back} done={() => (setMade(made + 1), setWanted(false))} />;
  const steps = `#${new URLSearchParams({ file: file.name })}`;
  return (
    <>
      <Bar library={library} here="files" />
      <main class="profile">
        <header>
          <h1>{file.name}</h1>
          <span class="quiet">profile, as the model has it</span>
          <span class="buttons">
            <button aria-expanded={occupancy} onClick={() => setOccupancy(!occupancy)}>
              Occupancy
            </button>
            <a href={steps}>Step by step</a>
            <button onClick={() => setWanted(true)}>Profile again</button>
            <button onClick={back}>Other files</button>
          </span>
        </header>
        {occupancy && <OccupancyView />}
        <iframe key={made} title={`profile of ${file.name}`} sandbox="allow-scripts" src={`/api/report?${new URLSearchParams({ file: file.name })}`} />
      </main>
    </>
  );
}
