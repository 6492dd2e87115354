import { Buffer } from "node:buffer";
import { spawnPty } from "../../../src/host/pty/pty.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { PATH } from "./support.ts";

/** How a program ends whose last output is easily lost: with much of it, with next to none, and with nobody reading when
 * it ends. */
export const SHAPES = {
  large: { script: "seq 1 100000; echo END", paused: false },
  tiny: { script: "printf END", paused: false },
  paused: { script: "seq 1 2500; echo END", paused: true },
} as const;

const lines = (last: number): string => {
  let text = "";
  for (let line = 1; line <= last; line += 1) text += `${line}\r\n`;
  return text;
};

const EXPECTED: Record<keyof typeof SHAPES, Buffer> = {
  large: Buffer.from(`${lines(100_000)}END\r\n`),
  tiny: Buffer.from("END"),
  paused: Buffer.from(`${lines(2500)}END\r\n`),
};

export interface Ending {
  /** Bytes that are missing, too much or wrong; 0 when the output is what was written. */
  readonly lost: number;
  readonly drained: boolean;
  /** Bytes that came after the end was told. */
  readonly late: number;
}

/** Lets a program of this shape run and end once. */
function ending(shape: keyof typeof SHAPES): Promise<Ending> {
  const { script, paused } = SHAPES[shape];
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let isOver = false;
    let late = 0;
    const pty = spawnPty(
      {
        file: "/bin/sh",
        args: ["-c", script],
        cwd: "/",
        env: { PATH },
        cols: 80,
        rows: 24,
        clock: systemClock,
      },
      {
        data(bytes) {
          if (isOver) late += bytes.length;
          chunks.push(Buffer.from(bytes));
        },
        exit({ drained }) {
          isOver = true;
          const text = Buffer.concat(chunks);
          const expected = EXPECTED[shape];
          const lost = text.equals(expected)
            ? 0
            : Math.max(1, Math.abs(expected.length - text.length));
          // Whatever came now would come after the end.
          setImmediate(() => resolve({ lost, drained, late }));
        },
      },
    );
    if (paused) pty.pause();
  });
}

/** Many endings, 8 at once. */
export async function endings(shape: keyof typeof SHAPES, count: number): Promise<Ending[]> {
  const found: Ending[] = [];
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      begun += 1;
      found.push(await ending(shape));
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return found;
}
