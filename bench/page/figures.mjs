// A figure: a name, a value with its unit, and what was promised: `most` or `least`. Without either nothing is promised.
export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

export const isMissed = ({ value, most = Infinity, least = -Infinity }) => value > most || value < least;

const text = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

export function promise({ most, least, unit }) {
  if (most !== undefined) return `at most ${most} ${unit}`;
  return least === undefined ? "" : `at least ${least} ${unit}`;
}

// Two columns of words around one of numbers.
export function lineOf(figure) {
  const value = `${text(figure.value)} ${figure.unit}`;
  return `${figure.name.padEnd(52)}${value.padStart(14)}   ${promise(figure)}${isMissed(figure) ? "   MISSED" : ""}`;
}
