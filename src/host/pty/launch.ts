import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { masterOpened, withoutInheritance } from "./inheritance.ts";
import { nativePart } from "./native.ts";

/** A size in cells is 16 bits wide in the kernel (`struct winsize`, ioctl_tty(2)). */
const MAX_CELLS = 65_535;

/** Where execvp(3) of glibc looks without a `PATH`. */
const DEFAULT_PATH = "/bin:/usr/bin";

export interface Launch {
  /** A path, or a name that is looked for in the `PATH` of `env`. */
  readonly file: string;
  /** Without the program's own name. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** All variables that it gets; `PWD` is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
}

export interface Launched {
  readonly pid: number;
  /** Path of the slave. */
  readonly tty: string;
  /** Both descriptors are non-blocking. While the slave is open here the master never hangs up, so nothing that was
   * written can be lost with it. */
  readonly master: number;
  readonly slave: number;
}

/** Starts a program on a new terminal. Throws what is wrong in words: a fault that is seen only after the fork would be
 * a terminal that ends at once. `onExit` is called later, once. */
export function launch(options: Launch, onExit: (code: number, signal: number) => void): Launched {
  const native = nativePart();
  checkLaunch(options);
  const { file, args, cwd, cols, rows } = options;
  const env = Object.entries({ PWD: cwd, ...options.env }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const { fd, pid, pty } = withoutInheritance(() => {
    try {
      return native.fork(file, args, env, cwd, cols, rows, -1, -1, true, native.helper, onExit);
    } catch (error) {
      throw new Error(
        "The system made no terminal: no process, descriptor or pseudo-terminal (sysctl kernel.pty.max) is left, or /dev/pts is not mounted. Close terminals and try again.",
        { cause: error },
      );
    }
  });
  try {
    const { O_RDWR, O_NOCTTY, O_NONBLOCK } = constants;
    const slave = openSync(pty, O_RDWR | O_NOCTTY | O_NONBLOCK);
    masterOpened(fd);
    return { pid, tty: pty, master: fd, slave };
  } catch (error) {
    // That hangs the terminal up, which ends the program: it has had no time to ignore SIGHUP. Its number may be
    // anybody's by now, since a thread of the native part waits for it.
    closeSync(fd);
    throw new Error(`The new terminal ${pty} cannot be opened: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Throws, in words, where a program could not be started so. */
export function checkLaunch(options: Launch): void {
  checkSize(options);
  checkText(options);
  checkCwd(options.cwd);
  checkProgram(options);
}

export function checkSize({ cols, rows }: Pick<Launch, "cols" | "rows">): void {
  for (const [name, value] of Object.entries({ cols, rows })) {
    if (Number.isInteger(value) && value >= 1 && value <= MAX_CELLS) continue;
    throw new Error(`${name} must be an integer from 1 to ${MAX_CELLS}, got ${value}`);
  }
}

/** A NUL ends a text of the system early, so another program or folder could be meant. */
function checkText({ file, args, cwd, env }: Launch): void {
  const texts = [file, cwd, ...args, ...Object.keys(env), ...Object.values(env)];
  if (texts.some((text) => text.includes("\0"))) {
    throw new Error("program, arguments, folder and environment must have no NUL in them");
  }
  const odd = Object.keys(env).find((name) => name === "" || name.includes("="));
  if (odd !== undefined) throw new Error(`a variable must have a name without "=", got "${odd}"`);
}

function checkCwd(cwd: string): void {
  try {
    if (!statSync(cwd).isDirectory()) throw new Error("it is no folder");
    accessSync(cwd, constants.X_OK);
  } catch (error) {
    throw new Error(`cwd must be a folder that can be entered, got "${cwd}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function checkProgram({ file, cwd, env }: Launch): void {
  const folders = file.includes("/") ? [cwd] : (env["PATH"] ?? DEFAULT_PATH).split(delimiter);
  const paths = folders.map((folder) =>
    file.startsWith("/") ? file : join(folder === "" ? cwd : folder, file),
  );
  if (file !== "" && paths.some(isProgram)) return;
  const where = file.includes("/") ? "" : ` in ${folders.join(delimiter)}`;
  throw new Error(`file must be a program that can be executed, got "${file}"${where}`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
