import type { Command } from "commander";
import { DEFAULT_BUCKET } from "../cluster/bucket-name.ts";
import { readBucket } from "./cluster-options.ts";
import { EXIT_CODES, FOLDERS } from "./help.ts";
import { collect, readPath, readPort } from "./options.ts";

/** The commands about sharing terminals between hosts. */
export function addManyHosts(program: Command): void {
  program
    .command("demo")
    .description(
      "Show three hosts as one list, all on this machine, with terminals of their own, until a signal ends it. Nothing of yours is touched.",
    )
    .option("--port <number>", "where the dashboard listens; 0 takes any free port", readPort, 0)
    .addHelpText("after", EXIT_CODES)
    .action(async (options) => (await import("./demo/demo.ts")).demo(options));
  const config = program
    .command("nats-config")
    .description(
      "Print the configuration of a nats-server that connects hosts: each can write only what is its own.",
    )
    .option(
      "--user <user>",
      "let this host in too, as `nats-config user` prints it there; repeatable (default: this host alone)",
      collect((text: string) => text),
    )
    .option(
      "--dashboard <user>",
      "let this host see the terminals of all and do nothing with them; repeatable (default: none)",
      collect((text: string) => text),
    )
    .option(
      "--nats-bucket <name>",
      `the bucket that the publishers share (default: ${DEFAULT_BUCKET})`,
      (text: string) => readBucket(text),
    )
    .option("--listen <address>", "where it is to listen", "127.0.0.1:4222")
    .option("--store <folder>", "where it is to keep its files", "/var/lib/nats")
    .option(
      "--tls-cert <file>",
      "its certificate, in PEM, on its host (default: no TLS)",
      readPath("--tls-cert"),
    )
    .option("--tls-key <file>", "the key of that", readPath("--tls-key"))
    .addHelpText("after", FOLDERS + EXIT_CODES)
    .action(async (options) => (await import("./nats/nats-config.ts")).natsConfig(options));
  config
    .command("user")
    .description("Print what lets this host in, and make its key where it has none.")
    .addHelpText("after", FOLDERS + EXIT_CODES)
    .action(async () => (await import("./nats/nats-config.ts")).natsUser());
}
