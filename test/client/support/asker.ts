import { createServer } from "node:net";
import { SubscriptionError, subscribe } from "../../../src/client/index.ts";
import { nodeWebSocketTransport, unixSocketTransport } from "../../../src/client/node.ts";
import { frame, PUBLISHER, terminal } from "./frames.ts";

// Prints what it comes through and never calls `process.exit`.
const [kind = "", address = "", token = ""] = process.argv.slice(2);
const transport =
  kind === "ws" ? nodeWebSocketTransport(address, { token }) : unixSocketTransport(address);
const subscription = subscribe({ transport, topics: ["terminals"] });

if (kind === "unix-late") {
  subscription.on("status", ({ state }) => {
    if (state === "disconnected") console.log(state);
    // Only now is there somebody; the server itself keeps no process alive.
    if (state === "disconnected") serveLate();
  });
}

try {
  const rows = await subscription.ready("terminals");
  console.log(`ready ${rows.length}`);
  subscription.on("status", ({ state }) => console.log(state));
  subscription.close();
} catch (error) {
  console.log(`failed ${error instanceof SubscriptionError ? error.reason : error}`);
}

function serveLate(): void {
  const server = createServer((socket) => {
    socket.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\n").filter((part) => part !== "")) {
        const { op, request_id, topic } = JSON.parse(line);
        const body = op === "hello.user" ? PUBLISHER : { topic };
        socket.write(`${JSON.stringify({ ok: true, request_id, ...body })}\n`);
        if (topic === undefined) continue;
        socket.write(`${JSON.stringify(frame({ snapshot: true }, [terminal(1), terminal(2)]))}\n`);
      }
    });
  });
  server.listen(address);
  server.unref();
}
