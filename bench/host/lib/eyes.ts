import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IPty, spawn } from "node-pty";
import { connectHost, type HostConnection, type Viewer } from "../../../src/host/index.ts";
import type { Look } from "./looks.ts";
import type { ShownText } from "./shown.ts";
import { SlowLink } from "./slow-link.ts";

/** One look at a terminal. */
export interface Eye {
  type(keys: string): void;
  leave(): Promise<void>;
}

/** Begins to look. What is shown is told with `shown`. */
export function openEye(look: Look, shown: ShownText): Promise<Eye> {
  return look.kind === "host" ? HostEye.open(look, shown) : ProgramEye.open(look, shown);
}

/** As a dashboard looks, with the host's client. */
class HostEye implements Eye {
  readonly #connection: HostConnection;
  readonly #viewer: Viewer;
  readonly #endLink: () => void;

  private constructor(connection: HostConnection, viewer: Viewer, endLink: () => void) {
    this.#connection = connection;
    this.#viewer = viewer;
    this.#endLink = endLink;
  }

  static async open(look: Extract<Look, { kind: "host" }>, shown: ShownText): Promise<HostEye> {
    const { path, terminalId, slowLink = false, bytesPerSecond } = look;
    const link = bytesPerSecond === undefined ? undefined : await linkTo(path, bytesPerSecond);
    const connection = await connectHost({ path: link?.path ?? path });
    const viewer = await connection.attach(terminalId, {
      slowLink,
      output(bytes, consumed) {
        shown.add(bytes);
        consumed();
      },
      skipped: (bytes) => shown.skip(bytes),
    });
    return new HostEye(connection, viewer, link?.end ?? (() => {}));
  }

  type(keys: string): void {
    this.#viewer.write(Buffer.from(keys));
  }

  async leave(): Promise<void> {
    this.#viewer.leave();
    this.#connection.close();
    this.#endLink();
  }
}

async function linkTo(path: string, bytesPerSecond: number) {
  const folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  const link = await SlowLink.open(join(folder, "link"), path, bytesPerSecond);
  const end = () => {
    link.end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { path: link.path, end };
}

/** As a person looks, with the system's own program on a terminal, which is read by node-pty as it is shipped. */
class ProgramEye implements Eye {
  readonly #pty: IPty;
  readonly #exited: Promise<void>;

  private constructor(
    { file, args, env, bytesPerSecond }: Extract<Look, { kind: "program" }>,
    shown: ShownText,
  ) {
    const pty = spawn(file, [...args], {
      cols: 80,
      rows: 24,
      env: { ...env },
      encoding: null,
    });
    this.#pty = pty;
    // With `encoding: null` it gives Buffers, which its types do not say.
    pty.onData((data: string | Buffer) => {
      const bytes = Buffer.from(data as Buffer);
      if (bytesPerSecond === undefined) {
        shown.add(bytes);
        return;
      }
      pty.pause();
      setTimeout(
        () => {
          shown.add(bytes);
          pty.resume();
        },
        (bytes.length / bytesPerSecond) * 1_000,
      );
    });
    this.#exited = new Promise((resolve) => pty.onExit(() => resolve()));
  }

  static async open(
    look: Extract<Look, { kind: "program" }>,
    shown: ShownText,
  ): Promise<ProgramEye> {
    return new ProgramEye(look, shown);
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  async leave(): Promise<void> {
    this.#pty.resume();
    // What other systems start says goodbye to them: without that screen waits for it.
    this.#pty.kill("SIGHUP");
    await this.#exited;
  }
}
