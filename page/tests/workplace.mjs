// The editor of the page and the verdict beside it, for tests, pictures and measurements.

// A solution of puzzles/map, with that line.
export const map = (line) => `extern "C" __global__ void map(float* out, const float* a) {\n  int i = threadIdx.x;\n  ${line}\n}\n`;

export const ready = (page) => page.locator(".editor[data-state=ready]").waitFor({ timeout: 60_000 });
export const focusEditor = (page) => page.locator(".editor .cm-content").focus();

// Replaces the text of an editor that has the focus.
export async function typeOver(page, source) {
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(source);
}
export async function write(page, source) {
  await focusEditor(page);
  await typeOver(page, source);
}
export const textOf = (page) => page.locator(".editor .cm-content").evaluate((content) => [...content.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));
export const kept = (page) => page.waitForFunction(() => document.querySelector(".draft")?.textContent === "kept");
export const verdict = (page, pattern) =>
  page.waitForFunction((text) => new RegExp(text).test(document.querySelector(".headline")?.textContent ?? ""), pattern.source, { timeout: 60_000 });

// A thread view is there: what the step costs, and its weave.
export async function threadView(page) {
  await page.locator(".cost .sentence").first().waitFor({ timeout: 60_000 });
  await page.locator("canvas[data-rectangles]").waitFor();
}
