// Elements as text, for tests without a browser. Components with hooks need one.
import { Fragment, type VNode } from "preact";

type Child = VNode | string | number | boolean | null | undefined | Child[];
const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export function render(node: Child): string {
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (Array.isArray(node)) return node.map(render).join("");
  if (typeof node !== "object") return escape(String(node));
  const { type, props } = node as VNode<Record<string, unknown>>;
  if (type === Fragment) return render(props.children as Child);
  if (typeof type === "function") return render((type as (props: unknown) => Child)(props));
  const attributes = Object.entries(props)
    .filter(([name, value]) => name !== "children" && value !== undefined)
    .map(([name, value]) => ` ${name}="${value}"`);
  return `<${type}${attributes.join("")}>${render(props.children as Child)}</${type}>`;
}
