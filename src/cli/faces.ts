import { homedir } from "node:os";
import type { Subscription, TopicView } from "../client/types.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import { systemClock } from "../time/clock.ts";
import { agentLine } from "./agent-line.ts";
import { ANSWER_MS, agentsListingOf, listingOf, type Topic } from "./ask.ts";
import { type Entrance, WHOSE_STATES } from "./attachments.ts";
import { Commands } from "./commands.ts";
import { eventLine } from "./event-line.ts";
import { tell } from "./failure.ts";
import type { Face } from "./follow.ts";
import { enters } from "./history.ts";
import type { Listing } from "./listing.ts";
import { isScreen, outputColors } from "./output.ts";
import { Screen } from "./screen.ts";
import { type Standing, standingText } from "./standing.ts";
import { jsonLine } from "./text.ts";

interface FaceOptions {
  readonly json?: boolean;
  readonly on?: string;
}

/** The face that suits the output. */
export function faceOf({ json, on }: FaceOptions, subscription: Subscription<Topic>): Face {
  if (json === true) {
    subscription.on("frame", (frame) => process.stdout.write(jsonLine(frame)));
    return TELLS;
  }
  if (on !== undefined) return TELLS;
  return isScreen() ? screenFace(subscription) : linesFace(subscription);
}

/** What is told beside the output. */
const TELLS: Pick<Face, "stands" | "agentsUnknown"> = {
  stands: (standing: Standing) => tell(standingText(standing)),
  agentsUnknown: (why: string) => tell(`agents are not known: ${why}`),
};

function linesFace(subscription: Subscription<Topic>): Face {
  const print = (lines: readonly (string | undefined)[]) => {
    for (const line of lines) if (line !== undefined) process.stdout.write(`${line}\n`);
  };
  const now = () => new Date(systemClock.now());
  return {
    ...TELLS,
    terminals: (events) => print(events.map((event) => eventLine(event, now()))),
    agents(events) {
      const { agentSources } = agentsListingOf(subscription.view("agents"));
      print(events.map((event) => agentLine(event, agentSources, now())));
    },
  };
}

function screenFace(subscription: Subscription<Topic>): Face {
  let isPatient = true;
  const screen = new Screen(process.stdout, systemClock, {
    listing: () => shownOf(subscription, isPatient),
    home: homedir(),
    colors: outputColors(),
  });
  const cancel = systemClock.schedule(ANSWER_MS, () => {
    isPatient = false;
    screen.draw();
  });
  return {
    changed: () => screen.draw(),
    // It stands with the listing.
    agentsUnknown: () => screen.draw(),
    stands: (standing) => screen.stand(standing),
    end() {
      cancel();
      screen.end();
    },
  };
}

/** What is held, once there is something. Terminals come before the agents, and would all count as unattached for a
 * moment, so agents are waited for, if not for ever. */
function shownOf(subscription: Subscription<Topic>, isPatient: boolean): Listing | undefined {
  const terminals = subscription.view("terminals");
  const agents = subscription.view("agents");
  const isOwed = (view: TopicView<unknown>) =>
    view.instances.size === 0 && view.status === "waiting";
  if (isOwed(terminals) || (isPatient && isOwed(agents))) return undefined;
  return listingOf(terminals, agents);
}

/** Runs a command for each terminal that enters a state. What it prints goes to our output, unless that is for
 * frames. */
export function commandFace(
  command: readonly string[],
  state: string,
  { json }: FaceOptions,
): Face {
  const commands = new Commands(command, json === true ? "stderr" : "stdout");
  let listens = false;
  const listen = () => {
    if (!listens) tell(`runs ${command[0]} when ${occasion(state)}`);
    listens = true;
  };
  const end = () => commands.end();
  if (!WHOSE_STATES.some((whose) => whose === state)) {
    return {
      terminals(events) {
        listen();
        for (const event of events) if (enters(event, state)) commands.run(event.row);
      },
      end,
    };
  }
  return {
    agents(_, entrances) {
      listen();
      for (const entrance of entrances) {
        if (entrance.state === state) commands.run(rowWithAgents(entrance));
      }
    },
    agentsUnknown(why, isRefused) {
      if (isRefused) throw new Error(`--on ${state} needs a publisher that knows agents: ${why}`);
    },
    end,
  };
}

const occasion = (state: string) =>
  state === "waiting" ? "an agent in a terminal begins to wait" : `a terminal becomes ${state}`;

function rowWithAgents({ terminal, agents }: Entrance): TerminalInfo {
  return agents.length === 0 ? terminal : { ...terminal, ...{ agents } };
}
