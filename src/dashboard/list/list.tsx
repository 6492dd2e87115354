import { SECTION_TITLES } from "../shared/place.ts";
import type { Actions } from "./actions.ts";
import type { ListModel, Part } from "./model.ts";
import { Row } from "./row.tsx";

interface ListProps {
  readonly model: ListModel;
  readonly endpoint: string;
  readonly actions: Actions;
  readonly mayAct: boolean;
}

export function List({ model, endpoint, actions, mayAct }: ListProps) {
  const parts = model.parts.value;
  if (parts.length === 0) return <Nothing model={model} />;
  const isOfSeveral = model.hosts.value.length > 1;
  return (
    <div class="list">
      {parts.map((part) => (
        <section key={part.section} class={`part ${part.section}`} aria-labelledby={part.section}>
          <h2 id={part.section}>
            {SECTION_TITLES[part.section]} <span class="count">{countOf(part)}</span>
          </h2>
          {part.groups.map(({ instance, host, entries }) => (
            <div key={instance} data-stale={model.stale.value.has(instance) ? "" : undefined}>
              {isOfSeveral && <h3>{host}</h3>}
              <ul class="rows">
                {entries.map((entry) => (
                  <Row key={entry.key} {...{ entry, endpoint, actions, mayAct }} />
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}

const countOf = ({ groups }: Part) => groups.reduce((sum, { entries }) => sum + entries.length, 0);

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
