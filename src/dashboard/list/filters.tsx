import { NO_FILTER } from "./filter.ts";
import type { ListModel } from "./model.ts";

export const SEARCH_ID = "search";

/** The search and what else can be filtered by. */
export function Filters({ model }: { readonly model: ListModel }) {
  const { filtering } = model;
  const filter = filtering.filter.value;
  const { state, agent, manager } = filtering.choices.value;
  const hosts = model.hosts.value;
  const isAll = JSON.stringify(filter) === JSON.stringify(NO_FILTER);
  const pick = (
    field: "host" | "state" | "agent" | "manager",
    label: string,
    all: readonly string[],
  ) =>
    (all.length > 1 || filter[field] !== "") && (
      <label>
        <span class="only-heard">{label}</span>
        <select
          value={filter[field]}
          onChange={({ currentTarget }) => filtering.set({ [field]: currentTarget.value })}
        >
          <option value="">{`Any ${label.toLowerCase()}`}</option>
          {[...new Set([...all, filter[field]])].filter(Boolean).map((value) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <search class="filters">
      <label class="search">
        <span class="only-heard">Search</span>
        <input
          id={SEARCH_ID}
          type="search"
          placeholder="Search (/)"
          autocomplete="off"
          spellcheck={false}
          value={filter.text}
          onInput={({ currentTarget }) => filtering.set({ text: currentTarget.value })}
        />
      </label>
      {pick("host", "Host", hosts)}
      {pick("state", "State", state)}
      {pick("agent", "Agent", agent)}
      {pick("manager", "Manager", manager)}
      {!isAll && (
        <>
          <button
            type="button"
            onClick={() => {
              filtering.filter.value = NO_FILTER;
            }}
          >
            Show all
          </button>
          <p class="quiet-text" role="status">
            {filtering.rows.value.length} of {model.total.value}
          </p>
        </>
      )}
    </search>
  );
}
