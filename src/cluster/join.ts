import type { KvEntry } from "@nats-io/kv";
import type { Clock } from "../time/clock.ts";
import type { BusSession } from "./bus.ts";
import { HEARTBEAT_MS, LEASE_MS, STALE_MARGIN_MS } from "./limits.ts";
import type { Producer } from "./own-topic.ts";
import { topicKey } from "./subjects.ts";
import { decodeValue, type Value } from "./value.ts";
import { isOf } from "./writer.ts";

/** Another publisher has the id of this instance, and is alive. */
export class TakenError extends Error {}

export interface Joining {
  readonly session: BusSession;
  readonly producer: Producer;
  readonly clock: Clock;
  /** Given up: the connection is lost, or the publisher stops. */
  readonly signal: AbortSignal;
  /** It has to be watched for a while whether another publisher is alive. */
  waits(): void;
}

/** Waits until this publisher may write the rows of its instance, and answers where the key of its terminals stands then. What
 * a publisher of the same instance wrote lately may be our own, from before a restart, or that of a second one, which then
 * writes it again. Rejects with a TakenError, or where the bus fails. */
export async function join({ session, producer, clock, signal, waits }: Joining): Promise<number> {
  const key = topicKey(producer.instance, "terminals");
  const found = await session.kv.get(key);
  if (found === null || found.operation !== "PUT") return found?.revision ?? 0;
  if (await isOf(found.value, producer.epoch)) return found.revision;
  const before = await readValue(found);
  if (before?.stopped === true || before?.restarting === true) return found.revision;
  const { lastAt } = await session.contents();
  if (lastAt - found.created.getTime() >= LEASE_MS) return found.revision;
  waits();
  await sleep(clock, HEARTBEAT_MS + STALE_MARGIN_MS, signal);
  const later = await session.kv.get(key);
  if (later === null || later.revision === found.revision || later.operation !== "PUT") {
    return later?.revision ?? 0;
  }
  throw new TakenError(takenWords(producer, (await readValue(later)) ?? before));
}

export function takenWords({ instance, host }: Producer, other: Value | undefined): string {
  const where =
    other === undefined
      ? "another publisher"
      : other.host === host
        ? `another publisher on a host of the same name, ${host},`
        : `a publisher on the host ${other.host}`;
  return `${where} has the instance id ${instance} too and is alive; two must not have the same: remove the file instance.id of the state folder of one of them (a copied folder has a copied id) and start that one again`;
}

async function readValue({ value }: KvEntry): Promise<Value | undefined> {
  return decodeValue(value).catch(() => undefined);
}

function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.schedule(ms, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}
