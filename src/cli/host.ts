import { type Logger, pino } from "pino";
import { runtimeFolder, stateFolder } from "../files/folders.ts";
import type { OpenCore } from "../host/process/core.ts";
import { faultWithoutText } from "../host/process/fault.ts";
import { closeInherited } from "../host/process/inherited.ts";
import { hostPlaces, socketFolders } from "../host/process/places.ts";
import { type HostProcess, runHostProcess } from "../host/process/run.ts";
import { type AskedLimits, terminalLimits } from "../host/terminal-limits.ts";
import { createProcessTable } from "../processes/index.ts";
import { systemClock } from "../time/clock.ts";
import { EXIT, endOnFault } from "./failure.ts";
import { askedLimits } from "./host-limits.ts";
import { topicsFace } from "./host-topics.ts";
import { logOutput } from "./log-output.ts";
import type { LogLevel } from "./options.ts";
import { outliveOutput } from "./output.ts";
import { requirePlatform } from "./platform.ts";
import { onStopSignals } from "./signals.ts";
import { loadInstanceId, openStateFolder } from "./state.ts";
import { VERSION } from "./version.ts";

export interface HostOptions extends AskedLimits {
  /** In milliseconds. */
  readonly idle?: number;
  readonly logLevel: LogLevel;
}

/** Keeps terminals until a signal ends it, or nobody needs it. Resolves once it listens. */
export async function host(options: HostOptions, open: OpenCore): Promise<void> {
  requirePlatform();
  closeInherited();
  outliveOutput();
  const clock = systemClock;
  const state = stateFolder();
  await openStateFolder(state);
  const places = hostPlaces(runtimeFolder(state));
  const table = createProcessTable({ clock });
  const log = openLog(options.logLevel);
  endOnFault((fault) => log.fatal({ err: fault }, "ended by a fault; its terminals end with it"));
  let running: HostProcess | undefined;
  const end = () => void running?.end();
  const instance = await loadInstanceId(state);
  const limits = terminalLimits(askedLimits(options, process.env));
  const warn = (message: string) => log.warn(message);
  const own = [state, ...socketFolders(places)];
  const ground = { clock, table, state, own, version: VERSION, limits, places, warn, end };
  const core = await open(ground);
  running = await runHostProcess({
    places,
    table,
    clock,
    version: VERSION,
    terminals: core.terminals,
    topics: topicsFace({ terminals: core.listed, instance, clock, table, log }),
    channel: core.channel,
    supervisor: core.supervisor,
    idleMs: options.idle,
    failed: (error) => log.error({ err: error }, "something failed and was coped with"),
  });
  void running.ended.then(() => process.exit(EXIT.ok));
  takeSignals(running, log);
  process.stdout.write(`termtopic keeps terminals in ${places.folder}\n`);
}

/** Of a fault only is told what cannot be a terminal's text. */
function openLog(level: LogLevel): Logger {
  const options = { level, serializers: { err: faultWithoutText } };
  return pino(options, logOutput);
}

/** SIGHUP ends nothing: terminals outlive the window in which the host was started. */
function takeSignals(running: HostProcess, log: Logger): void {
  onStopSignals(
    {
      first(signal) {
        log.info({ signal }, "stopping");
        void running.end();
      },
      again(signal) {
        log.warn({ signal }, "ended before every terminal was closed");
        process.exit(EXIT.failed);
      },
    },
    ["SIGTERM", "SIGINT"],
  );
  process.on("SIGHUP", () => {
    running.repair().catch((error) => log.error({ err: error }, "the sockets cannot be put back"));
  });
}
