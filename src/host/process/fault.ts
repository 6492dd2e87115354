/** How many frames of a stack are told. */
const FRAMES = 12;

/** What may be written down of a fault. Never its message: that may repeat what a program wrote or somebody typed,
 * such as the text that could not be parsed. */
export function faultWithoutText(fault: unknown): object {
  if (!(fault instanceof Error)) return { kind: typeof fault };
  const { code } = fault as NodeJS.ErrnoException;
  const frames = (fault.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    kind: /^\w{1,64}$/.test(fault.name) ? fault.name : "Error",
    // Codes are words of the system; others may put anything there.
    ...(typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? { code } : {}),
    at: frames.slice(0, FRAMES).map((line) => line.trim().slice(0, 256)),
  };
}
