// The editor and what belongs to it. CodeMirror is loaded here, when a problem is opened (src/editor.ts).
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Editor } from "../../editor.ts";
import type { DraftState } from "../../model/draft.ts";
import type { LineMark } from "../../model/verdict.ts";

const editorFile = "/editor.js"; // a variable: esbuild leaves the import as it is
const load = () => import(editorFile) as Promise<typeof import("../../editor.ts")>;

interface Properties {
  file: string;
  first: string; // the text to begin with
  editor: RefObject<Editor | null>;
  marks: LineMark[];
  draft: DraftState;
  changed: (text: string) => void;
  submit: () => void;
  test: () => void;
  save: () => void;
  reset: () => void;
}

const draftWords: Record<DraftState, string> = {
  kept: "kept",
  typing: "…",
  conflict: "changed in another tab",
  lost: "not kept: the server does not answer",
};

export function CodeView({ file, first, editor, marks, draft, changed, submit, test, save, reset }: Properties) {
  const host = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  // The editor is made once; what it calls is of now.
  const calls = useRef({ changed, submit, test, save });
  calls.current = { changed, submit, test, save };
  useEffect(() => {
    let gone = false;
    load().then(
      ({ createEditor }) => {
        if (gone) return;
        editor.current = createEditor(host.current!, {
          text: first,
          label: `source of ${file}`,
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
    <section class="code-part" aria-labelledby="code-title">
      <h2 id="code-title">
        {file}
        <span class="quiet draft" role="status">
          {draftWords[draft]}
        </span>
        <span class="buttons">
          <button onClick={reset}>Start again</button>
          <button onClick={test} title="Ctrl+Shift+Enter: the sample cases, without budgets">
            Test
          </button>
          <button class="go" onClick={submit} title="Ctrl+Enter: all cases">
            Submit
          </button>
        </span>
      </h2>
      <div ref={host} class="editor" data-state={state} aria-busy={state === "loading"} />
      {state === "failed" && <p role="alert">The editor could not be loaded: reload the page.</p>}
      <p class="keys quiet">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> submit · <kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>Enter</kbd> test · <kbd>Esc</kbd> <kbd>Tab</kbd> leaves the editor
      </p>
    </section>
  );
}
