import type { HostResponse } from "../messages.ts";
import { SupervisorError } from "./failure.ts";

/** An answer by its kind. */
export type Answer<Kind extends HostResponse["kind"]> = Extract<HostResponse, { kind: Kind }>;

interface Waiting {
  /** Answers whether it is of the kind that is waited for. */
  take(response: HostResponse): boolean;
  reject(error: unknown): void;
}

/** Those who wait for the answers of one connection. Answers have no number: they come in the order of the requests, but
 * those to pings and cancels, which have an order of their own each. */
export class Answers {
  readonly #ordered: Waiting[] = [];
  readonly #pongs: Waiting[] = [];
  readonly #cancels: Waiting[] = [];
  #ended: SupervisorError | undefined;

  /** How many are waited for. */
  get count(): number {
    return this.#ordered.length + this.#pongs.length + this.#cancels.length;
  }

  /** Waits for the next one of a kind. Rejects with a SupervisorError where the host refuses, or the connection ends. */
  next<Kind extends HostResponse["kind"]>(kind: Kind): Promise<Answer<Kind>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#lineOf(kind).push({
        take(response) {
          if (isOf(kind, response)) resolve(response);
          else if (response.kind !== "failure") return false;
          else reject(SupervisorError.refused({ ...response, retryable: false }));
          return true;
        },
        reject,
      });
    });
  }

  /** Hands an answer to who waits for it. False where nobody waits for such a one. */
  settle(response: HostResponse): boolean {
    return this.#lineOf(response.kind).shift()?.take(response) ?? false;
  }

  /** None of them will come. */
  end(error: SupervisorError): void {
    this.#ended = error;
    for (const line of [this.#ordered, this.#pongs, this.#cancels]) {
      for (const { reject } of line.splice(0)) reject(error);
    }
  }

  #lineOf(kind: HostResponse["kind"]): Waiting[] {
    if (kind === "pong") return this.#pongs;
    return kind === "cancelled" ? this.#cancels : this.#ordered;
  }
}

const isOf = <Kind extends HostResponse["kind"]>(
  kind: Kind,
  response: HostResponse,
): response is Answer<Kind> => response.kind === kind;
