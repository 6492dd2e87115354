import { Buffer } from "node:buffer";
import { type Clock, systemClock } from "../../time/clock.ts";
import { type Pty, type PtyExit, spawnPty } from "./pty.ts";
import { PtyUnavailable } from "./unavailable.ts";

/** How long a shell may take to answer, in milliseconds: hundreds of times what it needs on a busy machine. */
const LIMIT_MS = 5_000;

/** Reads a line, says it, and ends with a code that nothing else ends with. */
const SCRIPT = 'IFS= read -r line && echo "<$line>" && exit 93';
const CODE = 93;

/** Proves that terminals work here: a shell starts on one, answers to what is typed, and ends. Rejects with
 * `PtyUnavailable`, which says what is missing and what to install. */
export function ptySelfTest(clock: Clock = systemClock): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const fails = (what: string, cause?: unknown) => {
      cancel();
      reject(new PtyUnavailable(`No terminal can be opened: ${what}`, { cause }));
    };
    let cancel = () => {};
    try {
      const pty = spawnPty(
        {
          file: "/bin/sh",
          args: ["-c", SCRIPT],
          cwd: "/",
          env: { PATH: "/usr/bin:/bin" },
          cols: 80,
          rows: 24,
          clock,
        },
        {
          data(bytes) {
            said = (said + bytes.toString("latin1")).slice(-1024);
          },
          exit(exit) {
            if (exit.code !== CODE || !said.includes("<termtopic>")) {
              fails(`a shell on a test terminal ${ending(exit)} and said ${JSON.stringify(said)}`);
              return;
            }
            cancel();
            resolve();
          },
        },
      );
      cancel = clock.schedule(LIMIT_MS, () => {
        end(pty);
        fails(`a shell on a test terminal did not answer within ${LIMIT_MS / 1_000} s`);
      });
      pty.write(Buffer.from("termtopic\n"));
    } catch (error) {
      if (error instanceof PtyUnavailable) reject(error);
      else fails(error instanceof Error ? error.message : String(error), error);
    }
  });
}

function end({ pid }: Pty): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended in this moment.
  }
}

const ending = ({ code, signal }: PtyExit): string =>
  signal === undefined ? `ended with code ${code}` : `was ended by ${signal}`;
