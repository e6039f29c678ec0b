// What a compiler says, as marks of the editor.
import { lineMarks, type LineMark } from "./verdict.ts";

export function marksOfMessages(file: string, messages: string): LineMark[] {
  return lineMarks(file, messages.split("\n").map((text) => ({ label: "", text })));
}

// "line 3: a size is …"
export function markOfLine(message: string): LineMark[] {
  const said = /^line (\d+): (.*)$/s.exec(message);
  return said ? [{ line: Number(said[1]), column: 0, severity: "error", message: said[2]! }] : [];
}
