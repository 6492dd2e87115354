import { subscribe } from "../client/index.ts";
import type { Transport } from "../client/transport.ts";
import type { Subscription, TopicView } from "../client/types.ts";
import type { AgentInfo } from "../contract/agents.ts";
import type { ErrorBody } from "../contract/errors.ts";
import type { InstanceInfo } from "../contract/instances.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import type { AgentsListing, Listing } from "./listing.ts";
import { VERSION } from "./version.ts";

/** What the command line asks publishers for. */
export const TOPICS = ["terminals", "agents"] as const;
export type Topic = (typeof TOPICS)[number];

/** How long a publisher may take to answer. It reads before it does, but waits a second at most for that. */
export const ANSWER_MS = 3_000;

/** How long it may take to say who there is, once the terminals are there. */
const WHO_MS = 500;

const NO_ANSWER = "the publisher has not answered yet";

const LATE = `no answer within ${ANSWER_MS / 1000} s`;

/** Asks a publisher once for the terminals and agents of all hosts that it knows. One that has no agents to tell of is asked for
 * the rest. */
export async function ask(transport: Transport): Promise<Listing> {
  const subscription = subscribe({
    transport,
    topics: ["instances", ...TOPICS],
    reconnect: false,
    clientVersion: VERSION,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(LATE)), ANSWER_MS);
  });
  // Nobody may be waiting for it any more.
  late.catch(() => {});
  const agents = agentsAnswer(subscription, late);
  try {
    await Promise.race([subscription.ready("terminals"), late]);
    const agentsRefusal = await agents;
    const instances = await everybody(subscription, late);
    return {
      ...(instances.length > 1 ? { instances } : {}),
      ...listingOf(subscription.view("terminals"), subscription.view("agents")),
      ...(agentsRefusal === undefined ? {} : { agentsRefusal }),
    };
  } finally {
    clearTimeout(timer);
    subscription.close();
  }
}

/** Who has a part in it. Resolves once the terminals of all who can be reached are there: each instance's come by themselves.
 * A publisher that does not tell who there is has none but its own. */
async function everybody(
  subscription: Subscription<Topic | "instances">,
  late: Promise<never>,
): Promise<readonly InstanceInfo[]> {
  const refused = new Promise<[]>((resolve) => {
    subscription.on("problem", ({ topic }) => {
      if (topic === "instances") resolve([]);
    });
  });
  const known = subscription.ready("instances").catch(() => []);
  const impatient = new Promise<[]>((resolve) => setTimeout(resolve, WHO_MS, []).unref());
  const instances = await Promise.race([known, refused, impatient]);
  const isWhole = () => {
    const { instances: parts } = subscription.view("terminals");
    return instances.every(({ id, reachable }) => !reachable || id === undefined || parts.has(id));
  };
  const whole = new Promise<void>((resolve) => {
    const look = () => {
      if (isWhole()) resolve();
    };
    subscription.on("change", look);
    look();
  });
  await Promise.race([whole, late.catch(() => {})]);
  return instances;
}

/** Resolves when the agents are there, or with the reason why they will not be. */
function agentsAnswer(
  subscription: Subscription<Topic | "instances">,
  late: Promise<never>,
): Promise<string | undefined> {
  const refused = new Promise<string>((resolve) => {
    subscription.on("problem", ({ kind, topic, error }) => {
      if (kind === "refused" && topic === "agents" && error !== undefined) {
        resolve(refusalText(error));
      }
    });
  });
  const ready = subscription.ready("agents").then(() => undefined);
  return Promise.race([refused, ready, late]).catch((error: Error) => error.message);
}

/** What is held of all instances. */
export function listingOf(
  terminals: TopicView<TerminalInfo>,
  agents: TopicView<AgentInfo>,
): Listing {
  const polledAt = oldest(terminals);
  return {
    terminals: rowsOf(terminals),
    sources: sourcesOf(terminals),
    ...(polledAt === undefined ? {} : { polledAt }),
    ...agentsListingOf(agents),
  };
}

/** The same of agents alone. */
export function agentsListingOf(agents: TopicView<AgentInfo>): AgentsListing {
  const agentsPolledAt = oldest(agents);
  const { refusal, instances, status } = agents;
  const isOwed = instances.size === 0 && status === "waiting";
  const why = refusal !== undefined ? refusalText(refusal) : isOwed ? NO_ANSWER : undefined;
  return {
    agents: rowsOf(agents),
    agentSources: sourcesOf(agents),
    ...(agentsPolledAt === undefined ? {} : { agentsPolledAt }),
    ...(why === undefined ? {} : { agentsRefusal: why }),
  };
}

const refusalText = ({ code, msg }: ErrorBody) =>
  `the publisher does not give them: ${code}: ${msg}`;

const rowsOf = <Row>({ instances }: TopicView<Row>): Row[] =>
  [...instances.values()].flatMap(({ rows }) => [...rows.values()]);

const sourcesOf = ({ instances }: TopicView<unknown>) =>
  [...instances.values()].flatMap(({ sources }) => sources ?? []);

function oldest({ instances }: TopicView<unknown>): number | undefined {
  const times = [...instances.values()].flatMap(({ polledAt }) => polledAt ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}
