import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NatsServer } from "../../test/lib/nats/server.ts";
import { ManyClients } from "../lib/many-clients.ts";
import { ManyHosts } from "./lib/many-hosts.ts";
export default async function prof(): Promise<void> {
  const nats = await NatsServer.start();
  const hosts = new ManyHosts();
  await hosts.start(nats.url, 10, 20);
  const folder = mkdtempSync("/tmp/prof-");
  const args = ["--cpu-prof", "--cpu-prof-dir=/tmp/prof2", "/work/main/dist/cli/main.js", "serve", "--port", "0", "--ready-file", join(folder, "r"), "--tmux-socket", join(folder, "none"), "--source", "tmux", "--nats", nats.url];
  const child = spawn(process.execPath, args, { env: { ...process.env, TERMTOPIC_STATE_DIR: join(folder, "s"), TERMTOPIC_RUNTIME_DIR: join(folder, "run") }, stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const { endpoint } = JSON.parse(readFileSync(join(folder, "r"), "utf8"));
  const token = readFileSync(join(folder, "s", "token"), "utf8").trim();
  const clients = new ManyClients();
  await clients.connect(500, { url: `${endpoint.replace("http", "ws")}ws`, token, isStated: true });
  await hosts.change(12_000, 15);
  console.log(await clients.collect());
  child.kill("SIGTERM");
  await once(child, "exit");
  await clients.end(); await hosts.end(); await nats.end();
}
