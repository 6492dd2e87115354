/** How many frames of a stack are told. */
const FRAMES = 12;

/** What may be written down of a fault. Never its message: that may repeat what a program wrote or somebody typed,
 * such as the text that could not be parsed. */
export function faultWithoutText(fault: unknown): object {
  if (!(fault instanceof Error)) return { kind: typeof fault };
  const { name, code } = fault as NodeJS.ErrnoException;
  return {
    kind: /^\w{1,64}$/.test(name) ? name : "Error",
    // Codes are words of the system; others may put anything there.
    ...(typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? { code } : {}),
    at: framesOf(fault),
  };
}

/** The stack begins with the message, lines of which may look like frames. */
function framesOf({ stack = "", message }: Error): string[] {
  const begin = stack.indexOf(message);
  if (begin < 0) return [];
  const lines = stack.slice(begin + message.length).split("\n");
  const frames = lines.filter((line) => /^ +at /.test(line)).slice(0, FRAMES);
  return frames.map((line) => line.trim().slice(0, 256));
}
