import { join } from "node:path";
import { expect, test } from "vitest";
import { PrivateTmux, temporaryFolder } from "../../../inventory/support.ts";
import { until } from "../../support.ts";
import { agree, rowOf, shownBy, Watcher } from "./support.ts";

const PANE =
  "#{pane_id} #{pane_active} #{pane_width}x#{pane_height} #{pane_pipe} #{pane_in_mode} #{pane_input_off} #{pane_synchronized} #{pane_marked} #{pane_pid} #{pane_dead} #{pane_tabs} #{history_size} #{alternate_on}";

/** All that somebody could see of a tmux server who uses it: clients, sizes, layouts, flags, options, hooks, buffers. Without
 * times, which go on. */
function stateOf(tmux: PrivateTmux, pane = PANE): string[] {
  const sessions =
    "#{session_name} #{session_attached} #{session_alerts} #{session_group} #{session_windows}";
  const windows =
    "#{window_id} #{window_active} #{window_layout} #{window_visible_layout} #{window_raw_flags} #{window_width}x#{window_height} #{window_bell_flag} #{window_activity_flag} #{window_silence_flag} #{window_active_clients}";
  const clients =
    "#{client_name} #{client_width}x#{client_height} #{client_session} #{client_flags} #{client_key_table} #{client_prefix} #{client_readonly} #{client_pid}";
  const commands = [
    ["list-clients", "-F", clients],
    ["list-sessions", "-F", sessions],
    ["list-windows", "-a", "-F", windows],
    ["list-panes", "-a", "-F", pane],
    ["list-buffers", "-F", "#{buffer_name} #{buffer_size}"],
    ["list-keys"],
    ...["-s", "-g", "-gw", "-gp"].map((scope) => ["show-options", scope]),
    ...["-g", "-gw"].map((scope) => ["show-hooks", scope]),
    ["show-environment", "-g"],
  ];
  return tmux.run(...commands.flatMap((command) => [...command, ";"])).split("\n");
}

test("who uses the tmux of a pane at another size sees nothing of those who look at it", async () => {
  const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
  tmux.run("new-session", "-d", "-x", "91", "-y", "27", "printf 'here '; exec cat");
  // A flag for each kind of news, and something of the user's own of each kind.
  for (const option of ["monitor-activity", "monitor-bell"])
    tmux.run("set-option", "-gw", option, "on");
  tmux.run("set-hook", "-g", "client-attached", "set-buffer seen");
  // Names of windows follow their programs, and the line has the time.
  tmux.run("set-option", "-gw", "automatic-rename", "off");
  tmux.run("set-option", "-g", "status-right", "");
  tmux.run("new-window", "-d", "printf 'other '; exec cat");
  tmux.run("split-window", "-d", "-t", "%1", "exec cat");
  tmux.run("new-window", "-d", "printf '\\a'; exec cat");

  // Their terminal is a pane of another server, in which a client runs.
  const theirs = new PrivateTmux(join(temporaryFolder(), "s"));
  const client = `exec env -u TMUX tmux -S '${tmux.socket}' attach-session`;
  theirs.run("new-session", "-d", "-x", "91", "-y", "28", client);
  await until(() => (shownBy(theirs)[0]?.startsWith("here") ? true : undefined));
  await until(() => (tmux.run("list-buffers").includes("seen") ? true : undefined));
  await until(() =>
    tmux.run("display-message", "-p", "-t", "%3", "#{window_bell_flag}") === "1" ? true : undefined,
  );

  const before = { state: stateOf(tmux), screen: theirs.run("capture-pane", "-p", "-e") };
  const same = () => {
    expect(stateOf(tmux)).toEqual(before.state);
    expect(theirs.run("capture-pane", "-p", "-e")).toBe(before.screen);
  };
  const watchers: Watcher[] = [];
  for (const pane of ["%0", "%1", "%1", "%3"]) {
    watchers.push(await Watcher.at(rowOf(tmux, pane)));
    same();
  }
  for (const watcher of watchers) {
    watcher.view?.resize(200, 80);
    watcher.view?.theme({ foreground: 0, background: 0xffffff, scheme: "light" });
  }
  same();
  for (let round = 0; round < 8; round += 1) {
    await agree(watchers[0] as Watcher, tmux);
    same();
  }
  for (const watcher of watchers) watcher.view?.leave();
  same();
});

test("what a viewer types is all that changes for them", async () => {
  const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
  tmux.run("new-session", "-d", "-x", "80", "-y", "24", "exec cat");
  // Of the pane all but what a program's output changes.
  const pane = PANE.replace(" #{history_size}", "");
  const before = stateOf(tmux, pane);
  const watcher = await Watcher.at(rowOf(tmux));
  watcher.type("typed\r");
  watcher.type(`\x1b[200~${"pasted ".repeat(300)}\x1b[201~\r`);
  await watcher.until(() => watcher.screen.some((row) => row.includes("pasted")));
  await until(() => (tmux.run("list-buffers") === "" ? true : undefined));
  expect(stateOf(tmux, pane)).toEqual(before);
});
