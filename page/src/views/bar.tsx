// The way between the parts of the page, on each.
import type { Library } from "../api.ts";

export function Bar({ library, here }: { library: Library; here: "lab" | "images" | "files" | "class" | "" }) {
  const link = (to: "lab" | "images" | "files" | "class", text: string) => (
    <a href={`#${to}`} aria-current={here === to ? "page" : undefined}>
      {text}
    </a>
  );
  if (!library.lab && !library.images) return null;
  return (
    <nav class="bar" aria-label="parts of the page">
      <span class="brand">Warpwise</span>
      {library.class?.role === "teacher" && link("class", "Class")}
      {library.lab && link("lab", "Lab")}
      {library.images && link("images", "Live images")}
      {library.class?.role !== "student" && link("files", "Recordings")}
      {library.class?.role === "student" && (
        <span class="who">
          {library.class.nickname} in {library.class.name}
          <span class="quiet">
            {" "}
            · return code <code>{library.class.return_code}</code>
          </span>
        </span>
      )}
    </nav>
  );
}
