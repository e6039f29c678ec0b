// The keyboard: every way to move, once, for the keys themselves and for the help that lists them.
import { useEffect } from "preact/hooks";

export interface Steps {
  by: (steps: number) => void;
  warp: (warps: number) => void;
  open: () => void;
  next: (event: string, backwards: boolean) => void;
  difference: (backwards: boolean) => void; // to what is beside the recording
}

export const events: { name: string; key: string; label: string }[] = [
  { name: "divergence", key: "d", label: "divergence" },
  { name: "conflict", key: "c", label: "bank conflict" },
  { name: "uncoalesced", key: "u", label: "uncoalesced" },
  { name: "barrier", key: "b", label: "barrier" },
  { name: "race", key: "r", label: "race" },
];

export const keyHelp: [string, string][] = [
  ["← →", "one step back or forth"],
  ["⇧← ⇧→", "ten steps"],
  ["[ ]", "the warp before or behind"],
  ["Home", "the worst place: where the recording opens"],
  ...events.map((event): [string, string] => [event.key, `the next ${event.label}; with ⇧ the one before`]),
  ["o", "the next step that differs in another order; with ⇧ the one before"],
];

function act(key: string, shift: boolean, steps: Steps): boolean {
  const many = shift ? 10 : 1;
  if (key === "ArrowRight") steps.by(many);
  else if (key === "ArrowLeft") steps.by(-many);
  else if (key === "[") steps.warp(-1);
  else if (key === "]") steps.warp(1);
  else if (key === "Home") steps.open();
  else if (key.toLowerCase() === "o") steps.difference(shift);
  else {
    const event = events.find((one) => one.key === key.toLowerCase());
    if (!event) return false;
    steps.next(event.name, shift);
  }
  return true;
}

export function useKeys(steps: Steps, listening: boolean): void {
  useEffect(() => {
    if (!listening) return;
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.altKey || event.metaKey || target.matches("input, select, textarea")) return;
      if (act(event.key, event.shiftKey, steps)) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
