// Serves, takes a client on each carrier, stops with both still open, and then has nothing left to do. A
// timer or handle that outlived `stop` would keep it running.
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import WebSocket from "ws";
import { createServer } from "../../../src/server/server.ts";
import { loadToken } from "../../../src/server/token.ts";
import { systemClock } from "../../../src/time/clock.ts";

const [, , folder = ""] = process.argv;
const token = await loadToken(folder);
const socketPath = join(folder, "run", "s");
const server = await createServer({
  port: 0,
  token,
  socketPath,
  hub: {
    offers: () => false,
    connect: () => ({ open: async () => () => {}, close() {}, end() {} }),
  },
  identity: {
    instance: "3f9c1a7b5e2d48069c1a7b5e2d480691",
    version: "0",
    startedAt: 1,
    hostName: "host",
  },
  clock: systemClock,
  log: pino({ level: "silent" }),
});

const hello = '{"op":"hello.user","request_id":"1","protocol_version":4}\n';
const url = `${server.endpoint.replace("http", "ws")}ws`;
const browser = new WebSocket(url, ["ccmsg.v1", `ccmsg.token.${token}`]);
await once(browser, "open");
browser.send(hello);
await once(browser, "message");
const program = connect(socketPath);
program.write(hello);
await once(program, "data");
await (await fetch(server.endpoint)).text();

const codes = once(browser, "close");
await server.stop("restart");
const [code] = await codes;
process.stdout.write(JSON.stringify({ code, connections: server.connections() }));
