import type { Refusal } from "./refusal.ts";

/** Gives a slot back. Calling it again does nothing. */
export type Release = () => void;

/** How many connections may be open, over all and from one address. */
export class Slots {
  readonly #taken = new Map<string, number>();
  readonly #limit: number;
  readonly #limitPerAddress: number;
  #total = 0;

  constructor(limit: number, limitPerAddress: number) {
    this.#limit = limit;
    this.#limitPerAddress = limitPerAddress;
  }

  /** What stands in the way of one more from the address. */
  refusal(address: string): Refusal | undefined {
    const headers = { "Retry-After": "10" };
    if (this.#total >= this.#limit) {
      return { status: 503, reason: "full", message: "too many connections are open", headers };
    }
    if ((this.#taken.get(address) ?? 0) >= this.#limitPerAddress) {
      const message = "too many connections are open from this address";
      return { status: 429, reason: "address_full", message, headers };
    }
    return undefined;
  }

  take(address: string): Release {
    this.#add(address, 1);
    let held = true;
    return () => {
      if (held) this.#add(address, -1);
      held = false;
    };
  }

  #add(address: string, change: 1 | -1): void {
    this.#total += change;
    const count = (this.#taken.get(address) ?? 0) + change;
    if (count === 0) this.#taken.delete(address);
    else this.#taken.set(address, count);
  }
}
