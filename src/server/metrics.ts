import { Counter, Gauge, Histogram, Registry } from "prom-client";

const CARRIERS = ["websocket", "unix"] as const;

export type CarrierKind = (typeof CARRIERS)[number];

/** What the publisher counts about itself. The server counts its own part; whoever composes a
 * publisher hands the same object to the floors that observe, so that one page tells all. */
export interface Metrics {
  /** For metrics that others register themselves. Not prom-client's global one. */
  readonly registry: Registry;
  connected(carrier: CarrierKind): void;
  disconnected(carrier: CarrierKind): void;
  /** One line went out: reply, frame or event. `bytes` counts its newline. */
  sent(carrier: CarrierKind, bytes: number): void;
  /** One request was answered. `op` is undefined where none could be told; `outcome` is `ok` or an error code. */
  answered(op: string | undefined, outcome: string): void;
  /** One request about a terminal was carried out or not, in that many milliseconds. `outcome` is `ok`, a reason or an error
   * code. Reads that wait are left out: they take as long as what they wait for. */
  acted(op: string, outcome: string, ms: number): void;
  /** So many views of terminals are open now. */
  viewing(views: number): void;
  /** A view of a terminal ended: `left` where its viewer did so, else the reason that it was closed with. */
  viewed(reason: string): void;
  /** One HTTP request or upgrade was refused. */
  refused(reason: string): void;
  /** A connection was ended because it did not take what it was sent. */
  evicted(carrier: CarrierKind): void;
  /** A peer answered no ping and was cut. */
  unanswered(): void;
  /** One reading of a source of terminals or agents ended, after that many milliseconds. */
  reading(source: string, outcome: string, ms: number): void;
  /** From the first sign of a change to its frame being handed to the readers, in milliseconds. */
  lag(ms: number): void;
  /** The Prometheus text of everything registered, and its content type. */
  page(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Seconds. From a /proc sweep to the deadline of a tmux listing; what is done with a terminal takes as long. */
const READING_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Seconds. From the goal of product.md (10 ms) to what a reader would call broken. */
const LAG_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Metrics in a registry of their own. Values of the process are read when the page is asked for:
 * prom-client's own collector measures the event loop with a timer of 10 ms, which an idle publisher
 * would pay for ever. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const name = (suffix: string) => `termtopic_${suffix}`;

  const connections = new Gauge({
    name: name("connections"),
    help: "Connections that are open now",
    labelNames: ["carrier"] as const,
    registers,
  });
  // Counted apart and handed over when the page is asked for: a labelled counter costs as much as the
  // rest of a delivery.
  const sent = { websocket: { frames: 0, bytes: 0 }, unix: { frames: 0, bytes: 0 } };
  const countSent = (metric: string, help: string, unit: "frames" | "bytes") =>
    new Counter({
      name: name(metric),
      help,
      labelNames: ["carrier"] as const,
      registers,
      collect() {
        this.reset();
        for (const carrier of CARRIERS) this.inc({ carrier }, sent[carrier][unit]);
      },
    });
  countSent("frames_sent_total", "Lines sent: replies, topic frames and events", "frames");
  countSent(
    "bytes_sent_total",
    "Bytes of the lines sent, before any framing of the carrier",
    "bytes",
  );
  const requests = new Counter({
    name: name("requests_total"),
    help: "Requests answered, by op and by ok or error code",
    labelNames: ["op", "outcome"] as const,
    registers,
  });
  const refusals = new Counter({
    name: name("refused_total"),
    help: "HTTP requests and upgrades refused",
    labelNames: ["reason"] as const,
    registers,
  });
  const evictions = new Counter({
    name: name("evictions_total"),
    help: "Connections ended because they did not take what they were sent",
    labelNames: ["carrier"] as const,
    registers,
  });
  const unanswered = new Counter({
    name: name("pings_unanswered_total"),
    help: "Connections cut because a ping was not answered",
    registers,
  });
  const readings = new Histogram({
    name: name("reading_seconds"),
    help: "Time that one reading of a source took, by source and outcome",
    labelNames: ["source", "outcome"] as const,
    buckets: READING_BUCKETS,
    registers,
  });
  const acts = new Histogram({
    name: name("terminal_call_seconds"),
    help: "Time that one request about a terminal took, by op and by ok, reason or error code",
    labelNames: ["op", "outcome"] as const,
    buckets: READING_BUCKETS,
    registers,
  });
  const views = new Gauge({
    name: name("views"),
    help: "Views of terminals that are open now",
    registers,
  });
  const endedViews = new Counter({
    name: name("views_ended_total"),
    help: "Views of terminals that ended, by left or the reason of the closing",
    labelNames: ["reason"] as const,
    registers,
  });
  const lag = new Histogram({
    name: name("lag_seconds"),
    help: "Time from the first sign of a change to its frame",
    buckets: LAG_BUCKETS,
    registers,
  });
  registerProcess(registry);
  // A counter that begins with its first event shows no increase at that event.
  for (const carrier of CARRIERS) {
    connections.set({ carrier }, 0);
    evictions.inc({ carrier }, 0);
  }

  return {
    registry,
    connected: (carrier) => connections.inc({ carrier }),
    disconnected: (carrier) => connections.dec({ carrier }),
    sent(carrier, length) {
      sent[carrier].frames += 1;
      sent[carrier].bytes += length;
    },
    answered: (op, outcome) => requests.inc({ op: op ?? "none", outcome }),
    acted: (op, outcome, ms) => acts.observe({ op, outcome }, ms / 1000),
    viewing: (count) => views.set(count),
    viewed: (reason) => endedViews.inc({ reason }),
    refused: (reason) => refusals.inc({ reason }),
    evicted: (carrier) => evictions.inc({ carrier }),
    unanswered: () => unanswered.inc(),
    reading: (source, outcome, ms) => readings.observe({ source, outcome }, ms / 1000),
    lag: (ms) => lag.observe(ms / 1000),
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/** Memory, CPU time and start of this process, under the names that Prometheus has for them. */
function registerProcess(registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory in bytes",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "process_cpu_seconds_total",
    help: "User and system CPU time spent, in seconds",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.set((user + system) / 1e6);
    },
  });
  new Gauge({
    name: "process_start_time_seconds",
    help: "Start of the process in seconds since the Unix epoch",
    registers,
  }).set(performance.timeOrigin / 1000);
}
