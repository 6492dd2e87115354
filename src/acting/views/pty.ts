import { ChannelError } from "../../host/client/failure.ts";
import { ActingError } from "../failure.ts";
import { hostIdIn } from "../pty-id.ts";
import { HostView } from "./host-view.ts";
import type { OpenView } from "./view.ts";

/** Looks at terminals of the host. `channel` tells the host's socket, `undefined` where none runs. */
export function openPtyView(channel: () => Promise<string | undefined>): OpenView {
  return async ({ id }, looker, signal) => {
    const terminalId = hostIdIn(id);
    const path = await channel();
    if (terminalId === undefined || path === undefined) throw gone(id);
    const readOnly = looker.readOnly ? { readOnly: true as const } : {};
    const opening = { type: "attach", terminalId, ...readOnly } as const;
    const view = new HostView({ id, looker, opening });
    try {
      await view.open(path, signal);
    } catch (error) {
      throw error instanceof ChannelError ? gone(id) : error;
    }
    return view;
  };
}

const gone = (id: string) => new ActingError("gone", `the host has no terminal ${id}`);
