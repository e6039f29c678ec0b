// Markdown becomes elements, and HTML in it stays text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "./render.ts";
import { elementsOf } from "../src/views/markdown.tsx";

const shown = (text: string): string => render(elementsOf(text, 3) as Parameters<typeof render>[0]);

test("the texts of problems", () => {
  assert.equal(shown("Add *10* to `a`."), '<p>Add <em>10</em> to <code>a</code>.</p>');
  assert.match(shown("- one\n- **two**"), /<ul><li>one<\/li><li><strong>two<\/strong><\/li><\/ul>/);
  assert.match(shown("    a  1\n    b  2"), /<pre tabIndex="0"><code>a  1\nb  2<\/code><\/pre>/);
  assert.match(shown("| a | b |\n|---|---|\n| 1 | 2 |"), /<th scope="col">a<\/th>.*<td>2<\/td>/s);
  assert.match(shown("# Title"), /<h3>Title<\/h3>/);
});

test("HTML is shown, not obeyed", () => {
  for (const text of ["<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "<b onclick='x'>b</b>", "![x](javascript:alert(1))"])
    assert.doesNotMatch(shown(text), /<(script|img|b)\b/, text);
  assert.match(shown("a <b>c"), /&lt;b>/);
});

test("links lead to the web alone", () => {
  assert.match(shown("[x](https://example.org/)"), /<a href="https:\/\/example.org\/" target="_blank" rel="noreferrer noopener">x<\/a>/);
  for (const to of ["javascript:alert(1)", "data:text/html,x", "/api/lab/stop", "file:///etc/passwd"])
    assert.doesNotMatch(shown(`[x](${to})`), /<a /, to);
});
