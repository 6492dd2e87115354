import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CallError } from "../../client/index.ts";
import { liveness } from "../shared/connection.ts";
import { clockTime } from "../shared/now.ts";
import type { TerminalPage } from "./page.ts";

const REASONS = {
  closed: "It was closed, or its program ended.",
  source_gone: "The program that had it ended, and it with that.",
  instance_stopped: "The publisher that listed it stopped; the terminal itself may live on.",
  instance_lost: "The host that it was on has not been heard from.",
} as const;

type Known = Awaited<ReturnType<TerminalPage["subscription"]["terminal"]["gone"]>>;

/** What the publisher that had it knows of it: `forgotten` is nothing, `asking` that it has not said, `away` that it cannot be
 * asked. */
type Answer = Known | "asking" | "forgotten" | "away";

/** The page of a terminal that is not there any more, or never was. */
export function Gone({ page }: { readonly page: TerminalPage }) {
  const answer = useSignal<Answer>("asking");
  const { isLive } = liveness.value;
  const isListed = page.facts.isListed.value;
  useEffect(() => {
    if (!isLive) return;
    page.subscription.terminal.gone(page.id, page.whose).then(
      (found) => {
        answer.value = found;
      },
      (error: unknown) => {
        // Where the answer did not come it is asked for with the next connection.
        if (!(error instanceof CallError && error.outcome === "refused")) return;
        if (error.error?.code === "instance_unreachable") answer.value = "away";
        else if (isListed === false) answer.value = "forgotten";
      },
    );
  }, [page, answer, isLive, isListed]);
  const known = typeof answer.value === "object" ? answer.value : undefined;
  const seen = known?.terminal ?? page.facts.facts.value?.terminal;
  if (seen === undefined && (answer.value === "asking" || answer.value === "away")) {
    return (
      <main class="alone">
        <h1>This terminal is not there</h1>
        <p>
          {!isLive
            ? "Nobody says what became of it: not connected."
            : answer.value === "away"
              ? "Nobody says what became of it: the host that had it cannot be reached."
              : "What became of it is asked for."}
        </p>
      </main>
    );
  }
  return (
    <main class="alone">
      <h1>{seen === undefined ? "No such terminal" : "This terminal is gone"}</h1>
      {known !== undefined && (
        <p>
          {REASONS[known.reason]} That was at{" "}
          <time dateTime={new Date(known.removed_at).toISOString()}>
            {clockTime(known.removed_at)}
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
