import { attachCommand, shellWords } from "../../contract/attach.ts";
import { clockTime, now, since } from "../shared/now.ts";
import { nextScheme, schemeChoice } from "../shared/scheme.ts";
import { ABILITIES, harnessOf, managerOf } from "../shared/state.ts";
import type { TerminalPage } from "./page.ts";

/** What the terminal is, and what can be done with it. */
export function Tools({ page }: { readonly page: TerminalPage }) {
  return (
    <header class="tools">
      <a href={page.endpoint}>All terminals</a>
      <Title page={page} />
      <span class="tool-buttons">
        <Buttons page={page} />
      </span>
    </header>
  );
}

function Title({ page }: { readonly page: TerminalPage }) {
  const facts = page.facts.facts.value;
  if (facts === undefined) return <span class="title-line mono">{page.id}</span>;
  const { terminal, agent, state } = facts;
  const harness = harnessOf(terminal);
  const title = page.view.value?.terminal.value?.title || terminal.title || agent?.name;
  const at = agent?.status_at ?? terminal.started_at;
  return (
    <span class="title-line">
      <span class={`state ${state.kind}`}>
        <span class="dot" aria-hidden="true" />
        {state.word}
        {agent?.waiting_for !== undefined && <bdi> for {agent.waiting_for}</bdi>}
      </span>
      {page.hasBell.value && <strong class="bell">bell</strong>}
      {harness === undefined ? (
        <bdi class="mono">{terminal.command.join(" ")}</bdi>
      ) : (
        <span class="badge">{harness}</span>
      )}
      {terminal.name !== undefined && <bdi>{terminal.name}</bdi>}
      {title !== undefined && title !== "" && <bdi class="quiet-text">{title}</bdi>}
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
  const size = view?.terminal.value;
  return (
    <>
      {size !== undefined && (
        <span class="quiet-text size">
          {size.cols}×{size.rows}
          {size.fixedSize === true && <span title="Its size is its user's to say"> fixed</span>}
        </span>
      )}
      {(view?.skipped.value ?? 0) > 0 && (
        <span class="quiet-text" title="This page was too slow for some of the output">
          {Math.round((view?.skipped.value ?? 0) / 1024)} KB skipped
        </span>
      )}
      {page.link.value !== undefined && (
        <span class="link-target quiet-text">
          Control-click opens <bdi>{page.link.value}</bdi>
        </span>
      )}
      <button type="button" title="Smaller text" onClick={() => page.resizeFont(-1)}>
        <span aria-hidden="true">A−</span>
        <span class="only-heard">Smaller text</span>
      </button>
      <button type="button" title="Larger text" onClick={() => page.resizeFont(1)}>
        <span aria-hidden="true">A+</span>
        <span class="only-heard">Larger text</span>
      </button>
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
      <button type="button" onClick={() => void copyAttach(page)}>
        Copy command
      </button>
      <button
        type="button"
        aria-pressed={isReadOnly}
        disabled={!page.mayAct}
        title={page.mayAct ? "Types nothing by mistake" : "This page may look and not type"}
        onClick={() => view?.setReadOnly(!isReadOnly)}
      >
        Read-only
      </button>
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
      {acts && !isReadOnly && can.includes("signal") && (
        <button type="button" title="What Control C does" onClick={() => page.interrupt()}>
          Interrupt
        </button>
      )}
      {acts && !isReadOnly && can.includes("close") && (
        <button type="button" onClick={() => view?.close(false)}>
          Close
        </button>
      )}
      <button type="button" title="Light, dark or as the system" onClick={nextScheme}>
        <span class="only-heard">Colours: </span>
        {{ system: "System", light: "Light", dark: "Dark" }[schemeChoice.value]}
      </button>
      <button
        type="button"
        aria-label="Keys"
        onClick={() => {
          page.dialog.value = "keys";
        }}
      >
        ?
      </button>
    </>
  );
}

async function copyAttach(page: TerminalPage): Promise<void> {
  const command = attachCommand(page.id);
  if (command === undefined) {
    page.note.value = "There is no command that shows this terminal";
    return;
  }
  const text = shellWords(command);
  try {
    await navigator.clipboard.writeText(text);
    page.note.value = `Copied: ${text}`;
  } catch {
    page.note.value = `The browser does not let it be copied: ${text}`;
  }
}
