import { useEffect, useRef } from "preact/hooks";
import { liveness } from "../shared/connection.ts";
import { clockTime } from "../shared/now.ts";
import { Refused } from "../shared/refused.tsx";
import { session } from "../shared/session.ts";
import { Closing, Doubt, PageKeys, Rename } from "./dialogs.tsx";
import { FindBar } from "./find-bar.tsx";
import { Gone } from "./gone.tsx";
import type { TerminalPage } from "./page.ts";
import { Plain } from "./plain.tsx";
import { Tools } from "./tools.tsx";
import { Unsupported } from "./unsupported.tsx";

export function App({ page }: { readonly page: TerminalPage }) {
  const { kind } = session.value;
  const view = page.view.value?.state.value;
  if (kind === "refused" || view?.kind === "refused") {
    return <Refused />;
  }
  const isGone = view?.kind === "gone" || view?.kind === "closed";
  return (
    <>
      <Tools page={page} />
      <Notices page={page} />
      {isGone && page.facts.isListed.value !== true && <Gone page={page} />}
      {view?.kind === "unsupported" && <Unsupported page={page} message={view.message ?? ""} />}
      <Place page={page} isShown={view?.kind !== "unsupported" && !isGone} />
      {page.isPlain.value && <Plain page={page} />}
      <Doubt page={page} />
      <Closing page={page} />
      {page.dialog.value === "rename" && <Rename page={page} />}
      {page.dialog.value === "keys" && <PageKeys page={page} />}
    </>
  );
}

/** Where the terminal is drawn. */
function Place({ page, isShown }: { readonly page: TerminalPage; readonly isShown: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current !== null) void page.show(element.current);
  }, [page]);
  const isLive = page.view.value?.state.value.kind === "live";
  return (
    <main class="place" hidden={!isShown} data-stale={isLive ? undefined : ""}>
      <h1 class="only-heard">Terminal</h1>
      {page.isFinding.value && <FindBar page={page} />}
      <div class="screen" ref={element} />
    </main>
  );
}

/** What a person has to know of the view. */
function Notices({ page }: { readonly page: TerminalPage }) {
  const view = page.view.value;
  const state = view?.state.value;
  const asOf =
    state?.lastGoodAt === undefined ? "" : ` It is as of ${clockTime(state.lastGoodAt)}.`;
  const ended = view?.terminal.value?.exited;
  return (
    <div role="status" class="notices">
      {(state?.kind === "lost" ||
        (state?.kind === "connecting" && state.message !== undefined)) && (
        <p class="banner">The way to the terminal is lost; it is tried again.{asOf}</p>
      )}
      {state?.kind === "live" &&
        !liveness.value.isLive &&
        liveness.value.lastGoodAt !== undefined && (
          <p class="banner">
            What is told of the terminal is as of {clockTime(liveness.value.lastGoodAt)}.
          </p>
        )}
      {ended !== undefined && <p class="banner ended">{endOf(ended)}</p>}
      {view !== undefined && view.complaint.value !== undefined && (
        <Told
          text={view.complaint.value}
          over={() => {
            view.complaint.value = undefined;
          }}
        />
      )}
      {page.note.value !== undefined && (
        <Told
          text={page.note.value}
          over={() => {
            page.note.value = undefined;
          }}
        />
      )}
    </div>
  );
}

function Told({ text, over }: { readonly text: string; over(): void }) {
  return (
    <p class="note">
      <bdi>{text}</bdi>{" "}
      <button type="button" class="quiet" onClick={over}>
        Done
      </button>
    </p>
  );
}

function endOf({ code, error }: { readonly code?: number; readonly error?: string }): string {
  if (error !== undefined) return `The program has ended: ${error}.`;
  return code === undefined ? "The program has ended." : `The program has ended with ${code}.`;
}
