import type { HostFace } from "../process/run.ts";
import { SupervisorConnection } from "./connection.ts";
import { fail, type Supervisor } from "./supervisor.ts";

/** How a host serves the supervisor dialect. */
export function supervisorFace(supervisor: Supervisor): HostFace {
  const connections = new Set<SupervisorConnection>();
  return {
    accept(socket) {
      const connection = new SupervisorConnection(supervisor, socket);
      connections.add(connection);
      socket.once("close", () => connections.delete(connection));
    },
    refusal: () => fail("terminal_operation_failed", TOO_MANY),
    async close() {
      await Promise.all([...connections].map((connection) => connection.finish()));
    },
  };
}

const TOO_MANY =
  "the host has as many connections on this socket as it may; try again when one has ended";
