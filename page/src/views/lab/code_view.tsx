// The editor of a problem and what belongs to it.
import type { RefObject } from "preact";
import type { Editor } from "../../editor.ts";
import type { DraftState } from "../../model/draft.ts";
import type { LineMark } from "../../model/verdict.ts";
import { EditorHost } from "../editor_host.tsx";

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
      <EditorHost first={{ text: first, label: `source of ${file}`, changed, submit, test, save }} editor={editor} marks={marks} />
      <p class="keys quiet">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> submit · <kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>Enter</kbd> test · <kbd>Esc</kbd> <kbd>Tab</kbd> leaves the editor
      </p>
    </section>
  );
}
