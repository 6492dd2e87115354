import { signal } from "@preact/signals";

/** How this page stands with its publisher.
 *
 * - `asking`: it is being found out.
 * - `open`: let in, perhaps to look and not to act.
 * - `refused`: neither the token of the address nor a cookie lets in.
 * - `away`: nobody answers; it is asked again. */
export type SessionState =
  | { readonly kind: "asking" }
  | { readonly kind: "open"; readonly readOnly: boolean }
  | { readonly kind: "refused" }
  | { readonly kind: "away" };

export const session = signal<SessionState>({ kind: "asking" });

/** How long until the publisher is asked again where it did not answer, in milliseconds. */
const AGAIN_MS = 2_000;

/** Lets the page in: a token in the fragment of the address (`#token=...`), which no server and no log sees, is exchanged for
 * a cookie that no script can read; without one the cookie of before is renewed. Nothing of it is kept here. Resolves once
 * that is decided. */
export async function openSession(endpoint: string): Promise<void> {
  const token = takeToken();
  for (;;) {
    session.value = await asked(endpoint, token);
    if (session.value.kind !== "away") return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Asks anew whether the page is still let in, such as after its connection was refused. */
export async function recheckSession(endpoint: string): Promise<void> {
  const state = await asked(endpoint, undefined);
  if (state.kind !== "away") session.value = state;
}

/** Once: the address bar and the history hold it no more. */
function takeToken(): string | undefined {
  const fragment = location.hash.slice(1).replace(/^token=/, "");
  if (fragment === "") return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return fragment;
}

async function asked(endpoint: string, token: string | undefined): Promise<SessionState> {
  const headers: Record<string, string> =
    token === undefined ? {} : { Authorization: `Bearer ${token}` };
  try {
    // Of a `GET` browsers say whose page makes it only over TLS and on the host itself; with a `POST` they always do.
    const asking = { method: "POST", headers, cache: "no-store" } as const;
    const answer = await fetch(`${endpoint}session`, asking);
    if (answer.status === 401 || answer.status === 403) return { kind: "refused" };
    if (!answer.ok) return { kind: "away" };
    const { read_only: readOnly } = (await answer.json()) as { read_only?: unknown };
    return { kind: "open", readOnly: readOnly === true };
  } catch {
    return { kind: "away" };
  }
}
