import { describe, expect, test } from "vitest";
import { socketFolders } from "../../../../src/inventory/hyoui/folders.ts";

describe("the folders of hyoui's sockets", () => {
  test("are those of all its generations, each once", () => {
    const environment = {
      HYOUI_STATE_DIR: "/state",
      XDG_STATE_HOME: "/home/me/.local/state",
      XDG_RUNTIME_DIR: "/run/user/1000",
      TMPDIR: "/tmp",
      HOME: "/home/me",
    };
    expect(socketFolders(environment, 1000)).toEqual([
      "/state",
      "/home/me/.local/state/hyoui",
      "/run/user/1000/hyoui",
      "/tmp/hyoui-1000",
    ]);
  });

  test("are what is left where little is known, and never relative", () => {
    expect(socketFolders({}, 0)).toEqual(["/tmp/hyoui-0"]);
    const relative = { HYOUI_STATE_DIR: "state", XDG_STATE_HOME: "", HOME: "me", TMPDIR: "." };
    expect(socketFolders(relative, 0)).toEqual(["/tmp/hyoui-0"]);
  });
});
