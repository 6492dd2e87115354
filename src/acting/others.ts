import { unsupported } from "./elsewhere.ts";
import type { ActingTerminal, Verb } from "./terminal.ts";

/** A terminal of a scheme with which nothing can be done from here. */
export class OtherTerminal implements ActingTerminal {
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  send = () => this.#no("send");
  read = () => this.#no("read");
  capture = () => this.#no("capture");
  resize = () => this.#no("resize");
  signal = () => this.#no("signal");
  close = () => this.#no("close");
  rename = () => this.#no("rename");

  async #no(verb: Verb): Promise<never> {
    throw unsupported(this.#id, verb);
  }
}
