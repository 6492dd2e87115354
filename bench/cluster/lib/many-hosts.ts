import { answerParent, Child } from "../../lib/child.ts";
import { paced } from "../../lib/paced.ts";
import { MadeUpHost } from "./hosts.ts";

export const INSTANCES = 100;
export const ROWS = 100;

type Request =
  | {
      readonly do: "start";
      readonly url: string;
      readonly instances: number;
      readonly rows: number;
    }
  | { readonly do: "change"; readonly ms: number; readonly perSecond: number };

/** Made-up hosts in a process of their own. */
export class ManyHosts {
  readonly #child = new Child<Request>(import.meta.url, "hosts");

  get pid(): number {
    return this.#child.pid;
  }

  /** Resolves once all take part. */
  start(url: string, instances = INSTANCES, rows = ROWS): Promise<void> {
    return this.#child.ask({ do: "start", url, instances, rows });
  }

  /** Changes rows, one host after the other, and answers how many. */
  change(ms: number, perSecond: number): Promise<number> {
    return this.#child.ask({ do: "change", ms, perSecond });
  }

  end(): Promise<void> {
    return this.#child.end();
  }
}

function hosts(): void {
  let all: MadeUpHost[] = [];
  answerParent<Request>(async (request) => {
    if (request.do === "change") {
      return paced(request, (made) =>
        all[made % all.length]?.change(Math.floor(made / all.length)),
      );
    }
    const { url, instances, rows } = request;
    const joined: Promise<void>[] = [];
    all = Array.from({ length: instances }, (_, index) => {
      let host: MadeUpHost | undefined;
      joined.push(
        new Promise((resolve) => {
          host = new MadeUpHost(url, `host-${index}`, rows, resolve);
        }),
      );
      return host as MadeUpHost;
    });
    await Promise.all(joined);
    return undefined;
  });
}

export const roles = { hosts };
