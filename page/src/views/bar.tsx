// The way between the parts of the page, on each.
import type { Library } from "../api.ts";

export function Bar({ library, here }: { library: Library; here: "lab" | "images" | "files" | "" }) {
  const link = (to: "lab" | "images" | "files", text: string) => (
    <a href={`#${to}`} aria-current={here === to ? "page" : undefined}>
      {text}
    </a>
  );
  if (!library.lab && !library.images) return null;
  return (
    <nav class="bar" aria-label="parts of the page">
      <span class="brand">Warpwise</span>
      {library.lab && link("lab", "Lab")}
      {library.images && link("images", "Live images")}
      {link("files", "Recordings")}
    </nav>
  );
}
