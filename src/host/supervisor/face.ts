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
    refusal: (why) => fail("terminal_operation_failed", why),
    async close() {
      await Promise.all([...connections].map((connection) => connection.finish()));
    },
  };
}
