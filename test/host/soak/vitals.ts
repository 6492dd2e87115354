import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import { createProcessTable } from "../../../src/processes/index.ts";
import type { ProcessInfo } from "../../../src/processes/types.ts";
import { systemClock } from "../../../src/time/clock.ts";

const table = createProcessTable({ clock: systemClock });

/** What a host has of the system. */
export interface Vitals {
  readonly descriptors: number;
  readonly threads: number;
  /** Its children, those that have ended and were not waited for too. */
  readonly children: number;
  /** Processes that run in the folder of its terminals, wherever they have gone. */
  readonly strays: number;
}

/** What memory a host has, in bytes. */
export interface Memory {
  /** Objects of its main thread, after those were collected that nobody needs. */
  readonly heap: number;
  /** What its buffers have. */
  readonly external: number;
  /** All of its own, of every thread (`RssAnon` of proc_pid_status(5)). */
  readonly resident: number;
}

/** Looks at a host from outside. */
export class Examination {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #lines: Interface;

  /** `folder`: where its terminals are opened. */
  constructor(child: ChildProcess, folder: string) {
    if (child.stdout === null) throw new Error("the host's output is needed");
    this.#child = child;
    this.#folder = folder;
    this.#lines = createInterface(child.stdout);
  }

  async vitals(): Promise<Vitals> {
    const { pid } = this;
    return {
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      threads: readdirSync(`/proc/${pid}/task`).length,
      children: childrenOf(pid),
      strays: (await this.#strays()).length,
    };
  }

  /** Ends whatever a host has left running. */
  async endStrays(): Promise<void> {
    for (const { pid } of await this.#strays()) process.kill(pid, "SIGKILL");
  }

  async memory(): Promise<Memory> {
    const line = new Promise<string>((resolve) => this.#lines.once("line", resolve));
    this.#child.kill("SIGUSR2");
    const { heap, external } = JSON.parse(await line);
    const status = readFileSync(`/proc/${this.pid}/status`, "latin1");
    const resident = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    return { heap, external, resident };
  }

  /** What its descriptors are of, for people. */
  files(): string[] {
    const folder = `/proc/${this.pid}/fd`;
    return readdirSync(folder).flatMap((name) => {
      try {
        return `${name} ${readlinkSync(`${folder}/${name}`)}`;
      } catch {
        return [];
      }
    });
  }

  async #strays(): Promise<ProcessInfo[]> {
    const all = [...(await table.sweep()).all()];
    return all.filter(({ pid }) => table.cwd(pid)?.path === this.#folder);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }
}

/** Of all threads: any of them may have started one. */
function childrenOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "latin1").split(" "))
    .filter((child) => child !== "").length;
}
