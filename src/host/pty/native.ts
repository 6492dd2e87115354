import { accessSync, chmodSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { PtyUnavailable, unavailable } from "./unavailable.ts";

/** What node-pty's `fork` answers: the descriptor of the master, which is non-blocking; the process; the path of the
 * slave. */
export interface Forked {
  readonly fd: number;
  readonly pid: number;
  readonly pty: string;
}

/** Called once on the main thread, after the process was waited for. */
type OnExit = (code: number, signal: number) => void;

/** The two functions of node-pty's native part that are used. Everything that its JavaScript does with the
 * descriptor is done here in another way. */
interface Native {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: OnExit,
  ): Forked;
  resize(fd: number, cols: number, rows: number, pixelWidth: number, pixelHeight: number): void;
}

export interface NativePart extends Pick<Native, "fork" | "resize"> {
  /** The program through which macOS starts a process on a terminal; elsewhere it is not looked at. */
  readonly helper: string;
}

interface Loader {
  loadNativeModule(name: string): { readonly dir: string; readonly module: unknown };
}

let loaded: NativePart | undefined;

/** Loads the native part when it is first used, by the loader of its own package. Throws `PtyUnavailable`; a failure
 * is not remembered, so that an installation meanwhile is noticed. */
export function nativePart(): NativePart {
  loaded ??= load();
  return loaded;
}

function load(): NativePart {
  const resolver = createRequire(import.meta.url);
  let isInstalled = false;
  try {
    const path = resolver.resolve("node-pty/lib/utils.js");
    isInstalled = true;
    const loader: unknown = resolver(path);
    if (!isLoader(loader)) throw new Error("this node-pty has another loader");
    const { dir, module } = loader.loadNativeModule("pty");
    if (!isNative(module)) throw new Error("this node-pty has another native part");
    // With a layer that imitates glibc it loads, and crashes at the first fork.
    if (dir.includes("prebuilds/") && isMusl()) throw new Error("it is built for glibc");
    const helper = resolve(dirname(path), dir, "spawn-helper");
    if (process.platform === "darwin") makeExecutable(helper);
    return { fork: module.fork, resize: module.resize, helper };
  } catch (error) {
    if (error instanceof PtyUnavailable) throw error;
    throw unavailable({
      platform: process.platform,
      arch: process.arch,
      isMusl: isMusl(),
      isInstalled,
      cause: error instanceof Error ? error.message : String(error),
    });
  }
}

const isLoader = (value: unknown): value is Loader => hasFunctions(value, "loadNativeModule");
const isNative = (value: unknown): value is Native => hasFunctions(value, "fork", "resize");

function hasFunctions(value: unknown, ...names: string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return names.every((name) => typeof members.get(name) === "function");
}

/** Whether this process runs on musl: its dynamic loader is mapped then. */
function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /\/(ld-musl-|libc\.musl-)/.test(readFileSync("/proc/self/maps", "latin1"));
  } catch {
    return false;
  }
}

/** Some ways to unpack the package lose the permission, and every start fails without a word why. */
function makeExecutable(helper: string): void {
  try {
    accessSync(helper, constants.X_OK);
  } catch {
    try {
      chmodSync(helper, 0o755);
    } catch (error) {
      throw new PtyUnavailable(
        `No terminal can be opened: ${helper} may not be executed. Run: chmod +x '${helper}'`,
        { cause: error },
      );
    }
  }
}
