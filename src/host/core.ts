import { join } from "node:path";
import { ChannelConnection } from "./channel/connection.ts";
import { encodeFrame } from "./channel/frames.ts";
import { Host } from "./host.ts";
import { hostMonitors } from "./monitors/monitors.ts";
import { watchBuild } from "./process/build.ts";
import type { HostCore, HostGround } from "./process/core.ts";
import type { HostFace, KeptTerminals } from "./process/run.ts";
import type { ListedTerminals } from "./process/topic.ts";
import { spawnPty } from "./pty/pty.ts";
import { ptySelfTest } from "./pty/self-test.ts";
import { Sandboxes } from "./sandbox/sandbox.ts";
import { Screens } from "./screen/screens.ts";
import { supervisorFace } from "./supervisor/face.ts";
import { Supervisor } from "./supervisor/supervisor.ts";

/** Makes a host of this machine's own terminals. Rejects with what is missing where none can be opened. */
export async function openCore({
  clock,
  table,
  state,
  own,
  version,
  limits,
  places,
  warn,
  end,
}: HostGround): Promise<HostCore> {
  await ptySelfTest(clock);
  const screens = new Screens({ clock, version });
  const host = new Host({
    clock,
    table,
    version,
    limits,
    environments: join(state, "environments"),
    baseEnvironment: process.env,
    spawn: spawnPty,
    openScreen: (options) => screens.open(options),
  });
  const sandboxes = new Sandboxes({ own, environment: process.env });
  const supervisor = new Supervisor(host, hostMonitors(clock), sandboxes, {
    tmux: places.tmux,
    records: places.records,
    table,
    warn,
  });
  return {
    terminals: keptTerminals(host, supervisor),
    listed: listedTerminals(host),
    channel: channelFace(host, end),
    supervisor: supervisorFace(supervisor),
  };
}

/** What outlives the host needs it no more than its monitors do. */
function keptTerminals(host: Host, { durable }: Supervisor): KeptTerminals {
  const { terminals } = host;
  return {
    get all() {
      const native = terminals.all.filter(({ isDurable }) => !isDurable);
      return durable?.needHost ? terminals.all : native;
    },
    changed: {
      on(listener) {
        const ends = [terminals.changed.on(listener), durable?.changed.on(listener)];
        return () => {
          for (const end of ends) end?.();
        };
      },
    },
    adopt: async () => durable?.adopt(),
    async closeAll() {
      await host.closeAll();
      await durable?.release();
    },
  };
}

/** Those in tmux are stated by whoever lists the panes of tmux. */
function listedTerminals({ terminals }: Host): ListedTerminals {
  return {
    get all() {
      return terminals.all.filter(({ isDurable }) => !isDurable);
    },
    changed: terminals.changed,
  };
}

function channelFace(host: Host, end: () => void): HostFace {
  const isOurBuild = watchBuild(process.argv[1] ?? process.execPath);
  const connections = new Set<ChannelConnection>();
  const look = () => {
    if (connections.size === 0 || isOurBuild()) return;
    for (const connection of connections) connection.outdated();
  };
  const lookLater = () => {
    host.clock.schedule(BUILD_LOOK_MS, () => {
      look();
      lookLater();
    });
  };
  lookLater();
  return {
    accept(socket) {
      const connection = new ChannelConnection(host, socket, end);
      connections.add(connection);
      socket.once("close", () => connections.delete(connection));
      look();
    },
    refusal: (why) => encodeFrame({ type: "error", message: why }),
    async close() {
      await Promise.all([...connections].map((connection) => connection.finish()));
    },
  };
}

/** How often it is looked whether another build was installed while somebody is connected, in milliseconds. */
const BUILD_LOOK_MS = 30_000;
