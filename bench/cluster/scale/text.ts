/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** A number that is counted, three digits of it exact. */
export function count(value: number): string {
  const rounded = Math.round(Number(value.toPrecision(3)));
  return String(rounded).replace(/\B(?=(\d{3})+$)/g, " ");
}

/** Milliseconds; `undefined` is a time that grows for ever. */
export function ms(value: number | undefined): string {
  if (value === undefined) return "falls behind";
  return `${value < 10 ? value.toFixed(1) : count(value)} ms`;
}

export function percent(share: number): string {
  return `${share < 0.1 ? (100 * share).toFixed(1) : count(100 * share)} %`;
}

export function megabytes(bytes: number): string {
  return `${bytes < 1e7 ? (bytes / 1e6).toFixed(2) : count(bytes / 1e6)} MB`;
}

export function mebibytes(bytes: number): string {
  return `${count(bytes / 2 ** 20)} MiB`;
}
