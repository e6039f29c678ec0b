// The editor: CodeMirror with C++ and the words of CUDA. It is a file of its own, /editor.js, that is loaded when a
// problem is opened: the map and the recordings need none.
//
// It lives in a shadow root, because CodeMirror brings its styles along: there they are style sheets made by a script,
// which the page's rules allow, and not <style> elements, which they forbid.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, MatchDecorator, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { completionsAt } from "./model/completion.ts";
import type { LineMark } from "./model/verdict.ts";

export interface Editor {
  text: () => string;
  setText: (text: string) => void; // one step of undo
  mark: (marks: LineMark[]) => void;
  focusLine: (line: number) => void;
  vim: (on: boolean) => Promise<void>; // Vim's keys; loads them the first time
  destroy: () => void;
}

export interface Wishes {
  text: string;
  label: string; // to screen readers
  changed: (text: string) => void;
  submit: () => void;
  test: () => void;
  save: () => void;
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: "var(--code-type)" },
  { tag: [tags.string, tags.character], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.comment, tags.processingInstruction, tags.meta], color: "var(--quiet)", fontStyle: "italic" },
]);

// What CUDA adds to C++: the grammar takes these for names like others.
const cudaWords =
  /\b(?:__(?:global|device|host|shared|constant|managed|restrict|launch_bounds|forceinline|syncthreads|syncwarp)__|__sync\w+|__shfl\w+|__ballot\w*|__any\w*|__all\w*|__ldg|threadIdx|blockIdx|blockDim|gridDim|warpSize|atomic[A-Z]\w*|cuda[A-Z]\w*)\b/g;
const words = new MatchDecorator({ regexp: cudaWords, decoration: Decoration.mark({ class: "cuda-word" }) });
const cuda = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = words.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = words.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

// Put in by the build (build.mjs).
declare const RUNTIME_FUNCTIONS: [string, string, string][];

function complete(context: CompletionContext): CompletionResult | null {
  const { text, from } = context.state.doc.lineAt(context.pos);
  const found = completionsAt(text.slice(0, context.pos - from), context.state.doc.toString(), RUNTIME_FUNCTIONS, context.explicit);
  if (!found) return null;
  const options = found.list.map(({ name, kind, detail, about }) => ({ label: name, type: kind, detail, ...(about && { info: about }) }));
  return { from: context.pos - found.length, options, validFor: /^\w*$/ };
}

const vimFile = "/vim.js"; // a variable: esbuild leaves the import as it is
const loadVim = () => import(vimFile) as Promise<typeof import("./vim.ts")>;

// The lines that the verdict is about; they move with the text.
const markLines = StateEffect.define<number[]>();
const markedLine = Decoration.line({ class: "marked-line" });
const markedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, change) =>
    change.effects.reduce((now, effect) => (effect.is(markLines) ? Decoration.set(effect.value.map((at) => markedLine.range(at))) : now), marks.map(change.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--page)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace', lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent-ground) 40%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-ground)" },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-ground)", outline: "1px solid var(--accent)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "1px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--go)", color: "var(--go-text)" },
  ".cm-completionDetail": { color: "var(--quiet)", fontStyle: "normal" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionInfo": { maxWidth: "24em" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)" },
  ".cm-textfield": { backgroundColor: "var(--page)", color: "var(--text)" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--page)", color: "var(--text)" },
  ".cuda-word, .cuda-word *": { color: "var(--code-cuda) !important" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  // CodeMirror's own marks are images in its style sheet, which the page's rules forbid.
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--code-number)", textUnderlineOffset: "3px" },
  ".cm-lint-marker-error, .cm-lint-marker-warning": { content: "normal", borderRadius: "50%", textAlign: "center", color: "var(--page)", fontSize: "10px", lineHeight: "13px", fontWeight: "700" },
  ".cm-lint-marker-error": { backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { backgroundColor: "var(--code-number)" },
  ".cm-lint-marker-error::after, .cm-lint-marker-warning::after": { content: '"!"' },
  ".marked-line": { backgroundColor: "var(--bad-ground)" },
  ".cm-fat-cursor": { background: "var(--accent) !important", color: "var(--page) !important" },
  "&:not(.cm-focused) .cm-fat-cursor": { background: "none !important", outline: "solid 1px var(--accent) !important", color: "transparent !important" },
  ".cm-vim-panel input": { color: "var(--text)" },
});

// Where typed text replaces a selection, Chromium gives it the selection's look as a style attribute, which the page's
// rules refuse loudly. So it does not come to that; brackets and quotes are closeBrackets' affair.
const replaceSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data, inputType, isComposing } = event as InputEvent;
    if (inputType !== "insertText" || !data || isComposing || view.state.selection.main.empty || /^[()[\]{}"'`]$/.test(data)) return false;
    event.preventDefault();
    view.dispatch(view.state.update(view.state.replaceSelection(data), { scrollIntoView: true, userEvent: "input.type" }));
    return true;
  },
});

export function createEditor(host: HTMLElement, wishes: Wishes): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const does = (what: () => void) => () => (what(), true);
  const keys = new Compartment(); // Vim's, before all others
  const view = new EditorView({
    root,
    parent: root as unknown as Element,
    state: EditorState.create({
      doc: wishes.text,
      extensions: [
        Prec.highest(
          keymap.of([
            { key: "Mod-Enter", run: does(wishes.submit) },
            { key: "Mod-Shift-Enter", run: does(wishes.test) },
            { key: "Mod-s", run: does(wishes.save) },
          ]),
        ),
        keys.of([]),
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of("  "),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ override: [complete], icons: false }),
        replaceSelection,
        highlightActiveLine(),
        highlightSelectionMatches(),
        cpp(),
        cuda,
        markedLines,
        syntaxHighlighting(colours),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": wishes.label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => update.docChanged && wishes.changed(update.state.doc.toString())),
        look,
      ],
    }),
  });

  const lineOf = (line: number) => view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
  const diagnostic = (mark: LineMark): Diagnostic => {
    const line = lineOf(mark.line);
    const blank = /^\s*/.exec(line.text)![0].length;
    const from = line.from + (mark.column > 0 ? Math.min(mark.column - 1, line.length) : Math.min(blank, line.length));
    return { from, to: line.to, severity: mark.severity, message: mark.message };
  };
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    mark: (marks) => {
      const lines = [...new Set(marks.map((mark) => lineOf(mark.line).from))].sort((a, b) => a - b);
      view.dispatch({ effects: markLines.of(lines) });
      view.dispatch(setDiagnostics(view.state, marks.map(diagnostic).sort((a, b) => a.from - b.from)));
    },
    focusLine: (line) => {
      const at = lineOf(line).from;
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    vim: async (on) => {
      const extension = on ? (await loadVim()).vimKeys(view, { submit: wishes.submit, save: wishes.save }) : [];
      view.dispatch({ effects: keys.reconfigure(extension) });
    },
    destroy: () => view.destroy(),
  };
}
