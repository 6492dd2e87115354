import { clockTime, now, since } from "../shared/now.ts";
import { ABILITIES, harnessOf, managerOf } from "../shared/state.ts";
import { copyCommand } from "./copy-command.ts";
import type { TerminalPage } from "./page.ts";

/** What the terminal is, and what can be done with it. */
export function Tools({ page }: { readonly page: TerminalPage }) {
  return (
    <header class="tools">
      <a href={page.endpoint}>All terminals</a>
      <Title page={page} />
      {page.isShown.value && (
        <span class="tool-buttons">
          <Buttons page={page} />
        </span>
      )}
    </header>
  );
}

function Title({ page }: { readonly page: TerminalPage }) {
  const facts = page.facts.facts.value;
  if (facts === undefined) return <span class="title-line mono">{page.id}</span>;
  const { terminal, agent, state } = facts;
  const harness = harnessOf(terminal);
  const title = page.view.value?.terminal.value?.title || terminal.title || agent?.name || "";
  const at = agent?.status_at ?? terminal.started_at;
  return (
    <span class="title-line">
      <span class={`state ${state.kind}`}>
        <span class="dot" aria-hidden="true" />
        {state.word}
        {agent?.waiting_for !== undefined && <bdi> for {agent.waiting_for}</bdi>}
      </span>
      {page.hasBell.value && <strong class="bell">bell</strong>}
      {terminal.name !== undefined && <bdi class="name">{terminal.name}</bdi>}
      {harness === undefined ? (
        <bdi class="mono">{terminal.command.join(" ")}</bdi>
      ) : (
        <span class="badge">{harness}</span>
      )}
      {terminal.foreground !== undefined && <bdi class="mono">{terminal.foreground}</bdi>}
      {title !== "" && title !== terminal.name && <bdi class="quiet-text">{title}</bdi>}
      {terminal.cwd !== undefined && (
        <bdi class="mono quiet-text" title={terminal.cwd}>
          {terminal.cwd}
        </bdi>
      )}
      {at !== undefined && (
        <time class="quiet-text" dateTime={new Date(at).toISOString()} title={clockTime(at)}>
          {since(at, now.value)}
        </time>
      )}
    </span>
  );
}

function Buttons({ page }: { readonly page: TerminalPage }) {
  const view = page.view.value;
  const can = ABILITIES[managerOf({ id: page.id })] ?? [];
  const acts = page.mayAct && view?.state.value.kind === "live";
  const isReadOnly = view?.isReadOnly ?? true;
  const hasEnded = view?.terminal.value?.exited !== undefined;
  return (
    <>
      <button
        type="button"
        aria-pressed={page.isFinding.value}
        title="Find (Control Shift F)"
        onClick={() => {
          page.isFinding.value = !page.isFinding.value;
        }}
      >
        Find
      </button>
      <button
        type="button"
        aria-pressed={page.isPlain.value}
        title="The terminal as plain text"
        onClick={() => {
          page.isPlain.value = !page.isPlain.value;
        }}
      >
        Text
      </button>
      <button type="button" onClick={() => void copyCommand(page)}>
        Copy command
      </button>
      {page.mayAct ? (
        <button
          type="button"
          aria-pressed={isReadOnly}
          title="Types nothing by mistake"
          onClick={() => view?.setReadOnly(!isReadOnly)}
        >
          Read-only
        </button>
      ) : (
        <span class="quiet-text only-looks">This page may look and not type</span>
      )}
      {acts && can.includes("rename") && (
        <button
          type="button"
          onClick={() => {
            page.dialog.value = "rename";
          }}
        >
          Rename
        </button>
      )}
      {acts && !isReadOnly && !hasEnded && can.includes("signal") && (
        <button type="button" title="What Control C does" onClick={() => page.interrupt()}>
          Interrupt
        </button>
      )}
      {acts && !isReadOnly && can.includes("close") && (
        <button type="button" onClick={() => view?.close(false)}>
          Close
        </button>
      )}
    </>
  );
}
