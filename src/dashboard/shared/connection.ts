import { effect, signal } from "@preact/signals";
import {
  type Status,
  type SubscribeOptions,
  type Subscription,
  subscribe,
  webSocketTransport,
} from "../../client/index.ts";
import type { RowTopic } from "../../contract/rows.ts";
import { ownInstance } from "./own-instance.ts";
import { recheckSession, session } from "./session.ts";

/** Whether what is shown is up to date. */
export interface Liveness {
  readonly isLive: boolean;
  /** When it was last, in milliseconds since 1970; absent before the first time. */
  readonly lastGoodAt?: number;
  readonly status: Status["state"];
}

/** So many tries that failed one after the other are a reason to ask whether the page is still let in: no script is told why
 * a WebSocket did not open. */
const TRIES = 2;

export const liveness = signal<Liveness>({ isLive: false, status: "connecting" });

/** Subscribes with the page's cookie, and keeps `liveness`. */
export function connectPage<Topic extends RowTopic>(
  endpoint: string,
  topics: SubscribeOptions<Topic>["topics"],
): Subscription<Topic> {
  let failures = 0;
  const subscription = subscribe({ transport: webSocketTransport(endpoint), topics });
  const look = () => {
    const { state } = subscription.status;
    const isLive = state === "live";
    const before = liveness.peek();
    const lastGoodAt = isLive || before.isLive ? Date.now() : before.lastGoodAt;
    liveness.value = { isLive, status: state, ...(lastGoodAt === undefined ? {} : { lastGoodAt }) };
    ownInstance.value = subscription.publisher?.instance;
    if (isLive) failures = 0;
  };
  subscription.on("status", ({ state }) => {
    look();
    if (state !== "disconnected") return;
    failures += 1;
    if (failures % TRIES === 0) void recheckSession(endpoint);
  });
  look();
  effect(() => {
    if (session.value.kind === "refused") subscription.close();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) subscription.wake();
  });
  return subscription;
}
