import { liveness } from "../shared/connection.ts";
import { clockTime } from "../shared/now.ts";
import { session } from "../shared/session.ts";
import type { ListModel, Standing } from "./model.ts";

/** What stands between a person and the truth: no connection, no leave, sources that cannot be read. */
export function Notices({ model }: { readonly model: ListModel }) {
  return (
    <>
      <div role="status" class="notices">
        <Connection />
      </div>
      <Sources standings={model.sources.value} />
    </>
  );
}

function Connection() {
  const { kind } = session.value;
  if (kind === "away") return <p class="banner">Nobody answers. It is asked again.</p>;
  const { isLive, lastGoodAt, status } = liveness.value;
  if (isLive || kind === "asking" || (status === "connecting" && lastGoodAt === undefined)) {
    return null;
  }
  const asOf = lastGoodAt === undefined ? "" : ` The list is as of ${clockTime(lastGoodAt)}.`;
  const how = status === "stale" ? "Nothing is heard from the publisher." : "Not connected.";
  return (
    <p class="banner">
      {how}
      {asOf}
    </p>
  );
}

function Sources({ standings }: { readonly standings: readonly Standing[] }) {
  const failing = standings.filter(({ source }) => source.status === "failing");
  if (standings.length === 0) return null;
  return (
    <details class="sources">
      <summary>
        {failing.length === 0 ? "All sources can be read" : `${failing.length} cannot be read`}
        {failing.slice(0, 2).map((standing) => (
          <span class="failing" key={nameOf(standing)}>
            {nameOf(standing)}
          </span>
        ))}
      </summary>
      <ul>
        {standings.map((standing) => (
          <li key={nameOf(standing)}>
            <span class="mono">{nameOf(standing)}</span> {WORDS[standing.source.status]} since{" "}
            {clockTime(standing.source.since_at)}
            {standing.source.error !== undefined && <bdi>: {standing.source.error.msg}</bdi>}
          </li>
        ))}
      </ul>
    </details>
  );
}

const WORDS = {
  ok: "can be read",
  absent: "is not there",
  failing: "cannot be read, its rows are as they were seen last,",
  starting: "is being read",
} as const;

const nameOf = ({ host, source: { scheme, name } }: Standing) =>
  [host, scheme, name].filter(Boolean).join(" ");
