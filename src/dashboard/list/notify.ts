import { signal } from "@preact/signals";
import { terminalPage } from "../shared/endpoint.ts";
import type { Placed } from "../shared/place.ts";
import type { Entry } from "./entry.ts";

/** Whether people are told by the browser when an agent begins to wait. */
export const notifying = signal<"off" | "on" | "denied" | "unsupported">(
  typeof Notification === "undefined" ? "unsupported" : stateOf(Notification.permission),
);

const KEY = "termtopic.notify";

function stateOf(permission: NotificationPermission): "off" | "on" | "denied" {
  if (permission === "denied") return "denied";
  return permission === "granted" && wanted() ? "on" : "off";
}

function wanted(): boolean {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/** On request alone; a second time it is over. */
export async function askToNotify(): Promise<void> {
  const isOn = notifying.peek() === "on";
  try {
    localStorage.setItem(KEY, isOn ? "off" : "on");
  } catch {
    // It holds as long as the page.
  }
  if (isOn) {
    notifying.value = "off";
    return;
  }
  const permission = await Notification.requestPermission();
  notifying.value = permission === "granted" ? "on" : stateOf(permission);
}

/** Tells of an agent that did not wait before. Those that wait already when the page comes are seen there. */
export function notifyOf(endpoint: string, entry: Entry, before: Placed | undefined): void {
  const { terminal, agent } = entry.shown.peek();
  const waits = agent?.status === "waiting";
  if (!waits || before === undefined || before.agent?.status === "waiting") return;
  if (notifying.peek() !== "on") return;
  const body = agent.waiting_for ?? "";
  const note = new Notification(`${agent.name ?? terminal.name ?? "An agent"} waits for you`, {
    body,
    tag: entry.key,
  });
  note.onclick = () => {
    window.focus();
    location.assign(terminalPage(endpoint, terminal));
  };
}
