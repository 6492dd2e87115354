import { effect } from "@preact/signals";
import { render } from "preact";
import "../shared/base.css";
import "../shared/parts.css";
import { connectPage } from "../shared/connection.ts";
import { endpointOf } from "../shared/endpoint.ts";
import { openSession } from "../shared/session.ts";
import { App } from "./app.tsx";
import { TOPICS } from "./facts.ts";
import { TerminalPage } from "./page.ts";
import { placeIn } from "./page-id.ts";
import "./terminal.css";

const endpoint = endpointOf(1);
const place = placeIn(location);
const app = document.getElementById("app");

if (app !== null && place === undefined) {
  render(
    <main class="alone">
      <h1>No such terminal</h1>
      <p>This address names none.</p>
      <a href={endpoint}>All terminals</a>
    </main>,
    app,
  );
} else if (app !== null && place !== undefined) {
  await openSession(endpoint);
  const page = new TerminalPage(endpoint, place, connectPage(endpoint, TOPICS));
  render(<App page={page} />, app);
  effect(() => {
    const facts = page.facts.facts.value;
    const name = facts?.terminal.name ?? facts?.terminal.command[0] ?? "Terminal";
    const title = page.view.value?.terminal.value?.title;
    const bell = page.hasBell.value ? "(bell) " : "";
    document.title = `${bell}${title || name} - termtopic`;
  });
}
