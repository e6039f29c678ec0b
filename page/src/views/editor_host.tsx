// The place of an editor. CodeMirror is loaded here, when the first one is shown (src/editor.ts).
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Editor, Wishes } from "../editor.ts";
import type { LineMark } from "../model/verdict.ts";

const editorFile = "/editor.js"; // a variable: esbuild leaves the import as it is
const load = () => import(editorFile) as Promise<typeof import("../editor.ts")>;

// The switch is remembered by the browser: it is a habit of hands, and no part of anyone's progress.
const remembered = "warpwise-vim";
const wantsVim = (): boolean => localStorage.getItem(remembered) === "1";
const rememberVim = (on: boolean): void => (on ? localStorage.setItem(remembered, "1") : localStorage.removeItem(remembered));

interface Properties {
  first: Wishes; // what it calls may change, its text and its label do not
  editor: RefObject<Editor | null>;
  marks: LineMark[];
}

export function EditorHost({ first, editor, marks }: Properties) {
  const host = useRef<HTMLDivElement>(null);
  const [vim, setVim] = useState(wantsVim);
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
        if (vim) void editor.current.vim(true);
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
  const switchVim = (on: boolean) => {
    rememberVim(on);
    setVim(on);
    void editor.current?.vim(on);
  };
  return (
    <>
      <div ref={host} class="editor" data-state={state} aria-busy={state === "loading"} />
      <label class="vim-switch quiet">
        <input type="checkbox" checked={vim} onChange={(e) => switchVim(e.currentTarget.checked)} /> Vim keys
      </label>
      {state === "failed" && <p role="alert">The editor could not be loaded: reload the page.</p>}
    </>
  );
}
