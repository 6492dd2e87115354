/** What of the list is shown. An empty field leaves nothing out. */
export interface Filter {
  /** Words that all have to be in what is known of a terminal. */
  readonly text: string;
  readonly host: string;
  readonly state: string;
  readonly agent: string;
  readonly manager: string;
}

export const NO_FILTER: Filter = { text: "", host: "", state: "", agent: "", manager: "" };

/** How each field is called in the address. */
const NAMES: Readonly<Record<keyof Filter, string>> = {
  text: "q",
  host: "host",
  state: "state",
  agent: "agent",
  manager: "manager",
};

/** What can be filtered by of one terminal. `text` is in lower case. */
export interface Filtered {
  readonly text: string;
  readonly host: string;
  readonly state: string;
  readonly agent: string;
  readonly manager: string;
}

/** The filter that an address states. */
export function filterIn(search: string): Filter {
  const query = new URLSearchParams(search);
  const of = (field: keyof Filter) => query.get(NAMES[field]) ?? "";
  return {
    text: of("text"),
    host: of("host"),
    state: of("state"),
    agent: of("agent"),
    manager: of("manager"),
  };
}

/** The query of an address, `?` included; empty where nothing is left out. */
export function searchOf(filter: Filter): string {
  const query = new URLSearchParams();
  for (const [field, name] of Object.entries(NAMES)) {
    const value = filter[field as keyof Filter];
    if (value !== "") query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** Tells whether a terminal is shown. */
export function matcher(filter: Filter): (one: Filtered) => boolean {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const { host, state, agent, manager } = filter;
  const is = (wanted: string, value: string) => wanted === "" || wanted === value;
  return (one) =>
    is(host, one.host) &&
    is(state, one.state) &&
    is(agent, one.agent) &&
    is(manager, one.manager) &&
    words.every((word) => one.text.includes(word));
}
