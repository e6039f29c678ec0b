// The way between the lab and the recordings, on both.
import type { Library } from "../api.ts";

export function Bar({ library, here }: { library: Library; here: "lab" | "files" | "" }) {
  if (!library.lab) return null;
  const link = (to: "lab" | "files", text: string) => (
    <a href={`#${to}`} aria-current={here === to ? "page" : undefined}>
      {text}
    </a>
  );
  return (
    <nav class="bar" aria-label="parts of the page">
      <span class="brand">Warpwise</span>
      {link("lab", "Lab")}
      {link("files", "Recordings")}
    </nav>
  );
}
