import { createSnapshot } from "../../src/processes/snapshot.ts";
import type {
  Cwd,
  HeldProcess,
  ProcessInfo,
  ProcessKey,
  ProcessSnapshot,
  ProcessTable,
} from "../../src/processes/types.ts";

/** A process of a made-up host: a shell on /dev/pts/1 that leads its session, unless said otherwise. */
export function processInfo(pid: number, fields: Partial<ProcessInfo> = {}): ProcessInfo {
  const tty = "tty" in fields ? fields.tty : "/dev/pts/1";
  return {
    pid,
    parent: 1,
    group: pid,
    session: pid,
    ttyDevice: tty === undefined ? 0 : deviceOf(tty),
    tty,
    foregroundGroup: tty === undefined ? -1 : pid,
    state: "S",
    startTick: String(1_000 + pid),
    name: "sh",
    ...fields,
  };
}

function deviceOf(tty: string): number {
  return (136 << 8) | Number(/\d+$/.exec(tty)?.[0] ?? 0);
}

export interface FakeProcess {
  readonly info: ProcessInfo;
  readonly argv?: string[];
  readonly exe?: string;
  readonly cwd?: Cwd;
  readonly environment?: Record<string, string>;
  readonly openFiles?: string[];
}

/** The processes of a made-up host. */
export class FakeTable implements ProcessTable {
  readonly kind = "procfs";
  readonly bootId = "boot";
  readonly processes = new Map<number, FakeProcess>();
  /** How often the argv of each was read. */
  readonly argvReads = new Map<number, number>();
  /** How often the open files of each were listed. */
  readonly descriptorReads = new Map<number, number>();
  /** How many are held. */
  held = 0;

  set(info: ProcessInfo, rest: Omit<FakeProcess, "info"> = {}): ProcessInfo {
    this.processes.set(info.pid, { info, ...rest });
    return info;
  }

  end(pid: number): void {
    this.processes.delete(pid);
  }

  snapshot(): ProcessSnapshot {
    return createSnapshot(
      1_700_000_000_000,
      [...this.processes.values()].map(({ info }) => info),
    );
  }

  async sweep(): Promise<ProcessSnapshot> {
    return this.snapshot();
  }

  read(pid: number): ProcessInfo | undefined {
    return this.processes.get(pid)?.info;
  }

  argv(pid: number): string[] | undefined {
    this.argvReads.set(pid, (this.argvReads.get(pid) ?? 0) + 1);
    return this.processes.get(pid)?.argv;
  }

  cwd(pid: number): Cwd | undefined {
    return this.processes.get(pid)?.cwd;
  }

  exe(pid: number): string | undefined {
    return this.processes.get(pid)?.exe;
  }

  environment(pid: number): ReadonlyMap<string, string> | undefined {
    const environment = this.processes.get(pid)?.environment;
    return environment && new Map(Object.entries(environment));
  }

  openFiles(pid: number): string[] | undefined {
    this.descriptorReads.set(pid, (this.descriptorReads.get(pid) ?? 0) + 1);
    return this.processes.get(pid)?.openFiles;
  }

  startedAt({ startTick }: ProcessKey): number | undefined {
    return 1_600_000_000_000 + Number(startTick) * 10;
  }

  newcomers(known: ReadonlySet<number>): ProcessInfo[] {
    return [...this.processes.values()]
      .map(({ info }) => info)
      .filter(({ pid }) => !known.has(pid));
  }

  hold(pid: number, startTick: string): HeldProcess | undefined {
    const read = () => {
      const info = this.read(pid);
      return info?.startTick === startTick ? info : undefined;
    };
    if (read() === undefined) return undefined;
    this.held += 1;
    let isHeld = true;
    return {
      pid,
      read,
      hasRun: () => true,
      release: () => {
        if (isHeld) this.held -= 1;
        isHeld = false;
      },
    };
  }

  close(): void {}
}
