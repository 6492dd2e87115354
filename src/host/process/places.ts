import { dirname, join } from "node:path";
import { shortFolder } from "../../files/folders.ts";
import { MAX_SOCKET_PATH, requirePrivateFolder } from "../../files/unix-path.ts";

/** Where a host keeps what others find it by. */
export interface HostPlaces {
  /** The host's own folder in the runtime folder: its claim and its log. */
  readonly folder: string;
  /** Newline-delimited JSON: the topic of its terminals. */
  readonly topics: string;
  /** The channel dialect. */
  readonly channel: string;
  /** The supervisor dialect. */
  readonly supervisor: string;
  /** The folder of the host's own tmux server, with its socket and the output of its sessions. */
  readonly tmux: string;
  /** What is written down of sessions that outlive the host. */
  readonly records: string;
}

/** The longest of the names. */
const LONGEST = "supervisor.sock";

/** The host's places in a runtime folder. Sockets are elsewhere where their paths would be too long: clients learn
 * from the claim where. */
export function hostPlaces(runtime: string, environment = process.env): HostPlaces {
  const folder = join(runtime, "host");
  const isShort = Buffer.byteLength(join(folder, LONGEST)) <= MAX_SOCKET_PATH;
  const sockets = isShort ? folder : shortFolder(folder, environment);
  return {
    folder,
    topics: join(sockets, "topics.sock"),
    channel: join(sockets, "channel.sock"),
    supervisor: join(sockets, LONGEST),
    // Its socket has no longer path than the others.
    tmux: join(sockets, "tmux"),
    records: join(sockets, "supervisor"),
  };
}

/** All folders that sockets of termtopic are in, the publisher's among them. */
export function socketFolders({ folder, channel }: HostPlaces): string[] {
  return [dirname(folder), folder, dirname(channel)];
}

/** Makes the folders, and throws unless each is ours alone. One that is not is refused and never put right: somebody
 * else has had a hand in it. */
export async function requireHostFolders(places: HostPlaces): Promise<void> {
  for (const one of socketFolders(places)) await requirePrivateFolder(one);
}
