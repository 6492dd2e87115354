import { SECTION_TITLES } from "../shared/place.ts";
import type { ListModel } from "./model.ts";
import type { RowContext } from "./row.tsx";
import { Rows } from "./rows.tsx";

interface ListProps {
  readonly model: ListModel;
  readonly context: RowContext;
}

export function List({ model, context }: ListProps) {
  const parts = model.filtering.shown.value;
  if (parts.length === 0) return <Nothing model={model} />;
  const isOfSeveral = model.hosts.value.length > 1;
  const { reached } = model;
  let count = 0;
  const above = (rows: number) => {
    count += rows;
    return count - rows;
  };
  return (
    <div class="list">
      {parts.map((part) => (
        <section key={part.section} class={`part ${part.section}`} aria-labelledby={part.section}>
          <h2 id={part.section}>
            {SECTION_TITLES[part.section]} <span class="count">{part.count}</span>
          </h2>
          {part.groups.map(({ instance, host, entries }) => (
            <div key={instance} data-stale={model.stale.value.has(instance) ? "" : undefined}>
              {isOfSeveral && <h3>{host}</h3>}
              <Rows {...{ entries, reached, context }} above={above(entries.length)} />
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}

/** Why nothing is listed. */
function Nothing({ model }: { readonly model: ListModel }) {
  if (!model.isKnown.value) return <p class="nothing">Looking for terminals.</p>;
  const isRead = model.sources.value.some(({ source }) => source.status === "ok");
  return (
    <p class="nothing">
      {isRead
        ? "There are no terminals. One that is opened shows here by itself."
        : "No source of terminals can be read, so nothing is known of them."}
    </p>
  );
}
