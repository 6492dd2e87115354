import type { NatsUser } from "./user.ts";

export interface ConfigOptions {
  readonly bucket: string;
  readonly listen: string;
  /** Where JetStream keeps its files. */
  readonly store: string;
  /** Paths on the host of the nats-server. Absent: no TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Those that share their terminals. */
  readonly hosts: readonly NatsUser[];
  /** Those that only see those of the others. */
  readonly dashboards: readonly NatsUser[];
}

/** A configuration of nats-server (2.9 or newer) with which each instance can write only what is its own. */
export function natsConfiguration(options: ConfigOptions): string {
  const { bucket, listen, store, tls, hosts, dashboards } = options;
  return `${[
    "# nats-server for termtopic. Start it with: nats-server -c <this file>",
    "# Made by `termtopic nats-config`; docs/nats.md says what each part is for.",
    `listen: ${quoted(listen)}`,
    "",
    "# What the publishers share is kept in files: with memory alone it would be gone with each restart.",
    "jetstream {",
    `  store_dir: ${quoted(store)}`,
    "}",
    "",
    ...tlsLines(tls),
    "authorization {",
    "  # Who does not answer the challenge of one of these keys is not let in. The seeds stay on their hosts.",
    "  users = [",
    ...hosts.flatMap((user) => userLines(user, hostRights(bucket, user))),
    ...dashboards.flatMap((user) => userLines(user, dashboardRights(bucket, user))),
    "  ]",
    "}",
  ].join("\n")}\n`;
}

function tlsLines(tls: ConfigOptions["tls"]): string[] {
  if (tls === undefined) {
    return [
      "# Without TLS everybody on the way reads along. Give --tls-cert and --tls-key, or keep it to this machine or a VPN.",
      "",
    ];
  }
  return [
    "tls {",
    `  cert_file: ${quoted(tls.cert)}`,
    `  key_file: ${quoted(tls.key)}`,
    "  timeout: 5",
    "}",
    "",
  ];
}

interface Rights {
  readonly what: string;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Reading the bucket: by a watch, which is a consumer, and key by key. */
const reading = (bucket: string): string[] => [
  "$JS.API.INFO",
  `$JS.API.STREAM.INFO.KV_${bucket}`,
  `$JS.API.CONSUMER.CREATE.KV_${bucket}.>`,
  `$JS.API.CONSUMER.INFO.KV_${bucket}.>`,
  `$JS.API.CONSUMER.DELETE.KV_${bucket}.>`,
  `$JS.API.STREAM.MSG.GET.KV_${bucket}`,
  `$JS.API.DIRECT.GET.KV_${bucket}`,
  `$JS.API.DIRECT.GET.KV_${bucket}.>`,
  `$JS.FC.KV_${bucket}.>`,
];

function hostRights(bucket: string, { instance }: NatsUser): Rights {
  return {
    what: "shares its terminals, sees and acts on those of all",
    publish: [
      `$KV.${bucket}.${instance}.>`,
      ...reading(bucket),
      // Whoever comes first makes the bucket. Nobody may change or delete it.
      `$JS.API.STREAM.CREATE.KV_${bucket}`,
      `termtopic.${bucket}.call.*`,
      `termtopic.${bucket}.view.*.*`,
      // Answers to others. Their inboxes have names that cannot be guessed.
      "_INBOX.*.>",
    ],
    subscribe: [
      `_INBOX.${instance}.>`,
      `termtopic.${bucket}.call.${instance}`,
      `termtopic.${bucket}.view.${instance}.*`,
    ],
  };
}

function dashboardRights(bucket: string, { instance }: NatsUser): Rights {
  return {
    what: "sees the terminals of all, and can do nothing with them",
    publish: [`$KV.${bucket}.${instance}.interest`, ...reading(bucket)],
    subscribe: [`_INBOX.${instance}.>`],
  };
}

function userLines({ instance, key }: NatsUser, { what, publish, subscribe }: Rights): string[] {
  const list = (name: string, subjects: readonly string[]) => [
    `        ${name}: { allow: [`,
    ...subjects.map((subject) => `          ${quoted(subject)}`),
    "        ] }",
  ];
  return [
    `    # The instance ${instance}: ${what}.`,
    "    {",
    `      nkey: ${key}`,
    "      permissions: {",
    ...list("publish", publish),
    ...list("subscribe", subscribe),
    "      }",
    "    }",
  ];
}

/** A string as nats-server's format has it. */
const quoted = (text: string) => JSON.stringify(text);
