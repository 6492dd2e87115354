/** The version of node-pty whose native part this code is written for; `optionalDependencies` pins the same one. */
export const NODE_PTY_VERSION = "1.2.0-beta.15";

/** No terminal can be opened on this machine as it is. The message says what is missing and what to install; to try
 * again without a change helps nothing. */
export class PtyUnavailable extends Error {
  override readonly name = "PtyUnavailable";
  readonly code = "pty_unavailable";
}

/** What was found when the native part could not be had. */
export interface Lack {
  readonly platform: string;
  readonly arch: string;
  /** The C library is musl (Alpine Linux), for which node-pty brings nothing that is built. */
  readonly isMusl: boolean;
  /** The package node-pty is there, but its native part is not or does not load. */
  readonly isInstalled: boolean;
  /** What the loader said. */
  readonly cause: string;
}

/** Platforms that have pseudo-terminals as this code uses them. */
const PLATFORMS: ReadonlySet<string> = new Set(["linux", "darwin"]);

export function unavailable(lack: Lack): PtyUnavailable {
  return new PtyUnavailable(`No terminal can be opened: ${adviceFor(lack)}`);
}

function adviceFor({ platform, arch, isMusl, isInstalled, cause }: Lack): string {
  if (!PLATFORMS.has(platform)) {
    return `terminals are opened on Linux and macOS only, and this is ${platform}.`;
  }
  if (!isInstalled) {
    return `the package node-pty is not installed. It is an optional dependency, which npm leaves out with --omit=optional and when it cannot be installed. Install it where termtopic is: npm install node-pty@${NODE_PTY_VERSION}`;
  }
  const said = `The loader says: ${cause.split("\n", 1)[0]}`;
  if (isMusl) {
    return `node-pty brings no built native part for musl (Alpine Linux). Build it: apk add python3 make g++ && npm rebuild node-pty. ${said}`;
  }
  return `node-pty has no native part here that works on ${platform}-${arch}. Install python3, make and a C++ compiler and build it: npm rebuild node-pty. ${said}`;
}
