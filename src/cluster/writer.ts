import { isCutIn } from "./parts.ts";
import { decodeValue } from "./value.ts";

/** Whether what is under a key was written in that epoch. */
export async function isOf(bytes: Uint8Array, epoch: string): Promise<boolean> {
  const inParts = isCutIn(bytes, epoch);
  if (inParts !== undefined) return inParts;
  try {
    return (await decodeValue(bytes)).epoch === epoch;
  } catch {
    return false;
  }
}
