import type { InstanceId } from "../contract/identifiers.ts";
import type { RowTopic, TopicRow } from "../contract/rows.ts";
import type { TopicReader } from "./topic-reader.ts";
import type { InstanceView, TopicView } from "./types.ts";

/** A topic as its listeners see it. `isHeard` says whether an instance lets itself be heard of. */
export function viewOf<Topic extends RowTopic>(
  { standing, refusal, state }: TopicReader<Topic>,
  isHeard: (instance: InstanceId) => boolean,
): TopicView<TopicRow[Topic]> {
  const instances = new Map<InstanceId, InstanceView<TopicRow[Topic]>>();
  for (const [instance, { phase, shown }] of state.instances) {
    if (shown === undefined) continue;
    const { rows, polledAt, sources } = shown;
    instances.set(instance, {
      rows,
      ...(polledAt === undefined ? {} : { polledAt }),
      ...(sources === undefined ? {} : { sources }),
      stale: phase !== "whole" || standing === "refused" || !isHeard(instance),
    });
  }
  return { status: standing, ...(refusal === undefined ? {} : { refusal }), instances };
}
