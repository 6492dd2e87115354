import { computed, type ReadonlySignal, useComputed } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import { terminalPage } from "../shared/endpoint.ts";
import { clockTime, now, since } from "../shared/now.ts";
import { harnessOf, managerOf } from "../shared/state.ts";
import { type Actions, can, copyCommand, dialog } from "./actions.ts";
import { decoded, type Entry, type Shown } from "./entry.ts";
import { UsageLine } from "./usage-line.tsx";

/** What all rows share. */
export interface RowContext {
  readonly endpoint: string;
  readonly actions: Actions;
  readonly mayAct: boolean;
}

interface RowProps {
  readonly entry: Entry;
  /** Which of how many rows it is, counted from 1. */
  readonly at: number;
  readonly of: number;
  /** The row that Tab reaches. */
  readonly reached: ReadonlySignal<Entry | undefined>;
  readonly context: RowContext;
}

/** One terminal. What it shows is drawn anew by its own signals alone. */
export function Row({ entry, at, of, reached, context }: RowProps) {
  const classes = [
    "row",
    entry.isFresh.value ? "fresh" : "",
    entry.isLeaving.value ? "leaving" : "",
  ];
  return (
    <li
      class={classes.join(" ").trim()}
      // biome-ignore lint/a11y/noRedundantRoles: the list that it is directly in is none to who hears it.
      role="listitem"
      aria-posinset={at}
      aria-setsize={of}
      data-key={entry.key}
    >
      <Content entry={entry} reached={reached} {...context} />
    </li>
  );
}

type ContentProps = RowContext & Pick<RowProps, "entry" | "reached">;

function Content({ entry, reached, endpoint, actions, mayAct }: ContentProps) {
  const shown = entry.shown.value;
  const { terminal, agent, state } = shown;
  const tabIndex = useComputed(() => (reached.value === entry ? 0 : -1));
  return (
    <>
      <span class={`state ${state.kind}`}>
        <span class="dot" aria-hidden="true" />
        {state.word}
      </span>
      <span class="what">
        <a class="row-link" href={terminalPage(endpoint, terminal)} tabIndex={tabIndex}>
          <Label shown={shown} />
        </a>
        {terminal.bell === true && <span class="bell">bell</span>}
        {agent?.status === "waiting" && agent.waiting_for !== undefined && (
          <span class="waits-for">for {agent.waiting_for}</span>
        )}
      </span>
      <Since at={agent?.status_at ?? terminal.started_at} />
      <UsageLine usage={entry.usage.value} />
      <span class="where quiet-text">
        {terminal.cwd !== undefined && (
          <span class="cwd mono" title={terminal.cwd}>
            <bdi>{terminal.cwd}</bdi>
          </span>
        )}
        {terminal.foreground !== undefined && (
          <span class="foreground">
            in front: <bdi>{terminal.foreground}</bdi>
          </span>
        )}
        <span class="manager">{managerOf(terminal)}</span>
        {terminal.name !== undefined && <bdi class="name">{terminal.name}</bdi>}
        <span class="id mono" title={decoded(terminal.id)}>
          <bdi>{decoded(terminal.id)}</bdi>
        </span>
      </span>
      <RowButtons entry={entry} actions={actions} mayAct={mayAct} />
    </>
  );
}

/** What runs, and what it is called. */
function Label({ shown: { terminal, agent } }: { readonly shown: Shown }) {
  const harness = harnessOf(terminal);
  const command = terminal.command.join(" ");
  const name = agent?.name ?? terminal.title;
  return (
    <>
      {harness !== undefined && <span class={`badge ${harness}`}>{harness}</span>}
      {harness === undefined && (
        <bdi class="command mono">{command === "" ? decoded(terminal.id) : command}</bdi>
      )}
      {name !== undefined && name !== "" && <bdi class="title">{name}</bdi>}
    </>
  );
}

function Since({ at }: { readonly at: number | undefined }) {
  // Told anew every second without the row being drawn anew.
  const text = useMemo(() => computed(() => (at === undefined ? "" : since(at, now.value))), [at]);
  if (at === undefined) return <span class="since" />;
  return (
    <time class="since quiet-text" dateTime={new Date(at).toISOString()} title={clockTime(at)}>
      {text}
    </time>
  );
}

/** Reached from the row by its arrow keys. */
function RowButtons({ entry, actions, mayAct }: Omit<ContentProps, "endpoint" | "reached">) {
  const { terminal } = entry.shown.value;
  const what = terminal.name ?? terminal.command[0] ?? decoded(terminal.id);
  const [isOpen, setOpen] = useState(false);
  const button = (text: string, act: () => unknown, title: string) => (
    <button
      type="button"
      class="quiet"
      tabIndex={-1}
      title={title}
      aria-label={`${text} ${what}`}
      onClick={() => void act()}
    >
      {text}
    </button>
  );
  return (
    <>
      <button
        type="button"
        class="quiet more"
        tabIndex={-1}
        aria-expanded={isOpen}
        aria-label={`More for ${what}`}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      <span class={isOpen ? "row-buttons is-open" : "row-buttons"}>
        {button("Copy", () => copyCommand(entry), "Copy the command that attaches (c)")}
        {mayAct &&
          can(terminal, "rename") &&
          button(
            "Rename",
            () => {
              dialog.value = { kind: "rename", entry };
            },
            "Rename (r)",
          )}
        {mayAct &&
          can(terminal, "signal") &&
          button("Interrupt", () => actions.interrupt(entry), "Interrupt (i)")}
        {mayAct &&
          can(terminal, "close") &&
          button("Close", () => actions.close(entry), "Close (x)")}
      </span>
    </>
  );
}
