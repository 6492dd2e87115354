import type { Command } from "commander";
import { BUCKET_NAME, DEFAULT_BUCKET } from "../cluster/bucket-name.ts";
import { UsageError } from "./failure.ts";
import { collect, readPath } from "./options.ts";

/** How this host takes part in the list of many. Without `nats` it does not. */
export interface ClusterFlags {
  readonly nats?: readonly string[];
  /** Absolute paths. */
  readonly natsCreds?: string;
  readonly natsCa?: string;
  readonly natsBucket?: string;
  /** What this host is called in the list of instances. Absent: the machine's name. */
  readonly hostName?: string;
}

export function clusterOptions(command: Command): Command {
  return command
    .option(
      "--nats <url>",
      "share the terminals with the publishers of other hosts over this NATS server (nats://, or tls://); repeatable for the servers of one cluster (default: this host alone)",
      collect(readNatsUrl),
    )
    .option(
      "--nats-creds <file>",
      "the credentials for it: a .creds file, or a file with an nkey seed (default: none)",
      readPath("--nats-creds"),
    )
    .option(
      "--nats-ca <file>",
      "who its certificate has to be signed by, in PEM (default: those that Node trusts)",
      readPath("--nats-ca"),
    )
    .option(
      "--nats-bucket <name>",
      `the bucket that the publishers share (default: ${DEFAULT_BUCKET})`,
      readBucket,
    )
    .option(
      "--host-name <name>",
      "what this host is called in the list of instances (default: the machine's name)",
      readHostTitle,
    )
    .hook("preAction", (_, action) => requireNats(action.opts()));
}

const SCHEMES: ReadonlySet<string> = new Set(["nats:", "tls:"]);

function readNatsUrl(text: string): string {
  const address = text.includes("://") ? text : `nats://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !SCHEMES.has(url.protocol) || url.hostname === "") {
    throw new UsageError(
      `--nats must be the address of a NATS server such as nats://host:4222, got "${text}"`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      "--nats must hold no user or password: everybody on this machine could read it there; put them into the file for --nats-creds",
    );
  }
  return `${url.protocol}//${url.host}`;
}

export function readBucket(text: string): string {
  if (BUCKET_NAME.test(text)) return text;
  throw new UsageError(
    `--nats-bucket must be 1 to 64 of the characters A-Z, a-z, 0-9, _ and -, got "${text}"`,
  );
}

function readHostTitle(text: string): string {
  if (text.trim() !== "" && text.length <= 256) return text;
  throw new UsageError(`--host-name must be 1 to 256 characters, got "${text}"`);
}

function requireNats({ nats, natsCreds, natsCa, natsBucket }: ClusterFlags): void {
  if (nats !== undefined) return;
  const lone = Object.entries({
    "--nats-creds": natsCreds,
    "--nats-ca": natsCa,
    "--nats-bucket": natsBucket,
  }).find(([, value]) => value !== undefined);
  if (lone !== undefined) throw new UsageError(`${lone[0]} needs --nats, which names the server`);
}
