import type { Usage } from "./entry.ts";

const WIDTH = 60;
const HEIGHT = 16;

/** Processor time and memory, with a small line of what the first was of late. */
export function UsageLine({ usage }: { readonly usage: Usage | undefined }) {
  if (usage === undefined) return <span class="usage" />;
  const { cpuPercent, memoryBytes, history } = usage;
  const cpu = `${Math.round(cpuPercent)} %`;
  const memory = bytes(memoryBytes);
  return (
    <span class="usage quiet-text" title={`Processor ${cpu}, memory ${memory}`}>
      <svg class="history" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
        <polyline points={points(history)} />
      </svg>
      <span class="figure">
        <span class="only-heard">Processor </span>
        {cpu}
      </span>
      <span class="figure">
        <span class="only-heard">Memory </span>
        {memory}
      </span>
    </span>
  );
}

/** The line is as high as one core, or the most that was used. */
function points(history: readonly number[]): string {
  const most = Math.max(100, ...history);
  const step = WIDTH / Math.max(1, history.length - 1);
  return history
    .map((value, at) => {
      const y = HEIGHT - 1 - (value / most) * (HEIGHT - 2);
      return `${(at * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
}

function bytes(count: number): string {
  if (count < 1_048_576) return `${Math.round(count / 1_024)} KB`;
  if (count < 1_073_741_824) return `${Math.round(count / 1_048_576)} MB`;
  return `${(count / 1_073_741_824).toFixed(1)} GB`;
}
