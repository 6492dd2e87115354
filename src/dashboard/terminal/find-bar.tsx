import { useEffect, useRef, useState } from "preact/hooks";
import type { TerminalPage } from "./page.ts";

/** Finds in what the terminal shows and has shown. */
export function FindBar({ page }: { readonly page: TerminalPage }) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [caseSensitive, setCase] = useState(false);
  const [regex, setRegex] = useState(false);
  const [isFound, setFound] = useState<boolean | undefined>(undefined);
  const fault = regex ? faultOf(text) : undefined;
  useEffect(() => input.current?.focus(), []);
  const find = (direction: "next" | "previous") => {
    if (text === "" || fault !== undefined) return;
    setFound(page.screen?.find(text, direction, { caseSensitive, regex }) ?? false);
  };
  const leave = () => {
    page.screen?.endFind();
    page.isFinding.value = false;
    page.screen?.focus();
  };
  return (
    <search class="find-bar">
      <input
        ref={input}
        type="search"
        aria-label="Find in the terminal"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setFound(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") find(event.shiftKey ? "previous" : "next");
          if (event.key === "Escape") leave();
        }}
      />
      <button type="button" onClick={() => find("previous")}>
        Previous
      </button>
      <button type="button" onClick={() => find("next")}>
        Next
      </button>
      <label>
        <input type="checkbox" checked={caseSensitive} onChange={() => setCase(!caseSensitive)} />{" "}
        Case
      </label>
      <label>
        <input type="checkbox" checked={regex} onChange={() => setRegex(!regex)} /> Pattern
      </label>
      <span role="status" class="quiet-text">
        {fault ?? (isFound === undefined ? "" : outcomeOf(isFound, page.found.value))}
      </span>
      <button type="button" aria-label="End finding" onClick={leave}>
        ×
      </button>
    </search>
  );
}

/** A count of which no one is shown is of more places than are counted. */
function outcomeOf(isFound: boolean, found: TerminalPage["found"]["value"]): string {
  if (!isFound) return "Not found";
  if (found === undefined || found.count === 0) return "";
  return found.which < 0 ? `over ${found.count}` : `${found.which + 1} of ${found.count}`;
}

function faultOf(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
