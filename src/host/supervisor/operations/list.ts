import type { ListResult } from "../messages.ts";
import type { Operation } from "../operation.ts";
import type { Ground } from "./ground.ts";

/** The sessions that are not closed. */
export async function list(
  { backend }: Operation<"list">,
  { sessions }: Ground,
): Promise<ListResult> {
  const all = sessions.all.map((session) => session.facts());
  return { sessions: backend == null ? all : all.filter((one) => one.backend === backend) };
}
