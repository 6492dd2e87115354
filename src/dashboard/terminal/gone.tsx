import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { clockTime } from "../shared/now.ts";
import type { TerminalPage } from "./page.ts";

const REASONS = {
  closed: "It was closed, or its program ended.",
  source_gone: "The program that had it ended, and it with that.",
  instance_stopped: "The publisher that listed it stopped; the terminal itself may live on.",
  instance_lost: "The host that it was on has not been heard from.",
} as const;

/** The page of a terminal that is not there any more, or never was. */
export function Gone({ page }: { readonly page: TerminalPage }) {
  const known = useSignal<Awaited<ReturnType<typeof page.subscription.terminal.gone>> | undefined>(
    undefined,
  );
  useEffect(() => {
    page.subscription.terminal.gone(page.id).then(
      (found) => {
        known.value = found;
      },
      () => {},
    );
  }, [page, known]);
  const gone = known.value;
  const seen = gone?.terminal ?? page.facts.facts.value?.terminal;
  return (
    <main class="alone">
      <h1>{seen === undefined ? "No such terminal" : "This terminal is gone"}</h1>
      {gone !== undefined && (
        <p>
          {REASONS[gone.reason]} That was at{" "}
          <time dateTime={new Date(gone.removed_at).toISOString()}>
            {clockTime(gone.removed_at)}
          </time>
          .
        </p>
      )}
      {seen === undefined ? (
        <p>Nothing is known of it: it was never listed, or so long ago that it is forgotten.</p>
      ) : (
        <dl>
          {seen.command.length > 0 && (
            <>
              <dt>It ran</dt>
              <dd class="mono">
                <bdi>{seen.command.join(" ")}</bdi>
              </dd>
            </>
          )}
          {seen.name !== undefined && (
            <>
              <dt>It was called</dt>
              <dd>
                <bdi>{seen.name}</bdi>
              </dd>
            </>
          )}
          {seen.cwd !== undefined && (
            <>
              <dt>It was in</dt>
              <dd class="mono">
                <bdi>{seen.cwd}</bdi>
              </dd>
            </>
          )}
        </dl>
      )}
      <p class="mono quiet-text">{page.id}</p>
      <p>
        <a href={page.endpoint}>All terminals</a>
      </p>
    </main>
  );
}
