// Stands for the worker of the screens: it shows nothing, and never comes back from output that says STUCK.
import { parentPort, workerData } from "node:worker_threads";

const progress = new Int32Array(workerData.progress);
const texts = new Map();
const decoder = new TextDecoder();

parentPort.on("message", (order) => {
  const { op, id } = order;
  if (op === "open") texts.set(id, "");
  if (op === "feed") {
    const text = decoder.decode(order.bytes);
    Atomics.store(progress, 0, id);
    if (text.includes("STUCK")) {
      parentPort.postMessage({ op: "answer", id, bytes: new Uint8Array(1) });
      for (;;) Atomics.load(progress, 0);
    }
    if (text.includes("DIES")) process.exit(1);
    texts.set(id, texts.get(id) + text);
    Atomics.store(progress, 0, 0);
    Atomics.add(progress, 1, 1);
    parentPort.postMessage({ op: "parsed", counts: [[id, order.bytes.length]], spares: [] });
  }
  if (op === "ask") {
    const reply = { text: texts.get(id), alternate: false };
    parentPort.postMessage({ op: "reply", call: order.call, reply });
  }
});
