import { expect, test } from "vitest";
import { useBrowser } from "./support/browser.ts";
import { openTerminal, Stage, showsText } from "./support/stage.ts";

const browser = useBrowser();

test("who uses a pane of tmux at another size keeps it, before, while and after it is viewed", {
  timeout: 90_000,
}, async () => {
  const stage = await Stage.begin(browser());
  const { place } = stage;
  place.tmux("set-option", "-g", "status", "off");
  place.tmux("send-keys", "-t", "work:0", "theirs");
  const theirs = place.onTerminal(
    `stty cols 91 rows 27; exec tmux -S '${place.sockets}/a' -f /dev/null attach-session`,
  );
  await theirs.until(() => (theirs.stdout.includes("theirs") ? true : undefined));
  const seen = () => ({
    clients: place.tmux("list-clients", "-F", "#{client_width}x#{client_height} #{client_flags}"),
    windows: place.tmux("list-windows", "-a", "-F", "#{window_layout} #{window_raw_flags}"),
    panes: place.tmux("list-panes", "-a", "-F", "#{pane_width}x#{pane_height} #{pane_pipe}"),
    options: place.tmux("show-options", "-g") + place.tmux("show-options", "-gw"),
    hooks: place.tmux("show-hooks", "-g"),
  });
  const before = seen();
  expect(before.clients).toMatch(/^91x27 /);
  const page = await stage.list();
  await openTerminal(page, "work:0.0");
  await page.locator(".tools .size").getByText("91×27").waitFor();
  await showsText(page, "theirs");
  expect(seen()).toEqual(before);
  await page.setViewportSize({ width: 600, height: 400 });
  await page.getByRole("button", { name: "Larger text" }).click();
  await showsText(page, "theirs");
  expect(seen()).toEqual(before);
  await page.getByRole("link", { name: "All terminals" }).first().click();
  await page.locator("li.row").first().waitFor();
  expect(seen()).toEqual(before);
});
