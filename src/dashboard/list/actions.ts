import { signal } from "@preact/signals";
import { CallError, type TerminalActions } from "../../client/index.ts";
import { attachCommand, shellWords } from "../../contract/attach.ts";
import type { TerminalInfo } from "../../contract/terminals.ts";
import { ownInstance } from "../shared/own-instance.ts";
import { ABILITIES, managerOf } from "../shared/state.ts";
import type { Entry } from "./entry.ts";

/** How long what was done is told, in milliseconds. */
const TOLD_MS = 4_000;

/** What was done last, or not done, in words. */
export const told = signal<{ readonly text: string; readonly isFault: boolean } | undefined>(
  undefined,
);

/** The dialog that is open. */
export type OpenDialog =
  | { readonly kind: "keys" }
  | { readonly kind: "open" }
  | { readonly kind: "rename"; readonly entry: Entry }
  /** `program`: the job that would be ended. */
  | { readonly kind: "close"; readonly entry: Entry; readonly program: string | undefined };

export const dialog = signal<OpenDialog | undefined>(undefined);

let forget: ReturnType<typeof setTimeout> | undefined;

function tell(text: string, isFault = false): void {
  told.value = { text, isFault };
  clearTimeout(forget);
  forget = setTimeout(() => {
    told.value = undefined;
  }, TOLD_MS);
}

/** What can be done with a terminal from here. */
export function can(terminal: TerminalInfo, what: "view" | "rename" | "signal" | "close"): boolean {
  const isAlive = terminal.state !== "dead" || what === "view" || what === "close";
  return isAlive && (ABILITIES[managerOf(terminal)]?.includes(what) ?? false);
}

export async function copyCommand({ shown }: Entry): Promise<void> {
  const { terminal, host } = shown.peek();
  const { id, instance } = terminal;
  const command = attachCommand(id);
  if (command === undefined) {
    tell("There is no command that shows this terminal", true);
    return;
  }
  const text = shellWords(command);
  try {
    await navigator.clipboard.writeText(text);
    const where = instance === ownInstance.peek() ? "" : `, for a shell of ${host}`;
    tell(`Copied${where}: ${text}`);
  } catch {
    tell(`The browser does not let it be copied: ${text}`, true);
  }
}

/** Acts on the terminals of the list. What was done, or was not, is told. */
export class Actions {
  readonly #terminal: TerminalActions;

  constructor(terminal: TerminalActions) {
    this.#terminal = terminal;
  }

  async interrupt({ shown }: Entry): Promise<void> {
    const { id, instance, pid } = shown.peek().terminal;
    const seen = { instance, ...(pid === undefined ? {} : { pid }) };
    await this.#try("Interrupted", () => this.#terminal.signal(id, "SIGINT", seen));
  }

  async rename({ shown }: Entry, name: string): Promise<void> {
    const { id, instance } = shown.peek().terminal;
    await this.#try("Renamed", () => this.#terminal.rename(id, name, { instance }));
  }

  /** Asks first where a job would be ended. */
  async close(entry: Entry, force = false): Promise<void> {
    const { id, instance, pid } = entry.shown.peek().terminal;
    const seen = { instance, ...(pid === undefined ? {} : { pid }) };
    try {
      await this.#terminal.close(id, { ...seen, ...(force ? { force } : {}) });
      tell("Closed");
    } catch (error) {
      const answer = error instanceof CallError ? error.error : undefined;
      if (answer?.reason !== "busy" || force) tell((error as Error).message, true);
      else dialog.value = { kind: "close", entry, program: answer.program };
    }
  }

  async open(options: Parameters<TerminalActions["open"]>[0]): Promise<string | undefined> {
    try {
      return (await this.#terminal.open(options)).id;
    } catch (error) {
      tell((error as Error).message, true);
      return undefined;
    }
  }

  async #try(done: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      tell(done);
    } catch (error) {
      tell((error as Error).message, true);
    }
  }
}
