import { ActingError } from "./failure.ts";

/** The socket of the host that `reach` has found or started. Rejects with an `ActingError` where there is none. */
export async function reached(reach: () => Promise<string>): Promise<string> {
  try {
    return await reach();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ActingError("no_answer", why);
  }
}
