// What may stand at the cursor: CUDA's own words, the runtime's functions, C++'s keywords, and the words of the file.
import { cppWords, cudaWords, members, type WordKind } from "./cuda_words.ts";

export interface Completion {
  name: string;
  kind: WordKind;
  detail: string;
  about: string;
}
export interface Completions {
  length: number; // of what is typed of the word
  list: Completion[];
}

const wordBefore = /[A-Za-z_]\w*$/;
const memberBefore = /\b([A-Za-z_]\w*)\.(\w*)$/;

// Words of three letters and more, but the one that is being typed.
function wordsOf(text: string, typed: string): Set<string> {
  const counts = new Map<string, number>();
  for (const [word] of text.replaceAll(/\/\/.*|"(?:[^"\\\n]|\\.)*"/g, "").matchAll(/[A-Za-z_]\w{2,}/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  if (counts.get(typed) === 1) counts.delete(typed);
  return new Set(counts.keys());
}

// `before`: the line up to the cursor. `asked`: by a key; otherwise two letters are waited for. Null: nothing.
export function completionsAt(before: string, text: string, runtime: readonly (readonly [string, string, string])[], asked: boolean): Completions | null {
  if (/\/\/|^\s*#|"[^"]*$/.test(before)) return null; // comments, directives and strings
  const member = memberBefore.exec(before);
  if (member) {
    const names = members[member[1]!];
    if (!names) return null;
    return { length: member[2]!.length, list: names.map((name) => ({ name, kind: "property", detail: "unsigned", about: "" })) };
  }
  const typed = wordBefore.exec(before)?.[0] ?? "";
  if (typed.length < 2 && !asked) return null;
  if (/\d$/.test(before.slice(0, before.length - typed.length))) return null; // 0x…, 1e…
  const list: Completion[] = cudaWords.map(([name, kind, detail, about]) => ({ name, kind, detail, about }));
  for (const [name, parameters, result] of runtime) list.push({ name, kind: "function", detail: `(${parameters})`, about: `${result} ${name}(${parameters})` });
  for (const name of cppWords) list.push({ name, kind: "keyword", detail: "", about: "" });
  const known = new Set(list.map(({ name }) => name));
  for (const name of wordsOf(text, typed)) if (!known.has(name)) list.push({ name, kind: "variable", detail: "", about: "" });
  return { length: typed.length, list };
}
