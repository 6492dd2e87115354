import { PROTOCOL_VERSION } from "../../contract/envelope.ts";

/** The page's script: greets, subscribes to `terminals`, folds, and shows the rows as text. It is a
 * small reader by the rules of PROTOCOL.md. Whatever it shows goes through `textContent`.
 *
 * The token comes in the fragment (`#token=...`), which no server and no log sees. It is taken out of
 * the address bar at once, and kept for reloads of this tab alone. */
export const SCRIPT = `"use strict";
(() => {
  const STALE_MS = 25_000;
  const RETRY_MS = 500;
  const RETRY_MAX_MS = 10_000;
  const status = document.getElementById("status");
  const list = document.getElementById("list");
  const held = new Map();
  let attempts = 0;
  let watchdog;

  function takeToken() {
    const fragment = location.hash.slice(1);
    if (fragment === "") return;
    sessionStorage.setItem("token", fragment.replace(/^token=/, ""));
    history.replaceState(null, "", location.pathname + location.search);
  }

  function say(text, stale) {
    status.textContent = text;
    list.className = stale ? "stale" : "";
  }

  function connect() {
    const token = sessionStorage.getItem("token");
    if (token === null) return say("No token: open the address that \\"termtopic url\\" prints.", true);
    const url = new URL("ws", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url, ["ccmsg.v1", "ccmsg.token." + token]);
    const send = (op, args) =>
      socket.send(JSON.stringify({ op, request_id: op, ...args }) + "\\n");
    const subscribe = () => send("topic.subscribe", { topic: "terminals" });
    let lines = "";
    socket.onopen = () => send("hello.user", { protocol_version: ${PROTOCOL_VERSION} });
    socket.onmessage = ({ data }) => {
      lines += data;
      const whole = lines.split("\\n");
      lines = whole.pop();
      for (const line of whole) receive(JSON.parse(line), subscribe);
    };
    socket.onclose = async () => {
      clearTimeout(watchdog);
      say("Not connected. The list is as it was last seen.", true);
      if (await isRefused(token)) {
        return say("The token is refused: open the address that \\"termtopic url\\" prints now.", true);
      }
      const limit = Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** attempts++);
      setTimeout(connect, Math.random() * limit);
    };
    watch(socket);
  }

  /** No script is told why a WebSocket did not open; an answer over HTTP has a status. */
  async function isRefused(token) {
    const headers = { Authorization: "Bearer " + token };
    const answer = await fetch("metrics", { headers }).catch(() => undefined);
    return answer?.status === 401;
  }

  function watch(socket) {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => socket.close(), STALE_MS);
    socket.addEventListener("message", () => watch(socket), { once: true });
  }

  function receive(message, subscribe) {
    if (message.ok === false) return say(message.error.msg, true);
    if (message.ok === true && message.request_id === "hello.user") return subscribe();
    if (message.ev !== "topic" || message.topic !== "terminals") return;
    const rows = fold(message);
    if (rows === undefined) return subscribe();
    attempts = 0;
    held.set(message.instance, { rows, epoch: message.epoch, seq: message.seq });
    if (message.more !== true) show();
  }

  function fold({ instance, snapshot, epoch, prev_seq, data }) {
    const before = held.get(instance);
    if (!snapshot && (before?.epoch !== epoch || (epoch && before.seq !== prev_seq))) return undefined;
    const rows = snapshot || before === undefined ? new Map() : before.rows;
    for (const row of data.terminals) {
      if (row.removed) rows.delete(row.id);
      else rows.set(row.id, row);
    }
    return rows;
  }

  function show() {
    const rows = [...held.values()].flatMap(({ rows }) => [...rows.values()]);
    rows.sort((a, b) => (b.started_at ?? 0) - (a.started_at ?? 0) || (a.id < b.id ? -1 : 1));
    say(rows.length === 1 ? "1 terminal" : rows.length + " terminals", false);
    list.textContent = rows.map(text).join("\\n");
  }

  function text({ id, state, name, command, cwd }) {
    const what = command.length > 0 ? command.join(" ") : "-";
    return [state, what, cwd ?? "-", name ?? "-", id].map(shown).join("  ");
  }

  /** Controls, and what turns the direction of text, could hide or fake what stands beside them. */
  function shown(text) {
    return text.replace(/[\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]+/g, " ");
  }

  addEventListener("hashchange", () => location.reload());
  takeToken();
  connect();
})();
`;
