import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { clockTime } from "../shared/now.ts";
import type { TerminalPage } from "./page.ts";
import type { LiveView } from "./view.ts";

/** How long it is told that something was done, in milliseconds. What was not done is told until that is read. */
const NOTED_MS = 6_000;

/** What stands between a person and the terminal: no way to it, or its end. */
export function Banners({ page }: { readonly page: TerminalPage }) {
  const view = page.view.value;
  const state = view?.state.value;
  const asOf =
    state?.lastGoodAt === undefined ? "" : ` It is as of ${clockTime(state.lastGoodAt)}.`;
  const isLost =
    state?.kind === "lost" || (state?.kind === "connecting" && state.message !== undefined);
  const signal = page.facts.facts.value?.terminal.exit_signal;
  const ended = view?.terminal.value?.exited;
  return (
    <div role="status">
      {isLost && (
        <p class="banner">
          The way to the terminal is lost; it is tried again.{asOf}
          {page.whose.instance !== undefined && <bdi> It is on another host: {state.message}.</bdi>}
        </p>
      )}
      {ended !== undefined && (
        <p class="banner ended">{endOf(ended, signal, view?.endedAt.value)}</p>
      )}
    </div>
  );
}

/** What was done and what was not, over the terminal: its size stays. */
export function Notes({ page }: { readonly page: TerminalPage }) {
  const complaint = page.view.value?.complaint;
  return (
    <div role="status" class="notes">
      {complaint !== undefined && <Told what={complaint} />}
      <Told what={page.note} lasts={NOTED_MS} />
    </div>
  );
}

function Told({
  what,
  lasts,
}: {
  readonly what: Signal<string | undefined>;
  readonly lasts?: number;
}) {
  const text = what.value;
  useEffect(() => {
    if (text === undefined || lasts === undefined) return;
    const timer = setTimeout(() => {
      what.value = undefined;
    }, lasts);
    return () => clearTimeout(timer);
  }, [what, text, lasts]);
  if (text === undefined) return null;
  return (
    <p class="note">
      <bdi>{text}</bdi>{" "}
      <button
        type="button"
        class="quiet"
        onClick={() => {
          what.value = undefined;
        }}
      >
        Done
      </button>
    </p>
  );
}

type Exited = NonNullable<NonNullable<LiveView["terminal"]["value"]>["exited"]>;

function endOf({ code, error }: Exited, signal?: string, at?: number): string {
  const when = at === undefined ? "" : ` That was at ${clockTime(at)}.`;
  if (signal !== undefined) return `The program has ended by ${signal}.${when}`;
  if (error !== undefined) return `The program has ended: ${error}.${when}`;
  const how = code === undefined ? "" : ` with ${code}`;
  return `The program has ended${how}.${when}`;
}
