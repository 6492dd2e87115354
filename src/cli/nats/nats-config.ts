import { DEFAULT_BUCKET } from "../../cluster/bucket-name.ts";
import { stateFolder } from "../../files/folders.ts";
import { UsageError } from "../failure.ts";
import { loadInstanceId, openStateFolder } from "../state.ts";
import { natsConfiguration } from "./config.ts";
import { loadHostKey } from "./key.ts";
import { type NatsUser, readUser, userText } from "./user.ts";

export interface NatsConfigOptions {
  readonly user?: readonly string[];
  readonly dashboard?: readonly string[];
  readonly natsBucket?: string;
  readonly listen: string;
  readonly store: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** Prints the configuration of a nats-server with this host's user and those that are named. */
export async function natsConfig(options: NatsConfigOptions): Promise<void> {
  const { tlsCert: cert, tlsKey: key, natsBucket: bucket = DEFAULT_BUCKET } = options;
  if ((cert === undefined) !== (key === undefined)) {
    throw new UsageError("--tls-cert and --tls-key belong together: give both or none");
  }
  const named = (options.user ?? []).map((text) => readUser("--user", text));
  const dashboards = (options.dashboard ?? []).map((text) => readUser("--dashboard", text));
  const isOwnNamed = dashboards.length > 0 || named.length > 0;
  const { own } = await ownUser();
  const all = [...named, ...dashboards];
  const hosts = all.some(({ instance }) => instance === own.instance) ? named : [own, ...named];
  requireDistinct([...hosts, ...dashboards]);
  const { listen, store } = options;
  process.stdout.write(
    natsConfiguration({
      ...{ bucket, listen, store, hosts, dashboards },
      ...(cert === undefined || key === undefined ? {} : { tls: { cert, key } }),
    }),
  );
  if (!isOwnNamed) {
    process.stderr.write(
      "This lets in this host alone. For each other one give --user with what `termtopic nats-config user` prints there.\n",
    );
  }
}

/** Prints what lets this host in where the nats-server is configured, and says how it is used. */
export async function natsUser(): Promise<void> {
  const { own, file } = await ownUser();
  process.stdout.write(`${userText(own)}\n`);
  process.stderr.write(
    `Give this to \`termtopic nats-config --user\` where the nats-server is. Here: termtopic serve --nats <url> --nats-creds ${file}\n`,
  );
}

async function ownUser(): Promise<{ own: NatsUser; file: string }> {
  const folder = stateFolder();
  await openStateFolder(folder);
  const instance = await loadInstanceId(folder);
  const { file, publicKey } = await loadHostKey(folder);
  return { own: { instance, key: publicKey }, file };
}

/** Of two users with one key the later would count, and of two with one instance either could write its rows. */
function requireDistinct(users: readonly NatsUser[]): void {
  const seen = new Set<string>();
  for (const { instance, key } of users) {
    for (const one of [instance, key]) {
      if (seen.has(one)) throw new UsageError(`each user may be named once, ${one} is named twice`);
      seen.add(one);
    }
  }
}
