import type { SubscriptionError } from "./failure.ts";

/** How a subscription stands.
 *
 * - `connecting`: dialing or greeting.
 * - `live`: greeted, and the publisher is heard from. Whether one topic's rows are up to date is said by
 *   its `TopicView`.
 * - `stale`: connected, but not heard from for longer than a quiet publisher may be. The rows may be out
 *   of date.
 * - `disconnected`: the connection ended for `error`; the next try is `retryMs` away. Rows are kept.
 * - `failed`: ended for `error`, and dialing again with the same token and the same program cannot
 *   help: no more tries are made and no timer is left. `wake` makes one more.
 * - `closed`: `close` was called. */
export type Status =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "stale" }
  | {
      readonly state: "disconnected";
      readonly retryMs: number;
      readonly error: SubscriptionError;
    }
  | { readonly state: "failed"; readonly error: SubscriptionError }
  | { readonly state: "closed" };
