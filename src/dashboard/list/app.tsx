import { useMemo } from "preact/hooks";
import { liveness } from "../shared/connection.ts";
import { Refused } from "../shared/refused.tsx";
import { session } from "../shared/session.ts";
import { type Actions, told } from "./actions.ts";
import { Dialogs } from "./dialogs.tsx";
import { Filters } from "./filters.tsx";
import { Header } from "./header.tsx";
import { List } from "./list.tsx";
import type { ListModel } from "./model.ts";
import { Notices } from "./notices.tsx";

export interface AppProps {
  readonly endpoint: string;
  readonly model: ListModel;
  readonly actions: Actions;
}

export function App({ endpoint, model, actions }: AppProps) {
  const { kind } = session.value;
  const mayAct = useMemo(
    () => session.value.kind === "open" && !session.value.readOnly,
    [session.value],
  );
  const context = useMemo(() => ({ endpoint, actions, mayAct }), [endpoint, actions, mayAct]);
  if (kind === "refused") return <Refused />;
  return (
    <>
      <Header model={model} mayAct={mayAct} />
      <Notices model={model} />
      <main data-stale={!liveness.value.isLive && model.isKnown.value ? "" : undefined}>
        <Filters model={model} />
        <List model={model} context={context} />
      </main>
      <Dialogs endpoint={endpoint} actions={actions} />
      <p class="told" role="status" data-fault={told.value?.isFault === true ? "" : undefined}>
        {told.value?.text}
      </p>
    </>
  );
}
