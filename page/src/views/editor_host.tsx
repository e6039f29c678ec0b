// The place of an editor. CodeMirror is loaded here, when the first one is shown (src/editor.ts).
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Editor, Wishes } from "../editor.ts";
import type { LineMark } from "../model/verdict.ts";

const editorFile = "/editor.js"; // a variable: esbuild leaves the import as it is
const load = () => import(editorFile) as Promise<typeof import("../editor.ts")>;

interface Properties {
  first: Wishes; // what it calls may change, its text and its label do not
  editor: RefObject<Editor | null>;
  marks: LineMark[];
}

export function EditorHost({ first, editor, marks }: Properties) {
  const host = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  // The editor is made once; what it calls is of now.
  const calls = useRef(first);
  calls.current = first;
  useEffect(() => {
    let gone = false;
    load().then(
      ({ createEditor }) => {
        if (gone) return;
        editor.current = createEditor(host.current!, {
          ...first,
          changed: (text) => calls.current.changed(text),
          submit: () => calls.current.submit(),
          test: () => calls.current.test(),
          save: () => calls.current.save(),
        });
        setState("ready");
      },
      () => setState("failed"),
    );
    return () => {
      gone = true;
      editor.current?.destroy();
      editor.current = null;
    };
  }, []);
  useEffect(() => {
    if (state === "ready") editor.current?.mark(marks);
  }, [marks, state]);
  return (
    <>
      <div ref={host} class="editor" data-state={state} aria-busy={state === "loading"} />
      {state === "failed" && <p role="alert">The editor could not be loaded: reload the page.</p>}
    </>
  );
}
