import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, type Served, serveSupervisor } from "../supervisor/served-supervisor.ts";

// biome-ignore lint/suspicious/noExplicitAny: what is read of a result is what the test expects there.
type Json = any;

const EXIT = { return_when: { kind: "exit" }, wait_ceiling_ms: 60_000 };

/** A host, and a client that starts sandboxed sessions. */
export class Confined {
  readonly served: Served;
  readonly client: Client;

  constructor(served: Served) {
    this.served = served;
    this.client = served.connect();
  }

  /** The result of a start. */
  start(command: string, profile: object | string = {}, more: object = {}): Promise<Json> {
    const whole = { write: [], network: false };
    const sandbox_profile =
      typeof profile === "string" ? profile : JSON.stringify({ ...whole, ...profile });
    return this.client.operate(this.served.start(command, { sandbox_profile, ...more }));
  }

  /** How a command ended, and what it wrote. */
  async run(command: string, profile: object = {}): Promise<{ outcome: Json; text: string }> {
    const result = await this.start(command, profile, EXIT);
    if (result.success === undefined) throw new Error(JSON.stringify(result));
    const { session, outcome } = result.success.start;
    return { outcome, text: await this.text(session.session_id) };
  }

  /** What a session has written, up to 64 KiB. */
  async text(session_id: string): Promise<string> {
    const read = { action: "read", session_id, cursor_segment: 1, cursor_offset: 0 };
    return (await this.client.operate(read)).success.read.raw_output.replaceAll("\r\n", "\n");
  }

  async wait(session_id: string, condition: object): Promise<Json> {
    const wait = { action: "wait", session_id, return_when: condition, wait_ceiling_ms: 60_000 };
    return (await this.client.operate(wait)).success.wait.outcome;
  }
}

export const confined = async (): Promise<Confined> => new Confined(await serveSupervisor());

/** A folder that is in no temporary one, so that a sandbox sees it. */
export function folderOutside(): string {
  const folder = realpathSync(mkdtempSync(join(homedir(), ".tt-sandbox-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
