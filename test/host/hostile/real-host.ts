import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { ChannelClient } from "../channel/channel-client.ts";
import { Place, type Program } from "../process/support.ts";

/** The host with all that it runs, built from the sources for the tests of one file. */
export interface BuiltHost {
  /** What runs it in the foreground. */
  readonly program: readonly string[];
  remove(): void;
}

/** `program`: how it is started; default: as `termtopic host` does. */
export async function buildHost(
  program = join(import.meta.dirname, "program/host.ts"),
): Promise<BuiltHost> {
  const root = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "tt-real-host-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  await build({
    configFile: false,
    logLevel: "silent",
    publicDir: false,
    ssr: { noExternal: true, external: ["node-pty"] },
    build: {
      ssr: true,
      target: "node20",
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        external: ["node-pty"],
        // As deep as in the package: the worker is found from where the programs are.
        input: {
          "programs/host": program,
          "host/screen-worker": join(root, "src/host/screen/worker.ts"),
        },
        output: { entryFileNames: "[name].js", chunkFileNames: "programs/[name]-[hash].js" },
      },
    },
  });
  return {
    program: [process.execPath, join(folder, "programs/host.js"), "host"],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A host that runs as a process of its own, in a folder of its own. It ends with the test. */
export class RealHost {
  readonly place: Place;
  readonly process: Program;

  private constructor(place: Place, started: Program) {
    this.place = place;
    this.process = started;
  }

  static async start(
    { program }: BuiltHost,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<RealHost> {
    const place = new Place();
    // Shells begin alike and soon: nobody's own files are read.
    Object.assign(place.env, { SHELL: "/bin/sh", ...environment });
    const started = place.start(program);
    await started.listening;
    return new RealHost(place, started);
  }

  get pid(): number {
    return this.process.child.pid ?? 0;
  }

  connect(): Promise<ChannelClient> {
    return ChannelClient.connect(this.place.places.channel);
  }

  /** Memory that it has of its own, in bytes: `RssAnon` of proc_pid_status(5), without files that are mapped. */
  get resident(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, "latin1");
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  /** The most that it ever had, with mapped files, in bytes (`VmHWM`). */
  get peak(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, "latin1");
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  /** Processor time that all of its threads have had, in ticks of 10 ms (`utime` and `stime` of proc_pid_stat(5)). */
  get ticks(): number {
    const stat = readFileSync(`/proc/${this.pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(fields[11]) + Number(fields[12]);
  }
}
