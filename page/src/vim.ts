// Vim's keys for the editor: a file of its own, /vim.js, for those who switch them on.
import { getCM, Vim, vim } from "@replit/codemirror-vim";
import { Prec, type Extension } from "@codemirror/state";
import { ViewPlugin, type EditorView } from "@codemirror/view";

export interface VimWishes {
  submit: () => void;
  save: () => void;
}

// `:w` keeps the draft, and `:x` and `:wq` submit.
const wishes = new WeakMap<EditorView, VimWishes>();
const wishOf = (editor: { cm6: EditorView }) => wishes.get(editor.cm6);
Vim.defineEx("write", "w", (editor: { cm6: EditorView }) => wishOf(editor)?.save());
for (const [name, short] of [["xit", "x"], ["wq", "wq"]] as const) Vim.defineEx(name, short, (editor: { cm6: EditorView }) => wishOf(editor)?.submit());

// While text is inserted Tab indents; otherwise it leads out of the editor, as in the page's other modes behind Escape.
const tabLeavesOutsideInsertion = ViewPlugin.define((view) => {
  const follow = ({ mode }: { mode: string }) => view.setTabFocusMode(mode !== "insert");
  const editor = getCM(view);
  editor?.on("vim-mode-change", follow);
  view.setTabFocusMode(true);
  return {
    destroy: () => {
      editor?.off("vim-mode-change", follow);
      view.setTabFocusMode(false);
    },
  };
});

export function vimKeys(view: EditorView, does: VimWishes): Extension {
  wishes.set(view, does);
  // Before the other keys: Escape ends the insertion, also where it closes a list of completions.
  return Prec.highest([vim({ status: true }), tabLeavesOutsideInsertion]);
}
