import {
  type TerminalUsage,
  USAGE_CPU_STEP,
  USAGE_CPU_STEP_PART,
  USAGE_MEMORY_STEP_BYTES,
  USAGE_MEMORY_STEP_PART,
} from "../../contract/usage.ts";
import type { Used } from "./ledger.ts";

/** How finely memory is stated, in bytes: far below the step that it moves by, and as much as a program takes at
 * once. */
const MEMORY_GRAIN_BYTES = 65_536;

/** The row of a terminal: the one that was stated last, as long as what the terminal uses is less than a step away
 * from it. */
export function usageRow(
  instance: string,
  id: string,
  used: Used,
  stated: TerminalUsage | undefined,
): TerminalUsage {
  if (stated !== undefined && !hasMoved(stated, used)) return stated;
  return {
    instance,
    id,
    cpu_percent: rounded(used.cpuPercent, USAGE_CPU_STEP),
    memory_bytes: Math.min(rounded(used.memoryBytes, MEMORY_GRAIN_BYTES), Number.MAX_SAFE_INTEGER),
  };
}

function hasMoved(stated: TerminalUsage, used: Used): boolean {
  const share = Math.max(USAGE_CPU_STEP, stated.cpu_percent * USAGE_CPU_STEP_PART);
  const bytes = Math.max(USAGE_MEMORY_STEP_BYTES, stated.memory_bytes * USAGE_MEMORY_STEP_PART);
  return (
    Math.abs(used.cpuPercent - stated.cpu_percent) >= share ||
    Math.abs(used.memoryBytes - stated.memory_bytes) >= bytes
  );
}

const rounded = (value: number, grain: number) => Math.round(value / grain) * grain;
