import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../time/clock.ts";
import { Desk } from "./desk.ts";
import type { Order, WorkerStart } from "./messages.ts";

// The worker of the screens: a program of its own in the build.
const port = parentPort;
if (!port) throw new Error("The worker of the screens has to be started as a worker");
const { progress }: WorkerStart = workerData;
const desk = new Desk({
  clock: systemClock,
  progress,
  report: (report, transfer) => port.postMessage(report, transfer),
  soon: setImmediate,
});
port.on("message", (order: Order) => desk.take(order));
