import { effect } from "@preact/signals";
import { render } from "preact";
import { connectPage } from "../shared/connection.ts";
import { endpointOf } from "../shared/endpoint.ts";
import "../shared/base.css";
import "../shared/parts.css";
import { openSession, session } from "../shared/session.ts";
import { Actions } from "./actions.ts";
import { App } from "./app.tsx";
import { listenToKeys } from "./keyboard.ts";
import "./list.css";
import { ListModel, TOPICS } from "./model.ts";
import { notifyOf } from "./notify.ts";

const endpoint = endpointOf(0);
await openSession(endpoint);

const subscription = connectPage(endpoint, TOPICS);
const model = new ListModel(subscription);
const actions = new Actions(subscription.terminal);
const mayAct = () => session.peek().kind === "open" && !isReadOnly();
const isReadOnly = () => {
  const state = session.peek();
  return state.kind === "open" && state.readOnly;
};

const app = document.getElementById("app");
if (app !== null) render(<App {...{ endpoint, model, actions }} />, app);
listenToKeys({ model, actions, mayAct });
model.onStated((entry, before) => notifyOf(endpoint, entry, before));

effect(() => {
  const needs = model.needsCount.value;
  const total = model.total.value;
  document.title = `${needs > 0 ? `(${needs}) ` : ""}${total} terminals - termtopic`;
});
