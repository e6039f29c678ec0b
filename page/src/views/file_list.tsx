// The files of the folder that is served.
import type { Library, LibraryFile } from "../api.ts";

interface Properties {
  library: Library;
  missing: string; // a file that the address names, and that is not there
  open: (file: LibraryFile) => void;
  reload: () => void;
}

function Row({ file, open }: { file: LibraryFile; open: () => void }) {
  const what =
    file.kind === "recording" ? `recording, ${Math.ceil(file.bytes / 1024)} KB` : file.state === "ready" ? "source, recorded" : "source: opens by recording it";
  return (
    <li>
      <a href={`#${new URLSearchParams({ file: file.name })}`} onClick={(e) => (e.preventDefault(), open())}>
        {file.name}
      </a>
      <span>{what}</span>
      {file.kind === "source" && (
        <a class="beside" href={`#${new URLSearchParams({ file: file.name, view: "profile" })}`}>
          profile
        </a>
      )}
    </li>
  );
}

export function FileList({ library, missing, open, reload }: Properties) {
  return (
    <main class="files">
      <h1>Warpwise</h1>
      {missing && <p role="alert">There is no file “{missing}” here.</p>}
      <p>Open a recording to see what each warp does, step by step. A source is recorded first: that runs it.</p>
      {library.files.length === 0 && (
        <p>
          There are no <code>.cu</code> and <code>.wwt</code> files here. Serve another folder: <code>warpwise serve FOLDER</code>.
        </p>
      )}
      <ul>
        {library.files.map((file) => (
          <Row key={file.name} file={file} open={() => open(file)} />
        ))}
      </ul>
      <button onClick={reload}>Look again</button>
    </main>
  );
}
